import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Transferable } from 'node:worker_threads';
import { keepRunning } from '../../core/async.ts';
import { compileCacheEnvironment } from '../../core/compile-cache.ts';
import { IbidError } from '../../core/errors.ts';
import { ownProgram } from '../../core/package-files.ts';
import { startThread } from '../../core/start-thread.ts';

/** The other end of a `WorkerLink`: `worker.ts` in a thread or in a process. */
export interface Peer {
  post(message: unknown, transfer: readonly Transferable[]): void;
  /** @param held keep the program running */
  hold(held: boolean): void;
  /** Stops the worker at once and waits for its end. */
  stop(): Promise<void>;
}

interface PeerEvents {
  message(message: unknown): void;
  end(error: Error): void;
}

/** With a low limit V8 collects garbage more often. A thread needs some tens of megabytes. */
const threadLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };

const entry: URL = ownProgram('embed/local/worker');

const ended = (message: string, cause?: unknown): IbidError =>
  new IbidError('THREAD_ENDED', message, {
    cause,
    hint: 'Perhaps the memory ran out. A bundled program must leave ibid external, whose files run as threads and processes.',
  });

/** A thread, which shares memory with its owner: for embedding, where all threads use one copy of the model. */
export function threadPeer(on: PeerEvents): Peer {
  const worker = startThread(entry, { resourceLimits: threadLimits });
  worker.unref();
  worker.on('message', on.message);
  worker.on('error', (cause) => on.end(ended(`the embedding worker failed: ${cause}`, cause)));
  worker.on('exit', (code) => on.end(ended(`the embedding worker stopped (exit ${code})`)));
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    hold: (held) => void (held ? worker.ref() : worker.unref()),
    stop: async () => void (await keepRunning(worker.terminate())),
  };
}

/**
 * A process, which frees its memory when it ends: for training, which needs some hundred megabytes for some seconds.
 * The memory of a thread would stay in the allocator of the owner's process.
 */
export function processPeer(on: PeerEvents): Peer {
  const child = fork(fileURLToPath(entry), [], {
    serialization: 'advanced',
    execArgv: ['--no-warnings', '--max-semi-space-size=8'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Training needs no environment variables, so the process gets none that it could leak. With one arena of glibc's
    // allocator, its threads share freed memory instead of each keeping some.
    env: { MALLOC_ARENA_MAX: '1', ...compileCacheEnvironment() },
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
    if (error) on.end(ended(`the training process takes no work: ${error.message}`, error));
  };
  hold(false);
  child.on('message', on.message);
  child.on('error', failed);
  child.on('exit', (code, signal) => on.end(ended(`the training process stopped (${signal ?? `exit ${code}`})`)));
  return {
    post: (message) => void child.send(message as object, failed),
    hold,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await keepRunning(gone);
    },
  };
}
