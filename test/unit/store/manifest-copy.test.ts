import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAddress } from '../../../src/store/address.ts';
import type { DocumentEntry } from '../../../src/store/contract.ts';
import { connectDatabase, openWriter } from '../../../src/store/index.ts';
import { keepManifest, readManifestCopy } from '../../../src/store/manifest-copy.ts';
import { ManifestMap } from '../../../src/store/manifest-map.ts';
import { tempFolder } from '../../support/temp.ts';
import { randomSource } from '../vector/random.ts';

const entry = (uri: string, n: number): DocumentEntry => ({
  uri,
  chunks: n % 5,
  sizeBytes: n * 7,
  mtimeMs: 1e12 + n,
  contentHash: `hash ${n}`,
  ...(n % 3 === 0 && { title: `Tïtle ${n}` }),
  ...(n % 5 === 0 && { failure: { code: 'FILE_EMPTY', message: 'is empty' } }),
  ...(n % 5 > 0 && { first: n * 10 }),
});

/** The address of an empty index, and what keeps a manifest beside it. */
async function placeOf(): Promise<{ address: ReturnType<typeof parseAddress>; keep(map: ManifestMap): Promise<void> }> {
  const folder = join(tempFolder(), 'index');
  await (await openWriter(folder, { fingerprint: { embedder: 'e', dimensions: 8 } })).close();
  const database = await connectDatabase(folder);
  const tables = { documents: await database.open('documents_1'), chunks: await database.open('chunks_1') };
  const address = parseAddress(folder);
  return { address, keep: (map) => keepManifest(address, 1, tables, map, undefined) };
}

it('a manifest from its copy is the manifest, and stays it through random changes', async () => {
  const { address, keep } = await placeOf();
  const random = randomSource(5);
  const uriOf = (): string => `folder ${random.integer(0, 9)}/ä ${random.integer(0, 60)}.md`;
  for (let round = 0; round < 12; round++) {
    const map = new ManifestMap();
    const oracle = new Map<string, DocumentEntry>();
    const change = (...maps: { set(uri: string, line: DocumentEntry): unknown; delete(uri: string): unknown }[]) => {
      for (let i = 0; i < round * 20; i++) {
        const uri = uriOf();
        const line = entry(uri, random.integer(0, 1000));
        const isGone = random.integer(0, 4) === 0;
        for (const one of [oracle, ...maps]) {
          if (isGone) one.delete(uri);
          else one.set(uri, line);
        }
      }
    };
    change(map);
    await keep(map);
    const copy = (await readManifestCopy(address, 1))!.manifest;
    expect(new Map(copy)).toEqual(oracle);
    expect([copy.size, copy.totals(), copy.signature()]).toEqual([map.size, map.totals(), map.signature()]);
    change(map, copy);
    expect(new Map(copy)).toEqual(oracle);
    const again = new ManifestMap(oracle.values());
    expect([copy.totals(), copy.signature()]).toEqual([again.totals(), again.signature()]);
    for (const uri of oracle.keys()) expect(copy.get(uri)).toEqual(oracle.get(uri));
    expect(copy.has('no such')).toBe(false);
  }
});

it('a copy with any byte changed, or cut anywhere, is no copy', async () => {
  const { address, keep } = await placeOf();
  await keep(new ManifestMap([entry('a.md', 1), entry('b.md', 5)]));
  const path = join((address as { directory: string }).directory, 'copies', 'documents_1', 'manifest');
  const whole = readFileSync(path);
  expect((await readManifestCopy(address, 1))?.manifest.size).toBe(2);
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 1 << (at % 8);
    writeFileSync(path, bytes);
    expect(await readManifestCopy(address, 1), `byte ${at}`).toBeUndefined();
    writeFileSync(path, whole.subarray(0, at));
    expect(await readManifestCopy(address, 1), `cut at ${at}`).toBeUndefined();
  }
});
