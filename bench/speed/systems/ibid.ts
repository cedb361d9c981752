import { join } from 'node:path';
import type { Embedder } from '../../../src/embed/contract.ts';
import { openIndex } from '../../../src/index.ts';
import { folderSource } from '../../../src/ingest/folder-source.ts';
import { type IngestTarget, ingest } from '../../../src/ingest/ingest.ts';
import { fixedVectors } from '../../../src/ingest/vectors.ts';
import { createReader } from '../../../src/read/reader.ts';
import { search } from '../../../src/retrieve/search.ts';
import { openStore, openWriter } from '../../../src/store/index.ts';
import { chunkDocument } from '../../../src/text/chunk/chunk.ts';
import type { Phase } from '../../support/run-file.ts';
import type { Ingested, System } from './system.ts';

/** Times between events of an ingest, by what was going on. */
class PhaseClock {
  readonly #ms = new Map<string, number>();
  #name = 'scanning';
  #since = performance.now();

  enter(name: string): void {
    const now = performance.now();
    this.#ms.set(this.#name, (this.#ms.get(this.#name) ?? 0) + now - this.#since);
    this.#name = name;
    this.#since = now;
  }

  get phases(): Phase[] {
    this.enter('end');
    return [...this.#ms].map(([name, ms]) => ({ name, ms }));
  }
}

const after: Readonly<Record<string, string>> = {
  scanned: 'planning',
  planned: 'reading and cutting',
  training: 'training',
  committed: 'reading, embedding, writing',
  finishing: 'finishing',
};

async function ownIngest(docs: string, home: string): Promise<Ingested> {
  const index = await openIndex(join(home, 'index'), { create: true, base: docs });
  const clock = new PhaseClock();
  let chunks = 0;
  for await (const event of index.ingest([docs])) {
    if (event.type in after) clock.enter(after[event.type]!);
    if (event.type === 'done') chunks = event.summary.chunks;
  }
  const { phases } = clock;
  return {
    ...{ chunks, phases },
    search: async (query) => (await index.search(query)).hits.length,
    close: async () => await index.close(),
  };
}

/** The same ingest over a given embedder, as a service's would be. */
async function givenIngest(docs: string, home: string, embedder: Embedder): Promise<Ingested> {
  const place = join(home, 'index');
  const fingerprint = { embedder: embedder.id, dimensions: embedder.dimensions };
  const writer = await openWriter(place, { fingerprint });
  const target: IngestTarget = {
    manifest: () => writer.current.manifest(),
    segments: writer.segments,
    replaceDocuments: (records) => writer.current.replaceDocuments(records),
    removeDocuments: (uris) => writer.current.removeDocuments(uris),
    renameDocuments: async () => {}, // a new index has nothing to rename
    recordEntries: (entries) => writer.current.recordEntries(entries),
    refreshVectors: async () => false,
    finish: () => writer.finish(),
  };
  const source = folderSource({ paths: [docs], base: docs, reader: createReader() });
  const clock = new PhaseClock();
  let chunks = 0;
  for await (const event of ingest(source, { target, vectors: fixedVectors(embedder), chunk: chunkDocument })) {
    if (event.type in after) clock.enter(after[event.type]!);
    if (event.type === 'done') chunks = event.summary.chunks;
  }
  await writer.close();
  const { phases } = clock;
  const store = await openStore(place);
  return {
    ...{ chunks, phases },
    search: async (query) => (await search(await store.snapshot(), embedder, query)).length,
    close: async () => await store.close(),
  };
}

export const ibid: System = {
  name: 'ibid',
  work: { bound: 'tokens', vectors: 'on disk', words: 'on disk' },
  embedders: ['words', 'trained', 'own'],
  ingest: (docs, home, embedder) => (embedder ? givenIngest(docs, home, embedder) : ownIngest(docs, home)),
};
