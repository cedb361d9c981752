import { createHash, randomBytes } from 'node:crypto';
import type { Answer } from '../answer/contract.ts';
import { affordable, answerGrounded, collectAnswer, type Judged } from '../answer/grounded/grounded.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../answer/language-model.ts';
import { mapConcurrent } from '../core/async.ts';
import { type ErrorCode, IbidError } from '../core/errors.ts';
import { Meter } from '../core/meter.ts';
import type { CallOptions, Hit } from '../core/types.ts';
import {
  type BatchRequest,
  type BatchResult,
  batchError,
  type Message,
  type MessageBatch,
  type MessagesService,
} from '../wire/messages/index.ts';
import { type BatchJournal, type JournalRequest, memoryJournal } from './batch-journal.ts';
import { findBatch, type KnownBatch, knownBatches } from './batch-state.ts';
import {
  defaultModel,
  messageRequest,
  modelEvents,
  type ServiceModelOptions,
  serviceLanguageModel,
  stopReason,
  usageOf,
} from './language-model.ts';

export interface BatchQuestion {
  /** Comes back with the answer; once per run. */
  readonly id: string;
  readonly question: string;
}

export interface BatchAnswerOptions extends CallOptions {
  readonly model?: ServiceModelOptions | undefined;
  readonly maxTokens?: number | undefined;
  readonly meter?: Meter | undefined;
  /** What a second run goes on from. @default nothing outlives the process */
  readonly journal?: BatchJournal | undefined;
  /** False: create the batches, hand out what has ended already, and end. @default true */
  readonly wait?: boolean | undefined;
  /** First pause between two looks at a batch, in ms. @default 2,000, growing to a minute */
  readonly pollMs?: number | undefined;
}

export interface BatchSummary {
  readonly questions: number;
  /** Refusals included. */
  readonly answered: number;
  /** Answered without asking, because the index does not seem to know. */
  readonly refused: number;
  readonly failed: number;
  /** In batches that have not ended. */
  readonly pending: number;
  /** Of the answers handed out, whichever run has paid for them. */
  readonly costUsd: number;
}

/** A run of batches as it goes; answers come in any order. */
export type BatchEvent =
  /** Before anything is sent. `known` questions are in a batch of an earlier run already. */
  | {
      readonly type: 'planned';
      readonly questions: number;
      readonly known: number;
      readonly refused: number;
      readonly requests: number;
      /** At most, for all requests, at the batch price. */
      readonly maxUsd: number;
    }
  | { readonly type: 'created'; readonly batchId: string; readonly requests: number }
  | { readonly type: 'waiting'; readonly batchId: string; readonly requests: number }
  | { readonly type: 'answer'; readonly id: string; readonly answer: Answer }
  | { readonly type: 'failed'; readonly id: string; readonly code: ErrorCode; readonly message: string }
  | { readonly type: 'done'; readonly summary: BatchSummary };

export type Retrieve = (
  question: string,
  options: CallOptions,
) => Promise<{ readonly hits: readonly Hit[]; readonly judged: Judged }>;

/** Requests of one batch at most, below the service's own limits of 100,000 and 256 MiB. */
const BATCH_REQUESTS = 10_000;
const BATCH_CHARS = 64 * 1024 * 1024;
const CONCURRENCY = 2;

/**
 * Answers many questions through the batch operation, at half the price: one search each, then everything is sent together. A question
 * that is in the journal is never sent again unless it has failed there, which is not billed.
 * @throws IbidError INVALID_ARGUMENT, BUDGET_EXCEEDED before anything is sent, and what the service throws; another run with the same
 * journal goes on from there
 */
