import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the time of a piece of work. */
interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Removed when it is disposed of, and when the process exits before, as where a reader closes our output early. */
export async function temporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  const removeNow = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', removeNow);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      process.off('exit', removeNow);
      await rm(path, { recursive: true, force: true });
    },
  };
}
