import { describe, expect, it } from 'vitest';
import { faces, fuzz } from '../../../bench/serve/fuzz.ts';

describe('wrong requests', () => {
  it.each(faces)('are refused by the face %s without an answer of 500', async (face) => {
    const report = await fuzz(face, { attempts: 250, seed: 7 });
    expect(report.findings).toEqual([]);
    // the control: some attempts come through, and most are told why not
    if (face !== 'raw') {
      expect(report.statuses[200]).toBeGreaterThan(5);
      expect(report.statuses[400]).toBeGreaterThan(20);
    } else expect(report.statuses[400]).toBeGreaterThan(20);
  });
});
