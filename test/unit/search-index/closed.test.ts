import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openIndex, type SearchIndex, watchFolders } from '../../../src/index.ts';
import { lockFolder } from '../../../src/store/lock.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { notes } from '../../support/sea-notes.ts';
import { tempFolder } from '../../support/temp.ts';

const uri = 'docs/note-1.md';

/** Each thing that may be asked of an index. */
const calls: Readonly<Record<string, (index: SearchIndex, part: SearchIndex) => PromiseLike<unknown>>> = {
  search: (index) => index.search('anchor'),
  'search of a part': (_, part) => part.search('anchor'),
  ask: (index) => index.ask('what holds the anchor?'),
  overview: (index) => index.overview(),
  show: (index) => index.show(`${uri}#0-3`),
  document: (index) => index.document(uri),
  documents: (index) => Array.fromAsync(index.documents()),
  documentPage: (index) => index.documentPage(),
  export: (index) => Array.fromAsync(index.export()),
  sourceFile: (index) => index.sourceFile(uri),
  embed: (index) => index.embed(['anchor']),
  ready: (index) => index.ready(),
  status: (index) => index.status(),
  check: (index) => index.check(),
  answerShard: (index) => index.answerShard({ kind: 'open' }),
  ingest: (index) => index.ingest(index.base),
  'dry run': (index) => index.ingest(index.base, { dryRun: true }),
  add: (index) => index.add([{ uri: 'note:1', text: 'too late' }]),
  remove: (index) => index.remove(uri),
  removeWebPages: (index) => index.removeWebPages(new Date()),
  reembed: (index) => index.reembed({ to: fakeEmbedder() }),
  repair: (index) => index.repair(),
};

it('a watch ends with its index, and does not wait for the next change', async () => {
  const folder = tempFolder({ 'docs/note.md': 'The anchor holds.' });
  const index = await openIndex(join(folder, '.ibid'), { create: true, base: folder, embedder: fakeEmbedder() });
  const watching = async (): Promise<void> => {
    for await (const { type } of watchFolders(index, join(folder, 'docs')))
      if (type === 'done') setImmediate(() => void index.close());
  };
  await expect(Promise.race([watching(), sleep(3000)])).rejects.toMatchObject({ message: 'the index is closed' });
});

const closed = { name: 'IbidError', code: 'INVALID_ARGUMENT', message: 'the index is closed', hint: 'Open it again.' };

/** The fields of a rejection; `{ is: 'done' }` where there is none. */
async function failureOf(call: () => PromiseLike<unknown>): Promise<object> {
  try {
    await call();
    return { is: 'done' };
  } catch (error) {
    const { name, code, message, hint } = error as typeof closed; // a test fails on anything else
    return { name, code, message, hint };
  }
}

async function made(base: string, shards: number | undefined): Promise<string> {
  const address = join(base, '.ibid');
  await using index = await openIndex(address, { create: true, base, shards });
  await index.ingest([join(base, 'docs')]);
  return address;
}

describe.each([
  { shards: undefined, threads: 1 },
  { shards: 3, threads: 1 },
  { shards: undefined, threads: 2 },
])('a closed index, shards $shards, threads $threads', ({ shards, threads }) => {
  it('answers and writes nothing, and says that it is closed', async () => {
    const base = tempFolder(notes(0, 12));
    const address = await made(base, shards);
    const index = await openIndex(address, { base, threads });
    const part = index.within({ format: 'markdown' });
    await index.search('anchor');
    const { documents } = await index.status();
    await index.close();
    await index.close();
    for (const [asked, call] of Object.entries(calls))
      expect({ asked, failure: await failureOf(() => call(index, part)) }).toEqual({ asked, failure: closed });
    await using again = await openIndex(address);
    expect((await again.status()).documents).toBe(documents);
  });

  it('says so to a search that it was closed under', async () => {
    const base = tempFolder(notes(0, 12));
    const address = await made(base, shards);
    for (let ms = 0; ms < 10; ms++) {
      const index = await openIndex(address, { base, threads });
      const searching = failureOf(() => index.search('anchor'));
      await sleep(ms);
      await index.close();
      expect([closed, { is: 'done' }]).toContainEqual(await searching); // done, where it was sooner
    }
  });
});

describe('a writer that waits for another one', () => {
  const writes: Readonly<Record<string, (index: SearchIndex, signal?: AbortSignal) => PromiseLike<unknown>>> = {
    ingest: (index, signal) => index.ingest(index.base, { signal }),
    add: (index, signal) => index.add([{ uri: 'note:1', text: 'too late' }], { signal }),
    remove: (index, signal) => index.remove(uri, { signal }),
    reembed: (index, signal) => index.reembed({ to: fakeEmbedder(), signal }),
  };

  it.each(Object.keys(writes))('ends with the signal of the call, and with the index: %s', async (name) => {
    const base = tempFolder(notes(0, 12));
    const address = await made(base, undefined);
    const first = await lockFolder(join(address, 'locks'));
    const index = await openIndex(address, { base, waitMs: 60_000 });
    const abort = new AbortController();
    const stopped = new Error('stopped');
    setTimeout(() => abort.abort(stopped), 50);
    await expect((async () => await writes[name]!(index, abort.signal))()).rejects.toBe(stopped);
    const waiting = failureOf(() => writes[name]!(index));
    await sleep(50);
    await index.close();
    expect(await waiting).toEqual(closed);
    await first.release();
  });
});

describe('the signal of an opening', () => {
  it('ends the opening, and no operation after it', async () => {
    const address = await made(tempFolder(notes(0, 12)), undefined);
    await expect(openIndex(address, { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
    const abort = new AbortController();
    await using index = await openIndex(address, { signal: abort.signal });
    abort.abort();
    expect(await index.add([{ uri: 'note:1', text: 'The anchor holds.' }])).toMatchObject({ added: 1 });
  });
});

describe('an index that is closed under a change of its vectors', () => {
  it('asks the embedder no more', async () => {
    const base = tempFolder(notes(0, 60));
    const address = await made(base, undefined);
    const index = await openIndex(address, { base });
    const embedder = fakeEmbedder();
    let calls = 0;
    const slow: typeof embedder = {
      ...embedder,
      limits: { documents: 1, chunks: 64 },
      embedDocuments: async (documents, options) => {
        calls++;
        await sleep(10);
        if (calls === 2) void index.close();
        return await embedder.embedDocuments(documents, options);
      },
    };
    expect(await failureOf(() => index.reembed({ to: slow }))).toEqual(closed);
    expect(calls).toBeLessThan(10);
  });
});

describe('an index that is closed under an ingest', () => {
  it('ends it, and notes no file as failed', async () => {
    const base = tempFolder(notes(0, 60));
    const address = join(base, '.ibid');
    const index = await openIndex(address, { create: true, base });
    const run = index.ingest([join(base, 'docs')]);
    const ended = failureOf(async () => {
      for await (const event of run) if (event.type === 'scanned') await index.close();
    });
    expect(await ended).toEqual(closed);
    await using again = await openIndex(address, { base, create: true });
    const { added, failed } = await again.ingest([join(base, 'docs')]);
    expect({ added, failed }).toEqual({ added: 60, failed: [] });
  });
});
