import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../../src/core/types.ts';
import { CountingTarget, nullVectors } from '../../../src/ingest/dry-run.ts';
import { folderSource } from '../../../src/ingest/folder-source.ts';
import { type GivenDocument, givenDocuments } from '../../../src/ingest/given-documents.ts';
import { ingest } from '../../../src/ingest/ingest.ts';
import type { Reader } from '../../../src/read/contract.ts';
import { ManifestMap } from '../../../src/store/manifest-map.ts';
import { tempFolder } from '../../support/temp.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // the flag above makes it

/** Bytes alive, buffers included. Those of dead buffers are given back a little later, by another thread. */
async function aliveBytes(): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < 5; i++) {
    collect();
    await delay(10);
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    least = Math.min(least, heapUsed + arrayBuffers);
  }
  return least;
}

const reader: Reader = {
  read: async (file): Promise<Document> => ({
    ...{ uri: file.uri, title: '', text: 'bytes' in file ? Buffer.from(file.bytes).toString() : '', format: 'text' },
    ...{ blocks: [], locators: [], metadata: {}, warnings: [] },
  }),
  close: async () => {},
  [Symbol.asyncDispose]: async () => {},
};

const chunk = ({ text }: Document) => [
  { position: 0, span: { start: 0, end: text.length }, text, headings: [], tokens: 1, locators: [] },
];

interface Alive {
  /** When every file is known and none is read. */
  readonly planned: number;
  /** When the last one is in the manifest. */
  readonly done: number;
}

/** What a run over so many new files keeps, beyond what was there before it. */
async function kept(files: number): Promise<Alive> {
  const name = (i: number): string => `docs/part-${i % 40}/a document with a name of some length, number ${i}.txt`;
  const base = tempFolder(Object.fromEntries(Array.from({ length: files }, (_, i) => [name(i), `text ${i}`])));
  const target = new CountingTarget(new ManifestMap());
  const source = folderSource({ paths: [join(base, 'docs')], base, reader });
  const before = await aliveBytes();
  const alive = { planned: 0, done: 0 };
  const services = { target, vectors: nullVectors, chunk };
  for await (const event of ingest(source, services, { commit: { chunks: 200 } })) {
    if (event.type === 'planned') alive.planned = (await aliveBytes()) - before;
    if (event.type === 'done') {
      expect(event.summary).toMatchObject({ documents: files, added: files });
      alive.done = (await aliveBytes()) - before;
    }
  }
  expect((await target.manifest()).size).toBe(files); // still alive here
  return alive;
}

/** The same for documents that a program gives, of eight kilobytes each. */
async function keptOfGiven(documents: number): Promise<Alive> {
  const folder = tempFolder();
  function* given(): Generator<GivenDocument> {
    for (let i = 0; i < documents; i++)
      yield { uri: `made:a document with a name of some length, number ${i}`, text: `${i} `.padEnd(8192, 'text ') };
  }
  const target = new CountingTarget(new ManifestMap());
  const before = await aliveBytes();
  const alive = { planned: 0, done: 0 };
  const services = { target, vectors: nullVectors, chunk };
  const source = givenDocuments(given(), reader, () => folder);
  for await (const event of ingest(source, services, { commit: { chunks: 200 } })) {
    if (event.type === 'planned') alive.planned = (await aliveBytes()) - before;
    if (event.type === 'done') alive.done = (await aliveBytes()) - before;
  }
  expect((await target.manifest()).size).toBe(documents);
  return alive;
}

describe('the memory of a run', () => {
  // It was 680 bytes while a file waited: an item with two functions of its own, and its place in the plan.
  it('is about a hundred bytes for each file before it is read, and a few hundred after', async () => {
    await kept(300); // code is compiled, caches are filled
    const few = await kept(1000);
    const many = await kept(5000);
    const each = (at: keyof Alive): number => (many[at] - few[at]) / 4000;
    expect(each('planned')).toBeLessThan(250);
    expect(each('done')).toBeLessThan(400);
  }, 60_000);

  // A document waited as an object with its text: more than its length in bytes.
  it('is a fraction of each document of a program', async () => {
    await keptOfGiven(300);
    const few = await keptOfGiven(3000);
    const many = await keptOfGiven(9000);
    const each = (at: keyof Alive): number => (many[at] - few[at]) / 6000;
    // an eighth of a document: what is alive at a moment is known to a megabyte or two
    expect(each('planned')).toBeLessThan(1000);
    expect(each('done')).toBeLessThan(1000);
  }, 60_000);
});
