import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IbidError } from '../index.ts';
import { isRemoteAddress } from './config/remote.ts';
import { INDEX_VARIABLE, type Settings } from './config/settings.ts';

export const INDEX_FOLDER = '.ibid';

/** The index a command means. */
export interface IndexPlace {
  readonly address: string;
  /** The folder that uris of a new index are relative to. */
  readonly base: string;
  /** `--index`, `environment`, the path of a configuration, or `default`. */
  readonly origin: string;
}

/**
 * `--index`, else `IBID_INDEX`, else what the configuration says (its default: `.ibid` beside it), else the nearest
 * `.ibid` here or in a parent folder, else `.ibid` here.
 * @throws IbidError INVALID_ARGUMENT for an empty `--index`: as a path it would be the working folder; the failure of a
 * keys file that names the index and is not used
 */
export function locateIndex(
  { index, settings }: { readonly index?: string | undefined; readonly settings: Settings },
  cwd: string = process.cwd(),
): IndexPlace {
  const at = (address: string, folder: string): string =>
    isRemoteAddress(address) ? address : resolve(folder, address);
  if (index?.trim() === '')
    throw new IbidError('INVALID_ARGUMENT', 'the address of the index is empty', {
      hint: 'Name a folder, or leave out `--index`.',
    });
  if (index !== undefined) return { address: at(pathOf(index), cwd), base: cwd, origin: '--index' };
  const { file, environment, originOf, indexFailure } = settings;
  const named = environment[INDEX_VARIABLE];
  if (named === undefined && indexFailure) throw indexFailure;
  if (named) return { address: at(pathOf(named), cwd), base: file?.folder ?? cwd, origin: originOf(INDEX_VARIABLE)! };
  if (file) {
    const origin = file.values.index === undefined ? 'default' : file.path;
    return { address: at(file.values.index ?? INDEX_FOLDER, file.folder), base: file.folder, origin };
  }
  for (let folder = cwd; ; folder = dirname(folder)) {
    const candidate = join(folder, INDEX_FOLDER);
    if (statSync(candidate, { throwIfNoEntry: false })?.isDirectory())
      return { address: candidate, base: folder, origin: 'default' };
    if (dirname(folder) === folder) return { address: join(cwd, INDEX_FOLDER), base: cwd, origin: 'default' };
  }
}

/** Of a `file://` address, which the library takes too. A configuration has none: it names folders below its own. */
function pathOf(address: string): string {
  if (!address.startsWith('file://')) return address;
  try {
    return fileURLToPath(address);
  } catch (cause) {
    throw new IbidError('INVALID_ARGUMENT', `"${address}" is not the address of a file`, { cause });
  }
}
