import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** Writes a file piece by piece: under its name it is whole, or not there. */
export async function writeWhole(path: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const unfinished = `${path}.new`;
  try {
    await using handle = await open(unfinished, 'w');
    await write(handle);
    await handle.sync();
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
