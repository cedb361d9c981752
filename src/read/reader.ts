import { open, readFile, stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import { objectOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { CallOptions, Document } from '../core/types.ts';
import { OCR_HINT, WAITS_FOR_OCR } from '../core/waiting.ts';
import type { LightLimits, ParsedDocument, Reader, ReaderOptions, ReadOptions, ReadSource } from './contract.ts';
import { detectFormat, HEAD_BYTES } from './detect.ts';
import { type ParseOutcome, ParserPool, type ParseWork } from './isolate.ts';
import { MAX_LIGHT_BYTES, readLight, tooLarge } from './light.ts';
import type { PictureSource } from './ocr/pictures.ts';
import { Recogniser } from './ocr/recogniser.ts';
import { formatOf, unreadable } from './parse.ts';
import { untranscribed } from './recording/refusal.ts';
import { SurroundingsReader } from './surroundings.ts';

const defaults = {
  timeoutMs: 30_000,
  maxFileBytes: 256 * 1024 * 1024,
  maxRecordingBytes: 16 * 2 ** 30,
  memoryMb: 1024,
  concurrency: 1,
  maxUnpackedBytes: 512 * 1024 * 1024,
  maxTextChars: 48 * 1024 * 1024,
} as const;

/**
 * Opens a reader of documents. Small text formats are parsed in this process, all others in a parser process. That
 * process is stopped and replaced after a crash, or when a file takes too long or too much memory.
 * @throws IbidError INVALID_ARGUMENT when an option is not a positive number
 */
export function createReader(options: ReaderOptions = {}): Reader {
  const resolved = resolveOptions(options);
  const limits = { maxTextChars: resolved.maxTextChars, maxUnpackedBytes: resolved.maxUnpackedBytes };
  const pool = new ParserPool({ ...resolved, limits });
  const light: LightLimits = { maxFileBytes: resolved.maxFileBytes, ...limits };
  const recogniser = options.ocr === false ? undefined : new Recogniser(options.ocr ?? {});
  const around = new SurroundingsReader();
  const aroundOf = async (path: string | undefined) => (path === undefined ? undefined : await around.of(path));
  let closed = false;

  /** Parses a file, and once more with what OCR found in its pictures. */
  const parse = async (uri: string, work: ParseWork, signal: AbortSignal | undefined): Promise<Document> => {
    const { name, file } = work;
    const first = await pool.parse(work, signal);
    if (first.scans.length === 0) return { uri, ...documentOf(first) };
    const extract: PictureSource['extract'] = async (holder, page, abort) => {
      const { picture, refusal } = await pool.parse({ name, file: holder, pictureOf: page }, abort);
      if (picture === undefined) throw refusal ?? new IbidError('FILE_DAMAGED', `no picture on page ${page}`);
      return picture;
    };
    const readings = await recogniser?.read(first.scans, { uri, file, extract }, { signal });
    if (readings === undefined) return { uri, ...waiting(first, await recogniser?.lack({ signal })) };
    return { uri, ...documentOf(await pool.parse({ ...work, readings }, signal)) };
  };

  /** Reads a recording, and once more with the transcript that was made of it. */
  const readRecording = async (uri: string, name: string, path: string, options: ReadOptions): Promise<Document> => {
    const { signal, recording: { beside, names, transcribe } = {} } = options;
    await sizeOf(path, resolved.maxRecordingBytes, 'maxRecordingBytes');
    const work = { name, file: { path: resolve(path) } };
    const given = { ...(beside === undefined ? {} : { beside: { path: resolve(beside) } }), names };
    const first = await pool.parse({ ...work, recording: given }, signal);
    const made = first.waits && (await transcribe?.({ path: resolve(path), uri, info: first.waits }, { signal }));
    if (made) return { uri, ...documentOf(await pool.parse({ ...work, recording: { ...given, made } }, signal)) };
    if (first.waits && !first.document) throw untranscribed(first.waits);
    return { uri, ...documentOf(first) };
  };

  const read = async (source: ReadSource, options: ReadOptions = {}): Promise<Document> => {
    const { signal } = options;
    signal?.throwIfAborted();
    if (closed) throw new IbidError('INVALID_ARGUMENT', 'the reader is closed');
    const { uri } = source;
    const name = posix.basename(uri.replaceAll('\\', '/'));
    const from = 'path' in source ? source.path : source.from;
    if ('path' in source && (await isRecording(name, source.path))) {
      return await readRecording(uri, name, source.path, options);
    }
    if ('path' in source && (await sizeOf(source.path, resolved.maxFileBytes)) > MAX_LIGHT_BYTES) {
      return await parse(
        uri,
        { name, file: { path: resolve(source.path) }, surroundings: await aroundOf(from) },
        signal,
      );
    }
    const bytes = 'bytes' in source ? source.bytes : await load(source.path, signal);
    const document = await readLight({ name, bytes, from }, light, around);
    if (document !== undefined) return { uri, ...document };
    if (from !== undefined && formatOf(name, bytes).format === 'recording') {
      return await readRecording(uri, name, from, options);
    }
    return await parse(uri, { name, file: { bytes }, surroundings: await aroundOf(from) }, signal);
  };
  const close = async (): Promise<void> => {
    closed = true;
    await pool.close();
  };
  const readsPictures = async (call?: CallOptions): Promise<boolean> => (await recogniser?.isReady(call)) ?? false;
  const pagesOf = async (bytes: Uint8Array, pages: readonly number[], { signal }: CallOptions = {}) => {
    const outcome = await pool.parse({ name: 'document.pdf', file: { bytes }, pagesOf: pages }, signal);
    if (outcome.pages === undefined) throw outcome.refusal ?? new IbidError('FILE_DAMAGED', 'there are no pages');
    return outcome.pages;
  };
  return { read, light, readsPictures, pagesOf, close, [Symbol.asyncDispose]: close };
}

function documentOf({ document, refusal }: ParseOutcome): ParsedDocument {
  if (document === undefined) throw refusal ?? new IbidError('FILE_DAMAGED', 'the parser gave no document');
  return document;
}

/**
 * The text beside the pictures, with a warning that more waits.
 * @param lack why a program that is there does not read
 * @throws IbidError FILE_SCANNED without any text
 */
function waiting(outcome: ParseOutcome, lack: Awaited<ReturnType<Recogniser['lack']>>): ParsedDocument {
  const { refusal, scans } = outcome;
  const hint = lack?.hint ?? OCR_HINT;
  if (refusal?.code === 'FILE_SCANNED') {
    throw new IbidError('FILE_SCANNED', lack ? `OCR failed: ${lack.message}` : refusal.message, { hint });
  }
  const document = documentOf(outcome);
  const what = scans.length === 1 ? 'a page or picture waits' : `${scans.length} pages or pictures wait`;
  const why = lack ? `: ${lack.message}` : '';
  const warning = { code: WAITS_FOR_OCR, message: `${what} for OCR${why}. ${hint}` };
  return { ...document, warnings: [...document.warnings, warning] };
}

async function sizeOf(path: string, most: number, option?: keyof typeof defaults): Promise<number> {
  const { size } = await stat(path).catch((error) => {
    throw unreadable(error);
  });
  if (size > most) throw tooLarge(size, most, option);
  return size;
}

/** Told by the beginning of the file: a recording is not loaded, so it is known before its bytes are read. */
async function isRecording(name: string, path: string): Promise<boolean> {
  try {
    await using file = await open(path, 'r');
    const { bytesRead, buffer } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return detectFormat(name, buffer.subarray(0, bytesRead)).format === 'recording';
  } catch {
    return false; // whoever reads the file says why
  }
}

async function load(path: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
  try {
    return await readFile(path, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw unreadable(error);
  }
}

function resolveOptions(options: ReaderOptions): Required<{ [K in keyof typeof defaults]: number }> {
  objectOf(options, 'the options of the reader');
  const resolved: Record<keyof typeof defaults, number> = { ...defaults };
  for (const key of Object.keys(defaults) as (keyof typeof defaults)[]) {
    const value = options[key];
    if (value === undefined) continue;
    if (!Number.isFinite(value) || value <= 0)
      throw new IbidError('INVALID_ARGUMENT', `${key} must be a positive number, not ${value}`);
    resolved[key] = value;
  }
  return resolved;
}
