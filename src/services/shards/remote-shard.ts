import { IbidError } from '../../core/errors.ts';
import type { CallOptions, Span, StoredChunk } from '../../core/types.ts';
import type { CollectionTotals } from '../../retrieve/lexical-scores.ts';
import {
  type CandidatesReply,
  type CandidatesRequest,
  type DictionaryReply,
  type DictionaryRequest,
  type FoundCounts,
  type ShardAsker,
  type TermsReply,
  type TermsRequest,
  wordFeatures,
} from '../../retrieve/shards/contract.ts';
import { pack, unpack } from '../../retrieve/shards/packed.ts';
import {
  mostTerms,
  type OpenedShard,
  type RemoteQuestion,
  type ShardRow,
} from '../../retrieve/shards/remote-contract.ts';
import type { Operation, Transport } from '../../wire/http/contract.ts';
import { createTransport } from '../../wire/http/transport.ts';

/** An index that `ibid serve` has on another machine. */
export interface RemoteIndex {
  /** `https:`; `http:` for loopback, and for private networks with `privateAddress`. */
  readonly url: string;
  /** Name of the index, where the server has several. */
  readonly index?: string | undefined;
  /** Of scope `read`. */
  readonly token?: string | undefined;
  /** Allows `http:` to a host in a private network. @default false */
  readonly privateAddress?: boolean | undefined;
}

const operation: Operation = {
  name: 'shards.ask',
  service: 'common',
  method: 'POST',
  path: '/api/shard',
  repeat: 'always',
  group: 'shards',
};

/** Rows of one index at most: those of all members are numbered in 32 bits. */
const MOST_ROWS = 2 ** 27;

/** Asks an index on another machine as a shard. */
export class RemoteShards {
  readonly name: string;
  /** The same for each way to write the address. */
  readonly place: string;
  readonly #transport: Transport;
  readonly #index: string | undefined;
  readonly #timeoutMs: number;

  /**
   * @param timeoutMs how long it may take for one question
   * @throws WireError UNSAFE_ADDRESS; IbidError INVALID_ARGUMENT
   */
  constructor({ url, index, token, privateAddress }: RemoteIndex, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.name = index === undefined ? url : `${url} ${index}`;
    this.#index = index;
    const dialect = {
      service: 'common',
      keyless: true,
      auth: (key: string) => ({ authorization: `Bearer ${key}` }),
      readError: (body: unknown) => {
        const code = fieldOf(fieldOf(body, 'error'), 'code');
        return isTold(code) ? { code } : undefined;
      },
    } as const;
    this.#transport = createTransport(dialect, { baseUrl: url, apiKey: token, privateAddress, maxRetries: 1 });
    this.place = `${new URL(url).href.replace(/\/$/, '')} ${index ?? ''}`; // the transport has refused what is no URL
  }

