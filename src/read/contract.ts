import type { CallOptions, Document, ReadWarning } from '../core/types.ts';

/** What a parser is told besides the bytes. */
export interface ParseContext {
  /** File name without folders, e.g. `report.pdf`; a hint for titles and dialects, never a path to open. */
  readonly name: string;
  /** More text than this is refused with FILE_TOO_LARGE, in UTF-16 code units. */
  readonly maxTextChars: number;
  /** Archives that unpack to more than this, in bytes, are refused with FILE_TOO_LARGE, before unpacking it all. */
  readonly maxUnpackedBytes: number;
  /** How many containers (mail, archive) this file is inside of; 0 for a file of its own. */
  readonly depth: number;
  /**
   * Reads something found inside this file (an attachment, a chapter's HTML) with the reader its name and bytes ask
   * for.
   * @throws IbidError FILE_* as a file of its own would
   */
  parseInner(name: string, bytes: Uint8Array): Promise<ParsedDocument>;
}

/** A `Document` that does not know yet where it came from. */
export type ParsedDocument = Omit<Document, 'uri'>;

/**
 * Bytes of one format → text, structure and the way back.
 * Never opens a file, never fetches, never writes. Runs inside the worker, so it may be slow or die, not lie.
 * @throws IbidError FILE_* when the content is refused; anything else it throws is reported as FILE_DAMAGED
 */
export type Parser = (bytes: Uint8Array, context: ParseContext) => Promise<ParsedDocument>;

export interface ReaderOptions {
  /** Longest time one file may take. @default 30_000 */
  readonly timeoutMs?: number | undefined;
  /** Larger files are refused unread. @default 268_435_456 */
  readonly maxFileBytes?: number | undefined;
  /** Memory one worker may hold, heap and buffers together. @default 1024 */
  readonly memoryMb?: number | undefined;
  /** Workers at most. @default 1 */
  readonly concurrency?: number | undefined;
  /** What archives may unpack to, per file. @default 536_870_912 */
  readonly maxUnpackedBytes?: number | undefined;
  /** Longest text of one document, in UTF-16 code units. @default 134_217_728 */
  readonly maxTextChars?: number | undefined;
}

/** Where the bytes are. `uri` becomes the document's, and its last segment is the name that format detection sees. */
export type ReadSource =
  | { readonly path: string; readonly uri: string }
  | { readonly bytes: Uint8Array; readonly uri: string };

export interface Reader {
  /**
   * One file, one document. Many calls may be in flight; they queue for the workers.
   * @throws IbidError FILE_*; the next call is not affected
   */
  read(source: ReadSource, options?: CallOptions): Promise<Document>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type { Document, ReadWarning };
