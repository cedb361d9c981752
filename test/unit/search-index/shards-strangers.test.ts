import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openIndex, type SearchIndex } from '../../../src/index.ts';
import { nameOf, readLayout, shardFolder, shardOf } from '../../../src/store/shards/layout.ts';
import { strangersAmong } from '../../../src/store/shards/strangers.ts';
import { notes } from '../../support/sea-notes.ts';
import { tempFolder } from '../../support/temp.ts';

const SHARDS = 3;

async function made(base: string): Promise<SearchIndex> {
  const index = await openIndex(join(base, '.ibid'), { create: true, base, shards: SHARDS });
  await index.ingest([join(base, 'docs')]);
  return index;
}

const folderOf = (address: string, shard: number): string => shardFolder(address, readLayout(address)!.set, shard);

it.each([0, 2])('shard %i of another index is left out and named, until it is read again', async (shard) => {
  const base = tempFolder(notes(0, 30));
  await using whole = await made(base);
  const held = await Array.fromAsync(whole.export({ vectors: true }));
  await whole.close();
  await using other = await made(tempFolder(notes(40, 80)));
  const folder = folderOf(whole.address, shard);
  rmSync(folder, { recursive: true });
  cpSync(folderOf(other.address, shard), folder, { recursive: true });
  await using mixed = await openIndex(whole.address);
  const failure = { code: 'INDEX_MISMATCH', hint: expect.stringContaining(`remove ${folder}`) };
  const { hits, report } = await mixed.search('which anchor holds the ladder?', { limit: 100 });
  expect(report.shards).toEqual({ asked: SHARDS, missing: [{ name: nameOf(shard), code: 'INDEX_MISMATCH' }] });
  expect(report.warnings).toEqual([expect.objectContaining(failure)]);
  expect(hits.map(({ chunk }) => shardOf(chunk.uri, SHARDS))).not.toContain(shard);
  expect((await mixed.check()).filter(({ ok }) => !ok)).toEqual([
    { check: 'embedder', ok: false, detail: expect.stringContaining(nameOf(shard)), hint: failure.hint },
  ]);
  for (const options of [{}, { dryRun: true }, { rebuild: true }])
    await expect(mixed.ingest([join(base, 'docs')], options)).rejects.toMatchObject(failure);
  rmSync(folder, { recursive: true });
  await mixed.ingest([join(base, 'docs')]);
  expect(await Array.fromAsync(mixed.export({ vectors: true }))).toEqual(held);
  expect((await mixed.search('anchor')).report.shards?.missing).toEqual([]);
});

it('what most shards have is what the index has', () => {
  const [one, other] = [
    { embedder: 'one', dimensions: 8 },
    { embedder: 'other', dimensions: 8 },
  ];
  expect(strangersAmong([other, one, undefined, one])).toEqual([true, false, false, false]);
  expect(strangersAmong([one, other])).toEqual([false, true]);
  expect(strangersAmong([{ ...one, dimensions: 16 }, one, one])).toEqual([true, false, false]);
  expect(strangersAmong([undefined])).toEqual([false]);
});
