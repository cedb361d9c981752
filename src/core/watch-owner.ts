import { ownProgram } from './package-files.ts';
import { startThread } from './start-thread.ts';

export interface Watched {
  readonly owner: number;
  readonly memory?: MemoryLimit | undefined;
}

interface MemoryLimit {
  readonly mostMb: number;
  /** What is written to stderr before the process ends. */
  readonly mark: string;
}

/**
 * Ends this process where the one that started it is gone, or where it takes more memory than it may. A thread watches:
 * work that gives no turn to a message would not hear of either.
 */
export function watchOwner(memory?: MemoryLimit): void {
  const workerData: Watched = { owner: process.ppid, memory };
  startThread(ownProgram('core/owner-watch'), { workerData }).unref();
}
