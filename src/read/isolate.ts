import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { keepRunning, LONGEST_TIMER_MS } from '../core/async.ts';
import { compileCacheEnvironment } from '../core/compile-cache.ts';
import { type ErrorCode, errorCodes, IbidError } from '../core/errors.ts';
import { ownProgram } from '../core/package-files.ts';
import type { ParsedDocument } from './contract.ts';
import type { ReadScan, Scan } from './ocr/contract.ts';
import type { ParseLimits } from './parse.ts';
import type { RecordingInfo, RecordingInput } from './recording/contract.ts';
import type { Surroundings } from './surroundings.ts';

/** The work of a parser process. */
export interface ParseWork {
  readonly name: string;
  readonly file: FileInput;
  readonly surroundings?: Surroundings | undefined;
  /** What OCR found in the pictures of the first pass. */
  readonly readings?: readonly ReadScan[] | undefined;
  /** Instead of the text, the largest picture on this page of a PDF. */
  readonly pictureOf?: number | undefined;
  /** Instead of the text, a PDF of these pages. */
  readonly pagesOf?: readonly number[] | undefined;
  /** The file is a recording: what makes its text. */
  readonly recording?: RecordingInput | undefined;
}

/** Message to a parser process. */
export interface ParseRequest extends ParseWork {
  readonly id: number;
  readonly limits: ParseLimits;
}

/** The bytes of a file, or where a parser process reads them: a large file is then in one process only. */
export type FileInput = { readonly bytes: Uint8Array } | { readonly path: string };

/** Message from a parser process. Errors are plain data, because classes cannot be sent. */
export interface ParseResponse extends ParseResult {
  readonly id: number;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string | undefined };
  readonly rssBytes: number;
}

interface ParseResult {
  readonly document?: ParsedDocument;
  readonly picture?: Uint8Array;
  readonly pages?: Uint8Array;
  /** What needs OCR. */
  readonly scans: readonly Scan[];
  /** Set for a recording that a transcript would say more about. */
  readonly waits?: RecordingInfo | undefined;
}

/** A document, or the refusal of a file. */
export interface ParseOutcome extends ParseResult {
  readonly refusal?: IbidError;
}

interface PoolOptions {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly concurrency: number;
  readonly limits: ParseLimits;
}

/**
 * Share of its memory that a process may keep for the next file. What it keeps is missing where the document is cut,
 * embedded and stored.
 */
const IDLE_SHARE = 0.35;

