import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openZip } from '../../../datasets/unzip.ts';
import { buildZip, type TestEntry } from './zip-builder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ibid-zip-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function unpack(bytes: Uint8Array): Promise<Record<string, string>> {
  const path = join(folder, 'a.zip');
  await writeFile(path, bytes);
  const zip = await openZip(path);
  try {
    const found: Record<string, string> = {};
    for (const entry of zip.entries) {
      await zip.extract(entry, join(folder, 'out'), entry.name);
      found[entry.name] = await readFile(join(folder, 'out', entry.name), 'utf8');
    }
    return found;
  } finally {
    await zip.close();
  }
}

describe('openZip', () => {
  const long = 'The same sentence again and again. '.repeat(5000);

  it.each([
    ['stored', { deflate: false }],
    ['deflated', { deflate: true }],
    ['with ZIP64 sizes', { deflate: true, zip64: true }],
  ])('unpacks %s files', async (_, how) => {
    const bytes = buildZip(
      [
        { name: 'set/', data: '' },
        { name: 'set/a.txt', data: long, ...how },
        { name: 'set/größe.txt', data: 'ü', ...how },
        { name: 'set/empty.txt', data: '' },
      ],
      { comment: 'a comment, longer than nothing' },
    );
    expect(await unpack(bytes)).toEqual({ 'set/a.txt': long, 'set/größe.txt': 'ü', 'set/empty.txt': '' });
  });

  it('reads the ZIP64 end record', async () => {
    expect(await unpack(buildZip([{ name: 'a', data: 'x', zip64: true }], { zip64: true }))).toEqual({ a: 'x' });
  });

  it.each(['../evil', '/etc/evil', 'a/../../evil', 'C:evil', 'a\\..\\evil', './evil', 'a/\0'])(
    'refuses the whole archive for the name %j',
    async (name) => {
      await expect(
        unpack(
          buildZip([
            { name: 'good', data: 'x' },
            { name, data: 'x' },
          ]),
        ),
      ).rejects.toMatchObject({
        code: 'DATASET_INVALID',
        message: expect.stringMatching(/leads outside/),
      });
      expect(await readdir(folder)).toEqual(['a.zip']);
    },
  );

  it.each<[string, TestEntry, RegExp]>([
    ['a wrong CRC', { name: 'a', data: 'hello', crc: 1 }, /"a" is damaged/],
    ['more than it states', { name: 'a', data: long, deflate: true, statedSize: 10 }, /unpacks to more than it states/],
    ['less than it states', { name: 'a', data: 'hello', deflate: true, statedSize: 10 }, /"a" is damaged/],
    ['bytes that do not inflate', { name: 'a', data: 'not deflate data at all', method: 8 }, /"a" is damaged/],
    ['encryption', { name: 'a', data: 'x', flags: 0x801 }, /"a" is encrypted/],
    ['an unknown method', { name: 'a', data: 'x', method: 14 }, /method 14/],
  ])('tells %s', async (_, entry, message) => {
    await expect(unpack(buildZip([entry]))).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it.each([0, 10, 60, 120])('tells an archive cut %i bytes before its end, or one that is none', async (cut) => {
    const bytes = buildZip([{ name: 'some-file', data: 'hello hello hello' }]);
    const broken = cut === 0 ? Buffer.from('not a zip') : bytes.subarray(0, bytes.length - cut);
    await expect(unpack(broken)).rejects.toMatchObject({ code: 'DATASET_INVALID' });
  });
});
