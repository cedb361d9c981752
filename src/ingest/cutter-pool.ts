import type { Worker } from 'node:worker_threads';
import { keepRunning } from '../core/async.ts';
import { IbidError } from '../core/errors.ts';
import { ownProgram } from '../core/package-files.ts';
import { startThread } from '../core/start-thread.ts';
import { shareVocabulary } from '../text/tokens/tokens.ts';
import type { Cutters, SmallFile } from './contract.ts';
import { type CutOutcome, type FileFailure, received } from './cut.ts';
import type { CutJob, CutReply, CutRequest } from './cut-thread.ts';

/** A thread may hold some files at a time: the next one is there when it has finished one. */
const FILES_PER_THREAD = 8;
/** Fewer bytes are read and cut sooner than threads have started. */
const WORTH_THREADS_BYTES = 4 * 2 ** 20;
/**
 * One thread stands beside the caller's and the one that analyses: two processors are busy without it, and a second
 * thread that cuts takes as long as the first until its code is compiled.
 */
const WORTH_ONE_BYTES = 16 * 2 ** 20;
/** A thread holds the vocabulary of the token counter and one small file; with a low limit V8 collects more often. */
const threadLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

const entry: URL = ownProgram('ingest/cut-thread');

interface Waiting {
  readonly file: SmallFile;
  readonly resolve: (outcome: CutOutcome | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

interface CutterPoolOptions extends Omit<CutJob, 'vocabulary'> {
  readonly threads: number;
  /** The module of a thread. @default that of ibid */
  readonly entry?: URL | undefined;
}

/**
 * Threads that read and cut small text files. A file that ends its thread fails, and the others go to a new thread.
 * Where no thread can start, the caller does the work.
 */
export class CutterPool implements Cutters {
  readonly #options: CutterPoolOptions;
  readonly #threads: CutterThread[] = [];
  #isBroken = false;
  /** One copy of the vocabulary for all: not where the caller's thread would load it for one thread alone. */
  #sharesVocabulary: boolean;
  #ids = 0;

  constructor(options: CutterPoolOptions) {
    this.#options = options;
    this.#sharesVocabulary = options.threads > 1;
  }

  /** Files that the pool can work on without a pause. */
  get capacity(): number {
    return this.#options.threads * FILES_PER_THREAD;
  }

  get worthBytes(): number {
    return this.#options.threads > 1 ? WORTH_THREADS_BYTES : WORTH_ONE_BYTES;
  }

  start(): void {
    this.#sharesVocabulary = true; // the caller will count tokens too
    while (!this.#isBroken && this.#threads.length < this.#options.threads) this.#start();
  }

  get isBusy(): boolean {
    return this.#threads.every(({ hasStarted, load }) => !hasStarted || load >= FILES_PER_THREAD);
  }

  /**
   * Reads and cuts a file; undefined when the caller must.
   * @throws the reason of the signal; the thread still finishes the file
   */
  async cut(file: SmallFile, signal: AbortSignal): Promise<CutOutcome | undefined> {
    signal.throwIfAborted();
    if (this.#isBroken) return undefined;
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        this.#give({ file, resolve, reject });
      });
    } finally {
      if (onAbort) signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends all threads. A later call starts them again. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.stop()));
  }

  #give(waiting: Waiting): void {
    let idlest = this.#threads.reduce<CutterThread | undefined>(
      (best, thread) => (best === undefined || thread.load < best.load ? thread : best),
      undefined,
    );
    if ((idlest === undefined || idlest.load > 0) && this.#threads.length < this.#options.threads) {
      idlest = this.#start() ?? idlest;
    }
    if (idlest === undefined) waiting.resolve(undefined);
    else idlest.send(++this.#ids, waiting);
  }

  #start(): CutterThread | undefined {
    const { limits, chunking, entry: module = entry } = this.#options;
    try {
      const vocabulary = this.#sharesVocabulary ? shareVocabulary() : undefined;
      const thread = new CutterThread(module, { limits, chunking, vocabulary }, (left, error) =>
        this.#ended(thread, left, error),
      );
      this.#threads.push(thread);
      return thread;
    } catch {
      this.#isBroken = true; // the runtime does not let this process start threads
      return undefined;
    }
  }

  #ended(thread: CutterThread, left: readonly Waiting[], error: Error): void {
    const at = this.#threads.indexOf(thread);
    if (at < 0) {
      const closed = new IbidError('ABORTED', 'the reading threads were ended');
      for (const { reject } of left) reject(closed);
      return;
    }
    this.#threads.splice(at, 1);
    if (!thread.hasStarted) this.#isBroken = true; // no file is to blame
    if (this.#isBroken) {
      for (const { resolve } of left) resolve(undefined);
      return;
    }
    const [first, ...others] = left;
    first?.resolve({ failure: failureOfThread(error) });
    for (const one of others) this.#give(one);
  }
}

function failureOfThread(error: Error): FileFailure {
  const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (isMemory)
    return { code: 'FILE_MEMORY', message: `reading needed more than ${threadLimits.maxOldGenerationSizeMb} MB` };
  return { code: 'FILE_DAMAGED', message: `the reading thread stopped (${error.message})` };
}

/** One thread; it keeps the program alive only while an answer is due. */
class CutterThread {
  readonly #worker: Worker;
  /** In the order of sending, which is the order of the answers. */
  readonly #waiting = new Map<number, Waiting>();
  #hasStarted = false;

  constructor(module: URL, job: CutJob, onEnd: (left: readonly Waiting[], error: Error) => void) {
    this.#worker = startThread(module, { workerData: job, resourceLimits: threadLimits });
    this.#worker.unref();
    this.#worker.on('message', (reply: CutReply) => this.#settle(reply));
    let failure: Error | undefined;
    this.#worker.on('error', (error) => {
      failure = error;
    });
    // Only here has every answer of the thread arrived.
    this.#worker.on('exit', (code) => {
      const left = [...this.#waiting.values()];
      this.#waiting.clear();
      onEnd(left, failure ?? new Error(`exit ${code}`));
    });
  }

  get load(): number {
    return this.#waiting.size;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  send(id: number, waiting: Waiting): void {
    this.#waiting.set(id, waiting);
    this.#worker.ref();
    const request: CutRequest = { id, ...waiting.file };
    this.#worker.postMessage(request);
  }

  async stop(): Promise<void> {
    await keepRunning(this.#worker.terminate());
  }

  #settle({ id, cut, failure }: CutReply): void {
    this.#hasStarted = true;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (failure) waiting?.resolve({ failure });
    else waiting?.resolve(cut && { cut: received(cut) });
  }
}
