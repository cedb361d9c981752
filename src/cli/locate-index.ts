import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const INDEX_FOLDER = '.ibid';

/** True for `memory://`, `s3://…`, `db://…`: anything LanceDB opens that is not a folder here. */
export function isRemoteAddress(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address) && !address.startsWith('file://');
}

/** The index a command means: `--index`, else the nearest `.ibid` here or in a parent folder, else `.ibid` here. */
export function locateIndex(option: string | undefined, cwd: string = process.cwd()): string {
  if (option !== undefined) return isRemoteAddress(option) ? option : resolve(cwd, option);
  for (let folder = cwd; ; folder = dirname(folder)) {
    const candidate = join(folder, INDEX_FOLDER);
    if (statSync(candidate, { throwIfNoEntry: false })?.isDirectory()) return candidate;
    if (dirname(folder) === folder) return join(cwd, INDEX_FOLDER);
  }
}
