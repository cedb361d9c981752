import { wholeOf } from '../../core/arguments.ts';
import { abortedLater, mapConcurrent } from '../../core/async.ts';
import { IbidError } from '../../core/errors.ts';
import { Meter } from '../../core/meter.ts';
import type { CallOptions } from '../../core/types.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { EmbedDocument, Embedder, EmbedderLimits } from '../contract.ts';
import type {
  EmbedEstimate,
  EmbedReceipt,
  EmbedUsage,
  ExpectedTime,
  SendTexts,
  ServiceLimits,
  ServiceModel,
  VectorCache,
} from './contract.ts';
import { MeteredSender } from './metered-sender.ts';
import { packRequests, type Sized } from './pack.ts';
import { clipToTokens, countKept, keysOfDocuments, type Piece, piecesOf, smallerPieces } from './plan.ts';
import { LongerVectors } from './prefixes.ts';
import { QueryVectors } from './query-vectors.ts';
import { expectTime, tokenRatio } from './receipts.ts';

export interface ServiceEmbedderSettings {
  readonly model: ServiceModel;
  readonly send: SendTexts;
  /** Stores vectors when they arrive. Without a cache, vectors that a crash loses are billed again. */
  readonly cache?: VectorCache | undefined;
  readonly meter?: Meter | undefined;
  /** Maximum number of requests at the same time. @default 4 */
  readonly concurrency?: number | undefined;
  /**
   * Maximum tokens of a request, below the service's own limit, for an account with small limits. Longer documents are
   * cut into windows. @default the service's
   */
  readonly requestTokens?: number | undefined;
  /** Called with the usage so far after the vectors of a request are stored. */
  readonly onAnswered?: ((usage: EmbedUsage) => void) | undefined;
}

/**
 * Share of a document's limit that is used. The service's tokenizer differs from ours, and a divided document loses
 * context.
 */
const USED_SHARE = 0.96;
/**
 * Share of a request's limit that is used. A request that is too large is refused, is not billed, and is sent in
 * halves.
 */
const USED_SHARE_OF_REQUEST = 0.99;
/**
 * If the service's count differs from ours by a larger share, the difference also varies, and requests use
 * `USED_SHARE`.
 */
const SAME_TOKENIZER = 0.002;
/** A smaller request would cut a normal chunk. */
const LEAST_REQUEST_TOKENS = 1000;
const QUERIES_KEPT = 1024;
/** Time for running requests to finish after the run is stopped, in ms. */
const GRACE_MS = 15_000;
/** Requests are packed again when the ratio of the token counts has changed by more than this share. */
const REPACK = 0.01;

/**
 * An embedder that is billed per token. Chunks are sent grouped by document, and documents are packed into requests
 * close to the limits. Vectors are stored when they arrive, so that nothing is billed twice. The budget is checked
 * before each request.
 *
 * After an edit, the whole document is embedded again, because each of its vectors depends on the changed text; for a
 * document over the service's limit, only the windows around the edit. All other vectors come from the cache.
 * `bench/quality/service-edits.ts` measures the cost of shortcuts.
 *
 * An attempt without an answer (a reset, a timeout) is repeated and may be billed twice, because the service has no
 * record that would show it. `usage.unanswered` counts it, and the budget includes it. Stored vectors are never
 * requested again.
 *
 * Shorter vectors are cut from stored longer ones, after a comparison with the service has shown that they are equal.
 *
 * Limits are counted with our tokenizer and used to 96 % for a document and 99 % for a request. A service that counts
 * more refuses the request without billing it; the request is then sent in halves, and the next requests are packed by
 * the measured ratio of the counts.
 */
