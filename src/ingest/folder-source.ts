import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { objectOf, positiveOf, textOf, textsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import type { MakeTranscript, Reader } from '../read/contract.ts';
import { mayBeLight } from '../read/light.ts';
import { isRecordingName } from '../read/names.ts';
import { SurroundingsReader } from '../read/surroundings.ts';
import { sha256, sha256OfFile, unreadable } from './content-hash.ts';
import type { IngestFailure, IngestSource, LoadedItem, SmallFile, SourceItem } from './contract.ts';
import { FoundFiles } from './found-files.ts';
import { ItemList, type Items } from './items.ts';
import {
  type FoundRecording,
  type GivenNames,
  hashOfRecording,
  namesFor,
  pairRecordings,
  stateOfRecording,
  withBeside,
} from './recordings.ts';
import { withSurroundings } from './surroundings.ts';
import { titled } from './title.ts';
import { type FoundFile, type WalkOptions, type WalkResult, walk } from './walk.ts';

export interface FolderSourceOptions extends WalkOptions {
  /** Folders and files to scan. */
  readonly paths: readonly string[];
  /** Absolute folder that uris are relative to. */
  readonly base: string;
  readonly reader: Reader;
  /** Larger files are refused without reading; recordings have a limit of their own in the reader. @default 256 MiB */
  readonly maxFileBytes?: number | undefined;
  /** Transcripts and names for recordings. */
  readonly recordings?: RecordingParts | undefined;
  /** Whether the others of `paths` are read where one cannot be opened; `unopened` tells which. @default false */
  readonly passesOver?: boolean | undefined;
}

type FileOptions = Pick<FolderSourceOptions, 'reader' | 'maxFileBytes' | 'recordings'>;

/** The knowledge of a run about recordings, besides their files. */
export interface RecordingParts {
  /** Absent: recordings without words wait. */
  readonly transcribe?: MakeTranscript | undefined;
  /** False: `transcribe` gives only what was made before. */
  readonly makesTranscripts?: boolean | undefined;
  /** Names of speakers by uri of a recording, or of a folder for all recordings below. */
  names?(): Promise<ReadonlyMap<string, GivenNames>>;
}

const DEFAULT_MAX_FILE_BYTES = 256 * 2 ** 20;
/** Larger files are hashed as a stream, and read by the parser process alone. */
const STREAM_BYTES = 8 * 2 ** 20;
/** Files up to this size are read synchronously, without the thread pool. */
const AT_ONCE_BYTES = 256 * 1024;
/** Maximum average time of a synchronous read, in ms; above it, the thread pool reads. */
const AT_ONCE_MS = 0.5;

/** The uri of a path: relative to `base`, `/` between segments, `..` for a path outside the base. */
export function uriOf(base: string, path: string): string {
  const uri = relative(base, path);
  return sep === '/' ? uri : uri.replaceAll(sep, '/');
}

/**
 * The files of folders as an ingest source. `items` scans the folders. Files below a folder that cannot be listed, or a
 * path that is not there, are outside the scope of the scan: neither a missing permission nor a disk that is not mounted
 * removes anything from the index.
 */
export function folderSource(options: FolderSourceOptions): IngestSource {
  const { paths, base } = objectOf(options, 'the options', 'reader');
  textOf(base, 'base');
  if (options.maxFileBytes !== undefined) positiveOf(options.maxFileBytes, 'maxFileBytes');
  const roots = textsOf(paths, 'paths').map((path) => resolve(path));
  const scopes = roots.map((root) => uriOf(options.base, root));
  const unopened: IngestFailure[] = [];
  const leftOut = new Map<string, number>();
  const { itemOf, smallFileOf, fileOf } = fileItems(options);
  const { reader, recordings } = options;
  return {
    transcribes: async () => recordings?.makesTranscripts === true,
    readsPictures: (call) => reader.readsPictures?.(call) ?? Promise.resolve(true),
    leftOut: () => [...leftOut].map(([reason, entries]) => ({ reason, entries })).sort((a, b) => b.entries - a.entries),
    unopened: () => unopened.map((failure) => ({ ...failure, uri: failure.uri || '.' })),
    covers: (uri) => scopes.some((scope) => within(uri, scope)) && !unopened.some((one) => within(uri, one.uri)),
    smallFileOf,
    fileOf,
    items: (call) => new ItemList(() => list(call)),
  };

  async function list({ signal }: CallOptions = {}): Promise<Items> {
    const items = new FoundFiles(itemOf);
    const asked = new Set(roots);
    const sorted = [...asked].sort(); // a path below another stands after it; there may be one for each document
    const seen = sorted.some((one, i) => sorted[i + 1]?.startsWith(one)) ? new Set<string>() : undefined;
    const names = (await recordings?.names?.()) ?? new Map<string, GivenNames>();
    let away = 0;
    for (const root of asked) {
      const scope = uriOf(options.base, root);
      // below an ancestor of the base, some uris begin with '..' and others do not
      const uriOfFile = (path: string): string =>
        isAncestor(scope) ? uriOf(options.base, path) : below(scope, root, path);
      items.below(root, uriOfFile);
      const take = (files: readonly FoundFile[]): void => {
        for (const file of files[0]?.path === root ? [withBeside(files[0])] : pairRecordings(files)) {
          if (seen?.has(file.path)) continue; // two of the given paths overlap
          seen?.add(file.path);
          const given = isRecordingName(file.path) ? namesFor(uriOfFile(file.path), names) : undefined;
          items.push(given ? { ...file, given } : withSurroundings(file));
        }
      };
      let found: WalkResult;
      try {
        found = await walk(root, { ...options, signal }, take);
      } catch (error) {
        const isAway = options.passesOver && error instanceof IbidError && error.code === 'FILE_UNREADABLE';
        if (!isAway || ++away === asked.size) throw error;
        unopened.push(unopenedAt(scope, 'the path cannot be opened'));
        continue;
      }
      for (const folder of found.unreadable)
        unopened.push(unopenedAt(uriOf(options.base, folder), 'the folder cannot be listed'));
      for (const { reason, by, entries } of found.leftOut) {
        const why = by === undefined ? reason : `${reason} by ${uriOf(options.base, by)}`;
        leftOut.set(why, (leftOut.get(why) ?? 0) + entries);
      }
    }
    return items;
  }
}

function unopenedAt(uri: string, why: string): IngestFailure {
  return { uri, code: 'FILE_UNREADABLE', message: `${why}; documents of it that the index has stay` };
}

/** A cheaper `uriOf`, because it runs once per file. */
function below(scope: string, root: string, path: string): string {
  if (path.length === root.length) return scope;
  const rest = path.slice(root.endsWith(sep) ? root.length : root.length + 1);
  const uri = scope === '' ? rest : `${scope}/${rest}`;
  return sep === '/' ? uri : uri.replaceAll(sep, '/');
}

/** True when `uri` is `scope` or is below it. Both are relative to one base; '' is the base. */
export function within(uri: string, scope: string): boolean {
  // '' is the base itself; a scope with '..' ('../docs') covers only uris that begin in the same way
  if (scope === '') return !(uri === '..' || uri.startsWith('../'));
  if (isAncestor(scope)) {
    // the scope is an ancestor of the base: it covers uris with as many '..' or fewer
    return climbs(uri) <= climbs(scope);
  }
  return uri === scope || uri.startsWith(`${scope}/`);
}

/** True for '..', '../..': an ancestor of the base. */
function isAncestor(scope: string): boolean {
  return /^\.\.(\/\.\.)*$/.test(scope);
}

function climbs(uri: string): number {
  return uri.split('/').filter((part) => part === '..').length;
}

/** An item with its path: a pipeline may change the uri. Size and time are of all that makes its text. */
type FileItem = SourceItem & FoundRecording;

/**
 * `itemOf` makes items as plain objects: a pipeline may copy one and replace `load`. All items share
 * their functions, which find the file through `this`, so a waiting item needs little more memory than its path.
 */
export function fileItems(options: FileOptions): {
  itemOf(uri: string, file: FoundRecording): FileItem;
  smallFileOf(item: SourceItem): SmallFile | undefined;
  fileOf(item: SourceItem): SmallFile | undefined;
} {
  const pace: Pace = { ms: 0, pooled: 0 };
  const around = new SurroundingsReader();
  async function hash(this: FileItem, call?: CallOptions): Promise<string> {
    return around.hashOf(this.path, await hashOf(this, options, pace, call));
  }
  function load(this: FileItem, call?: CallOptions): Promise<LoadedItem> {
    return loadFile(this.uri, this, { ...options, around }, pace, call);
  }
  const most = Math.min(AT_ONCE_BYTES, options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES);
  return {
    itemOf(uri, file) {
      const { path, sizeBytes, mtimeMs, beside, given } = file;
      if (!isRecordingName(path)) return { uri, path, sizeBytes, mtimeMs, hash, load };
      return { uri, path, ...stateOfRecording(file), beside, given, hash, load };
    },
    smallFileOf(item) {
      const { uri, path, sizeBytes } = item as FileItem;
      // a slow disk is read by the thread pool, which reads several files at a time
      const isOurs = item.load === load && pace.ms <= AT_ONCE_MS;
      return isOurs && sizeBytes <= most && mayBeLight(path) ? { uri, path } : undefined;
    },
    fileOf(item) {
      const { uri, path, sizeBytes } = item as FileItem;
      return item.load === load && !isRecordingName(path) ? { uri, path, sizeBytes } : undefined;
    },
  };
}

async function loadFile(
  uri: string,
  file: FoundRecording,
  options: FileOptions & { readonly around: SurroundingsReader },
  pace: Pace,
  call: CallOptions | undefined,
): Promise<LoadedItem> {
  if (isRecordingName(file.path)) return await loadRecording(uri, file, options, call);
  const isLarge = file.sizeBytes > STREAM_BYTES;
  const bytes = isLarge ? undefined : await bytesOf(file, options, pace, call);
  // Hashed before it is read: when the file changes between, the next run finds another hash and reads it again.
  const own = bytes ? sha256(bytes) : await hashOf(file, options, pace, call);
  const contentHash = await options.around.hashOf(file.path, own);
  const document = await options.reader.read(bytes ? { bytes, uri, from: file.path } : { path: file.path, uri }, call);
  return { contentHash, document: titled(document, uri) };
}

/** A recording is never loaded, whatever its size. */
async function loadRecording(
  uri: string,
  file: FoundRecording,
  { reader, recordings }: FileOptions,
  call: CallOptions | undefined,
): Promise<LoadedItem> {
  const contentHash = await hashOfRecording(file, call?.signal);
  const document = await reader.read(
    { path: file.path, uri },
    {
      ...call,
      recording: {
        beside: file.beside?.path,
        names: file.given?.names,
        transcribe: recordings?.transcribe,
      },
    },
  );
  return { contentHash, document: titled(document, uri) };
}

async function hashOf(
  file: FoundRecording,
  options: FileOptions,
  pace: Pace,
  call: CallOptions | undefined,
): Promise<string> {
  if (isRecordingName(file.path)) return await hashOfRecording(file, call?.signal);
  if (file.sizeBytes <= STREAM_BYTES) return sha256(await bytesOf(file, options, pace, call));
  checkSize(file, options);
  return await sha256OfFile(file.path, call?.signal);
}

/** Average time of recent synchronous reads, in ms, and a counter of reads for which the thread pool was chosen. */
interface Pace {
  ms: number;
  pooled: number;
}

/** While the thread pool reads, one of this many files is still read synchronously: the disk may be fast again. */
const POOLED_PER_TRIAL = 32;
/** Maximum weight of one read in the average, in ms: a longer wait was probably for the processor, not the disk. */
const MOST_MS = 4 * AT_ONCE_MS;

/**
 * Reads a file. A local disk is read synchronously: the thread pool needs four steps per file, which takes several
 * times as long as the read. A network or a slow disk is read by the thread pool, which reads several files at a time
 * and does not block the thread.
 */
async function bytesOf(
  file: FoundRecording,
  options: FileOptions,
  pace: Pace,
  { signal }: CallOptions = {},
): Promise<Buffer> {
  const { path, sizeBytes } = file;
  checkSize(file, options);
  signal?.throwIfAborted();
  try {
    if (sizeBytes > AT_ONCE_BYTES) return await readFile(path, { signal });
    if (pace.ms > AT_ONCE_MS && ++pace.pooled % POOLED_PER_TRIAL > 0) return await readFile(path, { signal });
    const startedAt = performance.now();
    const bytes = readAtOnce(path, sizeBytes);
    pace.ms += (Math.min(performance.now() - startedAt, MOST_MS) - pace.ms) / 16;
    return bytes;
  } catch (cause) {
    signal?.throwIfAborted();
    throw unreadable(cause);
  }
}

function checkSize(
  { sizeBytes }: Pick<FoundRecording, 'sizeBytes'>,
  { maxFileBytes = DEFAULT_MAX_FILE_BYTES }: FileOptions,
): void {
  if (sizeBytes <= maxFileBytes) return;
  throw new IbidError('FILE_TOO_LARGE', `${sizeBytes} bytes, the limit is ${maxFileBytes}`, {
    hint: 'Split the file, or raise `maxFileBytes`.',
  });
}

/** Requests one byte more than the expected size, which detects a longer file without a second `stat`. */
function readAtOnce(path: string, sizeBytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(sizeBytes + 1);
    if (readSync(file, bytes, 0, sizeBytes + 1, 0) === sizeBytes) return bytes.subarray(0, sizeBytes);
  } finally {
    closeSync(file);
  }
  return readFileSync(path); // the size has changed since the folder was walked
}
