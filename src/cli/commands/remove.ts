import { resolve } from 'node:path';
import { uriOf } from '../../ingest/folder-source.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../errors.ts';

export interface RemoveFlags extends CommonFlags {
  readonly force?: boolean;
}

export async function removeCommand(
  paths: readonly string[],
  flags: RemoveFlags,
  signal: AbortSignal,
): Promise<number> {
  return await withIndex(flags, signal, async (index) => {
    const scopes = paths.flatMap((path) => [path, uriOf(index.base, resolve(path))]);
    const { removed } = await index.remove(scopes, { signal, force: flags.force });
    if (flags.json) printJson({ removed: removed.length, uris: removed });
    else
      console.log(
        removed.length === 0
          ? 'no document there'
          : `${removed.length} document${removed.length === 1 ? '' : 's'} removed`,
      );
    return exitCodes.done;
  });
}
