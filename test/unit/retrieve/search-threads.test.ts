import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LocalEmbedder, openLocalEmbedder } from '../../../src/embed/local/embedder.ts';
import { readBeirFolder } from '../../../src/eval/beir.ts';
import { beirSource } from '../../../src/eval.ts';
import { openIndex, type SearchIndex } from '../../../src/index.ts';
import { type SearchOptions, searchWithPredictors } from '../../../src/retrieve/search.ts';
import { SearchThreads } from '../../../src/retrieve/search-threads.ts';
import { MODEL_BLOB } from '../../../src/search-index/ingest-session.ts';
import { connectDatabase } from '../../../src/store/index.ts';
import { ScopedSnapshot } from '../../../src/store/scoped-snapshot.ts';
import { attachSnapshot } from '../../../src/store/shared-snapshot.ts';
import { TableStore } from '../../../src/store/store.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';

const nouns = 'anchor buoy cable diver engine fender gauge hull ladder mast needle oar pump quay rope sail'.split(' ');

function note(i: number): Record<string, string> {
  const word = (n: number): string => nouns[(i * 7 + n * 3 + Math.floor(i / 5)) % nouns.length]!;
  const lines = Array.from(
    { length: 5 },
    (_, n) => `The ${word(n)} holds the ${word(n + 1)} near ${word(n + 5)} ${i}.`,
  );
  return {
    [`docs/note-${i}.md`]: `# ${word(9)} ${i}\n\n${lines.join(' ')}\n\n## ${word(4)}\n\n${lines.reverse().join(' ')}`,
  };
}

const notes = (from: number, to: number): Record<string, string> =>
  Object.assign({}, ...Array.from({ length: to - from }, (_, i) => note(from + i)));

const questions = [
  ...nouns.map((noun, i) => `which ${noun} holds the ${nouns[(i + 3) % nouns.length]} near ${i * 3}?`),
  '"holds the rope" near the quay',
  'anchr and ladder', // misspelled
  'pump -"near the sail"',
  'need* of the diver',
  'nothing of this is there',
];

const variants: readonly SearchOptions[] = [
  {},
  { limit: 40, explain: true, distinct: false },
  { mode: 'lexical', neighbours: 2, opening: 3 },
  { mode: 'dense', limit: 5 },
  { where: "uri LIKE '%7.md'", explain: true },
  { weights: { window: 3 }, candidates: { read: 20 } },
];

interface Opened extends AsyncDisposable {
  readonly shared: TableStore;
  /** Reads alone, without anything that threads share. */
  readonly alone: TableStore;
  readonly embedder: LocalEmbedder;
  readonly threads: SearchThreads;
  /** That the threads give the hits, scores and traces of a search in this thread. */
  check(queries: readonly string[], options: readonly SearchOptions[]): Promise<void>;
}

async function opened(address: string): Promise<Opened> {
  const shared = await TableStore.open(await connectDatabase(address), { threads: 3 });
  const alone = await TableStore.open(await connectDatabase(address));
  const embedder = openLocalEmbedder((await alone.getBlob(MODEL_BLOB))!);
  const threads = new SearchThreads(2);
  return {
    ...{ shared, alone, embedder, threads },
    async check(queries, options) {
      const snapshot = await shared.snapshot();
      expect(await threads.ready(snapshot)).toBe(true);
      const plain = await alone.snapshot();
      for (const variant of options) {
        const got = await Promise.all(queries.map((query) => threads.search(snapshot, embedder, query, variant)));
        for (const [i, query] of queries.entries())
          expect(got[i]).toEqual(await searchWithPredictors(plain, embedder, query, variant));
        expect(got.some(({ hits }) => hits.length > 0)).toBe(true);
      }
    },
    async [Symbol.asyncDispose]() {
      await threads.close();
      await embedder[Symbol.asyncDispose]();
      await shared.close();
      await alone.close();
    },
  };
}

async function made(
  count: number,
): Promise<{ readonly folder: string; readonly address: string; readonly index: SearchIndex }> {
  const folder = tempFolder(notes(0, count));
  const address = join(folder, '.ibid');
  const index = await openIndex(address, { create: true, base: folder });
  await index.ingest([join(folder, 'docs')]);
  return { folder, address, index };
}

