import { IbidError, type SearchIndex } from '../../index.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { boundHeap } from '../memory.ts';
import { say, tell } from '../say.ts';
import { counted, printableLine } from '../text.ts';
import { uriOf } from '../uri-of.ts';

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
  if (paths.includes('') || (paths.length === 0 && !before)) {
    throw new IbidError('INVALID_ARGUMENT', 'nothing to remove was named', {
      hint: 'Name files or folders, or --web-before.',
    });
  }
  boundHeap();
  return await withIndex(flags, signal, async (index) => {
    const pages = before && (await index.removeWebPages(before, { signal }));
    if (pages !== undefined && !flags.json) say(`${counted(pages, 'page')} of the web removed`);
    if (paths.length === 0) {
      if (flags.json) printJson({ removed: 0, uris: [], webPages: pages });
      return exitCodes.done;
    }
    const { uris, missing } = await named(index, paths, signal);
    const { removed } = uris.length > 0 ? await index.remove(uris, { signal, force: flags.force }) : { removed: [] };
    if (flags.json)
      printJson({ removed: removed.length, uris: removed, ...(pages !== undefined && { webPages: pages }) });
    else if (uris.length > 0) say(`${counted(removed.length, 'document')} removed`);
    for (const path of missing) tell(`no document was found in "${printableLine(path)}"`);
    return missing.length > 0 ? exitCodes.someFailed : exitCodes.done;
  });
}

/** The uris that paths name, and the paths where nothing is. A file that could not be read has a note that goes, too. */
async function named(
  index: SearchIndex,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly uris: readonly string[]; readonly missing: readonly string[] }> {
  let unread: Promise<readonly string[]> | undefined;
  const noted = (): Promise<readonly string[]> => {
    unread ??= index.status({ signal }).then(({ failed, skipped }) => [...failed, ...skipped].map(({ uri }) => uri));
    return unread;
  };
  const uris: string[] = [];
  const missing: string[] = [];
  for (const path of paths) {
    const uri = await uriOf(index, path, noted);
    if (uri === undefined) missing.push(path);
    else uris.push(uri === '' ? '.' : uri);
  }
  return { uris, missing };
}
