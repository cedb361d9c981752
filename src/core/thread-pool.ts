import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { IbidError, indexClosed } from './errors.ts';
import { startThread } from './start-thread.ts';
import type { CallOptions } from './types.ts';

/**
 * What a thread of a pool receives: `id` with a request, for `cancel` and the reply; no `id` with a context. Nothing
 * follows `end`.
 */
export type PoolMessage<Context, Request> =
  | { readonly kind: 'context'; readonly context: Context }
  | { readonly kind: 'request'; readonly id: number; readonly request: Request }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'end' };

/** What a thread sends: first that it is ready, then a reply to each request. */
export type PoolReply<T> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'value'; readonly id: number; readonly value: T }
  | { readonly kind: 'error'; readonly id: number; readonly error: ThreadError };

/** An error as `postMessage` keeps it. */
export type ThreadError = Pick<IbidError, 'code' | 'message' | 'hint'> | { readonly message: string };

interface ThreadPoolOptions {
  /** Maximum number of threads; each is started when the others have work. */
  readonly threads: number;
  /** @default the process's */
  readonly maxYoungGenerationSizeMb?: number | undefined;
}

/** `workerData` of a thread. */
export interface PoolThreadData {
  /** From 1 to the number of threads; a thread that replaces another has its number. */
  readonly thread: number;
}

interface Job<Context, Request> {
  readonly context: Context;
  readonly request: Request;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface Thread<Context, Request> {
  readonly number: number;
  readonly worker: Worker;
  readonly jobs: Map<number, Job<Context, Request>>;
  /** The context it was given last. */
  context: Context | undefined;
  isReady: boolean;
}

/** Requests that a thread has at a time: the next one is there when it has finished one. */
const MOST_AT_A_TIME = 2;
/** How long a pool waits for the end of a thread, in milliseconds. */
const END_MS = 10_000;

/**
 * Threads that answer requests, each request in one of them. A request comes with a context, such as the data it is
 * about; a thread is given the context once. Waiting requests are answered in the order of their arrival. The pool keeps
 * the program running only while an answer is due. A thread that ends takes its own requests with it, and is replaced.
 */
export class ThreadPool<Context extends object, Request, Value> {
  readonly #entry: URL;
  readonly #options: ThreadPoolOptions;
  readonly #threads: Thread<Context, Request>[] = [];
  readonly #waiting: Job<Context, Request>[] = [];
  /** Of the thread that was started last. */
  #started: PromiseWithResolvers<void> | undefined;
  #ids = 0;
  #closed = false;
  #isBroken = false;

  /** @param entry of the threads; it calls `serveThreadPool` */
  constructor(entry: URL, options: ThreadPoolOptions) {
    this.#entry = entry;
    this.#options = options;
  }

  /** True once a thread is ready. */
  get isReady(): boolean {
    return this.#threads.some(({ isReady }) => isReady);
  }

