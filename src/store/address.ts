import { existsSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IbidError } from '../core/errors.ts';
import { reasonOf } from '../core/files.ts';
import { hasLayout } from './shards/layout.ts';

export type Address =
  | { readonly kind: 'local'; readonly directory: string; readonly uri: string }
  | { readonly kind: 'memory'; readonly uri: string }
  | { readonly kind: 'remote'; readonly uri: string };

/**
 * Distinguishes a local folder from `memory://` and from the network addresses of LanceDB (`s3://`, `gs://`, `az://`,
 * `db://`, …). The tables of a local folder are in its subfolder `lance/`, so that the database never sees the lock
 * files.
 * @throws IbidError INVALID_ARGUMENT when the address is empty, or of a kind that the database would read as another
 */
export function parseAddress(address: string): Address {
  if (address.trim() === '') {
    throw new IbidError('INVALID_ARGUMENT', 'the address of the index is empty', {
      hint: 'Give a folder, "memory://" or an address such as "s3://bucket/path".',
    });
  }
  if (address.startsWith('memory://')) return { kind: 'memory', uri: address };
  if (address.startsWith('file://')) return local(fileURLToPath(address));
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(address)) return local(address);
  checkRemote(address);
  return { kind: 'remote', uri: address };
}

/**
 * The database reads an address as a URL: it drops what follows `?`, so that two addresses are one index, and puts all
 * tables in one place after `#`. A secret in an address would stand in every message about it; none is repeated here.
 */
function checkRemote(address: string): void {
  const [scheme = '', rest = ''] = address.split(/:\/\/(.*)/s);
  const [place = '', ...path] = rest.split('/');
  const refuse = (why: string, hint: string): never => {
    throw new IbidError('INVALID_ARGUMENT', `the ${scheme}:// address of the index ${why}`, { hint });
  };
  if (/:.*@/.test(place)) refuse('holds a password', 'Give credentials as `storageOptions`, or in the environment.');
  // `s3+ddb` names the table of its locks in the query
  if (scheme.toLowerCase() === 's3+ddb' ? rest.includes('#') : /[?#]/.test(rest))
    refuse('has "?" or "#"', 'Leave it out; credentials go into `storageOptions`, or the environment.');
  if (place === '' && !/^file/i.test(scheme)) refuse('names no container', `Write ${scheme}://<container>/<path>.`);
  if (path.slice(0, -1).includes('') || rest.includes('\\'))
    refuse('has "//" or a backslash in its path', 'Separate the parts of the path by one "/".');
}

const TABLE = '.lance';
/** The table that every index has. */
const META = `meta${TABLE}`;

/** True for the folder of an index; `lance/` below the folder is meant by its parent. */
export function isIndexFolder(directory: string): boolean {
  return existsSync(join(directory, 'lance', META)) || hasLayout(directory);
}

function local(path: string): Address {
  const directory = resolve(path);
  return { kind: 'local', directory, uri: resolve(directory, 'lance') };
}

/** The folder for copies of what a table holds, beside a local index; undefined for another. */
export function copiesFolder(address: Address, table: string): string | undefined {
  return address.kind === 'local' ? join(address.directory, 'copies', table) : undefined;
}

/** Tells an index that this user may not look at from one that is not there. @throws IbidError FILE_UNREADABLE */
export function checkEntrance({ directory, uri }: Address & { readonly kind: 'local' }): void {
  try {
    statSync(join(uri, META));
  } catch (cause) {
    const code = reasonOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    throw new IbidError('FILE_UNREADABLE', `the index folder ${directory} cannot be opened: ${code}`, { cause });
  }
}

/** A folder for files that nobody else sees: that of the locks, which each writer clears of what a killed one left. */
export function scratchFolder(address: Address): string {
  const locks = address.kind === 'local' ? join(address.directory, 'locks') : '';
  return existsSync(locks) ? locks : tmpdir();
}

/** The tables of a local index, as the database names its folders. */
export function tablesIn(folder: string): Set<string> {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(TABLE));
    return new Set(names.map((name) => name.slice(0, -TABLE.length)));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw new IbidError('STORE_FAILED', `the tables in ${folder} cannot be listed: ${reasonOf(cause)}`, { cause });
  }
}
