import { createHash } from 'node:crypto';
import { hash32 } from '../../core/hash.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { EmbedDocument } from '../contract.ts';
import type { ServiceModel } from './contract.ts';
import type { Sized } from './pack.ts';
import { windowsOf } from './windows.ts';

/** One document of a request: a whole document, a window of a long one, or one chunk for a model without context. */
export interface Piece extends Sized {
  readonly document: number;
  /** Positions in the document of the chunks whose vectors are kept. They belong to the last texts, in order. */
  readonly kept: readonly number[];
  /** Number of leading texts that are only context. */
  readonly context: number;
  readonly texts: readonly string[];
  /** Hash of model, dimensions and texts: equal keys have equal vectors. */
  readonly key: string;
}

export const countKept = (pieces: readonly Piece[]): number => pieces.reduce((sum, { kept }) => sum + kept.length, 0);

/**
 * The pieces to send for each document. The first chunk of a piece gets the title and heading path in front; the other
 * chunks follow in the same request and do not need them. Chunks of white space are not sent: their vector is zero.
 */
export function piecesOf(documents: readonly EmbedDocument[], model: ServiceModel): Piece[] {
  return documents.flatMap((document, index) =>
    model.contextual ? contextualPieces(document, index, model) : plainPieces(document, index, model),
  );
}

function contextualPieces(document: EmbedDocument, index: number, model: ServiceModel): Piece[] {
  const positions = sendable(document);
  const texts = positions.map((position) => document.chunks[position]!.text);
  const limit = model.limits.tokensPerDocument;
  const heads = positions.map((position) => headOf(document, position));
  // Only the first chunk of the document is counted with its head; other windows have room for a head.
  const tokens = texts.map((text, i) => Math.min(limit, countTokens(text) + (i === 0 ? countTokens(heads[0]!) : 0)));
  const hashes = texts.map((text) => hash32(text));
  return windowsOf(tokens, hashes, limit - HEAD_TOKENS).map(({ from, first, to }) => {
    const sent = texts.slice(from, to);
    sent[0] = clipToTokens(heads[from]! + sent[0]!, limit);
    return {
      document: index,
      kept: positions.slice(first, to),
      context: first - from,
      texts: sent,
      chunks: sent.length,
      tokens: countTokens(sent[0]) + tokens.slice(from + 1, to).reduce((sum, count) => sum + count, 0),
      key: keyOf(model, sent),
    };
  });
}

/** Tokens reserved for title and headings of a window that begins inside a document. */
const HEAD_TOKENS = 128;

function plainPieces(document: EmbedDocument, index: number, model: ServiceModel): Piece[] {
  return sendable(document).map((position) => {
    const text = clipToTokens(textInContext(document, position, model), model.limits.tokensPerDocument);
    return {
      document: index,
      kept: [position],
      context: 0,
      texts: [text],
      chunks: 1,
      tokens: countTokens(text),
      key: keyOf(model, [text]),
    };
  });
}

/** Tokens of each neighbour, at most; its own text has what the model reads before they get any. */
const NEIGHBOUR_TOKENS = 64;

function textInContext(document: EmbedDocument, position: number, model: ServiceModel): string {
  const { context = 'headings', limits } = model;
  const { chunks } = document;
  const { text } = chunks[position]!;
  if (context === 'none') return text;
  const own = headOf(document, position) + text;
  if (context === 'headings') return own;
  const room = Math.min(NEIGHBOUR_TOKENS, Math.floor((limits.tokensPerDocument - countTokens(own)) / 2));
  if (room < 1) return own;
  const before = chunks[position - 1]?.text.trimEnd() ?? '';
  const behind = chunks[position + 1]?.text.trimStart() ?? '';
  return [endOf(before, room), own, clipToTokens(behind, room)].filter((part) => part !== '').join('\n\n');
}

