import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openIndex, type SearchIndex } from '../../../src/index.ts';
import { Checksums } from '../../../src/store/checksums.ts';
import { connectDatabase, openStore, type Store } from '../../../src/store/index.ts';
import { KeyValues } from '../../../src/store/key-values.ts';
import { NotesCopy } from '../../../src/store/notes-copy.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder } from '../../support/temp.ts';

const options = { create: true, embedder: fakeEmbedder(16) };
const text = '# Harbour\n\nBoats stay in the harbour in winter.';

async function indexed(): Promise<{ folder: string; address: string; index: SearchIndex }> {
  const folder = tempFolder({ 'harbour.md': text });
  const address = join(folder, '.ibid');
  const index = await openIndex(address, options);
  onTestFinished(() => index.close());
  await index.ingest(folder);
  return { folder, address, index };
}

const bad = async (index: SearchIndex): Promise<string[]> =>
  (await index.check()).filter(({ ok }) => !ok).map(({ detail }) => detail);

describe('an index that nobody damaged', () => {
  it('is well while the tables of an earlier generation wait to be dropped', async () => {
    const { address, index } = await indexed();
    const kept = tempFolder();
    const old = ['lance/chunks_1.lance', 'checksums/chunks_1.json'];
    for (const name of old) cpSync(join(address, name), join(kept, name), { recursive: true });
    await index.ingest(join(address, '..'), { rebuild: true });
    for (const name of old) cpSync(join(kept, name), join(address, name), { recursive: true });
    const data = join(address, 'lance/chunks_1.lance/data');
    writeFileSync(join(data, readdirSync(data)[0]!), 'damaged');
    expect(await bad(index)).toEqual([]);
    await index.remove('nothing');
    expect(readdirSync(join(address, 'lance')).filter((name) => name.startsWith('chunks_'))).toEqual([
      'chunks_2.lance',
    ]);
    expect(readdirSync(join(address, 'checksums'))).not.toContain('chunks_1.json');
  });

  it('is well when a process was killed while it pruned pages of the web', async () => {
    const { address } = await indexed();
    const database = await connectDatabase(address, { create: false });
    onTestFinished(() => database.close());
    const kept = new KeyValues(database, 'kept');
    await kept.put(new Map([['a', Buffer.from('a')]]));
    vi.spyOn(database, 'note').mockRejectedValueOnce(new Error('killed'));
    await expect(kept.compact()).rejects.toThrow('killed');
    const folder = join(address, 'lance/kept.lance/_transactions');
    rmSync(join(folder, readdirSync(folder)[0]!)); // the database deletes some files before others
    expect(await database.damage()).toEqual([]);
    await kept.put(new Map([['b', Buffer.from('b')]]));
    expect(readdirSync(join(address, 'checksums'))).toContain('kept.json');
  });

  it('loses the half-written files of killed writers to the next writer', async () => {
    const { address, index } = await indexed();
    writeFileSync(join(address, 'checksums', 'chunks_1.json.999999999.new'), '{"half');
    writeFileSync(join(address, 'locks', 'x.json.999999999.new'), '{"half');
    await index.remove('nothing');
    const names = [...readdirSync(join(address, 'checksums')), ...readdirSync(join(address, 'locks'))];
    expect(names.filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});

it('reads the manifest and the model although a writer switches generations between two steps', async () => {
  const { folder, address } = await indexed();
  for (const [table, read] of [
    ['documents_', (store: Store) => store.manifest()],
    ['blobs_', (store: Store) => store.getBlob('no such name')],
  ] as const) {
    const database = await connectDatabase(address, { create: false });
    onTestFinished(() => database.close());
    const store = await openStore(database);
    const verify = database.verify.bind(database);
    let switched = false;
    vi.spyOn(database, 'verify').mockImplementation(async (names, only) => {
      if (!switched && names[0]!.startsWith(table)) {
        switched = true;
        await using writer = await openIndex(address, options);
        await writer.ingest(folder, { rebuild: true });
      }
      await verify(names, only);
    });
    await expect(read(store)).resolves.not.toThrow();
    expect(switched).toBe(true);
  }
});

it('finds and reads documents although a writer switches generations meanwhile', async () => {
  const { folder, address } = await indexed();
  let switched = 0;
  const embedder = fakeEmbedder(16);
  const slow = {
    ...embedder,
    embedQuery: async (query: string) => {
      switched++;
      if (switched === 1) {
        await using writer = await openIndex(address, options);
        await writer.ingest(folder, { rebuild: true });
      }
      return embedder.embedQuery(query);
    },
  };
  await using reader = await openIndex(address, { embedder: slow });
  const { hits } = await reader.search('harbour');
  expect(hits.map(({ chunk }) => chunk.text)).toEqual([text]);
  expect(switched).toBe(2);
  switched = 0;
  await using another = await openIndex(address, { embedder: slow });
  const answer = await another.ask('Who keeps the harbour?', { mode: 'extractive' });
  expect(answer.hits.map(({ chunk }) => chunk.text)).toEqual([text]);
  expect(switched).toBe(2);
});

it.each<[string, (index: SearchIndex) => AsyncGenerator<unknown>]>([
  ['listed', (index) => index.documents()],
  ['exported', (index) => index.export()],
])('says that the index was rebuilt while its documents were %s', async (_, list) => {
  const { folder, address, index } = await indexed();
  await index.add(
    Array.from({ length: 600 }, (_, i) => ({ uri: `note:${i}`, text: `${text} ${i}\n\n${text.repeat(60)}` })),
  );
  await using reader = await openIndex(address, options);
  const begun = list(reader);
  await begun.next();
  const { documents, chunks } = await index.ingest(folder, { rebuild: true });
  const rest = Array.fromAsync(begun);
  await expect(rest).rejects.toMatchObject({ code: 'STORE_FAILED', hint: 'Read from the beginning again.' });
  expect([documents, chunks]).toContain((await Array.fromAsync(list(reader))).length);
  expect(documents).toBe(601);
});

describe('checksums', () => {
  it('of a table that is dropped while they are read say nothing', async () => {
    const { address } = await indexed();
    const sums = new Checksums(address);
    const reads = Array.from({ length: 40 }, (_, i) =>
      i === 20 ? sums.forget('chunks_1') : sums.verify(['chunks_1']),
    );
    await expect(Promise.all(reads)).resolves.toBeDefined();
    rmSync(join(address, 'lance/chunks_1.lance'), { recursive: true });
    await expect(sums.verify(['chunks_1'])).resolves.toBeUndefined();
  });

  it('that cannot be written are an error of the store', async () => {
    const { address } = await indexed();
    rmSync(join(address, 'checksums'), { recursive: true });
    writeFileSync(join(address, 'checksums'), 'a file of this name');
    expect(() => new NotesCopy(address).keep({})).toThrow(expect.objectContaining({ code: 'STORE_FAILED' }));
  });
});
