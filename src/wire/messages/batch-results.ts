import type { ErrorCode } from '../../core/errors.ts';
import { isRecord } from '../../core/records.ts';
import type { Sent } from '../http/endpoint.ts';
import { errorFromBody, WireError, type WireErrorFacts } from '../http/errors.ts';
import { ShapedJson } from '../http/shaped-json.ts';
import type { BatchResult, MessageBatch } from './batch-types.ts';
import { isMessage } from './events.ts';
import type { MessagesProfile } from './profile.ts';

/** Lines of the results, as they arrive together. */
export type BatchLines = AsyncGenerator<readonly string[], void, undefined>;

/** How many downloads in a row may break without getting further than those before. */
const maxStalls = 3;

/**
 * Results handed out one by one from lines that arrived together, so that waiting is paid per read and not per line.
 */
export class BatchResults implements AsyncIterableIterator<BatchResult, undefined> {
  readonly #id: string;
  readonly #source: BatchLines;
  readonly #json = new ShapedJson();
  #lines: readonly string[] = [];
  #at = 0;
  #count = 0;
  #turn: Promise<unknown> | undefined;

  constructor(id: string, source: BatchLines) {
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
 * The lines of the results. The file does not change once the batch has ended, so after a cut it is read again from the
 * start and what was given is passed over, by count; the last line given must be the same in both.
 */
export async function* readLines(sent: Sent<MessagesProfile>, look: () => Promise<MessageBatch>): BatchLines {
  const { transport } = sent.wiring;
  const id = sent.call.path?.id;
  let given = 0;
  let last: string | undefined;
  for (let stalls = 0; ; ) {
    const before = given;
    try {
      const reply = await transport.lines(sent.operation, sent.call);
      let seen = 0;
      for await (const lines of reply.batches()) {
        const from = before - seen;
        if (from >= 1 && from <= lines.length && lines[from - 1] !== last) {
          const problem = `batch ${id}: the results came in another order the second time`;
          throw batchFailure('RESPONSE_INVALID', 'results', problem);
        }
        seen += lines.length;
        if (from >= lines.length) continue;
        given = seen;
        last = lines.at(-1);
        yield from <= 0 ? lines : lines.slice(from);
      }
      return;
    } catch (error) {
      if (given === 0 && error instanceof WireError && refusals.has(error.code)) await refuseUnended(id, look);
      if (!(error instanceof WireError) || error.code !== 'STREAM_BROKEN') throw error;
      stalls = given === before ? stalls + 1 : 0;
      if (stalls === maxStalls) throw error;
    }
  }
}

const refusals: ReadonlySet<string> = new Set(['REMOTE_NOT_FOUND', 'REQUEST_REJECTED', 'CONFLICT']);

/** A refused download may only mean that it is too early: the batch itself knows. */
async function refuseUnended(id: string | undefined, look: () => Promise<MessageBatch>): Promise<void> {
  const { processing_status: status } = await look();
  if (status === 'ended') return;
  throw batchFailure('NOT_READY', 'results', `batch ${id} has not ended (${status})`, {
    hint: '`wait` for it, or `resume` it.',
  });
}

const lineError = (id: string, line: number, problem: string, text: string, cause?: unknown): WireError =>
  batchFailure('RESPONSE_INVALID', 'results', `batch ${id}: line ${line} of the results ${problem}`, {
    body: text.slice(0, 2000),
    cause,
  });

export function batchFailure(
  code: ErrorCode,
  of: 'results' | 'wait',
  problem: string,
  facts?: WireErrorFacts,
): WireError {
  return new WireError(code, problem, { ...facts, service: 'messages', operation: `messages.batches.${of}` });
}

/**
 * The error of a result that has no message: the service's own, classified, RUN_FAILED for `canceled` and `expired`, or
 * RESPONSE_INVALID for a message that is none.
 */
export function batchError({ custom_id: id, result }: BatchResult): WireError | undefined {
  const facts = { service: 'messages', operation: 'messages.batches.results' } as const;
  if (result.type === 'succeeded') {
    if (isMessage(result.message)) return undefined;
    return new WireError('RESPONSE_INVALID', `the answer to request ${id} of the batch is not a message`, facts);
  }
  if (result.type === 'errored') return errorFromBody(result.error, { ...facts, requestId: result.error?.request_id });
  return new WireError('RUN_FAILED', `request ${id} of the batch is ${result.type}`, { ...facts, type: result.type });
}