export class ServiceEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly limits: EmbedderLimits;
  readonly #options: ServiceEmbedderSettings;
  readonly #sender: MeteredSender;
  #queries = new QueryVectors(QUERIES_KEPT);
  readonly #longer: LongerVectors;
  /** Dimensions of this model's billed vectors. */
  readonly #lengths = new Set<number>();
  /** Receipts of this model with any dimensions, from earlier runs and from this one. */
  #receipts: Promise<EmbedReceipt[]> | undefined;
  #ratio = 1;
  #cachedChunks = 0;

  /** @throws IbidError INVALID_ARGUMENT */
  constructor(options: ServiceEmbedderSettings) {
    const { model, concurrency = 4, requestTokens } = options;
    wholeOf(concurrency, 'concurrency', 1);
    if (requestTokens !== undefined) wholeOf(requestTokens, 'requestTokens', LEAST_REQUEST_TOKENS);
    this.id = `${model.name}@${model.dimensions}`;
    this.dimensions = model.dimensions;
    // this class cuts and packs
    this.limits = { documents: Infinity, chunks: Infinity, tokens: Infinity, tokensPerDocument: Infinity };
    const limits = boundedBy(model.limits, requestTokens);
    this.#options = { ...options, model: { ...model, limits } };
    this.#longer = new LongerVectors(this.#options.model, options.cache);
    this.#sender = new MeteredSender(this.#options.model, options.send, options.meter ?? new Meter());
  }

  /** The same embedder with another budget. Both share the vectors of queries. */
  withMeter(meter: Meter): ServiceEmbedder {
    const twin = new ServiceEmbedder({ ...this.#options, meter });
    twin.#queries = this.#queries;
    return twin;
  }

  get usage(): EmbedUsage {
    return this.#sender.usage(this.#cachedChunks);
  }

  /**
   * Estimates what `embedDocuments` would send for these documents, and the cost.
   * @param foretold keys that earlier calls of the same estimate have counted; they are not counted again. This call
   * adds its keys.
   */
  async estimate(documents: readonly EmbedDocument[], foretold: Set<string> = new Set()): Promise<EmbedEstimate> {
    await this.#earlierReceipts();
    const { missing: unknown, cachedChunks } = await this.#lookUp(piecesOf(documents, this.#used()), foretold);
    for (const { key } of unknown) foretold.add(key);
    // longer vectors count only after a comparison has shown that they can be cut
    const cut = (await this.#longer.arePrefixes()) ? await this.#longer.cut(unknown, this.#lengths) : new Map();
    const missing = unknown.filter(({ key }) => !cut.has(key));
    const tokens = missing.reduce((sum, piece) => sum + Math.round(piece.tokens * this.#ratio), 0);
    return {
      chunks: missing.reduce((sum, piece) => sum + piece.chunks, 0),
      cachedChunks: cachedChunks + countKept(unknown) - countKept(missing),
      tokens,
      requests: this.#pack(missing).length,
      costUsd: this.#sender.priceOf(tokens),
    };
  }

  /** Expected time of the estimated requests. @see expectTime */
  async expect(estimate: Pick<EmbedEstimate, 'requests' | 'tokens'>): Promise<ExpectedTime> {
    return expectTime(estimate, await this.#earlierReceipts(), this.#options.concurrency ?? 4);
  }

  /**
   * @throws IbidError BUDGET_EXCEEDED, RESPONSE_INVALID, and the errors of the service; vectors that have arrived are
   * stored
   */
  async embedDocuments(
    documents: readonly EmbedDocument[],
    options: CallOptions = {},
  ): Promise<readonly (readonly Int8Array[])[]> {
    await this.#earlierReceipts();
    const pieces = piecesOf(documents, this.#used());
    const { found, missing: unknown, cachedChunks } = await this.#lookUp(pieces);
    this.#cachedChunks += cachedChunks;
    const { concurrency = 4 } = this.#options;
    // A sent request is billed: wait for its vectors and store them, even after another request failed or the run was
    // stopped.
    using patient = abortedLater(options.signal, GRACE_MS);
    const missing = await this.#cutLonger(unknown, found, patient.signal);
    const sent = mapConcurrent(this.#requests(missing), (request) => this.#obtain(request, patient.signal), {
      concurrency,
      signal: options.signal,
    });
    for await (const vectors of sent) for (const [key, rows] of vectors) found.set(key, rows);
    const result = documents.map(({ chunks }) => new Array<Int8Array>(chunks.length));
    for (const { document, kept, context, key } of pieces) {
      const rows = found.get(key)!; // every piece was found or requested
      kept.forEach((position, i) => {
        result[document]![position] = rows[context + i]!;
      });
    }
    for (const rows of result) for (let i = 0; i < rows.length; i++) rows[i] ??= new Int8Array(this.dimensions);
    return result;
  }

  /**
   * Embeds many queries in few requests, and keeps the vectors for `embedQuery`. Services also limit the number of
   * requests.
   */
  async embedQueries(queries: readonly string[], options: CallOptions = {}): Promise<void> {
    const unknown = [...new Set(queries)].filter((query) => query.trim() !== '' && !this.#queries.has(query));
    const sized = unknown.slice(0, QUERIES_KEPT).map((query) => this.#sized(query));
    for (const indices of packRequests(sized, this.#used().limits)) {
      const some = indices.map((i) => sized[i]!);
      const ownTokens = some.reduce((sum, { tokens }) => sum + tokens, 0);
      const { vectors } = await this.#sender.send(
        some.map(({ text }) => [text]),
        { ...this.#counted(ownTokens), isQuery: true },
        options,
      );
      for (const [i, { query }] of some.entries()) this.#queries.keep(query, Promise.resolve(vectors[i]![0]!));
    }
  }

  /** Of a query that is longer than the service takes, its beginning. */
  #sized(query: string): Sized & { readonly query: string; readonly text: string } {
    const text = clipToTokens(query, usedPerDocument(this.#options.model.limits));
    return { query, text, chunks: 1, tokens: countTokens(text) };
  }

  async embedQuery(query: string, options: CallOptions = {}): Promise<Int8Array> {
    if (query.trim() === '') return new Int8Array(this.dimensions);
    const ask = async (): Promise<Int8Array> => {
      const { text, tokens } = this.#sized(query);
      const { vectors } = await this.#sender.send([[text]], { ...this.#counted(tokens), isQuery: true }, options);
      return vectors[0]![0]!;
    };
    return await this.#queries.get(query, ask, options);
  }

  /**
   * The cache keys of the vectors of these documents, for this model and for others of the same service.
   * @param others models whose requests were bounded as in this embedder
   */
  keysOf(documents: readonly EmbedDocument[], others: readonly ServiceModel[] = []): Set<string> {
    const used = others.map((model): ServiceModel => {
      const limits = boundedBy(model.limits, this.#options.requestTokens);
      return { ...model, limits: { ...limits, tokensPerDocument: usedPerDocument(limits) } };
    });
    return keysOfDocuments(documents, [this.#used(), ...used]);
  }

  async close(): Promise<void> {
    this.#queries.clear();
  }

  /** The model with the part of its limits that is used. */
  #used(): ServiceModel {
    const { model } = this.#options;
    const { documents, chunks, tokens } = model.limits;
    const share = Math.abs(this.#ratio - 1) < SAME_TOKENIZER ? USED_SHARE_OF_REQUEST : USED_SHARE;
    const limits = {
      documents,
      chunks,
      tokens: Math.floor((tokens * share) / Math.max(1, this.#ratio)),
      tokensPerDocument: usedPerDocument(model.limits),
    };
    return { ...model, limits };
  }

  #counted(ownTokens: number): { readonly tokens: number; readonly ownTokens: number } {
    return { tokens: ownTokens * this.#ratio, ownTokens };
  }

  async #earlierReceipts(): Promise<readonly EmbedReceipt[]> {
    this.#receipts ??= (async () => {
      const all = (await this.#options.cache?.receipts?.()) ?? [];
      const { name } = this.#options.model;
      const own = all.filter(({ model }) => model.startsWith(`${name}@`));
      for (const { model } of own) this.#lengths.add(Number(model.slice(name.length + 1)));
      this.#ratio = tokenRatio(own);
      return own;
    })();
    return await this.#receipts;
  }

  async #learn(receipt: EmbedReceipt): Promise<void> {
    const known = await this.#receipts;
    known?.push(receipt);
    this.#ratio = tokenRatio(known ?? [receipt]);
  }

  async #lookUp(
    pieces: readonly Piece[],
    elsewhere?: ReadonlySet<string>,
  ): Promise<{ found: Map<string, readonly Int8Array[]>; missing: Piece[]; cachedChunks: number }> {
    const keys = [...new Set(pieces.map(({ key }) => key))];
    const found = new Map(await this.#options.cache?.get(keys));
    const missing = new Map<string, Piece>(); // equal texts are sent once
    let cachedChunks = 0;
    for (const piece of pieces) {
      if (found.has(piece.key) || missing.has(piece.key) || elsewhere?.has(piece.key))
        cachedChunks += piece.kept.length;
      else missing.set(piece.key, piece);
    }
    return { found, missing: [...missing.values()], cachedChunks };
  }

  /** Adds vectors that can be cut from longer ones. @returns the pieces that must be sent */
  async #cutLonger(
    missing: readonly Piece[],
    found: Map<string, readonly Int8Array[]>,
    signal: AbortSignal | undefined,
  ): Promise<Piece[]> {
    const still = (): Piece[] => missing.filter(({ key }) => !found.has(key));
    let areRight = await this.#longer.arePrefixes();
    const cut = areRight === false ? undefined : await this.#longer.cut(missing, this.#lengths);
    if (!cut?.size) return still();
    if (areRight === undefined) {
      const candidates = missing.filter(({ key }) => cut.has(key));
      const cheapest = candidates.reduce((least, piece) => (piece.tokens < least.tokens ? piece : least));
      const given = (await this.#obtain([cheapest], signal)).get(cheapest.key)!;
      found.set(cheapest.key, given);
      areRight = await this.#longer.learn(cut.get(cheapest.key)!, given);
      cut.delete(cheapest.key);
    }
    if (!areRight) return still();
    await this.#options.cache?.put(cut);
    for (const [key, rows] of cut) found.set(key, rows);
    this.#cachedChunks += countKept(missing.filter(({ key }) => cut.has(key)));
    return still();
  }

  #pack(pieces: readonly Piece[]): Piece[][] {
    return packRequests(pieces, this.#used().limits).map((indices) => indices.map((i) => pieces[i]!));
  }

  /** Requests in sending order; packed again when the measured token ratio changes. */
  *#requests(pieces: readonly Piece[]): Generator<readonly Piece[]> {
    const left = new Set(pieces);
    while (left.size > 0) {
      const packedBy = Math.max(1, this.#ratio);
      for (const request of this.#pack([...left])) {
        if (Math.abs(Math.max(1, this.#ratio) / packedBy - 1) > REPACK) break;
        for (const piece of request) left.delete(piece);
        yield request;
      }
    }
  }

  /**
   * The vectors of the pieces, from one request, or from halves when the service finds the request too large. They are
   * stored before the return.
   */
  async #obtain(pieces: readonly Piece[], signal: AbortSignal | undefined): Promise<Map<string, readonly Int8Array[]>> {
    const ownTokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
    const texts = pieces.map((piece) => piece.texts);
    try {
      const { vectors, receipt } = await this.#sender.send(texts, this.#counted(ownTokens), { signal });
      const arrived = new Map(pieces.map(({ key }, i) => [key, vectors[i]!]));
      await this.#options.cache?.put(arrived, receipt);
      await this.#learn(receipt);
      this.#options.onAnswered?.(this.usage);
      return arrived;
    } catch (error) {
      if (!(error instanceof IbidError) || error.code !== 'REQUEST_TOO_LARGE') throw error;
      if (pieces.length > 1) {
        const middle = pieces.length >> 1;
        const first = await this.#obtain(pieces.slice(0, middle), signal);
        return new Map([...first, ...(await this.#obtain(pieces.slice(middle), signal))]);
      }
      return await this.#obtainSmaller(pieces[0]!, signal, error);
    }
  }

  /**
   * The vectors of one document that the service finds too long. Each part is also stored under its own key, in case
   * the other part fails.
   */
  async #obtainSmaller(
    piece: Piece,
    signal: AbortSignal | undefined,
    error: IbidError,
  ): Promise<Map<string, readonly Int8Array[]>> {
    const parts = smallerPieces(piece, this.#options.model);
    if (!parts) throw error;
    const { found } = await this.#lookUp(parts);
    const rows: Int8Array[] = [];
    for (const part of parts) {
      const vectors = found.get(part.key) ?? (await this.#obtain([part], signal)).get(part.key)!;
      rows.push(...vectors.slice(part.context));
    }
    const whole = new Map([[piece.key, rows]]);
    await this.#options.cache?.put(whole);
    return whole;
  }
}

/**
 * Does not use the measured ratio: it would move the borders of windows in every run, and they would be billed again.
 */
const usedPerDocument = ({ tokensPerDocument }: ServiceLimits): number => Math.floor(tokensPerDocument * USED_SHARE);

function boundedBy(limits: ServiceLimits, requestTokens: number = Infinity): ServiceLimits {
  return {
    ...limits,
    tokens: Math.min(limits.tokens, requestTokens),
    tokensPerDocument: Math.min(limits.tokensPerDocument, requestTokens),
  };
}
