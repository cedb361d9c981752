import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { Watched } from './watch-owner.ts';

/** The thread of `watchOwner`. */
const { owner, memory } = workerData as Watched; // from `watchOwner` only

setInterval(
  () => {
    if (memory !== undefined && process.memoryUsage.rss() > memory.mostMb * 2 ** 20) {
      writeSync(2, `${memory.mark}\n`);
      process.kill(process.pid, 'SIGKILL');
    }
    if (process.ppid !== owner) process.kill(process.pid, 'SIGKILL');
  },
  memory === undefined ? 250 : 25,
);
