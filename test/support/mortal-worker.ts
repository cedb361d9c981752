// A worker that is killed, as by the kernel, when it opens a file whose name says so: `mortal-worker.ts URL LOCK_MS`.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { stat } = fs.promises;
fs.promises.stat = ((path: string, options: never) => {
  if (path.endsWith('deadly.md')) process.kill(process.pid, 'SIGKILL');
  return stat(path, options);
}) as typeof stat;
syncBuiltinESMExports();
const { workUntilAborted } = await import('../../src/queue/worker.ts');
const [, , url, lockMs] = process.argv;
await workUntilAborted(url!, { concurrency: 3 }, Number(lockMs));
