import { relative, resolve, sep } from 'node:path';
import { IbidError } from '../../index.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { boundHeap } from '../memory.ts';
import { say } from '../say.ts';

export interface RemoveFlags extends CommonFlags {
  readonly force?: boolean;
  /** `YYYY-MM-DD`. */
  readonly webBefore?: string;
}

export async function removeCommand(
  paths: readonly string[],
  flags: RemoveFlags,
  signal: AbortSignal,
): Promise<number> {
  const { webBefore } = flags;
  const before = webBefore === undefined ? undefined : new Date(webBefore);
  if (before && !(/^\d{4}-\d\d-\d\d$/.test(webBefore!) && !Number.isNaN(before.getTime()))) {
    throw new IbidError('INVALID_ARGUMENT', `--web-before needs a date such as 2026-01-31, not "${webBefore}"`);
  }
  if (paths.length === 0 && !before) {
    throw new IbidError('INVALID_ARGUMENT', 'nothing to remove was named', {
      hint: 'Name files or folders, or --web-before.',
    });
  }
  boundHeap();
  return await withIndex(flags, signal, async (index) => {
    const pages = before && (await index.removeWebPages(before, { signal }));
    if (pages !== undefined && !flags.json) say(`${pages} page${pages === 1 ? '' : 's'} of the web removed`);
    if (paths.length === 0) {
      if (flags.json) printJson({ removed: 0, uris: [], webPages: pages });
      return exitCodes.done;
    }
    const scopes = paths.flatMap((path) => [path, relative(index.base, resolve(path)).replaceAll(sep, '/')]);
    const { removed } = await index.remove(scopes, { signal, force: flags.force });
    if (flags.json)
      printJson({ removed: removed.length, uris: removed, ...(pages !== undefined && { webPages: pages }) });
    else
      say(
        removed.length === 0
          ? 'no document there'
          : `${removed.length} document${removed.length === 1 ? '' : 's'} removed`,
      );
    return exitCodes.done;
  });
}
