import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * A thread with code of ours. The flags of the caller's program are not for it: `--input-type` lets no thread start from
 * a file, and `--import` would run the caller's modules in each.
 */
export function startThread(entry: URL, options: Omit<WorkerOptions, 'execArgv'>): Worker {
  return new Worker(entry, { ...options, execArgv: [] });
}
