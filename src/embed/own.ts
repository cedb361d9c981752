import type { IbidError } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import { callOwn, contractBroken, type OwnPart, ownFailure, shown, unawaited, unusable } from '../core/own-part.ts';
import type { CallOptions } from '../core/types.ts';
import { countTokens } from '../text/tokens/tokens.ts';
import type { EmbedDocument, Embedder } from './contract.ts';
import { isKeepable, type Keeping, type KeepingEmbedder, type KeptSpace } from './service/contract.ts';

/** Marks a caller's embedder in the fingerprint of an index. */
const PREFIX = 'own:';

/** The id of a caller's embedder in a fingerprint. */
const ownEmbedderId = (embedder: Pick<Embedder, 'id'>): string => `${PREFIX}${embedder.id}`;

/** The caller's own id from a fingerprint's embedder id; undefined for the local embedder and a service's. */
export function ownEmbedderOf(id: string): string | undefined {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : undefined;
}

/** A part of a document that is embedded in one call. */
interface Piece {
  readonly document: number;
  readonly from: number;
  readonly to: number;
  readonly tokens: number;
}

/** Components of a stored vector come in groups of so many. */
const GROUP = 8;

/**
 * The caller's embedder with its full id and dimensions, wrapped.
 * @param made the id in the fingerprint of the index; absent: the embedder is asked
 * @throws IbidError INVALID_ARGUMENT, and what its service throws
 */
export async function identifiedEmbedder(
  own: Embedder,
  made: string | undefined,
  options?: CallOptions,
): Promise<Embedder> {
  return ownEmbedder(await identified(own, made, options));
}

/** The same, which keeps its vectors beside the index where it can. */
export async function keepingEmbedder(
  own: Embedder,
  made: string | undefined,
  keeping: Keeping,
  options: CallOptions = {},
): Promise<{ readonly embedder: Embedder; readonly keeper: (KeepingEmbedder & KeptSpace) | undefined }> {
  const found = await identified(own, made, options);
  const keeper = isKeepable(found) ? found.keeping(keeping) : undefined;
  const asked = keeper ?? (keeping.meter && found.withMeter ? chargedTo(found, keeping.meter) : found);
  return { embedder: ownEmbedder(asked, keeper !== undefined), keeper };
}

async function identified(own: Embedder, made: string | undefined, options: CallOptions = {}): Promise<Embedder> {
  if (!own.identify) return own;
  const known = made === undefined ? undefined : ownEmbedderOf(made);
  const found = await callOwn(partOf(own.id), () => own.identify!(known, options), options);
  checkEmbedder(found);
  return found;
}

/** @throws IbidError INVALID_ARGUMENT for an embedder without id, dimensions or methods */
export function checkEmbedder(own: Embedder): void {
  if (typeof own?.id !== 'string' || own.id === '') throw invalid('`id` must be a text that names model and revision');
  const { dimensions, limits } = own;
  const isOpen = dimensions === 0 && typeof own.identify === 'function';
  if (!isOpen && !(Number.isSafeInteger(dimensions) && dimensions >= 1))
    throw invalid(`\`dimensions\` must be a whole number from 1, not ${shown(dimensions)}`);
  for (const name of ['embedDocuments', 'embedQuery'] as const) {
    if (typeof own[name] !== 'function') throw invalid(`it has no method \`${name}\``);
  }
  for (const name of ['identify', 'embedQueries', 'withMeter'] as const) {
    if (own[name] !== undefined && typeof own[name] !== 'function') throw invalid(`\`${name}\` must be a method`);
  }
  // with NaN, or a text that is no number, a call would have no bound
  for (const name of ['documents', 'chunks', 'tokens', 'tokensPerDocument'] as const) {
    const limit = limits?.[name];
    if (limit !== undefined && !(limit >= 1))
      throw invalid(`\`limits.${name}\` must be a number from 1, not ${shown(limit)}`);
  }
}

/** The same embedder, its calls charged to the meter. @throws IbidError CONTRACT_BROKEN, SERVICE_FAILED */
function chargedTo(own: Embedder, meter: Meter): Embedder {
  let charged: Embedder;
  try {
    charged = own.withMeter!(meter);
  } catch (cause) {
    throw ownFailure(partOf(own.id), cause);
  }
  if (charged?.id === own.id) return charged;
  unawaited(charged);
  throw contractBroken(partOf(own.id), '`withMeter` must give the same embedder');
}

/**
 * Wraps a caller's embedder: keeps calls within its limits, and checks vectors before they are stored. A document over
 * `tokensPerDocument` is embedded in parts, cut between chunks. Vectors get zeros at their end up to a multiple of 8,
 * which changes no cosine. The caller closes the embedder.
 * @param isKept the embedder keeps its vectors beside the index
 * @throws IbidError INVALID_ARGUMENT for an embedder without id, dimensions or methods
 */
