import { join } from 'node:path';
import { type Embedder, openIndex } from '../../../src/index.ts';
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

/** @param embedder given, as a user gives one; absent: the local one, trained on the documents */
async function ingest(docs: string, home: string, embedder: Embedder | undefined): Promise<Ingested> {
  const index = await openIndex(join(home, 'index'), { create: true, base: docs, ...(embedder && { embedder }) });
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

export const ibid: System = {
  name: 'ibid',
  work: { bound: 'tokens', vectors: 'on disk', words: 'on disk' },
  embedders: ['words', 'trained', 'own'],
  ingest,
};
