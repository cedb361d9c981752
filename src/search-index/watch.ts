import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IbidError } from '../core/errors.ts';
import type { IngestEvent, IngestSummary } from '../ingest/contract.ts';
import { atLeastOne } from './arguments.ts';
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
}

export type WatchEvent =
  /** `sweep`: the system tells of no changes here, or not of all. */
  | { readonly type: 'watching'; readonly by: 'events' | 'sweep' }
  | { readonly type: 'run'; readonly why: 'start' | 'change' | 'sweep' }
  | { readonly type: 'ingest'; readonly event: IngestEvent }
  | { readonly type: 'done'; readonly summary: IngestSummary }
  /** A run that failed; the next change begins another. */
  | { readonly type: 'failed'; readonly error: IbidError };

/** Even where the system tells of changes, some are missed: on network drives, and when its queue is full. */
const SAFETY_SWEEP_MS = 600_000;
/** After a run that failed, for example because another writer works. */
const AGAIN_MS = 5000;

/**
 * Keeps an index in line with files and folders, until `signal` aborts: once at the start, and after each change. Many
 * changes in a short time are one run. Readers of the index see each run's result with their next question.
 * @throws IbidError INVALID_ARGUMENT, FILE_UNREADABLE for a path that is not there at the start
 */
export async function* watchFolders(
  index: SearchIndex,
  paths: string | readonly string[],
  options: WatchOptions = {},
): AsyncGenerator<WatchEvent, void, undefined> {
  const { quietMs = 500, longestMs = 30_000, sweepMs = 30_000, events = true, signal, ...ingest } = options;
  const roots = atLeastOne(paths, 'path to watch').map((path) => resolve(path));
  for (const root of roots)
    await stat(root).catch((cause: unknown) => {
      throw new IbidError('FILE_UNREADABLE', `there is no file or folder at ${root}`, { cause });
    });
  const changes = new Changes(roots, resolve(index.address), ingest.hidden === true);
  try {
    if (events) changes.listen();
    yield { type: 'watching', by: changes.areTold ? 'events' : 'sweep' };
    let why: 'start' | 'change' | 'sweep' = 'start';
    while (!signal?.aborted) {
      changes.clear();
      yield { type: 'run', why };
      let failed = false;
      try {
        for await (const event of index.ingest(roots, { ...ingest, signal })) {
          if (event.type === 'done') yield { type: 'done', summary: event.summary };
          else yield { type: 'ingest', event };
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (!(error instanceof IbidError)) throw error;
        failed = true;
        yield { type: 'failed', error };
      }
      const idleMs = failed ? AGAIN_MS : changes.areTold ? SAFETY_SWEEP_MS : sweepMs;
      why = (await changes.next(idleMs, quietMs, longestMs, signal)) ? 'change' : 'sweep';
    }
  } finally {
    changes.close();
  }
}

/** What the system tells of changes below some paths. */
class Changes {
  readonly #roots: readonly string[];
  readonly #index: string;
  readonly #hidden: boolean;
  readonly #watchers: FSWatcher[] = [];
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

  listen(): void {
    this.#areTold = true;
    for (const root of this.#roots) {
      try {
        const watcher = watch(root, { recursive: true, persistent: false }, (_, name) => this.#changed(root, name));
        // too many folders for the system, or one that went away: sweeps go on
        watcher.on('error', () => {
          this.#areTold = false;
          watcher.close();
        });
        this.#watchers.push(watcher);
      } catch {
        this.#areTold = false;
      }
    }
  }

  #changed(root: string, name: string | null): void {
    if (name !== null && !this.#matters(root, resolve(root, name))) return;
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
    await sleep(ms, undefined, { signal: signals }).catch(() => {});
    this.#wake = undefined;
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}

/** `.gitignore` and `.ibidignore` say what is read: a change of them matters. */
function isHidden(part: string): boolean {
  const name = basename(part);
  return name.startsWith('.') && name !== '.gitignore' && name !== '.ibidignore';
}