export function ownEmbedder(own: Embedder, isKept: boolean = false): Embedder {
  checkEmbedder(own);
  const failing = <T>(call: () => T | Promise<T>, options: CallOptions): Promise<T> =>
    callOwn(partOf(own.id), call, { ...options, isKept });
  const { documents = Infinity, chunks = Infinity, tokens = Infinity, tokensPerDocument = Infinity } = own.limits ?? {};
  const counts = tokens !== Infinity || tokensPerDocument !== Infinity;
  const limits = { documents, chunks, tokens, tokensPerDocument };

  const embedDocuments = async (
    given: readonly EmbedDocument[],
    options: CallOptions = {},
  ): Promise<readonly (readonly Int8Array[])[]> => {
    const result = given.map((document) => new Array<Int8Array>(document.chunks.length));
    for (const call of callsOf(given, limits, counts)) {
      options.signal?.throwIfAborted();
      const asked = call.map(({ document, from, to }) => {
        const { title, chunks: all } = given[document]!;
        return { title, chunks: from === 0 && to === all.length ? all : all.slice(from, to) };
      });
      const vectors = await failing(() => own.embedDocuments(asked, options), options);
      if (!Array.isArray(vectors) || vectors.length !== asked.length) {
        throw broken(
          own.id,
          `${asked.length} documents gave ${(vectors as ArrayLike<unknown> | undefined)?.length ?? 'no'} lists`,
        );
      }
      for (const [i, { document, from, to }] of call.entries()) {
        const rows: unknown = vectors[i];
        if (!Array.isArray(rows) || rows.length !== to - from) {
          throw broken(own.id, `${to - from} chunks gave ${Array.isArray(rows) ? rows.length : 'no'} vectors`);
        }
        // by number: `forEach` would leave out what was never filled in
        for (let at = 0; at < rows.length; at++) result[document]![from + at] = checked(rows[at], own);
      }
    }
    return result;
  };
  return {
    id: ownEmbedderId(own),
    dimensions: Math.ceil(own.dimensions / GROUP) * GROUP,
    limits,
    embedDocuments,
    embedQuery: async (query, options = {}) =>
      checked(await failing(() => own.embedQuery(query, options), options), own),
    ...(own.embedQueries && {
      embedQueries: (queries, options = {}) => failing(() => own.embedQueries!(queries, options), options),
    }),
    ...(own.withMeter && { withMeter: (meter) => ownEmbedder(chargedTo(own, meter), isKept) }),
  };
}

/** Packs documents, in order, into calls within the limits. */
function* callsOf(
  documents: readonly EmbedDocument[],
  limits: { readonly [K in 'documents' | 'chunks' | 'tokens' | 'tokensPerDocument']: number },
  counts: boolean,
): Generator<readonly Piece[], void, undefined> {
  let call: Piece[] = [];
  let chunks = 0;
  let tokens = 0;
  for (const piece of piecesOf(documents, limits, counts)) {
    const size = piece.to - piece.from;
    const isFull =
      call.length >= limits.documents || chunks + size > limits.chunks || tokens + piece.tokens > limits.tokens;
    if (call.length > 0 && isFull) {
      yield call;
      call = [];
      chunks = 0;
      tokens = 0;
    }
    call.push(piece);
    chunks += size;
    tokens += piece.tokens;
  }
  if (call.length > 0) yield call;
}

function* piecesOf(
  documents: readonly EmbedDocument[],
  limits: { readonly [K in 'chunks' | 'tokens' | 'tokensPerDocument']: number },
  counts: boolean,
): Generator<Piece, void, undefined> {
  const mostTokens = Math.min(limits.tokens, limits.tokensPerDocument);
  for (const [document, { chunks }] of documents.entries()) {
    let from = 0;
    let tokens = 0;
    for (const [i, { text }] of chunks.entries()) {
      const size = counts ? countTokens(text) : 0;
      if (i > from && (i - from >= limits.chunks || tokens + size > mostTokens)) {
        yield { document, from, to: i, tokens };
        from = i;
        tokens = 0;
      }
      tokens += size;
    }
    if (chunks.length > from) yield { document, from, to: chunks.length, tokens };
  }
}

function checked(vector: unknown, { id, dimensions }: Pick<Embedder, 'id' | 'dimensions'>): Int8Array {
  if (vector instanceof Int8Array && vector.length === dimensions) {
    // always a copy: the memory may be the caller's, and hold the vectors of the next call before these are stored
    const padded = new Int8Array(Math.ceil(dimensions / GROUP) * GROUP);
    padded.set(vector);
    return padded;
  }
  const got =
    vector instanceof Int8Array ? `${vector.length} components` : `a ${vector?.constructor?.name ?? typeof vector}`;
  throw broken(id, `a vector must be an Int8Array of ${dimensions} components, not ${got}`);
}

const partOf = (id: string): OwnPart => ({ what: 'embedder', id, check: 'embedderContract' });

const broken = (id: string, why: string): IbidError =>
  contractBroken(partOf(id), why, '; `toInt8` of `ibid` makes int8 vectors of floats');

const invalid = (why: string): IbidError => unusable('embedder', 'Embedder', 'embedderContract', why);
