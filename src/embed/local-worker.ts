import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { Composer, type EmbeddedPassages, type Passage } from './compose.ts';
import type { EmbedDocument } from './contract.ts';
import { decodeModel } from './local-model.ts';
import { type LocalTrainingSettings, ModelTraining } from './train-model.ts';
import type { Reply } from './worker-link.ts';

/** What the thread is for: it trains one model, or embeds with one. */
export type WorkerJob = { readonly train: LocalTrainingSettings } | { readonly model: Uint8Array };

export interface SampledDocument {
  readonly document: EmbedDocument;
  readonly ordinals: Uint32Array;
}

export type WorkerRequest = { readonly id: number } & (
  | { readonly kind: 'add'; readonly documents: readonly SampledDocument[] }
  | { readonly kind: 'finish'; readonly chunksSeen: number }
  | { readonly kind: 'embed'; readonly passages: readonly Passage[] }
);

type Answer = readonly [value: unknown, transfer: Transferable[]];

function handlerOf(job: WorkerJob): (request: WorkerRequest) => Answer {
  if ('model' in job) {
    const composer = new Composer(decodeModel(job.model));
    return (request) => {
      if (request.kind !== 'embed') throw new TypeError(`an embedding thread was asked to ${request.kind}`);
      const embedded: EmbeddedPassages = composer.passages(request.passages);
      return [embedded, [embedded.vectors.buffer]];
    };
  }
  const training = new ModelTraining(job.train);
  return (request) => {
    switch (request.kind) {
      case 'add':
        for (const { document, ordinals } of request.documents) training.add(document, ordinals);
        return [undefined, []];
      case 'finish': {
        const model = training.finish(request.chunksSeen);
        return [model, [model.buffer]];
      }
      case 'embed':
        throw new TypeError('a training thread was asked to embed');
    }
  };
}

const port = parentPort;
if (port === null) throw new Error('local-worker runs as a worker thread');
// Set by WorkerLink's callers, all of which pass a WorkerJob.
const handle = handlerOf(workerData as WorkerJob);
port.on('message', (request: WorkerRequest) => {
  const { id } = request;
  try {
    const [value, transfer] = handle(request);
    port.postMessage({ id, value } satisfies Reply<unknown>, transfer);
  } catch (error) {
    port.postMessage({ id, error } satisfies Reply<unknown>);
  }
});
