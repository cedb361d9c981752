import type { Table } from '@lancedb/lancedb';
import { IbidError } from '../core/errors.ts';
import { take } from './database.ts';

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

  /** Rows by id from this version; once its files are pruned, from the latest, where unchanged rows keep their ids. */
  async take(ids: readonly number[], columns: readonly string[]): ReturnType<typeof take> {
    if (this.#reopened === undefined) {
      try {
        return await take(this.table, ids, columns);
      } catch {
        this.#reopened = this.#reopen();
      }
    }
    return take(await this.#reopened, ids, columns);
  }
}

/** Fewer rows came back than were asked for. */
export function outdated(): IbidError {
  return new IbidError('STORE_FAILED', 'documents of this snapshot were replaced and their old versions are gone', {
    hint: 'Take a new snapshot and ask again.',
  });
}
