import { rm } from 'node:fs/promises';
import { IbidError } from '../core/errors.ts';
import { type Address, copiesFolder } from './address.ts';
import { guard } from './failure.ts';
import { keepRowFiles, strikeOutRows } from './row-file-writer.ts';
import { rowFilesIn } from './row-files.ts';
import type { RowRun } from './runs.ts';
import type { Tables } from './schema.ts';
import { keepSegmentCopies } from './segment-copies.ts';
import { readSegments } from './segments.ts';
import { defaultResidentBytes } from './vector-search.ts';
import { keepView } from './view-file.ts';

const NO_ROOM: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

export interface CopyLimits {
  /** An index of fewer rows has no copies: rows and postings fit into memory. */
  readonly from: number;
  /** Vectors of more bytes are read one by one, since readers do not keep them in memory. */
  readonly wholeBytes: number;
}

const usualLimits: CopyLimits = { from: 65_536, wholeBytes: defaultResidentBytes };

/**
 * Copies of rows and of postings beside the tables of a large local index, made for a query, which reads a few of each
 * from many places. The tables are the truth. What a copy lacks is read from the table, so none must be there.
 */
export class Copies {
  readonly #tables: Pick<Tables, 'chunks' | 'lexical'>;
  readonly #folders: Readonly<Record<'chunks' | 'lexical', string>> | undefined;
  readonly #limits: CopyLimits;

  constructor(address: Address, tables: Pick<Tables, 'chunks' | 'lexical'>, limits: Partial<CopyLimits> = {}) {
    this.#tables = tables;
    const chunks = copiesFolder(address, tables.chunks.name);
    const lexical = copiesFolder(address, tables.lexical.name);
    this.#folders = chunks === undefined || lexical === undefined ? undefined : { chunks, lexical };
    this.#limits = { ...usualLimits, ...limits };
  }

  /** No copy has a row of this seq or a higher one. */
  async end(): Promise<number> {
    const files = this.#folders ? await rowFilesIn(this.#folders.chunks) : [];
    return files.reduce((most, { end }) => Math.max(most, end), 0);
  }

  /** Strikes rows out of the copies, before the table gives them other uris. */
  async strikeOut(runs: readonly RowRun[]): Promise<void> {
    if (this.#folders) await strikeOutRows(this.#folders.chunks, runs);
  }

  /**
   * Brings the copies to the newest versions of the tables. Without room on the disk there are fewer.
   * @param end a seq that is higher than that of any row
   */
  async keep(end: () => Promise<number>): Promise<void> {
    if (!this.#folders) return;
    const rows = await guard('cannot count rows', () => this.#tables.chunks.countRows());
    try {
      await guard('cannot write the copies', () => this.#write(rows, end));
    } catch (error) {
      const cause = error instanceof IbidError ? error.cause : undefined;
      if (!NO_ROOM.includes((cause as NodeJS.ErrnoException | undefined)?.code ?? '')) throw error;
    }
  }

  async #write(rows: number, end: () => Promise<number>): Promise<void> {
    const { chunks, lexical } = this.#tables;
    const folders = this.#folders!;
    if (rows < this.#limits.from) {
      for (const folder of Object.values(folders)) await rm(folder, { recursive: true, force: true });
      return;
    }
    await keepRowFiles(folders.chunks, chunks, { rows, end: await end(), wholeBytes: this.#limits.wholeBytes });
    await keepSegmentCopies(folders.lexical, lexical, await readSegments(lexical));
    await keepView(folders.lexical, chunks, lexical);
  }
}
