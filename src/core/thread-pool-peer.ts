import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { IbidError, messageOf } from './errors.ts';
import type { PoolMessage, PoolReply, PoolThreadData, ThreadError } from './thread-pool.ts';

/** Answers the requests of a `ThreadPool` in this thread. Requests may overlap where they wait. */
export function serveThreadPool<Context, Attached, Request, Value>(handlers: {
  /** Called with each new context. @param thread number of this thread */
  attach(context: Context, thread: number): Attached;
  answer(attached: Attached, request: Request, signal: AbortSignal): Promise<Value>;
}): void {
  if (parentPort === null) throw new TypeError('this is no thread');
  const port: MessagePort = parentPort;
  const { thread } = workerData as PoolThreadData; // given by `ThreadPool`
  const working = new Map<number, AbortController>();
  let attached: () => Attached = () => {
    throw new TypeError('there is no context');
  };
  const answer = async (id: number, request: Request): Promise<void> => {
    const controller = new AbortController();
    working.set(id, controller);
    let reply: PoolReply<Value>;
    try {
      reply = { kind: 'value', id, value: await handlers.answer(attached(), request, controller.signal) };
    } catch (error) {
      reply = { kind: 'error', id, error: plain(error) };
    }
    working.delete(id);
    port.postMessage(reply);
  };
  port.on('message', (message: PoolMessage<Context, Request>) => {
    switch (message.kind) {
      case 'context': {
        let known: Attached | undefined;
        attached = () => {
          known ??= handlers.attach(message.context, thread);
          return known;
        };
        return;
      }
      case 'request':
        void answer(message.id, message.request);
        return;
      case 'cancel':
        working.get(message.id)?.abort();
        return;
      case 'end':
        for (const controller of working.values()) controller.abort();
        port.close(); // the thread ends once nothing is under way
    }
  });
  port.postMessage({ kind: 'ready' } satisfies PoolReply<Value>);
}

function plain(error: unknown): ThreadError {
  if (error instanceof IbidError) return { code: error.code, message: error.message, hint: error.hint };
  return { message: messageOf(error) };
}
