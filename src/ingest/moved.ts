import type { Manifest, ManifestEntry } from '../store/contract.ts';
import type { IngestFailure } from './contract.ts';
import { within } from './folder-source.ts';
import type { Items } from './items.ts';
import { GIVEN_MTIME, isFailureOnly, type RenamedItem } from './reconcile.ts';
import { SameContent } from './same-content.ts';

/** Folders and files that earlier runs have read. */
export interface EarlierPlaces {
  /** Their uris. */
  readonly roots: readonly string[];
  /** Whether a file or folder is at a uri. */
  isThere(uri: string): boolean;
  /** The uri of the disk that a uri lay on, where that disk is not there now. Absent: no disk is known. */
  missingDisk?(uri: string): string | undefined;
}

/**
 * What a source covers, without what lay on a disk that is not there: a mount point without its disk is an empty folder,
 * and nothing in it was deleted.
 */
export function coveredNow(
  covers: (uri: string) => boolean,
  { missingDisk }: Pick<EarlierPlaces, 'missingDisk'> = {},
): (uri: string) => boolean {
  return missingDisk ? (uri) => covers(uri) && missingDisk(uri) === undefined : covers;
}

/** Places that a source covers, and that lay on a disk that is not there. */
export function withoutDisk(
  covers: (uri: string) => boolean,
  { roots, missingDisk }: EarlierPlaces,
): readonly IngestFailure[] {
  const away = missingDisk ? roots.filter((root) => covers(root) && missingDisk(root) !== undefined) : [];
  return away.map((uri) => ({
    uri: uri || '.',
    code: 'FILE_UNREADABLE',
    message: 'its disk is not there; documents of it that the index has stay',
  }));
}

/** A folder of which no document is in its place, and some were found elsewhere by their content. */
export interface MovedFolder {
  /** Its uri; '.' is the base of the index. */
  readonly from: string;
  /** Documents of it that the index has. */
  readonly documents: number;
  /**
   * How many were found. All, and no `disk`: they have their new uris. Else none has, and those that were found are
   * stored twice.
   */
  readonly found: number;
  /** The uri of the disk that the folder lay on, where the whole disk is away: what was found is a copy. */
  readonly disk?: string;
}

/**
 * Looks among new items for the documents of folders that are away. A folder has moved when all of its documents are
 * found: part of them may also be a copy. All of them are a copy, where the disk of the folder is away.
 * @param added numbers of the new items
 * @returns `left`: notes of files that could not be read in a folder that has moved
 */
export async function matchMoved(
  items: Items,
  added: Uint32Array,
  manifest: Pick<Manifest, 'has' | 'values'>,
  covers: (uri: string) => boolean,
  { roots, isThere, missingDisk }: EarlierPlaces,
  signal: AbortSignal | undefined,
): Promise<{ moved: MovedFolder[]; renames: Map<number, RenamedItem>; left: ManifestEntry[] }> {
  const moved: MovedFolder[] = [];
  const renames = new Map<number, RenamedItem>();
  const left: ManifestEntry[] = [];
  const places = roots.filter((root) => !covers(root));
  const away = added.length > 0 && places.length > 0 ? awayOf(manifest, covers, { roots: places, isThere }) : [];
  for (const { root, entries } of away) {
    const documents = entries.filter((entry) => !isFailureOnly(entry));
    const lost = new SameContent(documents);
    const found = new Map<number, RenamedItem>();
    for (const number of documents.length > 0 ? added : []) {
      if (renames.has(number)) continue;
      const item = items.at(number);
      const same = await lost.take(item, signal);
      if (same) found.set(number, { from: same.entry.uri, item, contentHash: same.contentHash });
    }
    if (found.size === 0) continue;
    const disk = missingDisk?.(root);
    const counts = { documents: documents.length, found: found.size };
    moved.push({ from: root || '.', ...counts, ...(disk !== undefined && { disk }) });
    if (!isWhole(moved.at(-1)!)) continue;
    for (const [number, rename] of found) renames.set(number, rename);
    left.push(...entries.filter(isFailureOnly));
  }
  return { moved, renames, left };
}

/** Whether the documents of a folder have their new uris. */
export function isWhole({ documents, found, disk }: MovedFolder): boolean {
  return found === documents && disk === undefined;
}

interface Away {
  readonly root: string;
  readonly entries: ManifestEntry[];
}

/** Folders of which nothing is in its place, with what the index has of each; of two that overlap, the inner one has it. */
function awayOf(
  manifest: Pick<Manifest, 'has' | 'values'>,
  covers: (uri: string) => boolean,
  { roots, isThere }: EarlierPlaces,
): readonly Away[] {
  const undecided = new Map<string, Away>();
  for (const root of roots) if (!(manifest.has(root) && isThere(root))) undecided.set(root, { root, entries: [] });
  const stays = new Map([...undecided.keys()].map((root) => [root, isThere(root)]));
  const wide = [...stays.keys()].filter((root) => !/[^./]/.test(root)); // '', '..': no uri below begins with it
  for (const entry of manifest.values()) {
    if (undecided.size === 0) return [];
    const { uri, mtimeMs } = entry;
    const root = mtimeMs === GIVEN_MTIME || covers(uri) ? undefined : rootOf(uri, stays, wide);
    const one = root === undefined ? undefined : undecided.get(root);
    if (one === undefined) continue;
    if (stays.get(one.root) && isThere(uri)) undecided.delete(one.root);
    else one.entries.push(entry);
  }
  return [...undecided.values()].filter(({ entries }) => entries.length > 0);
}

/** The nearest of some folders that a uri is in. */
function rootOf(uri: string, roots: ReadonlyMap<string, unknown>, wide: readonly string[]): string | undefined {
  for (let end = uri.length; end > 0; end = uri.lastIndexOf('/', end - 1))
    if (roots.has(uri.slice(0, end))) return uri.slice(0, end);
  return wide.find((root) => within(uri, root));
}
