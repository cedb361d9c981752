import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import { missing, outline, parse, shared } from './helpers.ts';

const read = (): Buffer => readFileSync(join(shared, 'docs/other/fake.doc'));

/** What may come of broken bytes: a sound document or a code that says why not. */
async function survives(bytes: Uint8Array): Promise<string> {
  try {
    await parse('a.doc', bytes);
    return 'read';
  } catch (error) {
    if (!(error instanceof IbidError)) throw error;
    expect(error.code).toMatch(/^FILE_/);
    return error.code;
  }
}

describe.skipIf(missing)('Word before 2007 (skipped without shared/docs)', () => {
  test('reads the text that Word shows', async () => {
    const document = await parse('fake.doc', read());
    expect(document.format).toBe('doc');
    expect(outline(document)).toEqual([['paragraph', 'Lorem ipsum dolor sit amet.']]);
  });

  test('is known by its content under another name', async () => {
    const document = await parse('fake.docx', read());
    expect([document.format, document.warnings.map(({ code }) => code)]).toEqual(['doc', ['TYPE_MISMATCH']]);
  });

  test('says that a file is encrypted, or of an older Word', async () => {
    const bytes = read();
    const fib = bytes.indexOf(Buffer.from([0xec, 0xa5]), 512);
    const locked = Buffer.from(bytes);
    locked[fib + 11] = locked[fib + 11]! | 1;
    expect(await survives(locked)).toBe('FILE_ENCRYPTED');
    const older = Buffer.from(bytes);
    older.writeUInt16LE(104, fib + 2);
    expect(await survives(older)).toBe('FILE_UNSUPPORTED');
  });

  test('is cut anywhere, and says so', async () => {
    const bytes = read();
    for (let length = 512; length < bytes.length; length += 512) await survives(bytes.subarray(0, length));
    expect(await survives(bytes.subarray(0, 512))).toBe('FILE_DAMAGED');
    expect(await survives(bytes.subarray(0, 100))).toBe('FILE_DAMAGED');
  });

  test('has bytes changed at random, and is read or refused', async () => {
    let state = 1;
    const random = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const outcomes = new Set<string>();
    for (let round = 0; round < 1500; round++) {
      const bytes = Buffer.from(read());
      const places = round % 2 ? bytes.length : 1536; // every other time only where the tables are
      for (let i = 0; i < 20; i++) bytes[random(places)] = random(256);
      outcomes.add(await survives(bytes));
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(['read', 'FILE_DAMAGED']));
  });
});
