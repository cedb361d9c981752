import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectDatabase } from '../../../src/store/index.ts';
import { KeyValues } from '../../../src/store/key-values.ts';
import { tempFolder } from '../../support/temp.ts';

const value = (text: string): Map<string, Uint8Array> => new Map([[text, Buffer.from(text)]]);

/** A table of two commits, and what a killed writer leaves: the state of files that some steps of a third give. */
async function table(): Promise<{ directory: string; folder: string; kept: KeyValues }> {
  const directory = join(tempFolder(), 'index');
  const kept = new KeyValues(await connectDatabase(directory), 'kept');
  await kept.put(value('a'));
  await kept.put(value('b'));
  return { directory, folder: join(directory, 'lance/kept.lance'), kept };
}

const damageOf = async (directory: string): Promise<readonly string[]> =>
  (await (await connectDatabase(directory)).damage()).map(({ file, what }) => `${file} ${what}`);

const hint = '_versions/latest_version_hint.json';
const versions = (folder: string): string[] =>
  readdirSync(join(folder, '_versions'))
    .filter((name) => name.endsWith('.manifest'))
    .sort();

describe('checksums of a table', () => {
  it('find nothing after a writer that was killed at any step after its commit', async () => {
    const { directory, folder, kept } = await table();
    const sheet = join(directory, 'checksums/kept.json');
    const [sums, before] = [readFileSync(sheet), readFileSync(join(folder, hint))];
    await kept.put(value('c'));
    const after = readFileSync(join(folder, hint));
    expect(after).not.toEqual(before);
    writeFileSync(sheet, sums); // killed before it noted
    expect(await damageOf(directory)).toEqual([]);
    writeFileSync(join(folder, hint), before); // killed before it named the new version
    expect(await damageOf(directory)).toEqual([]);
    await kept.compact();
    expect(versions(folder).length).toBeLessThan(4);
    writeFileSync(sheet, sums); // killed when it had pruned
    expect(await damageOf(directory)).toEqual([]);
  });

  it('find a lost file, a lost newest version and a wrong name of the newest version', async () => {
    const { directory, folder } = await table();
    const name = versions(folder)[0]!;
    const newest = readFileSync(join(folder, '_versions', name));
    rmSync(join(folder, '_versions', name));
    expect(await damageOf(directory)).toEqual([`lance/kept.lance/_versions/${name} is gone`]);
    writeFileSync(join(folder, '_versions', name), newest);
    const [data] = readdirSync(join(folder, 'data'));
    rmSync(join(folder, 'data', data!));
    expect(await damageOf(directory)).toEqual([`lance/kept.lance/data/${data} is gone`]);
    writeFileSync(join(folder, hint), '{"version":1}');
    expect(await damageOf(directory)).toContain(`lance/kept.lance/${hint} names no version that was written`);
    truncateSync(join(directory, 'checksums/kept.json'), 5);
    expect(await damageOf(directory)).toEqual(['checksums/kept.json has other bytes than were written']);
  });

  it('are kept by two processes that write by turns', async () => {
    const { directory } = await table();
    const other = new KeyValues(await connectDatabase(directory), 'kept');
    const third = new KeyValues(await connectDatabase(directory), 'kept');
    await Promise.all([...'cdefgh'].map((key, i) => (i % 2 ? other : third).put(value(key))));
    expect(await damageOf(directory)).toEqual([]);
    expect((await other.keys()).sort()).toEqual([...'abcdefgh']);
  });
});
