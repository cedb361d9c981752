/** Batches at the service: made so that a crash cannot lose one, found again, waited for, read. */
import { randomBytes } from 'node:crypto';
import { IbidError, isRefusal } from '../../core/errors.ts';
import type { BatchResult, MessageBatch, MessagesService } from '../../wire/messages/index.ts';
import type { BatchAnswerOptions, BatchEvent } from './contract.ts';
import type { BatchJournal, JournalRequest } from './journal.ts';
import type { PreparedQuestion } from './requests.ts';
import { findBatch, type KnownBatch } from './state.ts';

export function modelOf({ model }: BatchAnswerOptions, { profile }: MessagesService): string {
  return model?.model ?? profile.defaults.writer;
}

/** A batch the service has named. */
type Created = KnownBatch & { readonly id: string };

/**
 * Written down before it is sent, and again with its id: a crash in between leaves a batch that can be found by its
 * nonce.
 */
export async function createBatch(
  part: readonly PreparedQuestion[],
  service: MessagesService,
  journal: BatchJournal,
  options: BatchAnswerOptions,
): Promise<Created> {
  const nonce = randomBytes(6).toString('hex');
  const requests = part.map(
    ({ id, question, hits, answerability, digest }, i): JournalRequest => ({
      type: 'request',
      customId: `${nonce}-${i}`,
      id,
      question,
      hits,
      answerability,
      digest,
    }),
  );
  const model = modelOf(options, service);
  const citations = options.model?.citations ?? true;
  const at = new Date().toISOString();
  await journal.append([...requests, { type: 'creating', nonce, at, requests: part.length, model, citations }]);
  let batch: MessageBatch;
  try {
    const body = part.map(({ request }, i) => ({ custom_id: `${nonce}-${i}`, params: request }));
    batch = await service.batches.create(body, { signal: options.signal });
  } catch (error) {
    if (isRefusal(error)) await journal.append([{ type: 'refused', nonce }]);
    throw error;
  }
  await journal.append([{ type: 'created', nonce, batchId: batch.id }]);
  const byId = new Map(requests.map((request) => [request.customId, request]));
  return { nonce, at, size: part.length, id: batch.id, model, citations, requests: byId, isNew: true };
}

/** Finds the batches whose id was lost in a crash. Leaves out batches that the service never created. */
export async function findAll(
  service: MessagesService,
  known: readonly KnownBatch[],
  options: Pick<BatchAnswerOptions, 'signal' | 'wait' | 'pollMs'>,
): Promise<Created[]> {
  const others = new Set(known.flatMap(({ id }) => id ?? []));
  const found: Created[] = [];
  for (const batch of known) {
    const id = batch.id ?? (await findBatch(service, batch, others, options));
    if (id === undefined) continue;
    others.add(id);
    found.push({ ...batch, id });
  }
  return found;
}

/** Waits for a batch if that is wanted. @returns whether its results can be had */
export async function* ended(
  service: MessagesService,
  { id, requests }: Created,
  wait: boolean,
  { signal, pollMs }: BatchAnswerOptions,
): AsyncGenerator<BatchEvent, boolean, undefined> {
  let pause = pollMs ?? 2000;
  for (;;) {
    let batch: MessageBatch;
    try {
      batch = wait
        ? await service.batches.wait(id, { signal, pollMs: pause, waitMs: pause })
        : await service.batches.get(id, { signal });
      if (batch.processing_status === 'ended' || !wait) return batch.processing_status === 'ended';
    } catch (error) {
      if (error instanceof IbidError && error.code === 'REMOTE_NOT_FOUND') return true; // reading its results will report this
      if (!(error instanceof IbidError) || error.code !== 'TIMEOUT') throw error;
      pause = Math.min(Math.round(pause * 1.5), 60_000);
      yield { type: 'waiting', batchId: id, requests: requests.size };
    }
  }
}

/** The results; of a batch the service no longer keeps, one failure for each question. */
export async function* resultsOf(
  service: MessagesService,
  batch: Created,
  own: readonly JournalRequest[],
  signal: AbortSignal | undefined,
): AsyncGenerator<BatchResult> {
  try {
    yield* service.batches.results(batch.id, { signal });
  } catch (error) {
    if (!(error instanceof IbidError) || error.code !== 'REMOTE_NOT_FOUND') throw error;
    const message = `batch ${batch.id} is gone, and its results with it`;
    for (const { customId } of own)
      yield {
        custom_id: customId,
        result: { type: 'errored', error: { type: 'error', error: { type: 'not_found_error', message } } },
      };
  }
}
