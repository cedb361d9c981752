import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { IbidError } from '../core/errors.ts';
import { type ReadOptions, scan, take } from './table-rows.ts';

/** A table at one version. */
export class PinnedTable {
  readonly #open: () => Promise<Table>;
  readonly #reopen: () => Promise<Table>;
  readonly #explain: (error: unknown) => Promise<unknown>;
  #opened: Promise<Table> | undefined;
  #reopened: Promise<Table> | undefined;

  /**
   * @param open gives the table at its version, at the first use
   * @param explain gives the error to throw where the latest version cannot be read either
   */
  constructor(open: () => Promise<Table>, reopen: () => Promise<Table>, explain: (error: unknown) => Promise<unknown>) {
    this.#open = open;
    this.#explain = explain;
    // The whole table goes when a writer switches to another generation.
    this.#reopen = () =>
      reopen().catch((cause: unknown) => {
        throw cause instanceof IbidError && cause.code === 'INDEX_DAMAGED' ? outdated(cause) : cause;
      });
  }

  /** Stays at its version. */
  table(): Promise<Table> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** A scan of this version; when its files were pruned, of the latest, where rows that still exist are equal. */
  async *scan(options: ReadOptions): AsyncGenerator<RecordBatch> {
    if (this.#reopened === undefined) {
      let begun = false;
      try {
        for await (const batch of scan(await this.table(), options)) {
          begun = true;
          yield batch;
        }
        return;
      } catch (error) {
        if (begun || !isPruned(error)) throw error;
        this.#reopened = this.#reopen();
      }
    }
    try {
      yield* scan(await this.#reopened, options);
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  /** Rows by id from this version; when its files were pruned, from the latest: unchanged rows keep their ids. */
  async take(ids: readonly number[], columns: readonly string[]): ReturnType<typeof take> {
    if (this.#reopened === undefined) {
      try {
        return await take(await this.table(), ids, columns);
      } catch (error) {
        if (!isPruned(error)) throw error;
        this.#reopened = this.#reopen();
      }
    }
    try {
      return await take(await this.#reopened, ids, columns);
    } catch (error) {
      throw await this.#explain(error);
    }
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
