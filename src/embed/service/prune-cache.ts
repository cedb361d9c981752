/** Days that vectors are kept which no document of the index needs. */
export const KEPT_DAYS = 30;
const KEPT_MS = KEPT_DAYS * 86_400_000;
/** The documents are examined when the number of stored vectors has grown by this factor since the last time. */
const GROWTH = 1.2;
const NOTE = 'unneeded';

/** The operations of the vector cache that pruning needs. Keys are of all models. */
export interface PrunableCache {
  keys(): Promise<string[]>;
  remove(keys: readonly string[]): Promise<void>;
  note(name: string): Promise<string | undefined>;
  putNote(name: string, text: string): Promise<void>;
}

interface Found {
  /** Number of keys after the last examination. */
  readonly kept: number;
  /** Keys that no document needs, with the time of the first such finding, in ms since 1970. */
  readonly since: Readonly<Record<string, number>>;
}

async function lastFound(cache: Pick<PrunableCache, 'note'>): Promise<Found | undefined> {
  const noted = await cache.note(NOTE);
  return noted === undefined ? undefined : (JSON.parse(noted) as Found); // written below
}

/** Number of stored entries that no document needed at the last examination. */
export async function countUnneeded(cache: Pick<PrunableCache, 'note'>): Promise<number> {
  return Object.keys((await lastFound(cache))?.since ?? {}).length;
}

/**
 * Deletes vectors that no document of the index has needed for thirty days: of edited or removed texts, of runs that
 * were stopped, and of web pages. The time counts from the first finding, so that an interrupted run, a reverted edit
 * or a trial of another model finds its vectors again. Vectors of texts in the index stay, for every model.
 * @param documents number of documents in the index
 * @param needed reads all documents, which is slow; only called when the number of vectors has grown by a fifth or some
 * are due
 * @returns the number of deleted entries
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
