import { setTimeout as delay } from 'node:timers/promises';
import type { WireCallOptions } from '../http/contract.ts';
import { errorFromBody, WireError } from '../http/errors.ts';
import { ShapedJson } from '../http/shaped-json.ts';
import { checkSize } from './check.ts';
import { operation } from './operations.ts';
import { isRecord, refuse } from './refuse.ts';
import { serialiseMessage } from './serialise.ts';
import type { Message, MessageCallOptions, MessageRequest } from './types.ts';
import { betaHeader, callForObject, type Listing, type ListParams, listing, mustBeId, type Wiring } from './wiring.ts';

export interface BatchRequest {
  /** `^[a-zA-Z0-9_-]{1,64}$`, once per batch: results come in any order. */
  readonly custom_id: string;
  readonly params: MessageRequest;
}

export interface MessageBatch {
  readonly id: string;
  readonly type: 'message_batch';
  readonly processing_status: 'in_progress' | 'canceling' | 'ended' | (string & {});
  /** All but `processing` stay 0 until the whole batch has ended. */
  readonly request_counts: {
    readonly processing: number;
    readonly succeeded: number;
    readonly errored: number;
    readonly canceled: number;
    readonly expired: number;
  };
  readonly created_at: string;
  /** 24 hours after creation; what is not done by then is `expired`. */
  readonly expires_at: string;
  readonly ended_at: string | null;
  readonly archived_at: string | null;
  readonly cancel_initiated_at: string | null;
  readonly results_url: string | null;
}

export interface BatchErrorBody {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string };
  readonly request_id?: string;
}

/** One line of the results. Only `succeeded` is billed. */
export interface BatchResult {
  readonly custom_id: string;
  readonly result:
    | { readonly type: 'succeeded'; readonly message: Message }
    | { readonly type: 'errored'; readonly error: BatchErrorBody }
    | { readonly type: 'canceled' }
    | { readonly type: 'expired' };
}

export interface WaitOptions extends WireCallOptions {
  /** First wait between two looks, then half as long again each time. @default 2,000 */
  readonly pollMs?: number | undefined;
  /** Longest wait between two looks. @default 60,000 */
  readonly maxPollMs?: number | undefined;
  /** 0: as long as it takes; a batch ends after 24 hours at the latest. @default 0 */
  readonly waitMs?: number | undefined;
  readonly onPoll?: ((batch: MessageBatch) => void) | undefined;
}

export interface BatchRunOptions extends WaitOptions, Pick<MessageCallOptions, 'betas'> {
  /** Told the id before anything is waited for; write it down to `resume` after a crash. */
  readonly onCreated?: ((id: string, batch: MessageBatch) => void | Promise<void>) | undefined;
}

export interface BatchesClient {
  create(requests: readonly BatchRequest[], options?: MessageCallOptions): Promise<MessageBatch>;
  get(id: string, options?: WireCallOptions): Promise<MessageBatch>;
  /** Newest first, all pages. */
  list(params?: ListParams, options?: WireCallOptions): Listing<MessageBatch>;
  /** Ends as `ended` after a while; what was done by then has results. */
  cancel(id: string, options?: WireCallOptions): Promise<MessageBatch>;
  /** Only after it has ended. */
  delete(
    id: string,
    options?: WireCallOptions,
  ): Promise<{ readonly id: string; readonly type: 'message_batch_deleted' }>;
  /**
   * The results, line by line as they arrive, in any order. A cut download goes on where it broke.
   * @throws WireError NOT_READY when the batch has not ended
   */
  results(id: string, options?: WireCallOptions): AsyncIterableIterator<BatchResult, undefined>;
  /** Looks until the batch has ended. @throws WireError TIMEOUT after `waitMs`; the batch goes on */
  wait(id: string, options?: WaitOptions): Promise<MessageBatch>;
  /** Creates, waits, and gives the results. Leaving the loop does not cancel the batch. */
  run(requests: readonly BatchRequest[], options?: BatchRunOptions): AsyncIterableIterator<BatchResult, undefined>;
  /** Waits for a batch created earlier, perhaps by another process, and gives the results. */
  resume(id: string, options?: WaitOptions): AsyncIterableIterator<BatchResult, undefined>;
}

const customId = /^[a-zA-Z0-9_-]{1,64}$/;
const maxRequests = 100_000;
const maxBatchBytes = 256 * 1024 * 1024;
/** How many downloads in a row may break without getting further than those before. */
const maxStalls = 3;

