import { type ByteSource, joined } from './body.ts';
import type { ReplyInfo, Settled, StreamReply } from './contract.ts';
import type { Splitter } from './events.ts';

export interface PieceStreamOptions<T> {
  readonly info: ReplyInfo;
  readonly source: ByteSource;
  readonly splitter: Splitter<T>;
  /** Makes a typed error of whatever the source or the splitter throws. */
  readonly failure: (error: unknown) => unknown;
  readonly onSettle: (actual: Settled) => void;
  /** Told when someone waits for the next piece, and when nobody does any more. */
  readonly onReading: (on: boolean) => void;
  /** Called once, at the end, after an error or when the reader leaves. */
  readonly onEnd: (error: unknown) => void;
}

/** A body as an async iterable of pieces. Pieces that arrived together are handed over without waiting for anything. */
export class PieceStream<T> implements StreamReply<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  readonly attempts: number;
  readonly elapsedMs: number;
  readonly #options: PieceStreamOptions<T>;
  #ready: readonly T[] = [];
  #at = 0;
  #over = false;
  #turn: Promise<unknown> | undefined;

  constructor(options: PieceStreamOptions<T>) {
    this.#options = options;
    this.status = options.info.status;
    this.headers = options.info.headers;
    this.requestId = options.info.requestId;
    this.attempts = options.info.attempts;
    this.elapsedMs = options.info.elapsedMs;
    options.onReading(false);
  }

  settle(actual: Settled): void {
    this.#options.onSettle(actual);
  }

  cancel(): Promise<void> {
    this.#ready = [];
    this.#at = 0;
    if (!this.#over) {
      this.#options.source.cancel();
      this.#end(undefined);
    }
    return Promise.resolve();
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return {
      next: () => {
        if (this.#turn === undefined && this.#at < this.#ready.length) {
          return Promise.resolve({ done: false, value: this.#ready[this.#at++]! });
        }
        return this.#inTurn(async () => {
          if (this.#at >= this.#ready.length && !(await this.#fill())) return { done: true, value: undefined };
          return { done: false, value: this.#ready[this.#at++]! };
        });
      },
      return: async () => {
        await this.cancel();
        return { done: true, value: undefined };
      },
    };
  }

  batches(): AsyncIterable<readonly T[]> {
    const next = (): Promise<IteratorResult<readonly T[], undefined>> =>
      this.#inTurn(async () => {
        if (this.#at >= this.#ready.length && !(await this.#fill())) return { done: true, value: undefined };
        const value = this.#at === 0 ? this.#ready : this.#ready.slice(this.#at);
        this.#ready = [];
        this.#at = 0;
        return { done: false, value };
      });
    const leave = async (): Promise<IteratorResult<readonly T[], undefined>> => {
      await this.cancel();
      return { done: true, value: undefined };
    };
    return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
  }

  /** Callers that do not wait for each other get their pieces in the order they asked. */
  #inTurn<R>(run: () => Promise<R>): Promise<R> {
    const mine = this.#turn === undefined ? run() : this.#turn.then(run, run);
    this.#turn = mine;
    const clear = (): void => {
      if (this.#turn === mine) this.#turn = undefined;
    };
    mine.then(clear, clear);
    return mine;
  }

  /** Reads until at least one piece is there; false at the end. */
  async #fill(): Promise<boolean> {
    const { source, splitter, onReading } = this.#options;
    onReading(true);
    while (!this.#over) {
      try {
        const chunks = await source.take();
        if (this.#over) break; // left while waiting
        const pieces = chunks.length === 0 ? splitter.end() : split(splitter, chunks);
        if (chunks.length === 0) this.#end(undefined);
        if (pieces.length > 0) {
          this.#ready = pieces;
          this.#at = 0;
          onReading(false);
          return true;
        }
      } catch (error) {
        source.cancel();
        const typed = this.#options.failure(error);
        this.#end(typed);
        throw typed;
      }
    }
    return false;
  }

  #end(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.onEnd(error);
  }
}

/**
 * Many small chunks are joined first, for each has its price. Large ones are not: the text of what gathers while the
 * reader is busy would be copied twice and fall out of the processor's cache, which makes whatever is done with its
 * pieces slower too.
 */
function split<T>(splitter: Splitter<T>, chunks: readonly Uint8Array[]): readonly T[] {
  const sizeBytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (chunks.length === 1 || sizeBytes < chunks.length * LARGE_CHUNK) return splitter.write(joined(chunks));
  const pieces: T[] = [];
  for (const chunk of chunks) for (const piece of splitter.write(chunk)) pieces.push(piece);
  return pieces;
}

const LARGE_CHUNK = 4_096;
