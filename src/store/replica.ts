import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessAborted } from '../core/async.ts';
import { IbidError, indexClosed } from '../core/errors.ts';
import { filesBelow } from '../core/files.ts';
import type { CallOptions } from '../core/types.ts';
import { isIndexFolder } from './address.ts';
import type { Database } from './database.ts';
import { databaseMessageOf, isOfObjectStore } from './failure.ts';
import { connectDatabase } from './index.ts';
import { TableWriter } from './index-writer.ts';
import { lockFolder } from './lock.ts';
import { copiedMark, Origin, type OriginState, replicate } from './replicate.ts';
import { TableStore } from './store.ts';

/** Folder and size limit of the copies of remote indexes. */
export interface CacheOptions {
  /** Local folder for copies of remote indexes. It may hold several. */
  readonly folder: string;
  /**
   * Maximum bytes of all copies together. The copies that were not used for the longest time are removed, but none that
   * was used within an hour. An index whose tables alone are larger is refused.
   * @default 17179869184, which is 16 GiB
   */
  readonly maxBytes?: number | undefined;
  /** After how many milliseconds a question looks, beside its work, whether the index has changed. @default 5000 */
  readonly refreshMs?: number | undefined;
}

const MAX_BYTES = 16 * 2 ** 30;
const REFRESH_MS = 5000;
/** How long a store may be silent before the copy answers without it. */
const SILENT_MS = 5000;
/** How long a process waits for another one that makes the first copy. */
const WAIT_MS = 600_000;
/** A copy that was used this recently is not removed. */
const IN_USE_MS = 3_600_000;
/** The file whose time says when a copy was used. */
const USED = 'used';

/**
 * A copy of a remote index in a local folder, for reading. The first use copies what changed; later ones look for
 * changes in the background, so that a question makes no request to the store.
 */
export class Replica {
  /** The copy. */
  readonly database: Database;
  /** Why the last look for changes failed. The copy is then as old as the last one that succeeded. */
  failure: IbidError | undefined;
  readonly #origin: Origin;
  readonly #folder: string;
  readonly #options: CacheOptions;
  #lookedAt = -Infinity;
  #looking: Promise<void> | undefined;
  /** What the store was asked and has not answered: the database waits for minutes, and cannot be interrupted. */
  #asked: Promise<OriginState> | undefined;
  #isWhole = false;
  readonly #ending = new AbortController();

  private constructor(database: Database, origin: Origin, folder: string, options: CacheOptions) {
    this.database = database;
    this.#origin = origin;
    this.#folder = folder;
    this.#options = options;
  }

  /** Connects; copies nothing yet. */
  static async open(remote: Database, options: CacheOptions): Promise<Replica> {
    const name = createHash('sha256').update(remote.place).digest('hex').slice(0, 24);
    const folder = join(options.folder, name);
    return new Replica(await connectDatabase(folder), new Origin(remote), folder, options);
  }

