/** How long vectors are kept that no document of the index needs. */
export const KEPT_DAYS = 30;
const KEPT_MS = KEPT_DAYS * 86_400_000;
/** The documents are gone through when the kept vectors have grown by this factor since the last time. */
const GROWTH = 1.2;
const NOTE = 'unneeded';

/** Vectors that were paid for, of all models, as what prunes them sees them. */
export interface PrunableCache {
  keys(): Promise<string[]>;
  remove(keys: readonly string[]): Promise<void>;
  note(name: string): Promise<string | undefined>;
  putNote(name: string, text: string): Promise<void>;
}

interface Found {
  /** Keys that were kept when the documents were last gone through. */
  readonly kept: number;
  /** Keys that no document needs, and since when that is known, in ms since 1970. */
  readonly since: Readonly<Record<string, number>>;
}

async function lastFound(cache: Pick<PrunableCache, 'note'>): Promise<Found | undefined> {
  const noted = await cache.note(NOTE);
  return noted === undefined ? undefined : (JSON.parse(noted) as Found); // written below
}

/** How many kept entries no document needs, as far as the last look knows. */
export async function countUnneeded(cache: Pick<PrunableCache, 'note'>): Promise<number> {
  return Object.keys((await lastFound(cache))?.since ?? {}).length;
}

/**
 * Drops vectors that no document of the index needs and has needed for thirty days: those of texts that were edited or
 * removed, of runs that were given up, and of pages of the web. Counted from when that was first noticed, so that an
 * interrupted run, an edit that is taken back and a model that is tried for a week find what they paid for. Whatever
 * model they are of, vectors of texts that are in the index stay.
 * @param documents in the index
 * @param needed goes through the documents, which takes a while: only asked when the kept vectors have grown by a
 * fifth, or some are due
 * @returns how many entries were dropped
 */
export async function pruneVectorCache(
  cache: PrunableCache,
  documents: number,
  needed: () => Promise<ReadonlySet<string>>,
  nowMs: number,
): Promise<number> {
  const keys = await cache.keys();
  const last = await lastFound(cache);
  const isDue = (since: number): boolean => since <= nowMs - KEPT_MS;
  const hasDue = Object.values(last?.since ?? {}).some(isDue);
  if (!hasDue && keys.length <= GROWTH * (last?.kept ?? documents)) return 0;
  const wanted = await needed();
  const dropped: string[] = [];
  const since: Record<string, number> = {};
  for (const key of keys) {
    if (wanted.has(key)) continue;
    const from = last?.since[key] ?? nowMs;
    if (isDue(from)) dropped.push(key);
    else since[key] = from;
  }
  if (dropped.length > 0) await cache.remove(dropped);
  const found: Found = { kept: keys.length - dropped.length, since };
  await cache.putNote(NOTE, JSON.stringify(found));
  return dropped.length;
}
