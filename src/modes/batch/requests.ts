/** A question as a request of a batch, and the request's result as the question's answer. */
import { createHash } from 'node:crypto';
import type { Answer, Answerability } from '../../answer/contract.ts';
import { answerGrounded, collectAnswer } from '../../answer/grounded/grounded.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../answer/language-model.ts';
import { type ErrorCode, IbidError } from '../../core/errors.ts';
import { Meter } from '../../core/meter.ts';
import type { Hit } from '../../core/types.ts';
import {
  messageRequest,
  modelEvents,
  modelFields,
  type ServiceModelOptions,
  serviceLanguageModel,
  stopReason,
  usageOf,
} from '../../services/language-model.ts';
import {
  type BatchRequest,
  type BatchResult,
  batchError,
  type Message,
  type MessagesService,
} from '../../wire/messages/index.ts';
import type { BatchAnswerOptions, BatchEvent, BatchQuestion, Retrieve } from './contract.ts';
import type { JournalRequest } from './journal.ts';
import type { KnownBatch } from './state.ts';

/** Requests of one batch at most, below the service's own limits of 100,000 and 256 MiB. */
const BATCH_REQUESTS = 10_000;
const BATCH_CHARS = 64 * 1024 * 1024;

export interface PreparedQuestion extends BatchQuestion {
  readonly hits: readonly Hit[];
  readonly answerability: Answerability;
  readonly request: BatchRequest['params'];
  readonly digest: string;
  readonly usd: number | undefined;
  readonly chars: number;
}

export type Refused = BatchQuestion & { readonly answer: Answer };

/** Searches, and lets the grounded answerer make its request; the request is kept instead of being sent. */
export async function prepareOne(
  { id, question }: BatchQuestion,
  retrieve: Retrieve,
  service: MessagesService,
  options: BatchAnswerOptions,
  signal: AbortSignal,
): Promise<PreparedQuestion | Refused> {
  const { hits, answerability } = await retrieve(question, { signal });
  const { citations = true, cache } = options.model ?? {};
  let sent: ModelRequest | undefined;
  const model = captureReplayModel(service, options.model, async function* (request) {
    sent = request;
    yield* [];
  });
  const answer = await collectAnswer(
    answerGrounded(question, hits, answerability, model, { maxTokens: options.maxTokens, signal }),
  );
  if (!sent) return { id, question, answer };
  const request = messageRequest(sent, { model: model.id, ...modelFields(options.model ?? {}) }, citations, cache);
  const usd = service.estimateCost(request, { batch: true })?.usd;
  return {
    id,
    question,
    hits,
    answerability,
    request,
    digest: digestOf(sent),
    usd,
    chars: JSON.stringify(request).length,
  };
}

/** The model of the service, but what it writes is ours. */
function captureReplayModel(
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

/** As many batches as their limits make of it. */
export function* partsOf(prepared: readonly PreparedQuestion[]): Generator<readonly PreparedQuestion[]> {
  let part: PreparedQuestion[] = [];
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

/** What became of a question. */
export interface Outcome {
  readonly told: Extract<BatchEvent, { type: 'answer' | 'failed' }>;
  readonly costUsd: number;
  /** False: the service has answered, and billed, what cannot be used now. */
  readonly mayAskAgain: boolean;
}

/** The answer, proven against the passages that were sent, and what it has cost, also where it is none. */
export async function answerOf(
  result: BatchResult,
  { id, question, hits, answerability, digest }: JournalRequest,
  { model, citations }: KnownBatch,
  service: MessagesService,
  { maxTokens, signal }: BatchAnswerOptions,
): Promise<Outcome> {
  const failed = (code: ErrorCode, message: string, costUsd: number = 0): Outcome => ({
    told: { type: 'failed', id, code, message },
    costUsd,
    mayAskAgain: false,
  });
  const error = batchError(result);
  // what cannot be read may have been billed
  if (error) return { ...failed(error.code, error.message), mayAskAgain: error.code !== 'RESPONSE_INVALID' };
  const { message } = result.result as Extract<BatchResult['result'], { type: 'succeeded' }>; // the others have an error
  let isSame = false;
  const replay = captureReplayModel(service, { model, citations }, async function* (request) {
    isSame = digestOf(request) === digest;
    if (isSame) yield* replayed(message, model, service);
  });
  const meter = new Meter();
  let answer: Answer;
  try {
    answer = await collectAnswer(answerGrounded(question, hits, answerability, replay, { maxTokens, meter, signal }));
  } catch (cause) {
    signal?.throwIfAborted();
    if (!(cause instanceof IbidError)) throw cause;
    return failed(cause.code, cause.message, meter.spentUsd); // the other questions have their answers all the same
  }
  if (isSame)
    return {
      told: { type: 'answer', id, answer: { ...answer, mode: 'grounded' } },
      costUsd: answer.grounding?.costUsd ?? 0,
      mayAskAgain: false,
    };
  return failed(
    'RESPONSE_INVALID',
    'the question was sent with other options, or by another version of ibid: its citations cannot be proven; run again with those options',
  );
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
