import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How long the parts of a run that was killed are kept for another try. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Removes parts that a run with a queue has left when it was killed, once they are a day old. Only who holds the lock
 * of the index may call this: then no run is alive that has parts.
 */
export async function removeLeftParts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []); // mostly there is no folder
  // a folder changes with each part that is written into it, and there are 257 at most
  const times = await Promise.all([folder, ...names.map((name) => join(folder, name))].map(timeOf));
  if (names.length > 0 && Math.max(...times) < Date.now() - KEPT_MS)
    await rm(folder, { recursive: true, force: true }).catch(() => {}); // another's: it harms nothing
}

/** Of what is gone, or cannot be looked at: it is not old. */
async function timeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Infinity,
  );
}