  /**
   * @throws IbidError RESPONSE_INVALID; CONFLICT when the view is not kept any more; TIMEOUT; errors of the connection
   */
  async ask(question: RemoteQuestion, { signal }: CallOptions): Promise<unknown> {
    const json: unknown = JSON.parse(pack({ ...question, ...(this.#index !== undefined && { index: this.#index }) }));
    const late = AbortSignal.timeout(this.#timeoutMs);
    const options = { signal: signal ? AbortSignal.any([signal, late]) : late };
    try {
      const { body } = await this.#transport.json(operation, { json, options });
      return unpack(body);
    } catch (cause) {
      signal?.throwIfAborted();
      if (!late.aborted) throw cause;
      throw new IbidError('TIMEOUT', `it gave no answer within ${this.#timeoutMs} ms`, { cause });
    }
  }

  async open(options: CallOptions): Promise<OpenedShard> {
    const opened = (await this.ask({ kind: 'open' }, options)) as Partial<OpenedShard> | null; // checked next
    const { view, fingerprint, rows, liveRows, dead, sample, totals } = opened ?? {};
    const isRight =
      typeof view === 'string' &&
      typeof fingerprint?.embedder === 'string' &&
      isCount(fingerprint.dimensions) &&
      isCount(rows, MOST_ROWS) &&
      isCount(liveRows, rows) &&
      Array.isArray(dead) &&
      dead.every((run) => Array.isArray(run) && isCount(run[0], rows) && isCount(run[1], rows)) &&
      (sample === undefined || (Array.isArray(sample) && sample.every((row) => isSampled(row, rows)))) &&
      isTotals(totals) &&
      totals.liveRows <= liveRows;
    if (!isRight) throw this.wrong('open');
    return opened as OpenedShard; // as was checked
  }

  async model(options: CallOptions): Promise<Uint8Array | undefined> {
    const model = await this.ask({ kind: 'model' }, options);
    if (model === null) return undefined;
    if (model instanceof Uint8Array) return model;
    throw this.wrong('model');
  }

  wrong(kind: RemoteQuestion['kind']): IbidError {
    return new IbidError('RESPONSE_INVALID', `${this.name} did not answer "${kind}" as a shard does`, {
      hint: 'Both machines need the same version of ibid.',
    });
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }
}

/** Codes of the server that the coordinator acts on. What is wrong with a request of ours is no fault of its caller. */
function isTold(code: unknown): code is 'CONFLICT' | 'INVALID_FILTER' {
  return code === 'CONFLICT' || code === 'INVALID_FILTER';
}

/** One state of an index on another machine, as a shard of a search. */
export class RemoteShard implements ShardAsker {
  readonly #remote: RemoteShards;
  readonly #opened: OpenedShard;
  readonly #onUnread: (error: IbidError) => void;

  /** @param onUnread is told why rows that a search has found could not be read */
  constructor(remote: RemoteShards, opened: OpenedShard, onUnread: (error: IbidError) => void) {
    this.#remote = remote;
    this.#opened = opened;
    this.#onUnread = onUnread;
  }

  get name(): string {
    return this.#remote.name;
  }

  async totals(): Promise<CollectionTotals> {
    return this.#opened.totals;
  }

  async terms({ terms }: TermsRequest, options: CallOptions): Promise<TermsReply> {
    const counts: FoundCounts[] = [];
    for (let at = 0; at < terms.length; at += mostTerms)
      counts.push(...(await this.#counts(terms.slice(at, at + mostTerms), options)));
    return counts;
  }

  async #counts(terms: TermsRequest['terms'], options: CallOptions): Promise<TermsReply> {
    const { view, liveRows } = this.#opened;
    const reply = await this.#remote.ask({ kind: 'terms', view, request: { terms } }, options);
    const names = ['rows', 'containing', 'anywhere', 'windows'];
    if (isListOf(reply, terms.length, (one) => names.every((name) => isCount(fieldOf(one, name), liveRows))))
      return reply as TermsReply; // as was checked
    throw this.#remote.wrong('terms');
  }

  async dictionary(request: DictionaryRequest, options: CallOptions): Promise<DictionaryReply> {
    const { view } = this.#opened;
    const reply = await this.#remote.ask({ kind: 'dictionary', view, request }, options);
    if (reply === null) return undefined;
    const isEntry = (one: unknown): boolean => Array.isArray(one) && typeof one[0] === 'string' && isCount(one[1]);
    if (Array.isArray(reply) && reply.every(isEntry)) return reply as DictionaryReply; // as was checked
    throw this.#remote.wrong('dictionary');
  }

  async candidates(request: CandidatesRequest, options: CallOptions): Promise<CandidatesReply> {
    const { view, rows } = this.#opened;
    const reply = (await this.#remote.ask({ kind: 'candidates', view, request }, options)) as CandidatesReply;
    if (isCandidates(reply, request, rows)) return reply;
    throw this.#remote.wrong('candidates');
  }

  async find(where: string): Promise<Uint32Array> {
    const reply = await this.#remote.ask({ kind: 'find', view: this.#opened.view, request: { where } }, {});
    if (reply instanceof Uint32Array && reply.every((ordinal) => ordinal < this.#opened.rows)) return reply;
    throw this.#remote.wrong('find');
  }

  async rowsAt(ordinals: readonly number[]): Promise<readonly ShardRow[]> {
    try {
      return await this.#readRows(ordinals);
    } catch (error) {
      if (error instanceof IbidError && error.code !== 'CONFLICT') this.#onUnread(error);
      throw error;
    }
  }

  async #readRows(ordinals: readonly number[]): Promise<readonly ShardRow[]> {
    const reply = await this.#remote.ask({ kind: 'rows', view: this.#opened.view, request: { ordinals } }, {});
    const isRow = (one: unknown, i: number): boolean => {
      const { chunk, range } = one as Partial<ShardRow>; // checked here
      const ordinal = ordinals[i]!;
      return (
        isChunk(chunk) &&
        Array.isArray(range) &&
        isCount(range[0], ordinal) &&
        isCount(range[1], this.#opened.rows) &&
        range[1] > ordinal
      );
    };
    if (isListOf(reply, ordinals.length, isRow)) return reply as ShardRow[]; // as was checked
    throw this.#remote.wrong('rows');
  }
}

function isCount(value: unknown, most = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
}

/** @param rows of the index */
function isSampled(row: unknown, rows: number): boolean {
  return isCount(fieldOf(row, 'key'), 2 ** 32 - 1) && isCount(fieldOf(row, 'ordinal'), rows - 1);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function isListOf(
  value: unknown,
  length: number,
  isOne: (one: unknown, i: number) => boolean,
): value is readonly unknown[] {
  return Array.isArray(value) && value.length === length && value.every((one, i) => one !== null && isOne(one, i));
}

function isTotals(value: unknown): value is CollectionTotals {
  const names = ['liveRows', 'text', 'title', 'headings', 'body', 'window', 'wholes'];
  return names.every((name) => isCount(fieldOf(value, name)));
}

function isChunk(value: unknown): boolean {
  const { uri, title, format, text, headings, locators, metadata, position, span } = (value ??
    {}) as Partial<StoredChunk>;
  return (
    [uri, title, format].every((one) => typeof one === 'string') &&
    typeof text === 'string' &&
    Array.isArray(headings) &&
    headings.every((one) => typeof one === 'string') &&
    Array.isArray(locators) &&
    locators.every(isSpan) &&
    typeof metadata === 'object' &&
    metadata !== null &&
    Object.values(metadata).every((one) => one === null || ['string', 'number', 'boolean'].includes(typeof one)) &&
    isCount(position) &&
    isSpan(span) &&
    span.end - span.start === text.length
  );
}

function isSpan(value: unknown): value is Span {
  const [start, end] = [fieldOf(value, 'start'), fieldOf(value, 'end')];
  return isCount(end) && isCount(start, end);
}

/** That every list is as long as it must be, and that no place or row is beyond the end. */
function isCandidates(reply: CandidatesReply, { terms, phrases, vector }: CandidatesRequest, rows: number): boolean {
  const { ordinals, lists, near, features, postings, vectors } = reply ?? {};
  if (!(ordinals instanceof Uint32Array)) return false;
  const arePlaces = (places: unknown): boolean =>
    places instanceof Uint32Array && places.every((place) => place < ordinals.length);
  const alone = terms.filter((term) => term.alone).length;
  return (
    ordinals.every((ordinal, i) => ordinal < rows && (i === 0 || ordinal > ordinals[i - 1]!)) &&
    isListOf(lists, 2 + phrases.length + alone, arePlaces) &&
    arePlaces(near?.places) &&
    near.cosines instanceof Float32Array &&
    near.cosines.length === near.places.length &&
    wordFeatures.every((name) => {
      const values = features?.[name];
      return values instanceof Float64Array && values.length === ordinals.length && values.every(Number.isFinite);
    }) &&
    isListOf(postings, terms.length, (one) => {
      const { places, text, title, headings } = one as CandidatesReply['postings'][number]; // checked here
      const counts = [text, title, headings];
      return arePlaces(places) && counts.every((list) => list instanceof Uint16Array && list.length === places.length);
    }) &&
    (vector === undefined || (vectors instanceof Int8Array && vectors.length === ordinals.length * vector.length))
  );
}
