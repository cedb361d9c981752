import { isRecord } from '../../core/records.ts';
import { shaped, type Where } from '../http/answer.ts';
import type { Operation, ReplyInfo, ServerEvent, StreamReply } from '../http/contract.ts';
import { WireError } from '../http/errors.ts';
import { broken, withPartial } from './failures.ts';
import { jsonOf, type Open, optionalNumber, optionalText, records, texts } from './parse.ts';
import type { PriceTable } from './prices.ts';
import { readOnce, readUntil } from './read-once.ts';
import { isFailed, isFinished, parseResearch, readRun, runFailed, streamFailed } from './research-parse.ts';
import type { OutputItem, ResearchEvent, ResearchResponse, ResearchRun, ResearchStream } from './research-types.ts';
import { settledResearch } from './settled.ts';

type Known = ResearchEvent extends infer E ? (E extends ResearchEvent ? Omit<E, 'sequenceNumber'> : never) : never;

const terminal: ReadonlySet<string> = new Set([
  'response.completed',
  'response.failed',
  'response.incomplete',
  'response.cancelled',
]);

/**
 * Puts the events of a run together. The last event carries the whole response where the service sends one; what is
 * missing then (`response.failed` has only an error) comes from the items and deltas before it.
 */
class ResearchAccumulator {
  readonly #where: Where;
  #response: Record<string, unknown> = {};
  readonly #items: (OutputItem | undefined)[] = [];
  /** What is written, by the index of its item and of its part in there. */
  readonly #texts = new Map<number, Map<number, string[]>>();
  /** The terminal event, once it has come. */
  last: Open | undefined;
  /** Highest sequence number so far. */
  sequenceNumber: number | undefined;
  #resumedAfter = -1;

  constructor(where: Where) {
    this.#where = where;
  }

