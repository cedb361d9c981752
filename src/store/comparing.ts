import { ownProgram } from '../core/package-files.ts';
import { ThreadPool } from '../core/thread-pool.ts';
import type { SignCalibration } from '../vector/calibrate.ts';
import type { Nearest } from '../vector/int8-rows.ts';
import type { SharedVectors } from './held-vectors.ts';
import type { SharedRowFiles } from './row-files.ts';
import type { RowRun } from './runs.ts';

/** Rows as a thread searches them; vectors and signs are in memory that it shares. */
export interface ComparedRows {
  readonly vectors: SharedVectors;
  /** By row number: 0 = dead. */
  readonly live: Uint8Array;
  readonly rows: number;
  /** Where only signs are in memory. */
  readonly bySigns?: SignedRows | undefined;
}

export interface SignedRows {
  readonly calibration: SignCalibration | undefined;
  /** With the vectors. */
  readonly files: SharedRowFiles;
  readonly runs: readonly RowRun[];
}

export interface ComparingRequest {
  readonly query: Int8Array;
  readonly limit: number;
  /** Rows of a lesser cosine may be left out. */
  readonly least?: number | undefined;
}

const entry: URL = ownProgram('store/comparing-thread');

/** A search leaves little garbage behind. */
const youngMb = 2;

/**
 * A thread that compares vectors while the caller's thread does something else: many vectors take tens of milliseconds,
 * in which a program could do nothing. The result is that of the same search in the caller's thread.
 */
export class Comparing {
  readonly #pool: ThreadPool<ComparedRows, ComparingRequest, Nearest | undefined> = new ThreadPool(entry, {
    threads: 1,
    maxYoungGenerationSizeMb: youngMb,
  });

  /** Starts the thread. */
  start(): void {
    void this.#pool.start();
  }

  /** False until the thread has started, and where it cannot. */
  get isReady(): boolean {
    return this.#pool.isReady;
  }

  /**
   * Nearest neighbours among the live rows; undefined where a vector that must be read is in no file.
   * @param rows the same object for the same rows
   * @throws IbidError THREAD_ENDED, ABORTED
   */
  search(rows: ComparedRows, request: ComparingRequest): Promise<Nearest | undefined> {
    return this.#pool.request(rows, request);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
