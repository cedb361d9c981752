import { statSync } from 'node:fs';
import { besidesOf } from '../read/surroundings.ts';
import type { FoundFile } from './walk.ts';

/**
 * The time of a file is that of all that makes its text: a sum, since an old file may take the place of another beside
 * it.
 */
export function withSurroundings<File extends FoundFile>(file: File): File {
  const besides = besidesOf(file.path);
  return besides.length === 0
    ? file
    : { ...file, mtimeMs: besides.reduce((sum, path) => sum + timeOf(path), file.mtimeMs) };
}

/** 0 of a file that is not there, or that nobody may look at. */
function timeOf(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
