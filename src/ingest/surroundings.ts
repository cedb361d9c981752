import { statSync } from 'node:fs';
import { peopleBeside } from '../read/chat/people.ts';
import type { FoundFile } from './walk.ts';

/**
 * The time of a file is that of all that makes its text: a sum, since an old list of people may take the place of
 * another.
 */
export function withPeople<File extends FoundFile>(file: File): File {
  const list = peopleBeside(file.path);
  return list === undefined ? file : { ...file, mtimeMs: file.mtimeMs + timeOf(list) };
}

/** 0 of a file that is not there, or that nobody may look at. */
function timeOf(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