export async function* answerInBatch(
  questions: readonly BatchQuestion[],
  retrieve: Retrieve,
  service: MessagesService,
  options: BatchAnswerOptions = {},
): AsyncGenerator<BatchEvent, void, undefined> {
  checkQuestions(questions);
  const { signal, meter = new Meter(), journal = memoryJournal(), wait = true } = options;
  const totals = { answered: 0, refused: 0, failed: 0, pending: 0, costUsd: 0 };
  const wanted = new Map(questions.map((question) => [keyOf(question), question]));
  const batches = await findAll(service, knownBatches(await journal.read()), { signal, wait, pollMs: options.pollMs });
  const known = new Set(batches.flatMap(({ requests }) => [...requests.values()].map(keyOf)));

  const prepared: Prepared[] = [];
  const fresh = questions.filter((question) => !known.has(keyOf(question)));
  const prepare = (question: BatchQuestion, inner: AbortSignal) =>
    prepareOne(question, retrieve, service, options, inner);
  for await (const one of mapConcurrent(fresh, prepare, { concurrency: CONCURRENCY, signal })) {
    if ('request' in one) {
      prepared.push(one);
      continue;
    }
    totals.answered++;
    totals.refused++;
    yield { type: 'answer', id: one.id, answer: one.answer };
  }
  const maxUsd = prepared.reduce((sum, { usd }) => sum + affordable(usd, modelOf(options), meter), 0);
  const counts = { questions: questions.length, known: questions.length - fresh.length, refused: totals.refused };
  yield { type: 'planned', ...counts, requests: prepared.length, maxUsd };

  const reservation = meter.reserve(maxUsd);
  let paidUsd = 0;
  /** What may be billed if this run ends here: the batches that are made, or may be. */
  let openUsd = 0;
  try {
    for (const part of partsOf(prepared)) {
      const worst = part.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
      const batch = await create(part, service, journal, options).catch((error: unknown) => {
        if (!isRefusal(error)) openUsd += worst;
        throw error;
      });
      openUsd += worst;
      batches.push(batch);
      yield { type: 'created', batchId: batch.id, requests: part.length };
    }
    for (const batch of batches) {
      const own = [...batch.requests.values()].filter((request) => wanted.has(keyOf(request)));
      if (own.length === 0) continue;
      if (!(yield* ended(service, batch, wait, options))) {
        totals.pending += own.length;
        continue;
      }
      for await (const result of resultsOf(service, batch, own, signal)) {
        const request = batch.requests.get(result.custom_id);
        if (!request || !wanted.has(keyOf(request))) continue;
        const told = await answerOf(result, request, batch, service, options);
        if (told.type === 'answer') {
          totals.answered++;
          totals.costUsd += told.answer.grounding?.costUsd ?? 0;
          if (batch.isNew) paidUsd += told.answer.grounding?.costUsd ?? 0;
        } else {
          totals.failed++;
          await journal.append([{ type: 'failed', customId: result.custom_id }]);
        }
        yield told;
      }
    }
    // what is pending will cost up to its estimate
    reservation.settle(totals.pending > 0 ? maxUsd : paidUsd);
  } finally {
    reservation.settle(openUsd); // no effect when it is settled already
  }
  yield { type: 'done', summary: { questions: questions.length, ...totals } };
}

/** A question may come back under its id with other words: then it is another question. */
function keyOf({ id, question }: Pick<BatchQuestion, 'id' | 'question'>): string {
  return `${id}\n${question}`;
}

/** @throws IbidError INVALID_ARGUMENT */
function checkQuestions(questions: readonly BatchQuestion[]): void {
  const seen = new Set<string>();
  for (const [i, { id, question }] of questions.entries()) {
    const at = `question ${i + 1}`;
    if (typeof id !== 'string' || id === '') throw new IbidError('INVALID_ARGUMENT', `${at} has no id`);
    if (typeof question !== 'string' || question.trim() === '')
      throw new IbidError('INVALID_ARGUMENT', `${at} ("${id}") is empty`);
    if (seen.has(id)) throw new IbidError('INVALID_ARGUMENT', `${at}: the id "${id}" is used twice`);
    seen.add(id);
  }
}

function modelOf({ model }: BatchAnswerOptions): string {
  return model?.model ?? defaultModel;
}

interface Prepared extends BatchQuestion {
  readonly hits: readonly Hit[];
  readonly judged: Judged;
  readonly request: BatchRequest['params'];
  readonly digest: string;
  readonly usd: number | undefined;
  readonly chars: number;
}

type Refused = BatchQuestion & { readonly answer: Answer };

/** Searches, and lets the grounded answerer make its request; the request is kept instead of being sent. */
async function prepareOne(
  { id, question }: BatchQuestion,
  retrieve: Retrieve,
  service: MessagesService,
  options: BatchAnswerOptions,
  signal: AbortSignal,
): Promise<Prepared | Refused> {
  const { hits, judged } = await retrieve(question, { signal });
  const { citations = true, effort, thinking } = options.model ?? {};
  let sent: ModelRequest | undefined;
  const model = standIn(service, options.model, async function* (request) {
    sent = request;
    yield* [];
  });
  const answer = await collectAnswer(
    answerGrounded(question, hits, judged, model, { maxTokens: options.maxTokens, signal }),
  );
  if (!sent) return { id, question, answer };
  const request = messageRequest(sent, { model: model.id, effort, thinking }, citations);
  const usd = service.estimateCost(request, { batch: true })?.usd;
  return { id, question, hits, judged, request, digest: digestOf(sent), usd, chars: JSON.stringify(request).length };
}

