import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../src/embed/service/plan.ts';
import { seededRandom } from '../../src/eval/statistics.ts';
import { connectDatabase } from '../../src/store/index.ts';
import { StoredVectors } from '../../src/store/vector-cache.ts';
import { tempFolder } from '../support/temp.ts';
import type { Service } from '../wire/service/service.ts';
import { childEmbedder } from './child-embedder.ts';
import { ingestAll, keyed, library, serviceEnvironment } from './support.ts';

const child = join(import.meta.dirname, 'ingest-child.ts');
const SEED = 20261121;
/** At least so many, and on a busy machine as many more as it takes to show something. */
const KILLS = 4;
const MOST_KILLS = 20;

const { model, dimensions, concurrency } = childEmbedder;
const limits = { documents: 0, chunks: 0, tokens: 0, tokensPerDocument: 0 };
const keyOfDocument = (texts: readonly string[]): string =>
  keyOf({ name: model, dimensions, contextual: true, limits, usdPerMillionTokens: 0 }, texts);

/** The documents of each request so far, as the service got them. */
const sentBy = ({ requests }: Service): readonly (readonly string[])[][] =>
  requests.map(({ body }) => (body as { readonly input: string[][] }).input); // the service checked it

async function storedOf(root: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const database = await connectDatabase(join(root, '.ibid'), { create: true });
  const found = await new StoredVectors(database).get(keys);
  database.close();
  return new Set(found.keys());
}

function start(root: string, url: string): ChildProcess {
  return spawn(process.execPath, [child], {
    cwd: root,
    env: serviceEnvironment(url),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function until(condition: () => boolean, run: ChildProcess): Promise<void> {
  while (!condition() && run.exitCode === null) await sleep(5);
}

/**
 * The run that is left alone: its receipt, and the index's vectors, compared with those of an index that nothing
 * befell.
 */
async function finish(root: string, { service, open }: Awaited<ReturnType<typeof keyed>>): Promise<number> {
  const run = start(root, service.url);
  let said = '';
  run.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [status] = (await once(run, 'close')) as [number | null]; // the event's documented arguments
  expect(status).toBe(0);
  const { chunks, documents } = JSON.parse(said) as { chunks: number; documents: number };
  const entries = [...service.ledger.entries];
  const index = await open(join(root, '.ibid'), { base: root });
  const reference = await open(join(root, 'reference'), { base: root, embedder: childEmbedder });
  await ingestAll(reference, [join(root, 'docs')]);
  service.ledger.entries.splice(0, service.ledger.entries.length, ...entries); // the reference is not part of the bill
  const all = async (one: typeof index) => {
    const found = [];
    for await (const { uri, span, vector } of one.export({ vectors: true })) found.push({ uri, span, vector });
    return found;
  };
  expect(await all(index)).toEqual(await all(reference));
  expect((await index.status()).documents).toBe(documents);
  expect((await index.check()).filter(({ ok }) => !ok)).toEqual([]);
  return chunks;
}

describe('a paid ingest', () => {
  it(`killed at random instants pays again only for what was in flight (seed ${SEED})`, async () => {
    const setUp = await keyed();
    const { service } = setUp;
    service.script({ fault: { kind: 'delay', ms: 120 }, times: Infinity }); // carried out and billed, then slow
    const root = tempFolder(library(180));
    const random = seededRandom(SEED);
    let stored: ReadonlySet<string> = new Set();
    let lost = 0;
    let midway = 0;
    for (let kill = 0; kill < KILLS || (midway < 3 && kill < MOST_KILLS); kill++) {
      const before = service.requests.length;
      const run = start(root, service.url);
      const exit = once(run, 'exit');
      await until(() => service.requests.length > before, run);
      await sleep(random() * 300 * (kill < KILLS ? 1 : 3)); // a busy machine stores nothing so soon
      const finished = run.exitCode !== null;
      run.kill('SIGKILL');
      await exit;
      while (service.inFlight > 0) await sleep(5);
      const requests = sentBy(service).slice(before);
      for (const documents of requests) {
        for (const texts of documents) {
          expect(stored.has(keyOfDocument(texts)), 'what was answered and stored is sent again').toBe(false);
        }
      }
      const keys = sentBy(service).flat().map(keyOfDocument);
      const now = await storedOf(root, keys);
      const unfinished = requests.filter((documents) => documents.some((texts) => !now.has(keyOfDocument(texts))));
      expect(unfinished.length, 'more was lost than was in flight').toBeLessThanOrEqual(concurrency);
      for (const documents of unfinished) {
        // a request is kept whole or not at all
        expect(documents.every((texts) => !now.has(keyOfDocument(texts)))).toBe(true);
        lost += documents.flat().length;
      }
      if (now.size > stored.size && unfinished.length > 0) midway++;
      stored = now;
      if (finished) break;
    }
    expect(midway, 'no kill fell between two answers, so the test has shown nothing').toBeGreaterThan(0);
    const chunks = await finish(root, setUp);
    const billed = [...service.ledger.timesPaid().values()].reduce((sum, times) => sum + times, 0);
    expect(billed).toBe(chunks + lost);
    expect(lost).toBeGreaterThan(0);
    expect(service.ledger.timesPaid().size).toBe(chunks); // no two chunks of the library are alike
  }, 400_000);

  it('interrupted as by Ctrl-C keeps what is under way and pays for nothing twice', async () => {
    const setUp = await keyed();
    const { service } = setUp;
    service.script({ fault: { kind: 'delay', ms: 200 }, times: Infinity });
    const root = tempFolder(library(60));
    for (const answered of [1, 3, 6]) {
      const before = service.ledger.entries.length;
      const run = start(root, service.url);
      const exit = once(run, 'exit');
      await until(() => service.ledger.entries.length >= before + answered, run);
      run.kill('SIGINT');
      await exit;
      expect(service.ledger.entries.length).toBeGreaterThan(before);
    }
    const chunks = await finish(root, setUp);
    const paid = service.ledger.timesPaid();
    expect(paid.size).toBe(chunks);
    expect([...paid.values()].filter((times) => times !== 1)).toEqual([]);
  }, 300_000);
});
