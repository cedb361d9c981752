import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import type { StoredChunk } from '../../../src/core/types.ts';
import type { Snapshot } from '../../../src/store/contract.ts';
import { openStore } from '../../../src/store/index.ts';
import { analyseDocument } from '../../../src/text/analysis/analysis.ts';
import { randomSource } from '../vector/random.ts';
import { content, desired } from './crash-plan.ts';
import { words } from './records.ts';

const kills = Number(process.env.IBID_KILLS ?? 12);
const seed = Number(process.env.IBID_SEED ?? 20261121);
const root = mkdtempSync(join(tmpdir(), 'ibid-crash-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function start(directory: string, epoch: number): ChildProcess {
  const script = fileURLToPath(new URL('crash-child.ts', import.meta.url));
  return spawn(process.execPath, [script, directory, String(epoch)], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** @returns milliseconds from the start of its work, modules loaded, to its end */
async function runToEnd(directory: string, epoch: number): Promise<number> {
  const child = start(directory, epoch);
  let errors = '';
  child.stderr!.on('data', (data) => {
    errors += data;
  });
  let startedAt = 0;
  child.stdout!.once('data', () => {
    startedAt = performance.now();
  });
  const [code] = await once(child, 'exit');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return performance.now() - startedAt;
}

async function chunksOf(snapshot: Snapshot): Promise<{ ordinal: number; chunk: StoredChunk }[]> {
  const { ordinals } = await snapshot.filter('position >= 0');
  expect(ordinals.length).toBe(snapshot.liveRows);
  const chunks = await snapshot.fetch(ordinals);
  return chunks.map((chunk, i) => ({ ordinal: ordinals[i]!, chunk }));
}

/** Every document is one whole version of itself, and the inverted index says exactly what the chunks hold. */
async function checkSnapshot(snapshot: Snapshot, what: string): Promise<void> {
  const rows = await chunksOf(snapshot);
  const documents = new Map<string, StoredChunk[]>();
  for (const { ordinal, chunk } of rows) {
    const of = documents.get(chunk.uri) ?? [];
    documents.set(chunk.uri, of);
    expect(chunk.position, `${what}: ${chunk.uri} is in order`).toBe(of.length);
    expect(snapshot.documentRange(ordinal)[0]).toBe(ordinal - of.length);
    of.push(chunk);
  }
  for (const [uri, chunks] of documents) {
    const document = Number(/(\d+)/.exec(uri)![1]);
    const versions = [1, 2, 3].map((version) => content(document, version).join('|'));
    expect(versions, `${what}: ${uri} is whole`).toContain(chunks.map((chunk) => chunk.text).join('|'));
  }
  const sample = words.slice(0, 40).flatMap((word) => analyseDocument('', [{ text: word, headings: [] }])[0]!.text);
  const postings = await snapshot.lexical.terms(sample);
  const tokens = rows.map(({ ordinal, chunk }) => ({ ordinal, text: analyseDocument('', [chunk])[0]!.text }));
  for (const [i, term] of sample.entries()) {
    const holding = tokens.filter(({ text }) => text.includes(term)).map(({ ordinal }) => ordinal);
    const { ordinals, text } = postings[i]!;
    expect(
      [...ordinals].filter((_, at) => text[at]! > 0),
      `${what}: rows with ${term}`,
    ).toEqual(holding);
  }
}

async function readWhile(directory: string, running: () => boolean, what: string): Promise<void> {
  const store = existsSync(join(directory, 'lance', 'meta.lance'))
    ? await openStore(directory).catch(() => undefined)
    : undefined;
  while (running()) {
    if (store) await checkSnapshot(await store.snapshot(), what);
    await sleep(5);
  }
  await store?.close();
}

it(`a writer killed at any instant leaves whole documents, and the next run ends as if nothing had happened (seed ${seed})`, async () => {
  const directory = join(root, 'killed');
  const random = randomSource(seed);
  const straight = join(root, 'straight');
  const runMs = await runToEnd(straight, kills + 1); // the machine's own measure of what an instant within a run is
  let wasThere = false;
  for (let epoch = 1; epoch <= kills; epoch++) {
    const what = `seed ${seed}, epoch ${epoch}`;
    const child = start(directory, epoch);
    child.stderr!.resume();
    const exited = once(child, 'exit');
    await once(child.stdout!, 'data');
    let running = true;
    const reading = readWhile(directory, () => running, what);
    await Promise.race([sleep(random.next() * 1.2 * runMs), exited]);
    child.kill('SIGKILL');
    await exited;
    running = false;
    await reading;
    if (!existsSync(join(directory, 'lance', 'meta.lance'))) continue;
    try {
      const store = await openStore(directory);
      wasThere = true;
      await checkSnapshot(await store.snapshot(), what);
      await store.close();
    } catch (error) {
      // killed before there was an index: only as long as there never was one
      if ((error as { code?: string }).code !== 'INDEX_NOT_FOUND' || wasThere) throw error;
    }
  }
  await runToEnd(directory, kills + 1);
  const states = await Promise.all([directory, straight].map(stateOf));
  for (const table of ['chunks_1', 'lexical_1']) {
    const copies = readdirSync(join(directory, 'copies', table));
    expect(copies.filter((name) => name.endsWith('.new'))).toEqual([]);
    expect(copies.length).toBeGreaterThan(0);
  }
  rmSync(join(directory, 'copies'), { recursive: true });
  expect(await stateOf(directory)).toEqual(states[0]); // by the tables alone
  expect(wasThere, 'some run was killed late enough to matter').toBe(true);
  expect(states[0]).toEqual(states[1]);
  expect(Object.keys(states[0]!.documents).sort()).toEqual([...desired(kills + 1).keys()].sort());
}, 120_000);

/** Everything of an index that does not depend on the order of writing. */
async function stateOf(directory: string): Promise<{ documents: Record<string, unknown>; manifest: unknown[] }> {
  const store = await openStore(directory);
  const snapshot = await store.snapshot();
  await checkSnapshot(snapshot, directory);
  const documents: Record<string, unknown[]> = {};
  for (const { ordinal, chunk } of await chunksOf(snapshot)) {
    const of = documents[chunk.uri] ?? [];
    documents[chunk.uri] = of;
    of.push({ ...chunk, vector: [...(await snapshot.vectorsAt([ordinal]))] });
  }
  const manifest = [...(await store.manifest()).values()]
    .map(({ first: _, ...entry }) => entry)
    .sort((a, b) => (a.uri < b.uri ? -1 : 1));
  await store.close();
  return { documents, manifest };
}
