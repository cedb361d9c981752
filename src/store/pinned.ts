import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { IbidError } from '../core/errors.ts';
import { type ReadOptions, scan, take } from './database.ts';

/** A table at one version. */
export class PinnedTable {
  /** Stays at its version. */
  readonly table: Table;
  readonly #reopen: () => Promise<Table>;
  #reopened: Promise<Table> | undefined;

  constructor(table: Table, reopen: () => Promise<Table>) {
    this.table = table;
    // The whole table goes when a writer switches to another generation.
    this.#reopen = () =>
      reopen().catch((cause: unknown) => {
        throw cause instanceof IbidError && cause.code === 'INDEX_DAMAGED' ? outdated(cause) : cause;
      });
  }

  /** A scan of this version; when its files were pruned, of the latest, where rows that still exist are equal. */
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

  /** Rows by id from this version; when its files were pruned, from the latest: unchanged rows keep their ids. */
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

/** True when a file of an old version was deleted. */
function isPruned(error: unknown): boolean {
  return /not found|no such file/i.test(error instanceof Error ? error.message : '');
}

/** The error for rows that no longer exist. */
export function outdated(cause?: IbidError): IbidError {
  return new IbidError('STORE_FAILED', 'documents of this snapshot were replaced and their old versions are gone', {
    cause,
    hint: 'Take a new snapshot and ask again.',
  });
}
