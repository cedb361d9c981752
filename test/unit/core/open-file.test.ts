import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OpenFile, Patience } from '../../../src/core/open-file.ts';
import { tempFolder } from '../../support/temp.ts';

const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * i) % 251);

async function opened(): Promise<OpenFile> {
  const path = join(tempFolder(), 'bytes');
  writeFileSync(path, bytes);
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
    const read = (patience?: Patience): boolean => {
      const buffer = new Uint8Array(8);
      void file.read(buffer, 8, patience);
      return buffer.some((byte) => byte !== 0);
    };
    expect([read(), read(new Patience(0)), read(new Patience(Infinity))]).toEqual([false, false, true]);
  });

  it('fails as a promise does, whoever reads', async () => {
    const file = await opened();
    await expect(file.read(new Uint8Array(8), -2, new Patience(Infinity))).rejects.toThrow();
  });
});
