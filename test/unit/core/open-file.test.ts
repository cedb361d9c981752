import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { OpenFile, Patience } from '../../../src/core/open-file.ts';
import { tempFolder } from '../../support/temp.ts';

const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * i) % 251);

async function opened(): Promise<OpenFile> {
  const path = join(tempFolder(), 'bytes');
  fs.writeFileSync(path, bytes);
  return await OpenFile.open(path);
}

describe('an open file', () => {
  it.each([undefined, 0, 1, Infinity])('gives the bytes at a place, with patience for %s ms', async (ms) => {
    const file = await opened();
    const patience = ms === undefined ? undefined : new Patience(ms);
    const parts = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const buffer = new Uint8Array(100);
        expect(await file.read(buffer, 100 * i, patience)).toBe(100);
        return [...buffer];
      }),
    );
    expect(parts.flat()).toEqual([...bytes]);
    const end = new Uint8Array(100);
    expect(await file.read(end, 4990, patience)).toBe(10);
    expect([...end]).toEqual([...bytes.subarray(4990), ...new Array<number>(90).fill(0)]);
  });

  it('is read at once as long as the patience lasts, and in the background after that', async () => {
    const file = await opened();
    const readAtOnce = vi.spyOn(fs, 'readSync');
    const reads = async (patience?: Patience): Promise<number> => {
      readAtOnce.mockClear();
      await file.read(new Uint8Array(8), 8, patience);
      return readAtOnce.mock.calls.length;
    };
    expect([await reads(), await reads(new Patience(0)), await reads(new Patience(Infinity))]).toEqual([0, 0, 1]);
  });

  it('fails as a promise does, whoever reads', async () => {
    const file = await opened();
    await expect(file.read(new Uint8Array(8), -2, new Patience(Infinity))).rejects.toThrow();
  });
});
