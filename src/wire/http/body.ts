import { addAbortSignal, pipeline, Readable } from 'node:stream';
import * as zlib from 'node:zlib';

/** Bytes as they come in, taken by whoever reads. */
export interface ByteSource {
  /** What has arrived since the last call, waiting for more when that is nothing; an empty array is the end. */
  take(): Promise<readonly Uint8Array[]>;
  /** Ends the connection; harmless after the end. */
  cancel(): void;
  /** What ends the reading of it. */
  readonly signal?: AbortSignal | undefined;
}

/** How a body steers the connection it comes from. */
export interface BodyControl {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** The connection rests while more than this lies unread. */
const HIGH_WATER = 256 * 1024;

export interface BodyOptions {
  readonly control: BodyControl;
  /** Starts the idle clock; only runs while a reader waits, so that a slow reader is never blamed on the service. */
  readonly idle: (late: () => void) => () => void;
  /** What `take` rejects with when the idle clock runs out. */
  readonly late: () => unknown;
  readonly signal: AbortSignal;
}

/** A response body: pushed into by the connection, taken from by one reader. */
export class Body implements ByteSource {
  readonly #options: BodyOptions;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #paused = false;
  #state: 'open' | 'ended' | 'failed' = 'open';
  #error: unknown;
  #wake: (() => void) | undefined;
  readonly #onAbort: () => void;

  constructor(options: BodyOptions) {
    this.#options = options;
    this.#onAbort = () => this.#stop(options.signal.reason);
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (options.signal.aborted) this.#onAbort();
  }

  get signal(): AbortSignal {
    return this.#options.signal;
  }

  push(chunk: Uint8Array): void {
    if (this.#state !== 'open') return;
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    if (this.#size >= HIGH_WATER && !this.#paused) {
      this.#paused = true;
      this.#options.control.pause();
    }
    this.#wake?.();
  }

  end(): void {
    this.#settle('ended', undefined);
  }

  fail(error: unknown): void {
    this.#settle('failed', error);
  }

  async take(): Promise<readonly Uint8Array[]> {
    if (this.#size === 0 && this.#state === 'open') await this.#more();
    if (this.#size > 0) {
      const chunks = this.#chunks;
      this.#chunks = [];
      this.#size = 0;
      if (this.#paused) {
        this.#paused = false;
        this.#options.control.resume();
      }
      return chunks;
    }
    if (this.#state === 'failed') throw this.#error;
    return [];
  }

  cancel(): void {
    if (this.#state !== 'open') return;
    this.#chunks = [];
    this.#size = 0;
    this.#settle('ended', undefined);
    this.#options.control.abort(new Error('not read to the end'));
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      const cancelIdle = this.#options.idle(() => this.#stop(this.#options.late()));
      this.#wake = () => {
        this.#wake = undefined;
        cancelIdle();
        resolve();
      };
    });
  }

  /** Fails from our side. What lies unread is dropped: an abort should not be answered with more pieces. */
  #stop(reason: unknown): void {
    if (this.#state !== 'open') return;
    this.#chunks = [];
    this.#size = 0;
    this.#settle('failed', reason);
    this.#options.control.abort(new Error('stopped'));
  }

  #settle(state: 'ended' | 'failed', error: unknown): void {
    if (this.#state !== 'open') return;
    this.#state = state;
    this.#error = error;
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#wake?.();
  }
}

/** Encodings asked for where an answer is read as a whole or by lines. */
export const acceptedEncodings = 'gzip, deflate, br, zstd';

const decoders: Readonly<Record<string, () => zlib.Gunzip>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress as () => zlib.Gunzip, // all decoders are alike as streams
  zstd: zlib.createZstdDecompress as () => zlib.Gunzip,
};

const MAX_ENCODINGS = 3;

/** A `content-encoding` nobody asked for. */
export class UnknownEncoding extends Error {}

/**
 * The bytes behind `content-encoding`, unpacked only as far as they are taken.
 * @throws UnknownEncoding
 */
export function decoded(source: ByteSource, contentEncoding: string | undefined): ByteSource {
  const names = (contentEncoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0) return source;
  // each has a decoder with buffers of its own, and no service needs more than one
  if (names.length > MAX_ENCODINGS) throw new UnknownEncoding(`${names.length} content-encodings in one another`);
  const streams = names.reverse().map((name) => {
    const make = decoders[name];
    if (make === undefined) throw new UnknownEncoding(`content-encoding ${name}`);
    return make();
  });
  const last = streams.at(-1)!;
  let failure: { error: unknown } | undefined;
  pipeline([Readable.from(chunksOf(source)), ...streams], (error) => {
    if (error) failure = { error };
  });
  // little that has come in whole may still be much to unpack
  if (source.signal) addAbortSignal(source.signal, last);
  const pieces = last[Symbol.asyncIterator]();
  return {
    async take() {
      if (failure) throw failure.error;
      const next = await pieces.next();
      return next.done ? [] : [next.value as Uint8Array]; // zlib streams yield buffers
    },
    cancel() {
      last.destroy();
      source.cancel();
    },
  };
}

async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunks = await source.take();
    if (chunks.length === 0) return;
    yield joined(chunks);
  }
}

export const joined = (chunks: readonly Uint8Array[]): Uint8Array =>
  chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);

/** A body is larger than what was allowed. */
export class BodyTooLarge extends Error {}

/**
 * The whole body.
 * @throws BodyTooLarge past `limitBytes`; nothing beyond is read or unpacked
 */
export async function readAll(source: ByteSource, limitBytes: number): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunks = await source.take();
    if (chunks.length === 0) return all.length === 1 ? all[0]! : Buffer.concat(all, size);
    for (const chunk of chunks) {
      size += chunk.byteLength;
      all.push(chunk);
    }
    if (size > limitBytes) {
      source.cancel();
      throw new BodyTooLarge(`the body is over ${limitBytes} bytes`);
    }
  }
}

/** The first `limitBytes` of a body that is only looked at; a failure ends it early. */
export async function readStart(source: ByteSource, limitBytes: number): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let size = 0;
  try {
    while (size < limitBytes) {
      const chunks = await source.take();
      if (chunks.length === 0) break;
      for (const chunk of chunks) {
        size += chunk.byteLength;
        all.push(chunk);
      }
    }
  } catch {
    // What has come is enough to say what went wrong.
  }
  source.cancel();
  return Buffer.concat(all).subarray(0, limitBytes);
}
