import { hash as hashOnce } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import type { Reader } from '../read/contract.ts';
import type { IngestSource, LoadedItem, SourceItem } from './contract.ts';
import { type FoundFile, nameWithoutExtension, type WalkOptions, walk } from './walk.ts';

export interface FolderSourceOptions extends WalkOptions {
  /** Folders and files to scan. */
  readonly paths: readonly string[];
  /** Absolute folder the uris are relative to. */
  readonly base: string;
  readonly reader: Reader;
  /** Larger files are refused unread. @default 256 MiB */
  readonly maxFileBytes?: number | undefined;
}

const DEFAULT_MAX_FILE_BYTES = 256 * 2 ** 20;
/** Files up to this size are read at once, without the thread pool. */
const AT_ONCE_BYTES = 256 * 1024;
/** As long as that takes no longer than this on average. */
const AT_ONCE_MS = 0.5;

/** The uri of a path: relative to `base`, `/` between segments, `..` where the path lies outside it. */
export function uriOf(base: string, path: string): string {
  const uri = relative(base, path);
  return sep === '/' ? uri : uri.replaceAll(sep, '/');
}

/**
 * Files of folders as an ingest source. The scan happens once, when `items` is called; what lies below a folder that
 * could not be listed is outside the scope of that scan, so that nothing is removed for want of a permission.
 */
export function folderSource(options: FolderSourceOptions): IngestSource {
  const roots = options.paths.map((path) => resolve(path));
  const scopes = roots.map((root) => uriOf(options.base, root));
  const unknown: string[] = [];
  const itemOf = fileItems(options);
  return {
    covers: (uri) => scopes.some((scope) => within(uri, scope)) && !unknown.some((scope) => within(uri, scope)),
    async *items({ signal }: CallOptions = {}) {
      const seen = roots.length > 1 ? new Set<string>() : undefined;
      for (const [i, root] of roots.entries()) {
        const { files, unreadable } = await walk(root, { ...options, signal });
        for (const folder of unreadable) unknown.push(uriOf(options.base, folder));
        const scope = scopes[i]!;
        for (const file of files) {
          if (seen?.has(file.path)) continue; // two of the given paths overlap
          seen?.add(file.path);
          // below a root that holds the base, uris of both kinds occur: with and without '..'
          const uri = isAncestor(scope) ? uriOf(options.base, file.path) : below(scope, root, file.path);
          yield itemOf(uri, file);
        }
      }
    },
  };
}

/** As `uriOf`, without the price of it: this runs once a file. */
function below(scope: string, root: string, path: string): string {
  if (path.length === root.length) return scope;
  const rest = path.slice(root.endsWith(sep) ? root.length : root.length + 1);
  const uri = scope === '' ? rest : `${scope}/${rest}`;
  return sep === '/' ? uri : uri.replaceAll(sep, '/');
}

/** True when `uri` is `scope`, or lies below it. Both are relative to one base; '' is the base. */
export function within(uri: string, scope: string): boolean {
  // '' is the base itself; a scope that climbs ('..', '../docs') covers only what climbs the same way
  if (scope === '') return !(uri === '..' || uri.startsWith('../'));
  if (isAncestor(scope)) {
    // the scope is an ancestor of the base: everything that climbs no higher is below it
    return climbs(uri) <= climbs(scope);
  }
  return uri === scope || uri.startsWith(`${scope}/`);
}

/** '..', '../..': a folder that holds the base. */
function isAncestor(scope: string): boolean {
  return /^\.\.(\/\.\.)*$/.test(scope);
}

function climbs(uri: string): number {
  return uri.split('/').filter((part) => part === '..').length;
}

/** What an item of a folder knows besides: a pipeline may give it another uri. */
type FileItem = SourceItem & FoundFile;

/**
 * Makes plain objects: a pipeline may spread one and replace `load`. All share their functions, which find the file
 * through `this`, so that the many files of a large folder take no more than their paths while they wait to be read.
 */
function fileItems(options: FolderSourceOptions): (uri: string, file: FoundFile) => FileItem {
  const pace: Pace = { ms: 0, pooled: 0 };
  async function hash(this: FileItem, call?: CallOptions): Promise<string> {
    return sha256(await bytesOf(this, options, pace, call));
  }
  function load(this: FileItem, call?: CallOptions): Promise<LoadedItem> {
    return loadFile(this.uri, this, options, pace, call);
  }
  return (uri, { path, sizeBytes, mtimeMs }) => ({ uri, path, sizeBytes, mtimeMs, hash, load });
}

async function loadFile(
  uri: string,
  file: FoundFile,
  options: FolderSourceOptions,
  pace: Pace,
  call: CallOptions | undefined,
): Promise<LoadedItem> {
  const bytes = await bytesOf(file, options, pace, call);
  const contentHash = sha256(bytes);
  const document = await options.reader.read({ bytes, uri }, call);
  // A file without a title of its own is known by its name, to readers and to the search.
  return { contentHash, document: document.title === '' ? { ...document, title: titleFromName(uri) } : document };
}

/** What reading a small file at once has lately taken, on average, and how many were left to the thread pool since. */
interface Pace {
  ms: number;
  pooled: number;
}

/**
 * While the pool reads, one file of so many is read at once all the same: the slowness may have been another program's.
 */
const POOLED_PER_TRIAL = 32;
/** One reading counts for no more than this: a thread that waits for its processor says nothing of the disk. */
const MOST_MS = 4 * AT_ONCE_MS;

/**
 * The thread pool takes four trips for a file, which is several times what the reading itself takes from a disk of
 * one's own. From a network or a disk that sleeps it is the other way round: there the pool reads several files at a
 * time, and nothing else waits for them.
 */
async function bytesOf(
  { path, sizeBytes }: FoundFile,
  { maxFileBytes = DEFAULT_MAX_FILE_BYTES }: FolderSourceOptions,
  pace: Pace,
  { signal }: CallOptions = {},
): Promise<Buffer> {
  if (sizeBytes > maxFileBytes) {
    throw new IbidError('FILE_TOO_LARGE', `${sizeBytes} bytes, the limit is ${maxFileBytes}`, {
      hint: 'Split the file, or raise `maxFileBytes`.',
    });
  }
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
    throw new IbidError('FILE_UNREADABLE', `cannot be read: ${(cause as NodeJS.ErrnoException).code ?? 'unknown'}`, {
      cause,
    });
  }
}

/** Asks for a byte more than there should be, instead of for the size once more. */
function readAtOnce(path: string, sizeBytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(sizeBytes + 1);
    if (readSync(file, bytes, 0, sizeBytes + 1, 0) === sizeBytes) return bytes.subarray(0, sizeBytes);
  } finally {
    closeSync(file);
  }
  return readFileSync(path); // it has changed since the folder was walked
}

/** The title of a file that has none: its name without extension. */
export function titleFromName(uri: string): string {
  return nameWithoutExtension(uri);
}

export function sha256(bytes: Uint8Array | string): string {
  return hashOnce('sha256', bytes);
}