  /** Resolves when there is a whole copy. Only the first call waits for the newest state of the index. */
  async ready({ signal }: CallOptions = {}): Promise<void> {
    for (;;) {
      this.#ending.signal.throwIfAborted();
      const isThere = this.#isWhole && isIndexFolder(this.#folder); // somebody may have removed it, also during a look
      const isOld = performance.now() - this.#lookedAt >= (this.#options.refreshMs ?? REFRESH_MS);
      if (isOld || !isThere) this.#looking ??= this.#look();
      if (isThere) return;
      await unlessAborted(async () => await this.#looking, signal);
      if (!this.#isWhole) throw this.failure!; // `#look` leaves one of the two
      if (this.failure) return; // what is open of the removed copy answers
    }
  }

  /** Never rejects: nobody waits for a look in the background. */
  async #look(): Promise<void> {
    try {
      await this.#follow();
      this.#isWhole = true;
      this.failure = undefined;
    } catch (error) {
      const failure = this.#ending.signal.aborted ? indexClosed() : this.#failureOf(error);
      this.#isWhole ||= (await this.#mark().catch(() => undefined)) !== undefined;
      this.failure = this.#isWhole ? outdatedCopy(this.#origin.uri, failure) : failure;
    } finally {
      this.#lookedAt = performance.now();
      this.#looking = undefined;
    }
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    const marked = this.#mark();
    const [state, mark] = await Promise.all([this.#state(marked), marked]);
    if (mark !== state.mark) {
      await this.#makeRoom(await state.bytes());
      const writer = await this.#writer(mark !== undefined);
      if (writer === undefined) return;
      this.#touch(); // from here on it takes room, also when this run is killed
      try {
        // another process may have copied meanwhile
        if ((await copiedMark(writer)) !== state.mark) await replicate(state, writer, { signal });
      } finally {
        await writer.close();
      }
      await this.#evict(await sizeOf(this.#folder));
    }
    this.#touch();
  }

  /** @throws IbidError TIMEOUT where the store is silent and there is a copy to answer in its place */
  async #state(marked: Promise<string | undefined>): Promise<OriginState> {
    this.#asked ??= this.#origin.state().finally(() => {
      this.#asked = undefined;
    });
    const silent = new AbortController();
    const timer = setTimeout(() => {
      const error = new IbidError('TIMEOUT', `the store has not answered for ${SILENT_MS / 1000} s`);
      void marked.then((mark) => mark !== undefined && silent.abort(error)).catch(() => {});
    }, SILENT_MS);
    const { signal } = this.#ending;
    try {
      const asked = this.#asked;
      return await unlessAborted(() => asked, AbortSignal.any([signal, silent.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  #touch(): void {
    try {
      writeFileSync(join(this.#folder, USED), '');
    } catch {
      // a copy that others may remove sooner is as good to read
    }
  }

  /** What the origin or a caller is told of stays as it is; a hint about a disk would be about that of the index. */
  #failureOf(error: unknown): IbidError {
    if (error instanceof IbidError && (error.code !== 'STORE_FAILED' || isOfObjectStore(error))) return error;
    const why = error instanceof IbidError ? error.message : databaseMessageOf(error);
    return new IbidError('STORE_FAILED', `the copy in ${this.#folder} cannot be made: ${why}`, {
      cause: error,
      hint: 'Choose a folder for the cache that can be written and has room, or leave the cache out.',
    });
  }

  /** The next use waits for the newest state: this process has written. */
  renew(): void {
    this.#lookedAt = -Infinity;
    this.#isWhole = false;
  }

  /** Undefined while another process copies, where there is an older copy to read. */
  async #writer(hasCopy: boolean): Promise<TableWriter | undefined> {
    try {
      return await TableWriter.open(this.database, { waitMs: hasCopy ? 0 : WAIT_MS, signal: this.#ending.signal });
    } catch (error) {
      if (hasCopy && error instanceof IbidError && error.code === 'INDEX_LOCKED') return undefined;
      throw error;
    }
  }

  /** Of what state this is a whole copy. A damaged copy is removed. */
  async #mark(): Promise<string | undefined> {
    try {
      const store = await TableStore.open(this.database);
      await store.verify();
      if ((await this.#isThere()) || !(await this.#isGone())) return await copiedMark(store);
    } catch (error) {
      if (!(error instanceof IbidError)) throw error;
      if (error.code === 'INDEX_NOT_FOUND') return undefined;
      if (!/^INDEX_(DAMAGED|SCHEMA|MISMATCH)$/.test(error.code)) throw error;
    }
    rmSync(this.#folder, { recursive: true, force: true });
    this.database.reconnect();
    return undefined;
  }

  async #isThere(): Promise<boolean> {
    return await this.database.weigh([...(await this.database.names())]);
  }

  /** Whether files are gone that no writer has pruned: programs that tidy up folders for caches remove old files. */
  async #isGone(): Promise<boolean> {
    try {
      const lock = await lockFolder(join(this.#folder, 'locks'));
      const isThere = await this.#isThere();
      await lock.release(lock.afterCrash);
      return !isThere;
    } catch {
      return false; // another process writes this copy, or nobody can
    }
  }

  /** @throws IbidError INVALID_ARGUMENT when the index has no room at all */
  async #makeRoom(bytes: number): Promise<void> {
    const { maxBytes = MAX_BYTES } = this.#options;
    if (bytes > maxBytes) {
      throw new IbidError('INVALID_ARGUMENT', `the index takes ${bytes} bytes, the cache holds ${maxBytes}`, {
        hint: 'Allow the cache more bytes, or open the index without a cache.',
      });
    }
    await this.#evict(bytes);
  }

  /** Removes copies of other indexes, oldest first, until this one has room. */
  async #evict(own: number): Promise<void> {
    const { folder, maxBytes = MAX_BYTES } = this.#options;
    const others = copiesIn(folder).filter((path) => path !== this.#folder);
    const copies = await Promise.all(
      others.map(async (path) => ({ path, usedAt: usedAt(path), bytes: await sizeOf(path) })),
    );
    let bytes = own + copies.reduce((sum, copy) => sum + copy.bytes, 0);
    for (const copy of copies.sort((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= maxBytes) return;
      if (Date.now() - copy.usedAt < IN_USE_MS) continue;
      rmSync(copy.path, { recursive: true, force: true });
      bytes -= copy.bytes;
    }
  }

  async close(): Promise<void> {
    this.#ending.abort(indexClosed());
    await this.#looking;
    this.database.close();
  }
}

function outdatedCopy(uri: string, cause: IbidError): IbidError {
  return new IbidError(cause.code, `${uri} cannot be followed; its local copy answers: ${cause.message}`, { cause });
}

/** Folders that a replica made: named by a hash, with the file that says when each was used. */
function copiesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^[0-9a-f]{24}$/.test(name));
  return names.map((name) => join(folder, name)).filter((path) => usedAt(path) > 0);
}

function usedAt(path: string): number {
  return statSync(join(path, USED), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for await (const path of filesBelow(folder)) bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
  return bytes;
}