  get id(): string | undefined {
    return optionalText(this.#response.id);
  }

  get text(): string {
    return inOrder(this.#texts)
      .flatMap((parts) => inOrder(parts).flat())
      .join('');
  }

  /** Another connection takes over: what it repeats is passed over. */
  resume(): void {
    this.#resumedAfter = this.sequenceNumber ?? -1;
  }

  /** @throws WireError RESPONSE_INVALID for what is no JSON object */
  push({ event: name, data }: ServerEvent): readonly ResearchEvent[] {
    const text = data.trim();
    if (text === '' || text === '[DONE]') return [];
    const event = jsonOf(this.#where, text);
    const type = optionalText(event.type) ?? (name === '' ? 'unknown' : name);
    const sequenceNumber = optionalNumber(event.sequence_number);
    if (sequenceNumber !== undefined && sequenceNumber <= this.#resumedAfter) return [];
    if (sequenceNumber !== undefined) this.sequenceNumber = Math.max(this.sequenceNumber ?? 0, sequenceNumber);
    if (isRecord(event.response)) this.#response = { ...this.#response, ...event.response };
    const status = isRecord(event.response) ? optionalText(event.response.status) : undefined;
    const isError = type === 'error' || (event.type === undefined && event.error !== undefined);
    if (terminal.has(type) || isError || (status !== undefined && isFinished(status))) {
      this.last = { ...event, type: isError ? 'error' : type };
      return [];
    }
    return [{ ...this.#read(type, event), sequenceNumber }];
  }

  #read(type: string, event: Open): Known {
    const thought = optionalText(event.thought);
    const outputIndex = optionalNumber(event.output_index);
    switch (type) {
      case 'response.created':
      case 'response.in_progress':
        return { type: type === 'response.created' ? 'created' : 'in_progress', response: this.response() };
      case 'response.output_text.delta': {
        const text = optionalText(event.delta) ?? '';
        const { parts, at } = this.#place(event);
        const pieces = parts.get(at);
        if (pieces === undefined) parts.set(at, [text]);
        else pieces.push(text);
        return { type: 'text', text, outputIndex };
      }
      case 'response.output_text.done': {
        const text = optionalText(event.text) ?? '';
        if (text !== '') {
          const { parts, at } = this.#place(event);
          parts.set(at, [text]);
        }
        return { type: 'text_done', text, outputIndex };
      }
      case 'response.output_item.added':
      case 'response.output_item.done': {
        const item = this.#item(event.item);
        const index = indexOf(event.output_index);
        if (index === undefined) this.#items.push(item);
        else this.#items[index] = item;
        return { type: type === 'response.output_item.added' ? 'item_added' : 'item_done', item, outputIndex };
      }
      case 'response.reasoning.started':
        return { type: 'reasoning_started', thought };
      case 'response.reasoning.stopped':
        return { type: 'reasoning_stopped', thought };
      case 'response.reasoning.search_queries':
        return { type: 'search_queries', queries: texts(event.queries), thought };
      case 'response.reasoning.search_results':
        return { type: 'search_results', results: records(event.results), thought };
      case 'response.reasoning.fetch_url_queries':
        return { type: 'fetch_url_queries', urls: texts(event.urls), thought };
      case 'response.reasoning.fetch_url_results':
        return { type: 'fetch_url_results', contents: records(event.contents), thought };
      case 'response.skill.loaded':
        return { type: 'skill_loaded', name: optionalText(event.name) ?? '' };
      default:
        return { type: 'other', name: type, event };
    }
  }

  /** The part that an event of text belongs to, and its item's other parts. */
  #place(event: Open): { readonly parts: Map<number, string[]>; readonly at: number } {
    const item = indexOf(event.output_index) ?? 0;
    const parts = this.#texts.get(item) ?? new Map<number, string[]>();
    this.#texts.set(item, parts);
    return { parts, at: indexOf(event.content_index) ?? 0 };
  }

  #item(value: unknown): OutputItem {
    const item = shaped<Open>(this.#where, value, {}, 'the item of an event');
    return { ...item, type: optionalText(item.type) ?? 'unknown' };
  }

  /** The response so far: of the last snapshot, with the items and texts that came outside of it. */
  response(): ResearchResponse {
    const { output } = this.#response;
    const whole = Array.isArray(output) && output.length > 0;
    const rebuilt = {
      id: '',
      status: 'in_progress',
      ...this.#response,
      output: whole ? output : this.#rebuiltOutput(),
    };
    return parseResearch(this.#where, rebuilt);
  }

  #rebuiltOutput(): readonly OutputItem[] {
    const count = Math.max(this.#items.length, ...[...this.#texts.keys()].map((index) => index + 1), 0);
    const output: OutputItem[] = [];
    for (let index = 0; index < count; index++) {
      const item = this.#items[index];
      const parts = this.#texts.get(index);
      if (item === undefined && parts === undefined) continue;
      const written = item?.type === 'message' && records(item.content).length > 0;
      if (parts === undefined || written) {
        if (item !== undefined && isSound(item)) output.push(item);
        continue;
      }
      const content = inOrder(parts).map((pieces) => ({
        type: 'output_text',
        text: pieces.join(''),
        annotations: [],
      }));
      output.push({ role: 'assistant', ...item, type: 'message', content });
    }
    return output;
  }
}

/** A place in a list; beyond all measure it is none, for everything before it is looked at. */
function indexOf(value: unknown): number | undefined {
  const index = optionalNumber(value);
  return index !== undefined && Number.isInteger(index) && index >= 0 && index < 100_000 ? index : undefined;
}

const inOrder = <T>(byIndex: ReadonlyMap<number, T>): readonly T[] =>
  [...byIndex].sort(([a], [b]) => a - b).map(([, value]) => value);

/** A call that came only in part cannot be answered. */
const isSound = (item: OutputItem): boolean =>
  item.type !== 'function_call' || ['call_id', 'name', 'arguments'].every((field) => typeof item[field] === 'string');

/** In a row, without an event between them. */
const maxReconnects = 5;

export interface ResearchStreamOptions {
  readonly operation: Operation;
  readonly reply: StreamReply<ServerEvent>;
  readonly info: ReplyInfo;
  readonly prices: PriceTable;
  readonly onFailure: 'throw' | 'return';
  readonly signal?: AbortSignal | undefined;
  /** Goes on after a break, from the last event; only background runs can. */
  readonly reopen?: ((id: string, after: number) => Promise<StreamReply<ServerEvent>>) | undefined;
  /** The run once it is over, where the service no longer holds its events. */
  readonly ended?: ((id: string) => Promise<ResearchRun>) | undefined;
  /** Called with the run's id when the caller's signal ended the stream. */
  readonly onAbort?: ((id: string) => Promise<void>) | undefined;
}

/** Dresses the events of a run as a `ResearchStream`. */
export function researchStream(options: ResearchStreamOptions): ResearchStream {
  const { operation, info, prices } = options;
  let reply = options.reply;
  const where: Where = { operation, info };
  const accumulator = new ResearchAccumulator(where);
  const snapshot = (): ResearchRun => readRun(accumulator.response(), prices, info);

  /** The events of all connections, as if it had been one. */
  async function* unbroken(): AsyncGenerator<readonly ServerEvent[], void, undefined> {
    let heard: number | undefined;
    for (let reconnects = 0; ; reconnects++) {
      let cut: unknown;
      try {
        yield* readUntil(reply, () => accumulator.last !== undefined);
        if (accumulator.last !== undefined) return;
      } catch (error) {
        if (!(error instanceof WireError && error.retryable)) throw error;
        cut = error;
      }
      const { id, sequenceNumber } = accumulator;
      if (sequenceNumber !== heard) reconnects = 0;
      heard = sequenceNumber;
      const goesOn = options.reopen !== undefined && id !== undefined && sequenceNumber !== undefined;
      if (!goesOn || reconnects >= maxReconnects) {
        if (cut !== undefined) throw cut;
        return;
      }
      options.signal?.throwIfAborted();
      try {
        reply = await options.reopen(id, sequenceNumber);
      } catch (error) {
        if (options.ended === undefined || !hasExpired(error)) throw error;
        yield [lastEventOf(await options.ended(id))];
        return;
      }
      accumulator.resume();
    }
  }

  const reading = readOnce<ServerEvent, ResearchEvent, ResearchRun>({
    where,
    pieces: unbroken(),
    push: (event) => accumulator.push(event),
    over: () => accumulator.last !== undefined,
    settle: () => reply.settle(settledResearch(accumulator.last?.response) ?? {}),
    end() {
      const run = settle(where, accumulator, snapshot());
      if (isFailed(run) && options.onFailure === 'throw') throw runFailed(where, run);
      return { result: run, events: [{ type: 'done', run, sequenceNumber: accumulator.sequenceNumber }] };
    },
    async fail(error) {
      if (options.signal?.aborted === true && accumulator.id !== undefined) await options.onAbort?.(accumulator.id);
      return withPartial(error, quietly(snapshot));
    },
  });
  return {
    ...reading,
    info,
    get id() {
      return accumulator.id;
    },
    get lastSequenceNumber() {
      return accumulator.sequenceNumber;
    },
    get partialText() {
      return accumulator.text;
    },
    cancel: () => reply.cancel(),
  };
}

/** The service refuses a place in the events that it no longer holds. */
export function hasExpired(error: unknown): boolean {
  return error instanceof WireError && error.code === 'REQUEST_REJECTED' && error.status === 400;
}

function lastEventOf({ status, response }: ResearchRun): ServerEvent {
  return { event: '', data: JSON.stringify({ type: `response.${status}`, response }) };
}

/** What the end of the stream makes of the run. */
function settle(where: Where, accumulator: ResearchAccumulator, snapshot: ResearchRun): ResearchRun {
  const { last } = accumulator;
  if (last === undefined) {
    const hint = 'A background run goes on: use research.resume or research.wait with its id.';
    throw broken(where, 'the stream ended before the run did', snapshot, hint);
  }
  const status = isRecord(last.response) ? optionalText(last.response.status) : undefined;
  if (last.type === 'error') throw streamFailed(where, last, snapshot);
  if (last.type === 'response.failed' && !isRecord(last.response)) {
    return {
      ...snapshot,
      status: 'failed',
      response: { ...snapshot.response, status: 'failed', error: errorOf(last) },
    };
  }
  if (status !== undefined && isFinished(status)) return snapshot;
  // `response.cancelled` without a response, or one whose status still says otherwise: the event's name decides.
  const named = String(last.type).replace(/^response\./, '');
  return { ...snapshot, status: named, response: { ...snapshot.response, status: named } };
}

function errorOf(event: Open): { message?: string } {
  if (isRecord(event.error)) return event.error;
  const message = optionalText(event.error) ?? optionalText(event.message);
  return message === undefined ? {} : { message };
}

/** A partial result is worth having, but not worth another error. */
function quietly<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
