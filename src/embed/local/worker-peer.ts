import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Transferable, Worker } from 'node:worker_threads';

/** The other end of a `WorkerLink`: `local-worker` in a thread or in a process. */
export interface Peer {
  post(message: unknown, transfer: readonly Transferable[]): void;
  /** Whether it keeps the program running. */
  hold(held: boolean): void;
  /** Stops it at once and waits until it is gone. */
  stop(): Promise<void>;
}

export interface PeerEvents {
  message(message: unknown): void;
  end(error: Error): void;
}

/** V8 collects the more eagerly, the lower the limit. A thread needs some tens of megabytes. */
const threadLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };

const entry: URL = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

/** Shares memory with its owner: for embedding, which all threads do with one copy of the model. */
export function threadPeer(job: unknown, on: PeerEvents): Peer {
  const worker = new Worker(entry, { workerData: job, resourceLimits: threadLimits });
  worker.unref();
  worker.on('message', on.message);
  worker.on('error', on.end);
  worker.on('exit', (code) => on.end(new Error(`the embedding worker stopped (exit ${code})`)));
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    hold: (held) => void (held ? worker.ref() : worker.unref()),
    stop: async () => void (await worker.terminate()),
  };
}

/**
 * Gives its memory back when it ends: for training, which needs some hundred megabytes for some seconds. A thread's
 * would stay with the allocator of the process, and count in the peak of everything that comes after.
 */
export function processPeer(job: unknown, on: PeerEvents): Peer {
  const child = fork(fileURLToPath(entry), [], {
    serialization: 'advanced',
    execArgv: ['--no-warnings', '--max-semi-space-size=8'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Training needs nothing of the environment, and what it does not have it cannot leak.
    // Its threads share what the allocator (glibc's) has freed; each with a store of its own would keep some of it.
    env: { MALLOC_ARENA_MAX: '1' },
  });
  const gone = once(child, 'close').catch(() => {});
  const hold = (held: boolean): void => {
    if (held) {
      child.ref();
      child.channel?.ref();
    } else {
      child.unref();
      child.channel?.unref();
    }
  };
  const failed = (error: Error | null): void => {
    if (error) on.end(error);
  };
  hold(false);
  child.on('message', on.message);
  child.on('error', on.end);
  child.on('exit', (code, signal) => on.end(new Error(`the training process stopped (${signal ?? `exit ${code}`})`)));
  child.send(job as object, failed);
  return {
    post: (message) => void child.send(message as object, failed),
    hold,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      hold(true); // nothing else may keep the program here until the end of it
      child.kill('SIGKILL');
      await gone;
    },
  };
}