export function batchesClient(wiring: () => Wiring): BatchesClient {
  const named = (name: string) => async (id: string, options?: WireCallOptions) =>
    callForObject<MessageBatch>(wiring(), name, { path: { id: mustBeId(id, 'id') }, options });
  const get = named('messages.batches.get');

  const create: BatchesClient['create'] = async (requests, options) => {
    const { profile } = wiring();
    const { body, betas } = serialiseBatch(requests, options, wiring);
    const headers = betaHeader(profile, betas);
    return callForObject(wiring(), 'messages.batches.create', {
      json: body,
      ...(headers === undefined ? {} : { headers }),
      attributes: { 'ibid.batch.requests': requests.length },
      options,
    });
  };

  const wait: BatchesClient['wait'] = async (id, options = {}) => {
    const { signal, waitMs = 0, maxPollMs = 60_000, onPoll } = options;
    const begun = performance.now();
    let pause = options.pollMs ?? 2_000;
    if (!(pause > 0) || !(maxPollMs > 0) || !(waitMs >= 0))
      refuse('pollMs, maxPollMs', 'must be above 0, waitMs at least 0');
    for (;;) {
      const batch = await get(id, options);
      onPoll?.(batch);
      if (batch.processing_status === 'ended') return batch;
      const left = waitMs === 0 ? Number.POSITIVE_INFINITY : waitMs - (performance.now() - begun);
      if (left <= 0) {
        throw new WireError('TIMEOUT', `batch ${id} has not ended after ${waitMs} ms (${batch.processing_status})`, {
          service: 'messages',
          operation: 'messages.batches.wait',
          hint: 'It goes on; `resume` with its id later.',
        });
      }
      // Up to a tenth is taken off, so that many waiters do not look at the same moment.
      const ms = Math.min(pause, maxPollMs, left) * (1 - Math.random() * 0.1);
      await abortable(ms, signal);
      pause = Math.min(pause * 1.5, maxPollMs);
    }
  };

  const results: BatchesClient['results'] = (id, options) => {
    mustBeId(id, 'id');
    return new Results(id, readLines(wiring, id, options));
  };

  async function* waitAndRead(
    id: string,
    options: WaitOptions | undefined,
  ): AsyncGenerator<readonly string[], void, undefined> {
    const batch = await wait(id, options);
    if (batch.archived_at !== null && batch.archived_at !== undefined && batch.results_url === null) {
      throw new WireError('REMOTE_NOT_FOUND', `the results of batch ${id} are archived; they are kept for 29 days`, {
        service: 'messages',
        operation: 'messages.batches.results',
      });
    }
    yield* readLines(wiring, id, options);
  }

  async function* createAndRead(
    requests: readonly BatchRequest[],
    options: BatchRunOptions | undefined,
  ): AsyncGenerator<readonly string[], void, undefined> {
    const batch = await create(requests, options);
    await options?.onCreated?.(batch.id, batch);
    yield* waitAndRead(batch.id, options);
  }

  return {
    create,
    get,
    list: (params = {}, options) => listing(wiring, 'messages.batches.list', params, { options }),
    cancel: named('messages.batches.cancel'),
    delete: async (id, options) =>
      callForObject(wiring(), 'messages.batches.delete', { path: { id: mustBeId(id, 'id') }, options }),
    results,
    wait,
    run: (requests, options) => new Results('of this run', createAndRead(requests, options)),
    resume: (id, options) => {
      mustBeId(id, 'id');
      return new Results(id, waitAndRead(id, options));
    },
  };
}

/** The body of a batch. @throws IbidError INVALID_ARGUMENT naming the request */
export function serialiseBatch(
  requests: readonly BatchRequest[],
  options: Pick<MessageCallOptions, 'betas' | 'extraBody'> | undefined,
  wiring: () => Pick<Wiring, 'profile'>,
): { readonly body: { readonly requests: readonly unknown[] }; readonly betas: readonly string[] } {
  const { profile } = wiring();
  if (!Array.isArray(requests) || requests.length === 0) refuse('requests', 'must be a list of at least one request');
  if (requests.length > maxRequests)
    refuse('requests', `holds ${requests.length} requests, the limit is ${maxRequests}`);
  const seen = new Set<string>();
  const betas = new Set(options?.betas ?? []);
  let weight = 0;
  const spelt = requests.map((request: unknown, at) => {
    const field = `requests[${at}]`;
    if (!isRecord(request)) refuse(field, 'must be { custom_id, params }');
    const { custom_id: id, params } = request;
    if (typeof id !== 'string' || !customId.test(id)) {
      refuse(`${field}.custom_id`, `${JSON.stringify(id)} must be 1 to 64 letters, digits, "_" or "-"`);
    }
    if (seen.has(id)) refuse(`${field}.custom_id`, `"${id}" is used twice`);
    seen.add(id);
    // Checked field by field inside.
    const one = serialiseMessage(params as MessageRequest, profile, { field: `${field}.params`, batch: true });
    for (const beta of one.betas) betas.add(beta);
    weight += one.weight;
    return { custom_id: id, params: one.body };
  });
  const body = { requests: spelt, ...options?.extraBody };
  checkSize(body, weight, maxBatchBytes, 'requests');
  return { body, betas: [...betas] };
}

/** Results handed out one by one from lines that arrived together, so that waiting is paid per read and not per line. */
class Results implements AsyncIterableIterator<BatchResult, undefined> {
  readonly #id: string;
  readonly #source: AsyncGenerator<readonly string[], void, undefined>;
  readonly #json = new ShapedJson();
  #lines: readonly string[] = [];
  #at = 0;
  #count = 0;
  #turn: Promise<unknown> | undefined;

