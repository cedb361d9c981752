import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex, type SearchIndex } from '../../../src/index.ts';
import { nameOf, readLayout, shardFolder, shardOf } from '../../../src/store/shards/layout.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { notes } from '../../support/sea-notes.ts';
import { tempFolder } from '../../support/temp.ts';

const SHARDS = 3;
const options = { create: true, embedder: fakeEmbedder(16) };
const given = { uri: 'note:1', title: 'Ferry', text: 'The ferry leaves at seven.' };

async function made(): Promise<{ folder: string; address: string; layout: string; held: string[] }> {
  const folder = tempFolder(notes(0, 24));
  const address = join(folder, '.ibid');
  await using index = await openIndex(address, { ...options, shards: SHARDS });
  await index.ingest(join(folder, 'docs'));
  await index.add([given]);
  return { folder, address, layout: join(address, 'shards.json'), held: await textsOf(index) };
}

const textsOf = async (index: SearchIndex): Promise<string[]> =>
  (await Array.fromAsync(index.export())).map(({ text }) => text);

const damaged = { code: 'INDEX_DAMAGED', hint: expect.stringContaining('index.repair()') };

describe.each([
  ['is gone', 'is not there', (path: string) => rmSync(path)],
  ['is damaged', 'is not what was written', (path: string) => writeFileSync(path, '{"format":1,"count":2,"set":1}')],
])('an index of shards whose list of shards %s', (_, what, harm) => {
  it('is damaged, and no ingest makes another index in its place', async () => {
    const { folder, address, layout } = await made();
    const { set } = readLayout(address)!;
    harm(layout);
    await using index = await openIndex(address, options);
    await expect(index.search('anchor')).rejects.toMatchObject(damaged);
    await expect(index.ingest(join(folder, 'docs'), { dryRun: true })).rejects.toMatchObject(damaged);
    await expect(index.ingest(join(folder, 'docs'))).rejects.toMatchObject(damaged);
    await expect(index.ingest(join(folder, 'docs'), { rebuild: true })).rejects.toMatchObject(damaged);
    expect(await index.check()).toEqual([{ check: 'checksums', ok: false, detail: `shards.json ${what}` }]);
    expect(existsSync(join(address, 'lance'))).toBe(false);
    for (let shard = 0; shard < SHARDS; shard++) expect(existsSync(shardFolder(address, set, shard))).toBe(true);
  });

  it('is repaired from the shards themselves, with what a program has added', async () => {
    const { folder, address, layout, held } = await made();
    const before = readFileSync(layout, 'utf8');
    harm(layout);
    await using index = await openIndex(address, options);
    const { damaged, reread, lost } = await index.repair({ dryRun: true });
    expect({ damaged, reread, lost }).toEqual({ damaged: [{ file: 'shards.json', what }], reread: 0, lost: [] });
    await expect(index.search('anchor')).rejects.toMatchObject({ code: 'INDEX_DAMAGED' });
    await index.repair();
    expect(readFileSync(layout, 'utf8')).toBe(before);
    expect(await textsOf(index)).toEqual(held);
    expect((await index.check()).filter(({ ok }) => !ok)).toEqual([]);
    expect(await index.ingest(join(folder, 'docs'))).toMatchObject({ unchanged: 24, added: 0 });
  });
});

describe('a list of shards that is made again', () => {
  it('holds each document at the place where its shard is looked for, though the last shard is gone too', async () => {
    const { folder, address, layout } = await made();
    const last = SHARDS - 1;
    const left = Object.keys(notes(0, 24)).filter((uri) => shardOf(uri, SHARDS) !== last);
    rmSync(shardFolder(address, readLayout(address)!.set, last), { recursive: true });
    rmSync(layout);
    await using index = await openIndex(address, options);
    await index.repair();
    const { count } = readLayout(address)!;
    expect(count).toBe(SHARDS); // two shards would put some of the documents elsewhere
    const summary = await index.ingest(join(folder, 'docs'));
    expect(summary).toMatchObject({ unchanged: left.length, added: 24 - left.length });
  });

  it('names the shards that readers saw, not those that a killed run was making', async () => {
    const { address, layout, held } = await made();
    const { set } = readLayout(address)!;
    const before = readFileSync(layout, 'utf8');
    cpSync(shardFolder(address, set, 0), shardFolder(address, set + 1, 0), { recursive: true });
    rmSync(layout);
    await using index = await openIndex(address, options);
    await index.repair();
    expect(readFileSync(layout, 'utf8')).toBe(before);
    expect(await textsOf(index)).toEqual(held);
  });

  it('is not missed where a killed first run had made shards and stored nothing', async () => {
    const folder = tempFolder({ ...notes(0, 24), 'empty/.keep': '' });
    const address = join(folder, '.ibid');
    await using index = await openIndex(address, { ...options, shards: 2 });
    await index.ingest(join(folder, 'empty'));
    expect(existsSync(shardFolder(address, readLayout(address)!.set, 1))).toBe(true);
    await index.close();
    rmSync(join(address, 'shards.json'));
    await using again = await openIndex(address, { ...options, shards: 5 });
    expect(await again.ingest(join(folder, 'docs'))).toMatchObject({ added: 24 });
    expect(readLayout(address)).toMatchObject({ count: 5 });
  });
});

it('a shard in its index takes no folder: most files belong to other shards', async () => {
  const { folder, address } = await made();
  const shard = shardFolder(address, readLayout(address)!.set, 1);
  const docs = join(folder, 'docs');
  await using one = await openIndex(shard, options);
  expect((await one.status()).documents).toBeGreaterThan(0);
  const refused = { code: 'INVALID_ARGUMENT', hint: expect.stringContaining(address) };
  for (const how of [{}, { dryRun: true }, { rebuild: true }])
    await expect(one.ingest(docs, how)).rejects.toMatchObject(refused);
  const moved = join(folder, 'moved');
  cpSync(shard, moved, { recursive: true });
  await using own = await openIndex(moved, options);
  expect((await own.ingest(docs)).documents).toBe(24);
});

it('a shard that cannot be opened is named by status and check', async () => {
  const { address } = await made();
  const shard = shardFolder(address, readLayout(address)!.set, 1);
  rmSync(shard, { recursive: true });
  writeFileSync(shard, 'no folder');
  await using index = await openIndex(address, options);
  expect((await index.status()).shards).toMatchObject({ asked: SHARDS, missing: [{ name: nameOf(1) }] });
  expect((await index.check()).filter(({ ok }) => !ok)).toEqual([
    expect.objectContaining({ check: 'checksums', detail: expect.stringContaining(`shard ${nameOf(1)}`) }),
  ]);
});
