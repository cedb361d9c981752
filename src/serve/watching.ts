import { objectOf, textsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { IngestSummary } from '../ingest/contract.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { type WatchOptions, watchFolders } from '../search-index/watch.ts';
import type { ServeOptions } from './contract.ts';

/** The report of a server about the runs that the server starts by itself. */
interface IngestState {
  readonly running: boolean;
  /** Of the run under way: files found, and documents done. */
  readonly files: number;
  readonly done: number;
  /** The last run that ended: when (ISO 8601), and what it changed. */
  readonly last?: Pick<IngestSummary, 'added' | 'updated' | 'removed' | 'elapsedMs'> & {
    readonly at: string;
    readonly failed: number;
  };
  /** Code of the error with which the last run failed. */
  readonly error?: string;
}

/**
 * The folders of each index.
 * @param names of the server's indexes
 * @throws IbidError INVALID_ARGUMENT
 */
export function watchedFolders(
  watch: ServeOptions['watch'] = {},
  names: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  if (!Array.isArray(watch)) objectOf(watch, 'watch');
  const isList = (given: typeof watch): given is readonly string[] => Array.isArray(given);
  const folders = new Map(isList(watch) ? [[names[0]!, watch]] : Object.entries(watch));
  for (const [name, paths] of folders) {
    textsOf(paths, `watch of "${name}"`);
    if (!names.includes(name)) throw new IbidError('INVALID_ARGUMENT', `there is no index "${name}" to keep in line`);
  }
  return folders;
}

/** Follows the folders of indexes while a server runs. */
export class Watching {
  readonly #stopping = new AbortController();
  readonly #states = new Map<string, IngestState>();
  readonly #under: Promise<void>[] = [];
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  get isOn(): boolean {
    return this.#states.size > 0;
  }

  stateOf(name: string): IngestState | undefined {
    return this.#states.get(name);
  }

  start(name: string, index: SearchIndex, paths: readonly string[], options: WatchOptions): void {
    this.#set(name, { running: false, files: 0, done: 0 });
    const ended = (error: unknown): void => {
      this.#onFailure(error);
      this.#set(name, {
        ...this.#states.get(name)!,
        running: false,
        ...(error instanceof IbidError && { error: error.code }),
      });
    };
    this.#under.push(this.#follow(name, index, paths, options).catch(ended));
  }

  async #follow(name: string, index: SearchIndex, paths: readonly string[], options: WatchOptions): Promise<void> {
    for await (const event of watchFolders(index, paths, { ...options, signal: this.#stopping.signal })) {
      const state = this.#states.get(name)!; // set before the first event
      if (event.type === 'run') this.#set(name, { ...state, running: true, files: 0, done: 0 });
      else if (event.type === 'failed') {
        if (!event.again) this.#onFailure(event.error);
        this.#set(name, { ...state, running: false, error: event.error.code });
      } else if (event.type === 'done') {
        const { added, updated, removed, elapsedMs, failed } = event.summary;
        const last = { at: new Date().toISOString(), added, updated, removed, elapsedMs, failed: failed.length };
        this.#set(name, { running: false, files: 0, done: 0, last });
      } else if (event.type === 'ingest' && event.event.type === 'refilled') {
        this.#onFailure(event.event.warning);
      } else if (event.type === 'ingest' && event.event.type === 'scanned') {
        this.#set(name, { ...state, files: event.event.files });
      } else if (event.type === 'ingest' && event.event.type === 'document') {
        this.#set(name, { ...state, done: state.done + 1 });
      }
    }
  }

  #set(name: string, state: IngestState): void {
    this.#states.set(name, state);
  }

  /** Ends a run under way; its lock is given back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#under);
  }
}
