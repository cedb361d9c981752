import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { Spool } from '../../../src/core/spool.ts';
import { tempFolder } from '../../support/temp.ts';
import { randomSource } from '../vector/random.ts';

let spool: Spool | undefined;
afterEach(() => spool?.close());

describe('a spool', () => {
  it.each([3, 40])('of %d MiB gives back at any place what was appended', (mib) => {
    const random = randomSource(mib);
    const folder = tempFolder();
    const whole = Buffer.alloc(mib * 2 ** 20);
    for (let i = 0; i < whole.length; i += 4) whole.writeInt32LE(random.integer(-(2 ** 31), 2 ** 31 - 1), i);
    spool = new Spool(() => folder);
    for (let end = 0; end < whole.length; ) {
      const bytes = random.integer(0, 9) === 0 ? random.integer(0, 3 * 2 ** 20) : random.integer(0, 5000);
      spool.append(whole.subarray(end, end + bytes));
      end = Math.min(whole.length, end + bytes);
      expect(spool.length).toBe(end);
      const from = random.integer(0, end);
      const wanted = random.integer(0, 2 ** 21);
      expect(spool.read(from, wanted).equals(whole.subarray(from, Math.min(end, from + wanted)))).toBe(true);
    }
    expect(readdirSync(folder)).toEqual([]); // its file has no name, and goes with the process
  });

  it('touches no disk for little, and says which folder a file cannot go to', () => {
    spool = new Spool(() => '/there is no such folder');
    spool.append(Buffer.alloc(16 * 2 ** 20));
    expect(() => spool?.append(Buffer.alloc(1))).toThrowError(expect.objectContaining({ code: 'STORE_FAILED' }));
  });
});