  constructor(id: string, source: AsyncGenerator<readonly string[], void, undefined>) {
    this.#id = id;
    this.#source = source;
  }

  next(): Promise<IteratorResult<BatchResult, undefined>> {
    if (this.#turn === undefined && this.#at < this.#lines.length) return this.#take();
    // Callers that do not wait for each other get their results in the order they asked.
    const turn = Promise.resolve(this.#turn).then(() => this.#fill());
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (this.#turn === settled) this.#turn = undefined;
      });
    this.#turn = settled;
    return turn;
  }

  async #fill(): Promise<IteratorResult<BatchResult, undefined>> {
    while (this.#at >= this.#lines.length) {
      const next = await this.#source.next();
      if (next.done === true) return { done: true, value: undefined };
      this.#lines = next.value;
      this.#at = 0;
    }
    return this.#take();
  }

  async return(): Promise<IteratorResult<BatchResult, undefined>> {
    this.#lines = [];
    await this.#source.return();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #take(): Promise<IteratorResult<BatchResult, undefined>> {
    this.#count += 1;
    try {
      return Promise.resolve({ done: false, value: this.#parse(this.#lines[this.#at++]!) });
    } catch (error) {
      return this.return().then(() => Promise.reject(error));
    }
  }

  #parse(text: string): BatchResult {
    let value: unknown;
    try {
      value = this.#json.parse(text);
    } catch (cause) {
      throw lineError(this.#id, this.#count, 'is not JSON', text, cause);
    }
    if (!isRecord(value) || typeof value.custom_id !== 'string' || !isRecord(value.result)) {
      throw lineError(this.#id, this.#count, 'is not a result', text);
    }
    return value as unknown as BatchResult; // the two fields that are read have been looked at
  }
}

/**
 * The lines of the results. The file does not change once the batch has ended, so after a cut it is read again from the start and what
 * was given is passed over, by count; the last line given must be the same in both.
 */
async function* readLines(
  wiring: () => Wiring,
  id: string,
  options: WireCallOptions | undefined,
): AsyncGenerator<readonly string[], void, undefined> {
  let given = 0;
  let last: string | undefined;
  for (let stalls = 0; ; ) {
    const before = given;
    try {
      const reply = await wiring().transport.lines(operation('messages.batches.results'), { path: { id }, options });
      let seen = 0;
      for await (const lines of reply.batches()) {
        const from = before - seen;
        if (from >= 1 && from <= lines.length && lines[from - 1] !== last) {
          throw new WireError('RESPONSE_INVALID', `batch ${id}: the results came in another order the second time`, {
            service: 'messages',
            operation: 'messages.batches.results',
          });
        }
        seen += lines.length;
        if (from >= lines.length) continue;
        given = seen;
        last = lines.at(-1);
        yield from <= 0 ? lines : lines.slice(from);
      }
      return;
    } catch (error) {
      if (given === 0 && error instanceof WireError && refusals.has(error.code))
        await refuseUnended(wiring, id, options);
      if (!(error instanceof WireError) || error.code !== 'STREAM_BROKEN') throw error;
      stalls = given === before ? stalls + 1 : 0;
      if (stalls === maxStalls) throw error;
    }
  }
}

const refusals: ReadonlySet<string> = new Set(['REMOTE_NOT_FOUND', 'REQUEST_REJECTED', 'CONFLICT']);

/** A refused download may only mean that it is too early: the batch itself knows. */
async function refuseUnended(wiring: () => Wiring, id: string, options: WireCallOptions | undefined): Promise<void> {
  const batch = await callForObject<MessageBatch>(wiring(), 'messages.batches.get', { path: { id }, options });
  if (batch.processing_status === 'ended') return;
  throw new WireError('NOT_READY', `batch ${id} has not ended (${batch.processing_status})`, {
    service: 'messages',
    operation: 'messages.batches.results',
    hint: '`wait` for it, or `resume` it.',
  });
}

const lineError = (id: string, line: number, problem: string, text: string, cause?: unknown): WireError =>
  new WireError('RESPONSE_INVALID', `batch ${id}: line ${line} of the results ${problem}`, {
    service: 'messages',
    operation: 'messages.batches.results',
    body: text.slice(0, 2000),
    cause,
  });

/** The error of a result that has no message: the service's own, classified, or RUN_FAILED for `canceled` and `expired`. */
export function batchError({ custom_id: id, result }: BatchResult): WireError | undefined {
  const facts = { service: 'messages', operation: 'messages.batches.results' } as const;
  if (result.type === 'succeeded') return undefined;
  if (result.type === 'errored') return errorFromBody(result.error, { ...facts, requestId: result.error.request_id });
  return new WireError('RUN_FAILED', `request ${id} of the batch is ${result.type}`, { ...facts, type: result.type });
}

async function abortable(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  } catch {
    signal?.throwIfAborted(); // the caller's own reason, not the timer's
  }
}