describe('searches in threads', () => {
  it('give the hits, scores and traces of a search in this thread', async () => {
    const { address, index } = await made(60);
    await using one = await opened(address);
    await one.check(questions, variants);
    await index.close();
  });

  it('see no more than a scope holds', async () => {
    const { address, index } = await made(60);
    await using one = await opened(address);
    const [shared, plain] = await Promise.all([one.shared.snapshot(), one.alone.snapshot()]);
    expect(await one.threads.ready(shared)).toBe(true);
    for (const where of ["uri LIKE '%3.md'", "uri LIKE '%5.md'", "uri LIKE '%3.md'"]) {
      const scoped = await ScopedSnapshot.open(shared, where);
      const expected = await ScopedSnapshot.open(plain, where);
      for (const query of questions)
        expect(await one.threads.search(scoped, one.embedder, query, { limit: 60, explain: true })).toEqual(
          await searchWithPredictors(expected, one.embedder, query, { limit: 60, explain: true }),
        );
    }
    await index.close();
  });

  it('see what was added, changed, renamed and removed', async () => {
    const { folder, address, index } = await made(40);
    await using one = await opened(address);
    await one.check(questions, variants.slice(0, 2));
    const docs = join(folder, 'docs');
    const changes = [
      () => writeFiles(folder, notes(40, 60)),
      () => renameSync(join(docs, 'note-7.md'), join(docs, 'renamed-17.md')),
      () => writeFiles(folder, { 'docs/note-5.md': '# Needle\n\nThe needle holds the sail near 12.' }),
      () => rmSync(join(docs, 'note-12.md')),
    ];
    for (const change of changes) {
      change();
      await index.ingest([docs]);
      await one.check([...questions, 'note 7 needle'], variants.slice(0, 3));
    }
    const all = await one.threads.search(await one.shared.snapshot(), one.embedder, 'holds', { limit: 500 });
    const uris = new Set(all.hits.map(({ chunk }) => chunk.uri));
    expect(uris).toContain('docs/renamed-17.md');
    expect(uris).not.toContain('docs/note-7.md');
    await index.close();
  });

  it('search a state before once more, and the newest again', async () => {
    const { folder, address, index } = await made(40);
    await using one = await opened(address);
    await one.check(questions, [{}]);
    const [before, plain] = await Promise.all([one.shared.snapshot(), one.alone.snapshot()]);
    writeFiles(folder, notes(40, 80));
    await index.ingest([join(folder, 'docs')]);
    await one.check(questions, [{}]);
    for (const query of questions)
      expect(await one.threads.search(before, one.embedder, query)).toEqual(
        await searchWithPredictors(plain, one.embedder, query),
      );
    await one.check(questions, [{}]);
    await index.close();
  });

  it('read from the database what is not in memory', async () => {
    const { address, index } = await made(40);
    await using one = await opened(address);
    const shared = (await (await one.shared.snapshot()).share())!;
    const database = await connectDatabase(address);
    const attached = attachSnapshot(
      {
        ...shared,
        rows: undefined,
        segments: shared.segments.map((segment) => ({ ...segment, blocks: undefined })),
        search: { ...shared.search, vectors: undefined },
      },
      { thread: 1, database: async () => database },
    );
    const plain = await one.alone.snapshot();
    for (const query of questions)
      expect(await searchWithPredictors(attached, one.embedder, query)).toEqual(
        await searchWithPredictors(plain, one.embedder, query),
      );
    database.close();
    await index.close();
  });

  it('end with an abort, with the errors of a search, and with the index', async () => {
    const { address, index } = await made(20);
    await index.close();
    await using one = await opened(address);
    const snapshot = await one.shared.snapshot();
    await one.threads.ready(snapshot);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(one.threads.search(snapshot, one.embedder, 'rope', { signal })).rejects.toThrow('enough');
    await expect(one.threads.search(snapshot, one.embedder, 'rope', { where: 'colour = 3' })).rejects.toMatchObject({
      code: 'INVALID_FILTER',
    });
    const unasked = { ...one.embedder, embedQuery: () => Promise.reject(new Error('this would be billed')) };
    for (const wrong of [{ limit: 0 }, { neighbours: -1 }, { candidates: { read: 0 } }])
      await expect(one.threads.search(snapshot, unasked, 'rope', wrong)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    const open = one.threads.search(snapshot, undefined, 'rope');
    await Promise.all([expect(open).rejects.toMatchObject({ code: 'ABORTED' }), one.threads.close()]);
  });

  it('answer for an index that is opened with threads', async () => {
    const { folder, address, index } = await made(40);
    await using threaded = await openIndex(address, { base: folder, threads: 2 });
    // the first are answered by this thread, later ones by others
    for (let round = 0; round < 30; round++) {
      const [one, other] = await Promise.all([index, threaded].map((each) => each.search(questions[round % 20]!)));
      expect(other!.hits).toEqual(one!.hits);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await index.close();
    for (const threads of [0, 1.5, 65])
      await expect(openIndex(address, { threads })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

const cranfield = join(process.env.IBID_SHARED ?? '../shared', 'data', 'cranfield');
const isThere = existsSync(cranfield);

describe('a judged collection', () => {
  it.skipIf(!isThere)(
    `ranks the same in threads${isThere ? '' : ' (skipped: no shared data)'}`,
    { timeout: 240_000 },
    async () => {
      const folder = tempFolder();
      const dataset = await readBeirFolder(cranfield);
      const index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
      await index.ingest(beirSource(dataset));
      await index.close();
      await using one = await opened(join(folder, '.ibid'));
      const queries = dataset.queries.map(({ text }) => text);
      expect(queries.length).toBeGreaterThan(200);
      await one.check(queries, [{ limit: 100, explain: true }]);
    },
  );
});
