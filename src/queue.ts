// The door `ibid/queue`: an ingest over several processes or machines, with BullMQ on Redis. The caller installs bullmq
// and ioredis.
import { type KnownOptions, optionsOf } from './core/arguments.ts';
import type { IngestQueue } from './ingest/contract.ts';
import { QueueCutters } from './queue/queue-cutters.ts';
import type { QueueNotes } from './queue/queue-jobs.ts';

export type { EmbeddedParts } from './embed/local/compose.ts';
export type { DistantEmbedding } from './embed/local/distant.ts';
export type { CutShape, Cutters, IngestQueue, SmallFile } from './ingest/contract.ts';
export type { CutDocument, CutElsewhere, CutFile, CutOutcome, FileFailure } from './ingest/cut.ts';
export type { SegmentBlock, SegmentData } from './lexical/contract.ts';
export type { RedisNotes } from './queue/connect.ts';
export type { QueueNotes } from './queue/queue-jobs.ts';
export { clearDead, type QueueState, queueState } from './queue/state.ts';
export { runWorker, type WorkerOptions } from './queue/worker.ts';
export type { DistantSegments } from './store/contract.ts';

const notesOfQueue: KnownOptions<QueueNotes> = {
  of: 'ingestQueue',
  names: {
    onGone: 'function',
    onBack: 'function',
    onNoWorker: 'function',
    onReadHere: 'function',
    onRefused: 'function',
  },
};

/** For `ingest(paths, { queue })`. @param url `redis://host:6379` */
export function ingestQueue(url: string, notes: QueueNotes = {}): IngestQueue {
  optionsOf(notes, notesOfQueue);
  return { cutters: (shape, parts) => QueueCutters.open(url, { shape, parts }, notes) };
}
