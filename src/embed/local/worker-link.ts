import type { Transferable } from 'node:worker_threads';
import { type Peer, processPeer, threadPeer } from './worker-peer.ts';

/** The answer of a worker to one request. */
export type Reply<T> = { readonly id: number; readonly value: T } | { readonly id: number; readonly error: unknown };

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One worker, a thread or a process, which answers requests in the order of sending, after `begin` has given it its job.
 * It loads its code meanwhile. It keeps the program alive only while an answer is due. When the worker ends, every open
 * request fails with its error.
 */
export class WorkerLink {
  readonly #peer: Peer;
  readonly #pending = new Map<number, Pending>();
  #sent = 0;
  #ended: Error | undefined;

  constructor(place: 'thread' | 'process') {
    const start = place === 'thread' ? threadPeer : processPeer;
    this.#peer = start({
      message: (reply) => this.#settle(reply as Reply<unknown>), // `worker.ts` sends nothing else
      end: (error) => this.#end(error),
    });
  }

  /** To be called once, before the first request. */
  begin(job: unknown): void {
    this.#peer.post(job, []);
  }

  /** Number of unanswered requests. */
  get load(): number {
    return this.#pending.size;
  }

  /** @throws the worker's error, or the reason of an abort; the worker still finishes an aborted request */
  async request<T>(
    message: object,
    options: { transfer?: Transferable[]; signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    const { transfer = [], signal } = options;
    signal?.throwIfAborted();
    if (this.#ended) throw this.#ended;
    const id = ++this.#sent;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#peer.hold(true);
    const abort = (): void => this.#pending.get(id)?.reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      this.#peer.post({ ...message, id }, transfer);
      // the worker's handler for this kind of message returns a T
      return (await answer) as T;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.#end(new Error('the embedder was closed'));
    await this.#peer.stop();
  }

  #settle(reply: Reply<unknown>): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#peer.hold(false);
    if ('error' in reply) pending?.reject(reply.error);
    else pending?.resolve(reply.value);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
    this.#peer?.hold(false); // absent when the worker ended during its start
  }
}
