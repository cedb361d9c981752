import { describe, expect, it } from 'vitest';
import { settleLimited } from '../../../src/core/limited.ts';

describe('a short list, a few at a time', () => {
  it('gives every outcome in order, and never runs more at once than allowed', async () => {
    let running = 0;
    let most = 0;
    const outcomes = await settleLimited(
      [5, 1, 4, 2, 3],
      async (turns) => {
        most = Math.max(most, ++running);
        for (let i = 0; i < turns; i++) await new Promise((done) => setImmediate(done));
        running--;
        if (turns === 4) throw new Error('four');
        return turns * 10;
      },
      2,
    );
    expect(most).toBe(2);
    expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
      50,
      10,
      'Error: four',
      20,
      30,
    ]);
  });
});