/** The longest end of at most `limit` tokens, from a word on. */
function endOf(text: string, limit: number): string {
  if (3 * text.length <= limit || countTokens(text) <= limit) return text;
  let end = text.slice(-limit * 8);
  while (countTokens(end) > limit) end = end.slice(Math.ceil(end.length / 8));
  return end.slice(Math.max(0, end.search(/\s/))).trimStart();
}

/** Maximum number of chunks that both halves of a divided piece contain. */
const SHARED_CHUNKS = 3;

/**
 * Replaces a piece that the service finds too long. Several chunks become two pieces: the second begins with up to
 * three chunks of the first as context, so that no chunk is embedded alone if there are at least three; their vectors
 * come from the first. A single chunk is cut to three quarters of its text, repeatedly: its vector is that of its
 * beginning.
 * @returns undefined for a text of one character, which cannot be cut
 */
export function smallerPieces(piece: Piece, model: ServiceModel): readonly Piece[] | undefined {
  const { texts } = piece;
  const of = (part: readonly string[], context: number): Piece => ({
    ...{ document: piece.document, kept: [], context, texts: part, chunks: part.length },
    tokens: part.reduce((sum, text) => sum + countTokens(text), 0),
    key: keyOf(model, part),
  });
  if (texts.length === 1) {
    const cut = texts[0]!.slice(0, Math.floor(texts[0]!.length * 0.75));
    return cut === '' ? undefined : [of([cut.isWellFormed() ? cut : cut.slice(0, -1)], 0)];
  }
  const middle = Math.ceil(texts.length / 2);
  const shared = texts.length < 3 ? 0 : Math.min(SHARED_CHUNKS, Math.max(1, Math.floor(texts.length / 4)));
  return [of(texts.slice(0, middle), 0), of(texts.slice(middle - shared), shared)];
}

function sendable({ chunks }: EmbedDocument): number[] {
  return chunks.flatMap(({ text }, position) => (text.trim() === '' ? [] : [position]));
}

/** `Title › Chapter › Section` and an empty line; a very long path is cut. '' without title and headings. */
function headOf(document: EmbedDocument, position: number): string {
  const path = [document.title, ...document.chunks[position]!.headings].filter((part) => part.trim() !== '');
  if (path.length === 0) return '';
  return `${clipToTokens(path.join(' › '), HEAD_TOKENS - 2)}\n\n`;
}

/** The longest beginning of at most `limit` tokens, found by binary search; never cuts a surrogate pair. */
export function clipToTokens(text: string, limit: number): string {
  // a token has at least one byte, and a code unit has at most three bytes in UTF-8
  if (3 * text.length <= limit || countTokens(text) <= limit) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countTokens(text.slice(0, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  const clipped = text.slice(0, low);
  return clipped.isWellFormed() ? clipped : clipped.slice(0, -1);
}

/** The key of a piece's vectors in the cache. */
export function keyOf(model: ServiceModel, texts: readonly string[]): string {
  const { name, dimensions, contextual, prefix = '', space } = model;
  const hash = createHash('sha256');
  hash.update(JSON.stringify([name, dimensions, contextual, ...(prefix === '' ? [] : [prefix])]));
  for (const text of texts) hash.update(`\n${text.length}:`).update(text);
  const key = hash.digest('hex');
  return space === undefined ? key : `${space}.${key}`;
}

/**
 * The cache keys of the vectors of these documents, for several models. Models with equal limits get the same texts,
 * which are cut and counted only once.
 */
export function keysOfDocuments(documents: readonly EmbedDocument[], models: readonly ServiceModel[]): Set<string> {
  const keys = new Set<string>();
  const alike = Map.groupBy(models, ({ contextual, limits }) => `${contextual} ${limits.tokensPerDocument}`);
  for (const group of alike.values()) {
    for (const { texts } of piecesOf(documents, group[0]!)) for (const model of group) keys.add(keyOf(model, texts));
  }
  return keys;
}
