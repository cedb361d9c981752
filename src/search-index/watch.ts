import { existsSync, type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atLeastOne, numberOf, objectOf, optionsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { IngestEvent, IngestSummary } from '../ingest/contract.ts';
import { endings } from './endings.ts';
import { watchOptions } from './known-options.ts';
import type { SearchIndexIngestOptions } from './options.ts';
import type { SearchIndex } from './search-index.ts';

export interface WatchOptions extends SearchIndexIngestOptions {
  /** So long nothing must have changed before a run begins, in milliseconds. @default 500 */
  readonly quietMs?: number | undefined;
  /** A run begins after so long although changes go on, in milliseconds. @default 30000 */
  readonly longestMs?: number | undefined;
  /** How often all is looked at where the system tells of no changes, in milliseconds. @default 30000 */
  readonly sweepMs?: number | undefined;
  /** Whether to listen to the system's events. @default true */
  readonly events?: boolean | undefined;
  /** How long a run waits for another writer of the index before it has failed, in milliseconds. @default 60000 */
  readonly waitMs?: number | undefined;
}

/** What happens while folders are followed. */
export type WatchEvent =
  /** `sweep`: the system tells of no changes here, or not of all. */
  | { readonly type: 'watching'; readonly by: 'events' | 'sweep' }
  | { readonly type: 'run'; readonly why: 'start' | 'change' | 'sweep' }
  | { readonly type: 'ingest'; readonly event: IngestEvent }
  | { readonly type: 'done'; readonly summary: IngestSummary }
  /** A run that failed; another begins with a change, or after 5 s. `again`: the one before failed with the same. */
  | { readonly type: 'failed'; readonly error: IbidError; readonly again: boolean };

/** Even where the system tells of changes, some are missed: on network drives, and when its queue is full. */
const SAFETY_SWEEP_MS = 600_000;
/** A timer of more ends at once. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;
/** After a run that failed. */
const AGAIN_MS = 5000;
/** How often a run that waits for another writer tries. */
const LOCKED_MS = 500;

/**
 * Keeps an index in line with files and folders, until `signal` aborts: once at the start, and after each change. Many
 * changes in a short time are one run. Readers of the index see each run's result with their next question.
 * @throws IbidError INVALID_ARGUMENT for a wrong option and a closed index, FILE_UNREADABLE for a path that is not there
 * at the start
 */
export async function* watchFolders(
  index: SearchIndex,
  paths: string | readonly string[],
  options: WatchOptions = {},
): AsyncGenerator<WatchEvent, void, undefined> {
  objectOf(index, 'the index', 'ingest');
  const known = optionsOf(options, watchOptions);
  const {
    quietMs = 500,
    longestMs = 30_000,
    sweepMs = 30_000,
    events = true,
    waitMs = 60_000,
    signal,
    ...rest
  } = known;
  for (const [name, ms] of Object.entries({ quietMs, longestMs, sweepMs, waitMs })) numberOf(ms, name, 0, Infinity);
  const roots = atLeastOne(paths, 'path to watch').map((path) => resolve(path));
  for (const root of roots)
    await stat(root).catch((cause: unknown) => {
      throw new IbidError('FILE_UNREADABLE', `there is no file or folder at ${root}`, {
        cause,
        hint: 'Check the path. What is not there yet cannot be watched.',
      });
    });
  const ends = [signal, endings.get(index)].filter((one) => one !== undefined);
  const until = AbortSignal.any(ends); // who closes the index is not held up by the wait for a change
  const changes = new Changes(roots, resolve(index.address), rest.hidden === true);
  const ingest = (): AsyncGenerator<IngestEvent> =>
    afterOthers(() => index.ingest(roots, { ...rest, signal }), waitMs, until);
  try {
    if (events) await changes.listen();
    yield { type: 'watching', by: changes.areTold ? 'events' : 'sweep' };
    let why: 'start' | 'change' | 'sweep' = 'start';
    let before: IbidError | undefined;
    while (!signal?.aborted) {
      changes.clear();
      // before the run reads: a folder that comes later is told of
      let failed = changes.areTold && !(await changes.listen());
      yield { type: 'run', why };
      try {
        for await (const event of ingest()) {
          if (event.type === 'done') yield { type: 'done', summary: event.summary };
          else yield { type: 'ingest', event };
        }
        before = undefined;
        failed ||= !roots.every((root) => existsSync(root));
      } catch (error) {
        if (signal?.aborted) return;
        // a closed index and a wrong option fail in every run
        if (!(error instanceof IbidError) || error.code === 'INVALID_ARGUMENT') throw error;
        failed = true;
        yield { type: 'failed', error, again: before !== undefined && isSame(before, error) };
        before = error;
      }
      if (failed) changes.close(); // a path may have gone and come back
      const idleMs = failed ? AGAIN_MS : changes.areTold ? SAFETY_SWEEP_MS : sweepMs;
      why = (await changes.next(idleMs, quietMs, longestMs, until)) ? 'change' : 'sweep';
    }
  } finally {
    changes.close();
  }
}

/** A run that tries again while another writer works, for `waitMs`: nobody has to do anything about that. */
async function* afterOthers(
  run: () => AsyncIterable<IngestEvent>,
  waitMs: number,
  signal: AbortSignal,
): AsyncGenerator<IngestEvent> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return yield* run();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error;
    }
    await sleep(LOCKED_MS, undefined, { signal }).catch(() => {});
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof IbidError && error.code === 'INDEX_LOCKED';
}

