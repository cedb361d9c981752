import type { CallOptions, Document } from '../core/types.ts';
import type { Transcript } from '../transcribe/contract.ts';
import type { OcrOptions, ReadScan, Scan } from './ocr/contract.ts';
import type { SpeakerNames, WaitingRecording } from './recording/contract.ts';
import type { Surroundings } from './surroundings.ts';

/** Input of a parser besides the bytes. */
export interface ParseContext {
  /** File name without folders, e.g. `report.pdf`; a hint for titles and dialects, never a path to open. */
  readonly name: string;
  /** Longer text is refused with FILE_TOO_LARGE, in UTF-16 code units. */
  readonly maxTextChars: number;
  /** Archives that unpack to more bytes are refused with FILE_TOO_LARGE before all is unpacked. */
  readonly maxUnpackedBytes: number;
  /** Folder of the file, and people that are known around it, for exports of chats; whether all of it is content. */
  readonly surroundings?: Surroundings | undefined;
  /** Number of containers (mail, archive) around this file; 0 without one. */
  readonly depth: number;
  /**
   * Reads a file inside this file (an attachment, the HTML of a chapter) with the reader for its name and bytes.
   * @throws IbidError FILE_* as for a separate file
   */
  parseInner(name: string, bytes: Uint8Array, surroundings?: Surroundings): Promise<ParsedDocument>;
  /**
   * Asks for the text of a picture. A file with pictures is parsed twice: the first time all answers are undefined, and
   * the parser goes on without them; then, where there is OCR, with the texts. Both times it must ask in one order.
   * Absent: no OCR.
   */
  recognise?(scan: Scan): ReadScan | undefined;
}

/** A `Document` whose address is not known yet. */
export type ParsedDocument = Omit<Document, 'uri'>;

/**
 * Bytes of one format → text, structure and locators. A parser opens no file but one that its surroundings name, fetches
 * nothing and writes nothing. Most
 * run in a process of their own, so a parser may be slow or crash.
 * @throws IbidError FILE_* when the content is refused; any other error is reported as FILE_DAMAGED
 */
export type Parser = (bytes: Uint8Array, context: ParseContext) => Promise<ParsedDocument>;

export interface ReaderOptions {
  /** Longest time for one file, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number | undefined;
  /** Larger files are refused before they are read, in bytes; not recordings. @default 268_435_456 */
  readonly maxFileBytes?: number | undefined;
  /** Larger recordings are refused, in bytes; they are not loaded. @default 17_179_869_184 */
  readonly maxRecordingBytes?: number | undefined;
  /** Memory of one parser process, heap and buffers together, in MiB. @default 1024 */
  readonly memoryMb?: number | undefined;
  /** Most parser processes at a time. @default 1 */
  readonly concurrency?: number | undefined;
  /** Most bytes that the archives of one file may unpack to. @default 536_870_912 */
  readonly maxUnpackedBytes?: number | undefined;
  /** Longest text of one document, in UTF-16 code units. @default 50_331_648 */
  readonly maxTextChars?: number | undefined;
  /** Reading of scans and pictures by tesseract, where it is installed; false: never. */
  readonly ocr?: OcrOptions | false | undefined;
}

/** Where the bytes are. The last segment of `uri` is the file name for format detection. */
export type ReadSource =
  | { readonly path: string; readonly uri: string }
  | {
      readonly bytes: Uint8Array;
      readonly uri: string;
      /** Where the bytes were read; what lies around tells names in exports of chats. */
      readonly from?: string | undefined;
    };

/** Makes a transcript, and says by whom. @returns undefined to leave the recording waiting */
export type MakeTranscript = (
  recording: WaitingRecording,
  options: CallOptions,
) => Promise<{ readonly transcript: Transcript; readonly by: string } | undefined>;

/** What belongs to a recording besides its file. */
export interface RecordingOptions {
  /** Path of the transcript beside it. */
  readonly beside?: string | undefined;
  readonly names?: SpeakerNames | undefined;
  /** Called where there are no words yet. */
  readonly transcribe?: MakeTranscript | undefined;
}

export interface ReadOptions extends CallOptions {
  readonly recording?: RecordingOptions | undefined;
}

/** The limits of small text files, which any thread may read. */
export interface LightLimits {
  readonly maxFileBytes: number;
  readonly maxTextChars: number;
  readonly maxUnpackedBytes: number;
}

/** Turns files into documents. It may hold a process: close it. */
export interface Reader {
  /** Set where threads may read small text files in place of this reader, with these limits. */
  readonly light?: LightLimits | undefined;
  /**
   * Reads one file into one document. Further calls wait for a free parser process.
   * @throws IbidError FILE_*, and those of `transcribe`; later calls are not affected
   */
  read(source: ReadSource, options?: ReadOptions): Promise<Document>;
  /**
   * Whether scans and pictures are read now. Looks again at each call: OCR may have been installed since. Absent: this
   * reader never knows.
   */
  readsPictures?(options?: CallOptions): Promise<boolean>;
  /**
   * A PDF of these pages (from 1) of a PDF. Absent: this reader cannot.
   * @throws IbidError FILE_*, INVALID_ARGUMENT for a page that is not there
   */
  pagesOf?(bytes: Uint8Array, pages: readonly number[], options?: CallOptions): Promise<Uint8Array>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type { OcrOptions, OcrProgress } from './ocr/contract.ts';
