import type { Transferable } from 'node:worker_threads';
import { type Peer, processPeer, threadPeer } from './worker-peer.ts';

/** What a worker answers to one request. */
export type Reply<T> = { readonly id: number; readonly value: T } | { readonly id: number; readonly error: unknown };

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One worker, a thread or a process, that answers requests in the order they were sent. It keeps the program alive only
 * while an answer is due. When it dies, every open request fails with what killed it.
 */
export class WorkerLink {
  readonly #peer: Peer;
  readonly #pending = new Map<number, Pending>();
  #sent = 0;
  #ended: Error | undefined;

  constructor(job: unknown, place: 'thread' | 'process') {
    const start = place === 'thread' ? threadPeer : processPeer;
    this.#peer = start(job, {
      message: (reply) => this.#settle(reply as Reply<unknown>), // `local-worker` sends nothing else
      end: (error) => this.#end(error),
    });
  }

  /** How many answers are due. */
  get load(): number {
    return this.#pending.size;
  }

  /** @throws what the worker threw, or an abort's reason; the worker finishes an aborted request all the same */
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
      // The worker's handler for this kind of message returns a T.
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
    this.#peer?.hold(false); // absent when it ended while it was being started
  }
}