interface Job {
  readonly work: ParseWork;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (outcome: ParseOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

/** Written to stderr by a parser process just before it kills itself for memory. */
export const MEMORY_MARK = 'ibid: memory limit';

/**
 * Parser processes, started on demand; each reads one file at a time. They are processes, not worker threads: memory
 * outside the JavaScript heap has no limit per thread, and a fatal error in a thread ends the whole program.
 */
export class ParserPool {
  readonly #options: PoolOptions;
  readonly #queue: Job[] = [];
  readonly #idle: ParserProcess[] = [];
  readonly #all = new Set<ParserProcess>();
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** @throws IbidError FILE_* when the process failed, or the signal's reason; a refusal is in the outcome */
  parse(work: ParseWork, signal: AbortSignal | undefined): Promise<ParseOutcome> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, signal, resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.reject(new IbidError('ABORTED', 'the reader was closed'));
    await Promise.all([...this.#all].map((process) => process.stop()));
  }

  #next(): void {
    while (this.#queue.length > 0 && !this.#closed) {
      const process = this.#idle.pop() ?? this.#start();
      if (!process) return;
      void this.#run(process, this.#queue.shift()!);
    }
  }

  #start(): ParserProcess | undefined {
    if (this.#all.size >= this.#options.concurrency) return undefined;
    const process = new ParserProcess(this.#options);
    this.#all.add(process);
    return process;
  }

  async #run(process: ParserProcess, job: Job): Promise<void> {
    try {
      job.signal?.throwIfAborted();
      job.resolve(await process.parse(job));
    } catch (error) {
      if (process.stoppedByAnother && !this.#closed) this.#queue.unshift(job);
      else job.reject(error);
    }
    if (process.usable && !this.#closed) {
      this.#idle.push(process);
    } else {
      await process.stop();
      this.#all.delete(process);
    }
    this.#next();
  }
}

/** One parser process. It is no longer `usable` after a timeout, a crash or too much memory. */
class ParserProcess {
  readonly #child: ChildProcess;
  readonly #options: PoolOptions;
  readonly #exited: Promise<void>;
  #stderr = '';
  #dead = false;
  #retired = false;
  #stopped = false;
  #id = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    const entry = ownProgram('read/parser-process');
    const heapMb = Math.max(64, Math.floor(options.memoryMb * 0.75));
    this.#child = fork(fileURLToPath(entry), [String(options.memoryMb)], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${heapMb}`, '--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Parsers need no environment variables, and cannot leak what they do not have.
      env: compileCacheEnvironment(),
    });
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', () => {
        this.#dead = true;
        resolve();
      });
      this.#child.once('error', () => {
        this.#dead = true;
        resolve();
      });
    });
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.#stderr = (this.#stderr + data.toString('utf8')).slice(-4000);
    });
    this.#idleRef(false);
  }

  get usable(): boolean {
    return !this.#dead && !this.#retired;
  }

  /** True where it stopped by itself after other files: one of them may have left what stopped it behind. */
  get stoppedByAnother(): boolean {
    return this.#stopped && this.#id > 1;
  }

  async stop(): Promise<void> {
    if (!this.#dead) this.#child.kill('SIGKILL');
    await keepRunning(this.#exited);
  }

  parse({ work, signal }: Job): Promise<ParseOutcome> {
    const { timeoutMs, memoryMb, limits } = this.#options;
    const id = ++this.#id;
    this.#idleRef(true);
    return new Promise<ParseOutcome>((resolve, reject) => {
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        this.#child.off('message', onMessage);
        this.#child.off('close', onExit);
        this.#child.off('error', onError);
        signal?.removeEventListener('abort', onAbort);
        this.#idleRef(false);
        finish();
      };
      const kill = (reason: unknown): void => {
        this.#retired = true;
        this.#child.kill('SIGKILL');
        settle(() => reject(reason));
      };
      const onMessage = (message: unknown): void => {
        const response = message as ParseResponse; // our own process at the other end
        if (response.id !== id) return;
        if (response.rssBytes > memoryMb * 1024 * 1024 * IDLE_SHARE) this.#retired = true;
        const { id: _id, rssBytes: _rss, error, ...result } = response;
        settle(() => resolve(error ? { ...result, refusal: revive(error) } : result));
      };
      const onExit = (): void => settle(() => reject(this.#exitError(memoryMb)));
      const onError = (error: Error): void => {
        this.#retired = true;
        settle(() =>
          reject(new IbidError('FILE_UNREADABLE', `the parser process failed: ${error.message}`, { cause: error })),
        );
      };
      const onAbort = (): void => kill(signal?.reason);
      const timer = setTimeout(
        () => {
          kill(
            new IbidError('FILE_TIMEOUT', `reading took longer than ${timeoutMs} ms`, {
              hint: 'Leave the file out, or raise timeoutMs.',
            }),
          );
        },
        Math.min(timeoutMs, LONGEST_TIMER_MS),
      );
      this.#child.on('message', onMessage);
      this.#child.once('close', onExit);
      this.#child.once('error', onError);
      signal?.addEventListener('abort', onAbort, { once: true });
      const request: ParseRequest = { id, ...work, limits };
      this.#child.send(request, (error) => {
        if (error && !this.#dead) onError(error);
      });
    });
  }

  #exitError(memoryMb: number): IbidError {
    if (this.#stderr.includes(MEMORY_MARK) || /heap out of memory|Allocation failed/.test(this.#stderr)) {
      return new IbidError('FILE_MEMORY', `reading needed more than ${memoryMb} MB`, {
        hint: 'Leave the file out, or raise memoryMb.',
      });
    }
    this.#stopped = true;
    const how = this.#child.signalCode ?? `status ${this.#child.exitCode}`;
    return new IbidError('FILE_DAMAGED', `the parser stopped (${how})`);
  }

  /** An idle process must not keep the program running. */
  #idleRef(busy: boolean): void {
    // The pipe is a socket, typed as a stream.
    const pipe = this.#child.stderr as unknown as { ref?(): void; unref?(): void } | null;
    if (busy) {
      this.#child.ref();
      this.#child.channel?.ref();
      pipe?.ref?.();
    } else {
      this.#child.unref();
      this.#child.channel?.unref();
      pipe?.unref?.();
    }
  }
}

function revive(error: { code: string; message: string; hint?: string | undefined }): IbidError {
  const code = Object.hasOwn(errorCodes, error.code) ? (error.code as ErrorCode) : 'FILE_DAMAGED';
  return new IbidError(code, error.message, { hint: error.hint });
}
