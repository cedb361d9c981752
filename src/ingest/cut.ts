import { IbidError, messageOf } from '../core/errors.ts';
import type { Chunk, Document } from '../core/types.ts';
import { type ChunkOptions, chunkWithin } from '../text/chunk/chunk.ts';
import { boundChunks, boundDocument, documentLimits } from '../text/document-limits.ts';

/** A document within its limits, and its chunks. */
export interface CutDocument {
  /** Without blocks and locators: the chunks have them, and a million blocks weigh more. */
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly tokens: number;
}

/** A file that was read and cut into chunks. */
export interface CutFile extends CutDocument {
  readonly contentHash: string;
  /** The name other processes have it by. */
  readonly part?: string | undefined;
}

export type CutOutcome = { readonly cut: CutFile } | { readonly failure: FileFailure };

/** A file that is cut, and is not in memory yet. */
export interface CutElsewhere {
  /** @returns undefined when the caller must read the file @throws the reason of the signal */
  load(signal: AbortSignal): Promise<CutOutcome | undefined>;
}

/** A document on its way: the texts of its chunks are parts of its own. */
export interface SentDocument extends Omit<CutFile, 'chunks'> {
  readonly chunks: readonly Omit<Chunk, 'text'>[];
}

export function sent({ chunks, ...rest }: CutFile): SentDocument {
  return { ...rest, chunks: chunks.map(({ text: _text, ...place }) => place) };
}

export function received({ chunks, ...rest }: SentDocument): CutFile {
  const { text } = rest.document;
  return { ...rest, chunks: chunks.map((chunk) => ({ ...chunk, text: text.slice(chunk.span.start, chunk.span.end) })) };
}

/** Why a file could not be read or cut: a code of `errorCodes`, and a sentence. */
export interface FileFailure {
  readonly code: string;
  readonly message: string;
}

/** @param chunk cuts the document when it was not given in chunks @throws IbidError FILE_TOO_LARGE, FILE_TIMEOUT */
export function cutDocument(
  read: Document,
  chunk: (document: Document) => readonly Chunk[],
  given?: readonly Chunk[],
): CutDocument {
  const bounded = boundDocument(read);
  const { document, chunks } = boundChunks(bounded, given ?? chunk(bounded));
  const tokens = chunks.reduce((sum, one) => sum + one.tokens, 0);
  return { document: { ...document, blocks: [], locators: [] }, chunks, tokens };
}

/** Cuts documents as an index does. */
export function chunkerOf(chunking: ChunkOptions | undefined): (document: Document) => readonly Chunk[] {
  const limits = { timeoutMs: documentLimits.cutMs, chunks: documentLimits.chunks };
  return (document) => chunkWithin(document, limits, chunking);
}

export function failureOf(error: unknown): FileFailure {
  if (error instanceof IbidError) return { code: error.code, message: error.message };
  return { code: 'FILE_DAMAGED', message: messageOf(error) };
}
