import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openIndex, type SearchIndex } from '../../../src/index.ts';
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
