import { createHash } from 'node:crypto';
import { hash32 } from '../../core/hash.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { EmbedDocument } from '../contract.ts';
import type { ServiceModel } from './contract.ts';
import type { Sized } from './pack.ts';
import { windowsOf } from './windows.ts';

/**
 * One document of a request: a whole document, a window of a long one, or one chunk for a model that knows no context.
 */
export interface Piece extends Sized {
  readonly document: number;
  /** Positions in the document of the chunks whose vectors are kept, parallel to the last texts. */
  readonly kept: readonly number[];
  /** Leading texts that are only context. */
  readonly context: number;
  readonly texts: readonly string[];
  /** Of model, dimensions and texts: equal keys mean equal vectors. */
  readonly key: string;
}

/**
 * What is sent for each document. The first chunk of a piece is told the title and the heading path; the others stand
 * behind it in the same request and need not be told. Chunks of white space only are not sent: their vector is zero.
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
  // every chunk may come to stand first: its head is counted with it
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

/** Room for the title and headings of a window that begins inside a document. */
const HEAD_TOKENS = 128;

function plainPieces(document: EmbedDocument, index: number, model: ServiceModel): Piece[] {
  return sendable(document).map((position) => {
    const text = clipToTokens(
      headOf(document, position) + document.chunks[position]!.text,
      model.limits.tokensPerDocument,
    );
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

/** Leading chunks that the second half of a document is told of, at most. */
const SHARED_CHUNKS = 3;

/**
 * Two pieces in place of one the service finds too long, though by our count it is not. Of several chunks the second
 * half is told of up to three of the first, so that none is embedded alone as long as there are three; their vectors
 * are those of the first half. A chunk by itself is cut to three quarters of its text, again and again: its vector is
 * that of its beginning.
 * @returns undefined for a text of one character, which nothing helps
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

/**
 * `Title › Chapter › Section` as a line of its own, cut where a heading path is absurdly long; '' when there is
 * neither.
 */
function headOf(document: EmbedDocument, position: number): string {
  const path = [document.title, ...document.chunks[position]!.headings].filter((part) => part.trim() !== '');
  if (path.length === 0) return '';
  return `${clipToTokens(path.join(' › '), HEAD_TOKENS - 2)}\n\n`;
}

/** The longest beginning of at most `limit` tokens, by halving; not between the halves of one character. */
function clipToTokens(text: string, limit: number): string {
  if (text.length <= limit || countTokens(text) <= limit) return text; // a token is at least a byte, mostly several
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

/** What a piece's vectors are kept under. */
export function keyOf({ name, dimensions, contextual }: ServiceModel, texts: readonly string[]): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([name, dimensions, contextual]));
  for (const text of texts) hash.update(`\n${text.length}:`).update(text);
  return hash.digest('hex');
}

/**
 * What the vectors of these documents are kept under, for each of several models. Models with equal limits are sent the
 * same texts, which are then cut and counted once.
 */
export function keysOfDocuments(documents: readonly EmbedDocument[], models: readonly ServiceModel[]): Set<string> {
  const keys = new Set<string>();
  const alike = Map.groupBy(models, ({ contextual, limits }) => `${contextual} ${limits.tokensPerDocument}`);
  for (const group of alike.values()) {
    for (const { texts } of piecesOf(documents, group[0]!)) for (const model of group) keys.add(keyOf(model, texts));
  }
  return keys;
}
