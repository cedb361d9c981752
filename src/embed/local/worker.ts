import { parentPort, type Transferable } from 'node:worker_threads';
import { watchOwner } from '../../core/watch-owner.ts';
import type { EmbedDocument } from '../contract.ts';
import { Composer, type DocumentPart, type EmbeddedParts } from './compose.ts';
import { decodeModel } from './model.ts';
import { type LocalTrainingSettings, ModelTraining, type TrainedModel } from './train-model.ts';
import type { Reply } from './worker-link.ts';

/** The job of a worker: it trains one model, or embeds with one. */
export type WorkerJob = { readonly train: LocalTrainingSettings } | { readonly model: Uint8Array };

export interface SampledDocument {
  readonly document: EmbedDocument;
  readonly ordinals: Uint32Array;
}

type WorkerRequest = { readonly id: number } & (
  | { readonly kind: 'add'; readonly documents: readonly SampledDocument[] }
  | { readonly kind: 'finish'; readonly chunksSeen: number; readonly embeds: boolean }
  | { readonly kind: 'embed'; readonly passages: readonly DocumentPart[] }
);

type Answer = readonly [value: unknown, transfer: Transferable[]];

function handlerOf(job: WorkerJob): (request: WorkerRequest) => Answer {
  if ('model' in job) {
    const composer = new Composer(decodeModel(job.model));
    return (request) => {
      if (request.kind !== 'embed') throw new TypeError(`an embedding thread was asked to ${request.kind}`);
      const embedded: EmbeddedParts = composer.passages(request.passages);
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
        const { model, sample } = training.finish(request.chunksSeen, request.embeds);
        const arrays = sample ? [model, sample.ordinals, sample.vectors] : [model];
        return [{ model, sample } satisfies TrainedModel, arrays.map(({ buffer }) => buffer)];
      }
      case 'embed':
        throw new TypeError('a training thread was asked to embed');
    }
  };
}

function answer(handle: (request: WorkerRequest) => Answer, request: WorkerRequest, send: Send): void {
  const { id } = request;
  try {
    const [value, transfer] = handle(request);
    send({ id, value }, transfer);
  } catch (error) {
    send({ id, error }, []);
  }
}

type Send = (reply: Reply<unknown>, transfer: Transferable[]) => void;

/** The first message is the job; the others are requests. */
function receiver(send: Send): (message: unknown) => void {
  let handle: ((request: WorkerRequest) => Answer) | undefined;
  return (message) => {
    if (handle) answer(handle, message as WorkerRequest, send);
    else handle = handlerOf(message as WorkerJob); // `WorkerLink.begin` comes before each request
  };
}

function endWithOwner(): void {
  process.on('SIGINT', () => {}); // Ctrl-C reaches all processes of the terminal; the owner decides whether to stop
  // The owner has ended. `process.exit` may wait for ever while code is compiled: nodejs/node#54918.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  watchOwner();
}

if (parentPort !== null) {
  const port = parentPort;
  port.on(
    'message',
    receiver((reply, transfer) => port.postMessage(reply, transfer)),
  );
} else {
  endWithOwner();
  process.on(
    'message',
    receiver((reply) => process.send?.(reply)),
  );
}
