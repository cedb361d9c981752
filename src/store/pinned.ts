import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { IbidError } from '../core/errors.ts';
import { type ReadOptions, scan, take } from './database.ts';

/** A table at one version. */
export class PinnedTable {
  /** Never moved to a later version. */
  readonly table: Table;
  readonly #reopen: () => Promise<Table>;
  #reopened: Promise<Table> | undefined;

  constructor(table: Table, reopen: () => Promise<Table>) {
    this.table = table;
    this.#reopen = reopen;
  }

  /**
   * A scan of this version; once its files are pruned, of the latest: rows are the same there as far as they still
   * exist.
   */
  async *scan(options: ReadOptions): AsyncGenerator<RecordBatch> {
    if (this.#reopened === undefined) {
      let begun = false;
      try {
        for await (const batch of scan(this.table, options)) {
          begun = true;
          yield batch;
        }
        return;
      } catch (error) {
        if (begun || !isPruned(error)) throw error;
        this.#reopened = this.#reopen();
      }
    }
    yield* scan(await this.#reopened, options);
  }

  /** Rows by id from this version; once its files are pruned, from the latest, where unchanged rows keep their ids. */
  async take(ids: readonly number[], columns: readonly string[]): ReturnType<typeof take> {
    if (this.#reopened === undefined) {
      try {
        return await take(this.table, ids, columns);
      } catch (error) {
        if (!isPruned(error)) throw error;
        this.#reopened = this.#reopen();
      }
    }
    return take(await this.#reopened, ids, columns);
  }
}

/** A file of an old version is gone. */
function isPruned(error: unknown): boolean {
  return /not found|no such file/i.test(error instanceof Error ? error.message : '');
}

/** Fewer rows came back than were asked for. */
export function outdated(): IbidError {
  return new IbidError('STORE_FAILED', 'documents of this snapshot were replaced and their old versions are gone', {
    hint: 'Take a new snapshot and ask again.',
  });
}