/** The model of the service, but what it writes is ours. */
function standIn(
  service: MessagesService,
  options: ServiceModelOptions | undefined,
  write: (request: ModelRequest) => AsyncGenerator<ModelEvent>,
): LanguageModel {
  const { id, citesPassages, contextTokens, maxOutputTokens } = serviceLanguageModel(service, options);
  return { id, citesPassages, contextTokens, maxOutputTokens, estimateUsd: () => 0, write };
}

function digestOf(request: ModelRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 32);
}

function* partsOf(prepared: readonly Prepared[]): Generator<readonly Prepared[]> {
  let part: Prepared[] = [];
  let chars = 0;
  for (const one of prepared) {
    if (part.length > 0 && (part.length === BATCH_REQUESTS || chars + one.chars > BATCH_CHARS)) {
      yield part;
      part = [];
      chars = 0;
    }
    part.push(one);
    chars += one.chars;
  }
  if (part.length > 0) yield part;
}

/** Failures after which the service has surely made no batch. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'INVALID_ARGUMENT',
  'REQUEST_REJECTED',
  'REQUEST_TOO_LARGE',
  'KEY_REJECTED',
  'PERMISSION_DENIED',
  'BILLING',
  'RATE_LIMITED',
  'REMOTE_NOT_FOUND',
]);

const isRefusal = (error: unknown): boolean => error instanceof IbidError && refusals.has(error.code);

type Created = KnownBatch & { readonly id: string };

/** Written down before it is sent, and again with its id: a crash in between leaves a batch that can be found by its nonce. */
async function create(
  part: readonly Prepared[],
  service: MessagesService,
  journal: BatchJournal,
  options: BatchAnswerOptions,
): Promise<Created> {
  const nonce = randomBytes(6).toString('hex');
  const requests = part.map(
    ({ id, question, hits, judged, digest }, i): JournalRequest => ({
      type: 'request',
      customId: `${nonce}-${i}`,
      id,
      question,
      hits,
      judged,
      digest,
    }),
  );
  const model = modelOf(options);
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

/** Batches of which a crash has kept the id from us are looked for; those that were never made are left out. */
async function findAll(
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
async function* ended(
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
      if (error instanceof IbidError && error.code === 'REMOTE_NOT_FOUND') return true; // told with its results
      if (!(error instanceof IbidError) || error.code !== 'TIMEOUT') throw error;
      pause = Math.min(pause * 1.5, 60_000);
      yield { type: 'waiting', batchId: id, requests: requests.size };
    }
  }
}

/** The results; of a batch the service no longer keeps, one failure for each question. */
async function* resultsOf(
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

/** The answer, proven against the passages that were sent. */
async function answerOf(
  result: BatchResult,
  { id, question, hits, judged, digest }: JournalRequest,
  { model, citations }: Created,
  service: MessagesService,
  { maxTokens, signal }: BatchAnswerOptions,
): Promise<Extract<BatchEvent, { type: 'answer' | 'failed' }>> {
  const error = batchError(result);
  if (error) return { type: 'failed', id, code: error.code, message: error.message };
  const { message } = result.result as Extract<BatchResult['result'], { type: 'succeeded' }>; // the others have an error
  let isSame = false;
  const replay = standIn(service, { model, citations }, async function* (request) {
    isSame = digestOf(request) === digest;
    if (isSame) yield* replayed(message, model, service);
  });
  const answer = await collectAnswer(answerGrounded(question, hits, judged, replay, { maxTokens, signal }));
  if (isSame) return { type: 'answer', id, answer: { ...answer, mode: 'grounded' } };
  return {
    type: 'failed',
    id,
    code: 'RESPONSE_INVALID',
    message: 'the question was sent with other options, or by another version of ibid: its citations cannot be proven',
  };
}

/** A whole message as the events a stream of it would have told. */
function* replayed(message: Message, model: string, service: MessagesService): Generator<ModelEvent> {
  for (const [index, block] of message.content.entries()) {
    yield* modelEvents({ type: 'content_block_start', index, content_block: block });
    yield* modelEvents({ type: 'content_block_stop', index });
  }
  const { usage } = message;
  const cost =
    service.costOf({ usage, model: message.model }, { batch: true }) ??
    service.costOf({ usage, model }, { batch: true });
  yield { type: 'stop', stop: stopReason(message), usage: usageOf(usage), costUsd: cost?.usd ?? 0 };
}