  /** True after a thread has ended before it was ready: none will be. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Starts the first thread, so that a request need not wait for its start. Resolves when it is ready, or has ended. */
  async start(): Promise<void> {
    if (this.#threads.length === 0 && !this.#closed) this.#startThread();
    await this.#started?.promise;
  }

  /** @throws the thread's error; the reason of an abort; IbidError THREAD_ENDED */
  async request(context: Context, request: Request, { signal }: CallOptions = {}): Promise<Value> {
    signal?.throwIfAborted();
    if (this.#closed) throw indexClosed();
    if (this.#isBroken && this.#threads.length === 0) throw threadEnded();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job: Job<Context, Request> = { context, request, resolve, reject };
    const abort = (): void => {
      this.#drop(job);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      this.#waiting.push(job);
      this.#giveOut();
      return (await promise) as Value; // the thread's handler returns this
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Fails what the threads were asked, and ends them. */
  async close(): Promise<void> {
    this.#closed = true;
    const error = new IbidError('ABORTED', 'the index was closed');
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    const threads = this.#threads.splice(0);
    for (const { jobs } of threads) for (const { reject } of jobs.values()) reject(error);
    await Promise.all(threads.map(({ worker }) => this.#endOf(worker)));
  }

  /**
   * The thread ends by itself once nothing is under way in it. A thread that is stopped takes the process with it where
   * native code, such as the database's, has yet to reply to it.
   */
  async #endOf(worker: Worker): Promise<void> {
    worker.ref();
    this.#post(worker, { kind: 'end' });
    await once(worker, 'exit', { signal: AbortSignal.timeout(END_MS) }).catch(() => {}); // still at work, or failed
    worker.unref();
  }

  #giveOut(): void {
    while (this.#waiting.length > 0) {
      const idlest = this.#idlest();
      if (!idlest) return;
      this.#send(idlest, this.#waiting.shift()!);
    }
  }

  /** The thread with the fewest requests; a new one where all have work and another may start. */
  #idlest(): Thread<Context, Request> | undefined {
    const usable = this.#threads.filter(({ isReady }) => isReady);
    const least = Math.min(...usable.map(({ jobs }) => jobs.size));
    if (least > 0 && this.#threads.length < this.#options.threads && !this.#isBroken) this.#startThread();
    return least < MOST_AT_A_TIME ? usable.find(({ jobs }) => jobs.size === least) : undefined;
  }

  #send(thread: Thread<Context, Request>, job: Job<Context, Request>): void {
    const { worker, jobs } = thread;
    const id = ++this.#ids;
    const { context, request } = job;
    try {
      if (thread.context !== context) this.#post(worker, { kind: 'context', context });
      thread.context = context;
      this.#post(worker, { kind: 'request', id, request });
    } catch (error) {
      job.reject(error); // the request cannot be copied
      return;
    }
    jobs.set(id, job);
    worker.ref();
  }

  #post(worker: Worker, message: PoolMessage<Context, Request>): void {
    worker.postMessage(message);
  }

  #drop(job: Job<Context, Request>): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    for (const { worker, jobs } of this.#threads)
      for (const [id, other] of jobs) if (other === job) this.#post(worker, { kind: 'cancel', id });
  }

  #startThread(): void {
    const taken = new Set(this.#threads.map(({ number }) => number));
    let number = 1;
    while (taken.has(number)) number++;
    const worker = startThread(this.#entry, {
      workerData: { thread: number } satisfies PoolThreadData,
      resourceLimits: { maxYoungGenerationSizeMb: this.#options.maxYoungGenerationSizeMb },
    });
    worker.unref();
    const thread: Thread<Context, Request> = { number, worker, jobs: new Map(), context: undefined, isReady: false };
    this.#threads.push(thread);
    const started = Promise.withResolvers<void>();
    this.#started = started;
    worker.once('message', () => started.resolve());
    worker.once('exit', () => started.resolve());
    worker.on('message', (reply: PoolReply<unknown>) => this.#receive(thread, reply));
    worker.on('error', (cause) => this.#end(thread, cause));
    worker.on('exit', () => this.#end(thread));
  }

  #receive(thread: Thread<Context, Request>, reply: PoolReply<unknown>): void {
    if (reply.kind === 'ready') thread.isReady = true;
    else {
      const job = thread.jobs.get(reply.id);
      thread.jobs.delete(reply.id);
      if (thread.jobs.size === 0 && !this.#closed) thread.worker.unref();
      if (reply.kind === 'value') job?.resolve(reply.value);
      else job?.reject(restored(reply.error));
    }
    this.#giveOut();
  }

  #end(thread: Thread<Context, Request>, cause?: unknown): void {
    const place = this.#threads.indexOf(thread);
    if (place < 0) return; // closed, or ended by its error before
    this.#threads.splice(place, 1);
    if (!thread.isReady) this.#isBroken = true;
    const error = threadEnded(cause);
    for (const { reject } of thread.jobs.values()) reject(error);
    if (this.#threads.length === 0 && this.#isBroken) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    } else if (this.#waiting.length > 0) {
      void this.start();
      this.#giveOut();
    }
  }
}

function threadEnded(cause?: unknown): IbidError {
  const hint = 'Ask again; another thread takes its place.';
  return new IbidError('THREAD_ENDED', 'the thread of this search ended before its answer', { cause, hint });
}

function restored(error: ThreadError): Error {
  return 'code' in error ? new IbidError(error.code, error.message, { hint: error.hint }) : new Error(error.message);
}
