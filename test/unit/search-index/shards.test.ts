import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openIndex, openIndexes, type SearchIndex } from '../../../src/index.ts';
import { nameOf, readLayout, shardFolder, shardFolders, shardOf } from '../../../src/store/shards/layout.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { note, notes, questions, variants } from '../../support/sea-notes.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';
import { texts } from '../store/records.ts';
import { randomSource } from '../vector/random.ts';

async function made(base: string, shards: number | undefined, threads = 1): Promise<SearchIndex> {
  const index = await openIndex(join(base, `of-${shards}.ibid`), { create: true, base, shards, threads });
  await index.ingest([join(base, 'docs')]);
  return index;
}

/** Hits, scores and traces, to the last digit. */
async function expectSame(one: SearchIndex, other: SearchIndex): Promise<void> {
  for (const query of questions)
    for (const options of variants) {
      const [a, b] = [await one.search(query, options), await other.search(query, options)];
      expect({ query, options, hits: b.hits }).toEqual({ query, options, hits: a.hits });
      expect(b.report.corrected).toBe(a.report.corrected);
    }
}

/** Documents of words by chance: no two passages are equally good, so that the order of rows decides nothing. */
function essays(from: number, to: number, seed: number): Record<string, string> {
  const random = randomSource(seed);
  const said = (): string => texts(random, 4, 9).join('. ');
  return Object.fromEntries(
    Array.from({ length: to - from }, (_, i) => [`docs/${from + i}.md`, `# ${said()}\n\n${said()}.`]),
  );
}

async function contentOf(index: SearchIndex): Promise<unknown[]> {
  return await Array.fromAsync(index.export({ metadata: true }));
}

