import type { Manifest, ManifestEntry } from '../store/contract.ts';
import { within } from './folder-source.ts';
import type { Items } from './items.ts';
import { GIVEN_MTIME, isFailureOnly, type Rename } from './reconcile.ts';
import { SameContent } from './same-content.ts';

/** Folders and files that earlier runs have read. */
export interface EarlierPlaces {
  /** Their uris. */
  readonly roots: readonly string[];
  /** Whether a file or folder is at a uri. */
  isThere(uri: string): boolean;
}

/** A folder of which no document is in its place, and some were found elsewhere by their content. */
export interface MovedFolder {
  /** Its uri; '.' is the base of the index. */
  readonly from: string;
  /** Documents of it that the index has. */
  readonly documents: number;
  /** How many were found. All: they have their new uris. Fewer: none has, and those that were found are stored twice. */
  readonly found: number;
}

/**
 * Looks among new items for the documents of folders that are away. A folder has moved when all of its documents are
 * found: part of them may also be a copy, made while a disk is away.
 * @param added numbers of the new items
 * @returns `left`: notes of files that could not be read in a folder that has moved
 */
export async function matchMoved(
  items: Items,
  added: Uint32Array,
  manifest: Manifest,
  covers: (uri: string) => boolean,
  { roots, isThere }: EarlierPlaces,
  signal: AbortSignal | undefined,
): Promise<{ moved: MovedFolder[]; renames: Map<number, Rename>; left: ManifestEntry[] }> {
  const moved: MovedFolder[] = [];
  const renames = new Map<number, Rename>();
  const left: ManifestEntry[] = [];
  const taken = new Set<string>();
  for (const root of added.length > 0 ? roots : []) {
    const isIn = ({ uri, mtimeMs }: ManifestEntry): boolean =>
      mtimeMs !== GIVEN_MTIME && within(uri, root) && !covers(uri) && !taken.has(uri);
    const entries = entriesAway(manifest, isIn, isThere(root) ? isThere : () => false);
    const documents = entries.filter((entry) => !isFailureOnly(entry));
    if (documents.length === 0) continue;
    const lost = new SameContent(documents);
    const found = new Map<number, Rename>();
    for (const number of added) {
      if (renames.has(number)) continue;
      const item = items.at(number);
      const same = await lost.take(item, signal);
      if (same) found.set(number, { from: same.entry.uri, item, contentHash: same.contentHash });
    }
    if (found.size > 0) moved.push({ from: root || '.', documents: documents.length, found: found.size });
    if (found.size < documents.length) continue;
    for (const [number, rename] of found) renames.set(number, rename);
    for (const { uri } of entries) taken.add(uri);
    left.push(...entries.filter(isFailureOnly));
  }
  return { moved, renames, left };
}

/** None where one of them is there. */
function entriesAway(
  manifest: Manifest,
  isIn: (entry: ManifestEntry) => boolean,
  isThere: (uri: string) => boolean,
): ManifestEntry[] {
  const entries: ManifestEntry[] = [];
  for (const entry of manifest.values()) {
    if (!isIn(entry)) continue;
    if (isThere(entry.uri)) return [];
    entries.push(entry);
  }
  return entries;
}
