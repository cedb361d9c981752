import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import { within } from '../ingest/folder-source.ts';
import { checkGuard, GIVEN_MTIME } from '../ingest/reconcile.ts';
import type { ManifestEntry } from '../store/contract.ts';
import type { IndexParts, OpenParts } from './parts.ts';
import { openIngestSession } from './writing.ts';

/** Removes documents by uri, or all below a folder's uri. @throws IbidError DELETE_GUARD */
export async function removeDocuments(
  parts: IndexParts,
  given: readonly string[],
  { force, signal: asked }: CallOptions & { readonly force?: boolean | undefined },
): Promise<{ readonly removed: readonly string[] }> {
  await parts.session.store();
  const signal = parts.session.until(asked);
  const writing = await openIngestSession(parts, { signal });
  try {
    const manifest = await writing.manifest();
    const uris = given.map((uri) => uri.toWellFormed()); // as they are stored
    const scopes = new Set(uris.map((uri) => uri.replace(/\/$/, '').replace(/^\.$/, '')));
    // a document that a program added is in a folder only where its uri begins with the folder's
    const wide = [...scopes].filter((scope) => !/[^./]/.test(scope));
    for (const scope of wide) scopes.delete(scope);
    const isMeant = ({ uri, mtimeMs }: ManifestEntry): boolean =>
      isBelowAny(uri, scopes) || (mtimeMs !== GIVEN_MTIME && wide.some((scope) => within(uri, scope)));
    const gone: ManifestEntry[] = [...manifest.values()].filter(isMeant);
    const exactly = new Set(uris);
    if (!force)
      checkGuard(
        gone.filter(({ uri }) => !exactly.has(uri)),
        manifest.values(),
      );
    signal.throwIfAborted();
    await writing.removeDocuments(gone.map(({ uri }) => uri));
    if (gone.length > 0) await writing.finish();
    return { removed: gone.map(({ uri }) => uri) };
  } finally {
    await writing.close();
    await parts.session.written();
  }
}

/** True for a uri that is named, and for one below a named folder. */
function isBelowAny(uri: string, named: ReadonlySet<string>): boolean {
  for (let end = uri.indexOf('/'); end >= 0; end = uri.indexOf('/', end + 1))
    if (named.has(uri.slice(0, end))) return true;
  return named.has(uri);
}

/** Deletes web pages that were read before a date. @returns how many @throws IbidError INVALID_ARGUMENT */
export async function removeWebPages(
  { session, web }: Pick<OpenParts, 'session' | 'web'>,
  before: Date,
  options: CallOptions,
): Promise<number> {
  if (!(before instanceof Date) || Number.isNaN(before.getTime()))
    throw new IbidError('INVALID_ARGUMENT', 'the date is not valid');
  await session.store();
  return await web.snapshots.removeBefore(before, options);
}