describe('an index of shards', () => {
  it.each([2, 5])('ranks as one index: %i shards', async (shards) => {
    const base = tempFolder(notes(0, 60));
    await using one = await made(base, undefined);
    await using sharded = await made(base, shards);
    expect(existsSync(shardFolder(sharded.address, readLayout(sharded.address)!.set, shards - 1))).toBe(true);
    expect(readFileSync(join(sharded.address, '.gitignore'), 'utf8')).toBe('*\n');
    await expectSame(one, sharded);
    expect(await contentOf(sharded)).toEqual(await contentOf(one));
    const question = 'which anchor holds the diver?';
    expect((await sharded.ask(question)).answer).toBe((await one.ask(question)).answer);
    const { bytesOnDisk: _, address: __, ...status } = await sharded.status();
    expect(status).toEqual(expect.objectContaining({ documents: 60, chunks: (await one.status()).chunks }));
    expect((await sharded.check()).filter(({ ok }) => !ok)).toEqual([]);
    const hit = (await one.search('anchor')).hits[0]!;
    const citation = `${hit.chunk.uri}#${hit.chunk.span.start}-${hit.chunk.span.end}`;
    expect(await sharded.show(citation)).toEqual(await one.show(citation));
  });

  it('is searched in threads, with the same hits', async () => {
    const base = tempFolder(notes(0, 40));
    await using one = await made(base, undefined);
    await using sharded = await made(base, 3, 2);
    await expectSame(one, sharded); // in the caller's thread, until the others are ready
    await sleep(1000);
    await expectSame(one, sharded);
    writeFiles(base, notes(40, 43));
    await Promise.all([one, sharded].map((index) => index.ingest([join(base, 'docs')])));
    const uris = async (index: SearchIndex) =>
      (await index.search('near 41', { mode: 'lexical', limit: 5 })).hits.map(({ chunk }) => chunk.uri);
    await expect.poll(() => uris(sharded), { timeout: 10_000 }).toEqual(await uris(one));
  });

  it('is read in part, and embedded again, as one index', async () => {
    const base = tempFolder(notes(0, 40));
    await using one = await made(base, undefined);
    await using sharded = await made(base, 3);
    const where = { uri: { like: '%3.md' } };
    await expectSame(one.within(where), sharded.within(where));
    for (const index of [one, sharded])
      expect(await index.reembed({ to: fakeEmbedder(), switch: 'always' })).toMatchObject({ switched: true });
    const set = readLayout(sharded.address)!.set;
    for (const query of questions) {
      const [a, b] = [await one.search(query), await sharded.search(query)];
      expect(b.hits).toEqual(a.hits);
    }
    await sharded.reembed({ to: 'local', switch: 'never' });
    expect(readLayout(sharded.address)!.set).toBe(set);
  });

  it('follows its folder: changed, removed and renamed documents', async () => {
    const base = tempFolder(notes(0, 40));
    await using sharded = await made(base, 4);
    writeFiles(base, { ...notes(40, 44), 'docs/note-1.md': note(99)['docs/note-99.md']! });
    unlinkSync(join(base, 'docs/note-2.md'));
    const uris = Array.from({ length: 12 }, (_, i) => [`docs/note-${i + 5}.md`, `docs/moved-${i}.md`] as const);
    for (const [from, to] of uris) renameSync(join(base, from), join(base, to));
    // or else this would try no move from one shard to another
    expect(uris.filter(([from, to]) => shardOf(from, 4) !== shardOf(to, 4)).length).toBeGreaterThan(3);
    const summary = await sharded.ingest([join(base, 'docs')]);
    expect(summary).toMatchObject({ added: 4, updated: 1, renamed: 12, removed: 1 });
    await using fresh = await made(base, undefined);
    expect(await contentOf(sharded)).toEqual(await contentOf(fresh));
    expect((await sharded.check()).filter(({ ok }) => !ok)).toEqual([]);
    expect(await sharded.ingest([join(base, 'docs')])).toMatchObject({ added: 0, updated: 0, renamed: 0, removed: 0 });
    const { removed } = await sharded.remove('docs', { force: true });
    expect(removed).toHaveLength(43);
    expect((await sharded.status()).documents).toBe(0);
  });

  it('ranks as one index after changes', async () => {
    const base = tempFolder(essays(0, 500, 1));
    await using one = await made(base, undefined);
    await using sharded = await made(base, 3);
    writeFiles(base, { ...essays(500, 540, 2), ...essays(20, 60, 3) });
    for (let i = 100; i < 500; i += 4) unlinkSync(join(base, `docs/${i}.md`));
    for (const index of [one, sharded]) await index.ingest([join(base, 'docs')]);
    for (const query of texts(randomSource(4), 30, 3)) {
      const [a, b] = [await one.search(query), await sharded.search(query)];
      expect({ query, hits: b.hits }).toEqual({ query, hits: a.hits });
    }
  });

  it('exchanges the names of two documents', async () => {
    const base = tempFolder(notes(0, 12));
    await using sharded = await made(base, 3);
    const from = 'docs/note-0.md';
    const to = Object.keys(notes(1, 12)).find((uri) => shardOf(uri, 3) !== shardOf(from, 3))!;
    renameSync(join(base, from), join(base, 'docs/x'));
    renameSync(join(base, to), join(base, from));
    renameSync(join(base, 'docs/x'), join(base, to));
    await sharded.ingest([join(base, 'docs')], { verify: true });
    await using fresh = await made(base, undefined);
    expect(await contentOf(sharded)).toEqual(await contentOf(fresh));
  });

  it('changes the number of its shards with a rebuild only', async () => {
    const base = tempFolder(notes(0, 20));
    const { address } = await made(base, 2).then(async (index) => {
      await index.close();
      return index;
    });
    await using other = await openIndex(address, { shards: 3 });
    const again = { code: 'INDEX_MISMATCH', hint: expect.stringContaining('rebuild') };
    for (const dryRun of [true, false])
      await expect(other.ingest([join(base, 'docs')], { dryRun })).rejects.toMatchObject(again);
    expect(readLayout(address)?.count).toBe(2);
    await other.ingest([join(base, 'docs')], { rebuild: true });
    expect(readLayout(address)?.count).toBe(3);
    await using fresh = await made(base, undefined);
    await expectSame(fresh, other);
    await using plain = await openIndex(fresh.address, { shards: 2 });
    await expect(plain.ingest([join(base, 'docs')])).rejects.toMatchObject({ code: 'INDEX_MISMATCH' });
  });

  it('is trained once: every shard has the same model', async () => {
    const base = tempFolder(notes(0, 20));
    await using sharded = await made(base, 3);
    const { embedder } = await sharded.status();
    for (const shard of [0, 1, 2]) {
      await using one = await openIndex(shardFolder(sharded.address, readLayout(sharded.address)!.set, shard));
      expect((await one.status()).embedder).toBe(embedder);
      expect((await one.search('anchor')).hits.length).toBeGreaterThan(0);
    }
  });

  it('leaves no half-built set behind', async () => {
    const base = tempFolder(notes(0, 10));
    await using sharded = await made(base, 2);
    const { set } = readLayout(sharded.address)!;
    const left = shardFolder(sharded.address, set + 1, 0);
    mkdirSync(left, { recursive: true });
    writeFiles(base, notes(10, 12));
    await sharded.ingest([join(base, 'docs')]);
    expect(existsSync(left)).toBe(false);
    expect((await sharded.status()).documents).toBe(12);
  });

  it('answers without a shard that is gone, and names it', async () => {
    const base = tempFolder(notes(0, 30));
    await using sharded = await made(base, 3);
    const { set } = readLayout(sharded.address)!;
    await sharded.close();
    rmSync(shardFolder(sharded.address, set, 1), { recursive: true });
    await using without = await openIndex(sharded.address);
    const { hits, report } = await without.search('which anchor holds the ladder?', { limit: 100 });
    expect(report.shards).toEqual({ asked: 3, missing: [{ name: nameOf(1), code: 'INDEX_NOT_FOUND' }] });
    expect(report.warnings.map(({ message }) => message)).toEqual([expect.stringContaining(`shard ${nameOf(1)}`)]);
    expect(new Set(hits.map(({ chunk }) => shardOf(chunk.uri, 3)))).toEqual(new Set([0, 2]));
    expect((await without.check()).filter(({ ok }) => !ok)).toEqual([
      expect.objectContaining({ detail: expect.stringContaining(nameOf(1)) }),
    ]);
    const found = Object.keys(notes(0, 30)).filter((uri) => shardOf(uri, 3) !== 1).length;
    expect(await without.status()).toMatchObject({ documents: found, shards: report.shards });
    expect(await without.documentPage()).toMatchObject({ total: found, shards: report.shards });
    const gone = { code: 'INDEX_NOT_FOUND', message: expect.stringContaining(nameOf(1)) };
    await expect(contentOf(without)).rejects.toMatchObject(gone);
    const lost = Object.keys(notes(0, 30)).find((uri) => shardOf(uri, 3) === 1)!;
    await expect(without.show(`${lost}#0-5`)).rejects.toMatchObject({
      code: 'CITATION_NOT_FOUND',
      message: `"${lost}" is in no shard that can be read; 1 of 3 cannot`,
    });
    await expect(without.show(`${hits[0]!.chunk.uri}#0-5`)).resolves.toMatchObject({ span: { start: 0, end: 5 } });
    await expect(without.remove('docs/note-1.md')).rejects.toMatchObject(gone); // would make it anew, empty
    await expect(without.reembed({ to: fakeEmbedder() })).rejects.toMatchObject(gone);
    expect((await without.search('anchor')).report.shards?.missing).toHaveLength(1);
    expect(await without.ingest([join(base, 'docs')])).toMatchObject({
      removed: 0,
      unchanged: new Set(hits.map(({ chunk }) => chunk.uri)).size,
    });
    await using fresh = await made(base, undefined);
    await expectSame(fresh, without);
    for (const shard of [0, 1, 2]) rmSync(shardFolder(sharded.address, set, shard), { recursive: true });
    await expect(openIndex(sharded.address)).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' });
    await using again = await openIndex(sharded.address, { create: true, base });
    expect(await again.ingest([join(base, 'docs')])).toMatchObject({ added: 30 });
    expect(readLayout(sharded.address)?.count).toBe(3);
    await expectSame(fresh, again);
  });

  it.each([0, 1])(
    'says that shard %i, which was gone, is made anew, and where its documents come from',
    async (lost) => {
      const base = tempFolder(notes(0, 20));
      await using sharded = await made(base, 2);
      writeFiles(base, Object.fromEntries(Object.entries(notes(20, 40)).map(([path, text]) => [`more/${path}`, text])));
      await sharded.ingest([join(base, 'more')]);
      const { set } = readLayout(sharded.address)!;
      await sharded.close();
      rmSync(shardFolder(sharded.address, set, lost), { recursive: true });
      await using without = await openIndex(sharded.address);
      const dry = await Array.fromAsync(without.ingest([join(base, 'docs')], { dryRun: true }));
      const again = Object.keys(notes(0, 20)).filter((uri) => shardOf(uri, 2) === lost).length;
      expect(dry[0]).toMatchObject({ type: 'refilled', shards: [nameOf(lost)] });
      expect(dry[0]).toHaveProperty('warning.message', expect.stringContaining('would be made anew'));
      expect(dry.at(-1)).toMatchObject({ summary: { added: again, unchanged: 20 - again, refilled: [nameOf(lost)] } });
      expect(existsSync(shardFolder(sharded.address, set, lost))).toBe(false);
      const run = without.ingest([join(base, 'docs')]);
      const events = await Array.fromAsync(run);
      expect(events[0]).toMatchObject({
        type: 'refilled',
        shards: [nameOf(lost)],
        warning: { message: expect.stringContaining(nameOf(lost)), hint: expect.stringContaining('docs, more') },
      });
      expect(events.at(-1)).toMatchObject({ type: 'done', summary: { refilled: [nameOf(lost)] } });
      const files = (await without.check()).find(({ check }) => check === 'files');
      expect(files?.detail).toMatch(/\d+ new/); // the noted sources are still known
      expect(await without.ingest([join(base, 'docs'), join(base, 'more')])).not.toHaveProperty('refilled');
      expect((await without.status()).documents).toBe(40);
      await without.close();
      rmSync(shardFolder(sharded.address, set, lost), { recursive: true });
      await using adding = await openIndex(sharded.address);
      expect(await adding.add([{ uri: 'note:1', text: 'The anchor of a program.' }])).toMatchObject({
        refilled: [nameOf(lost)],
      });
    },
  );

  it('says how a damaged shard is made whole, and that way works', async () => {
    const base = tempFolder(notes(0, 12));
    await using sharded = await made(base, 2);
    const shard = shardFolder(sharded.address, readLayout(sharded.address)!.set, 1);
    expect(await sharded.repair()).toMatchObject({ damaged: [], reread: 0 });
    await sharded.close();
    const data = join(shard, 'lance/chunks_1.lance/data');
    for (const name of readdirSync(data)) truncateSync(join(data, name), 100);
    await using damaged = await openIndex(sharded.address, { base });
    const failure = { code: 'INDEX_DAMAGED', hint: expect.stringContaining(`Remove ${shard}`) };
    expect((await damaged.search('anchor')).report.warnings).toEqual([expect.objectContaining(failure)]);
    const missing = [{ name: nameOf(1), code: 'INDEX_DAMAGED' }];
    const sound = Object.keys(notes(0, 12)).filter((uri) => shardOf(uri, 2) === 0).length;
    expect(await damaged.status()).toMatchObject({ documents: sound, shards: { asked: 2, missing } });
    await expect(damaged.ingest([join(base, 'docs')])).rejects.toMatchObject(failure);
    await expect(damaged.repair().then()).rejects.toMatchObject(failure);
    rmSync(shard, { recursive: true });
    await damaged.ingest([join(base, 'docs')]);
    expect((await damaged.status()).documents).toBe(12);
  });

  it.each(['sharded', 'joined'])('follows a shard that goes and comes back: %s', { timeout: 30_000 }, async (how) => {
    const base = tempFolder(notes(0, 30));
    await using whole = await made(base, 3);
    const folders = shardFolders(whole.address, readLayout(whole.address)!);
    const lost = folders[1]!;
    const away = join(base, 'away');
    const open = () => (how === 'joined' ? openIndexes(folders, { base }) : openIndex(whole.address, { base }));
    const missing = async (index: SearchIndex) =>
      (await index.search('anchor')).report.shards!.missing.map(({ code }) => code);
    await using before = await open();
    expect(await missing(before)).toEqual([]);
    renameSync(lost, away);
    await using meanwhile = await open();
    for (const index of [before, meanwhile]) {
      expect(await missing(index)).toEqual(['INDEX_NOT_FOUND']);
      expect((await index.status()).shards?.missing).toHaveLength(1);
    }
    expect(existsSync(lost)).toBe(false); // a reader leaves no folder in its place
    renameSync(away, lost);
    for (const index of [before, meanwhile]) {
      await expect.poll(() => missing(index), { timeout: 15_000, interval: 200 }).toEqual([]);
      await expectSame(whole, index);
    }
  });

  it('says when the list of its shards is damaged', async () => {
    const base = tempFolder(notes(0, 4));
    await using sharded = await made(base, 2);
    writeFileSync(join(sharded.address, 'shards.json'), '{"format":1,"count":3,"set":1,"sum":"0"}');
    await using damaged = await openIndex(sharded.address);
    await expect(damaged.search('anchor')).rejects.toMatchObject({ code: 'INDEX_DAMAGED' });
  });
});
