import { serveThreadPool } from '../core/thread-pool-peer.ts';
import type { Nearest } from '../vector/int8-rows.ts';
import type { ComparedRows, ComparingRequest, SignedRows } from './comparing.ts';
import { attachVectors, type HeldVectors } from './held-vectors.ts';
import { RowFiles } from './row-files.ts';
import { SeqMap } from './runs.ts';
import { ReadVectors, rowsBySigns } from './sign-search.ts';

type Search = (request: ComparingRequest) => Promise<Nearest | undefined>;

function exactly({ filter, vectors }: HeldVectors, { rows, live }: ComparedRows): Search {
  const fast = filter ?? vectors;
  return async ({ query, limit, least }) => fast.search(query, limit, { rows, live, least });
}

function bySigns(held: HeldVectors, { rows, live }: ComparedRows, { calibration, files, runs }: SignedRows): Search {
  const { dimensions } = held.vectors;
  const map = new SeqMap(runs);
  const copies = RowFiles.attach(files);
  const read = new ReadVectors(dimensions);
  return async ({ query, limit }) => {
    const ordinals = rowsBySigns(held, calibration, query, limit, { rows, live });
    const vectors = new Int8Array(ordinals.length * dimensions);
    const seqs = Array.from(ordinals, (ordinal) => map.seqOf(ordinal));
    const missing = await copies.readVectors(seqs, dimensions, vectors);
    return missing.length === 0 ? read.nearest(query, limit, ordinals, vectors) : undefined;
  };
}

serveThreadPool<ComparedRows, Search, ComparingRequest, Nearest | undefined>({
  attach(compared, thread) {
    const held = attachVectors(compared.vectors, thread);
    return compared.bySigns ? bySigns(held, compared, compared.bySigns) : exactly(held, compared);
  },
  answer: async (search, request) => search(request),
});
