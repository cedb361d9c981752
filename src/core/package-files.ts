import { readFileSync } from 'node:fs';

/** The folder of the sources, or of what was built of them: this file is one folder below it in both. */
const root = new URL('../', import.meta.url);
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** A program of this package that runs as a thread or a process. @param path below `src`, without its ending */
export function ownProgram(path: string): URL {
  return new URL(path + ending, root);
}

/** A file or folder that comes with the package as it is. @param path below `src` */
export function ownAsset(path: string): URL {
  return new URL(path, root);
}

let read: string | undefined;

/** The version of this package. */
export function version(): string {
  read ??= (JSON.parse(readFileSync(new URL('../package.json', root), 'utf8')) as { version: string }).version; // ours
  return read;
}
