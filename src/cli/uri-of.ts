import { relative, resolve, sep } from 'node:path';
import type { DocumentPageOptions, SearchIndex } from '../index.ts';

/**
 * The uri of the document or folder that a word names: as a path, else as a uri. '' is the base of the index, '..' is
 * above it. Undefined where nothing of the index is there.
 * @param unread uris that the index knows besides its documents
 */
export async function uriOf(
  index: SearchIndex,
  word: string,
  unread: () => Promise<readonly string[]> = async () => [],
): Promise<string | undefined> {
  const path = relative(index.base, resolve(word)).replaceAll(sep, '/');
  if (isAboveAll(path)) return path;
  for (const uri of [path, word.replace(/\/+$/, '')]) {
    const isThere = async (where: DocumentPageOptions['where']): Promise<boolean> =>
      (await index.documentPage({ where, limit: 1 })).total > 0;
    if ((await isThere({ uri })) || (await isThere({ uri: { gte: `${uri}/`, lt: `${uri}0` } }))) return uri;
    if ((await unread()).some((one) => one === uri || one.startsWith(`${uri}/`))) return uri;
  }
  return undefined;
}

/** Whether a uri of `uriOf` is the base, or a folder above it. */
export function isAboveAll(uri: string): boolean {
  return /^(\.\.(\/|$))*$/.test(uri);
}