/** Of a lock the message names the process that holds it, which may be another one each time. */
function isSame(one: IbidError, other: IbidError): boolean {
  return one.code === other.code && (isLocked(one) || withoutMadeNames(one) === withoutMadeNames(other));
}

/** Files that are being written have another name in each run. */
function withoutMadeNames({ message }: IbidError): string {
  return message.replace(/\.tmp\w+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{24,}/g, '');
}

/**
 * Whether the system itself tells of all changes below a folder. Node's way around that on Linux passes over a folder for
 * each file that comes into it: 10,000 files took five minutes. There each folder has a watcher of its own.
 */
const TELLS_OF_ALL = process.platform !== 'linux';

/** What the system tells of changes below some paths. */
class Changes {
  readonly #roots: readonly string[];
  readonly #index: string;
  readonly #hidden: boolean;
  /** By path of what is watched. */
  readonly #watchers = new Map<string, FSWatcher>();
  #last: number | undefined;
  #areTold = false;
  #wake: (() => void) | undefined;

  constructor(roots: readonly string[], index: string, hidden: boolean) {
    this.#roots = roots;
    this.#index = index;
    this.#hidden = hidden;
  }

  get areTold(): boolean {
    return this.#areTold;
  }

  /**
   * Listens to the paths, and to each folder below them. Called before each run, for the folders that are new.
   * @returns false when a path is away
   */
  async listen(): Promise<boolean> {
    this.#areTold = true;
    let areThere = true;
    for (const root of this.#roots) {
      const state = await stat(root).catch(() => undefined);
      areThere &&= state !== undefined;
      if (!state) continue;
      // the watcher of a file stays with its content: an editor that saves into another file and renames it has left it
      if (state.isFile()) this.#forget(root);
      this.#watch(root, root);
      if (!TELLS_OF_ALL) for await (const folder of this.#foldersBelow(root, root)) this.#watch(root, folder);
    }
    return areThere;
  }

  #watch(root: string, path: string): void {
    if (this.#watchers.has(path)) return;
    try {
      const watcher = watch(path, { recursive: TELLS_OF_ALL, persistent: false }, (type, name) => {
        // by its own name the system tells that the root itself went or moved: what stands there next has no watcher yet
        const isRoot = type === 'rename' && path === root && name === basename(root);
        const changed = name === null || isRoot ? path : resolve(path, name);
        if (type === 'rename') this.#forget(changed);
        this.#changed(root, changed);
      });
      this.#watchers.set(path, watcher);
      watcher.on('error', () => {
        this.#forget(path);
        if (path === root) this.#areTold = false;
      });
    } catch {
      this.#areTold = false; // too many folders for the system: sweeps go on
    }
  }

  /** A folder that came, went or moved: the watchers in it may be of another folder. The next `listen` looks anew. */
  #forget(path: string): void {
    for (const [watched, watcher] of this.#watchers) {
      if (watched !== path && !watched.startsWith(path + sep)) continue;
      watcher.close();
      this.#watchers.delete(watched);
    }
  }

  async *#foldersBelow(root: string, folder: string): AsyncGenerator<string> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // a file, or gone meanwhile
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory() || !this.#matters(root, path)) continue;
      yield path;
      yield* this.#foldersBelow(root, path);
    }
  }

  #changed(root: string, path: string): void {
    if (path !== root && !this.#matters(root, path)) return;
    this.#last = performance.now();
    this.#wake?.();
  }

  /** The index itself changes with each run, and what an ingest leaves out needs none. */
  #matters(root: string, path: string): boolean {
    const fromIndex = relative(this.#index, path);
    if (fromIndex === '' || !(fromIndex.startsWith(`..${sep}`) || fromIndex === '..')) return false;
    const below = relative(dirname(root), path).split(sep).slice(1);
    return !below.some((part) => part === 'node_modules' || (!this.#hidden && isHidden(part)));
  }

  /** Changes from now on need a run; those before are seen by the run that begins. */
  clear(): void {
    this.#last = undefined;
  }

  /** Waits for a change and then for quiet; at most `idleMs` for the first one. @returns false when there was none */
  async next(idleMs: number, quietMs: number, longestMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#last === undefined) await this.#wait(idleMs, signal);
    if (this.#last === undefined) return false;
    const firstAt = performance.now();
    for (;;) {
      const quiet = performance.now() - this.#last;
      if (quiet >= quietMs || performance.now() - firstAt >= longestMs || signal?.aborted) return true;
      await sleep(Math.min(quietMs - quiet, longestMs), undefined, signal ? { signal } : {}).catch(() => {});
    }
  }

  async #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    const signals = signal ? AbortSignal.any([signal, woken.signal]) : woken.signal;
    await sleep(Math.min(ms, LONGEST_SLEEP_MS), undefined, { signal: signals }).catch(() => {});
    this.#wake = undefined;
  }

  /** Until the next `listen`. */
  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}

/** `.gitignore` and `.ibidignore` say what is read: a change of them matters. */
function isHidden(part: string): boolean {
  const name = basename(part);
  return name.startsWith('.') && name !== '.gitignore' && name !== '.ibidignore';
}
