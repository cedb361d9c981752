import { createHash } from 'node:crypto';
import { objectOf } from '../../core/arguments.ts';
import { unlessAborted } from '../../core/async.ts';
import { isRecord } from '../../core/records.ts';
import type { Alignment, VoiceSegment } from '../../wire/audio/alignment.ts';
import type { SpeechRequest } from '../../wire/audio/speech-request.ts';

/** A finished segment as it is kept. */
export interface StoredSegment {
  /** Sound without any container. */
  readonly audio: Uint8Array;
  readonly requestId: string | undefined;
  readonly credits: number | undefined;
  /** Times from the segment's own start. */
  readonly alignment: Alignment | null;
  /** Dialogue only: who speaks when, from the part's own start. */
  readonly voiceSegments?: readonly VoiceSegment[] | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** The store of finished segments: a folder, a table, or a `Map` with these methods. */
export interface SegmentStore {
  /** @param key hash of all that shapes the sound @returns undefined where nothing is kept under it */
  get(key: string): Promise<StoredSegment | undefined>;
  /** Resolves when the segment is safe. */
  put(key: string, segment: StoredSegment): Promise<void>;
}

/**
 * What ends a request: where its sound is kept, only the caller's own abort. Another request that fails would leave it
 * billed, and without its sound.
 */
export function signalOf(
  { store, signal }: { readonly store?: SegmentStore | undefined; readonly signal?: AbortSignal | undefined },
  run: AbortSignal,
): AbortSignal | undefined {
  return store === undefined ? run : signal;
}

/** Segments that are being made, by store and key. */
const underWay = new WeakMap<SegmentStore, Map<string, Promise<StoredSegment>>>();

/**
 * A segment of the store, else a new one that is put there. Who asks for one that is being made waits for it: two equal
 * ones are paid once. When that one fails, its waiters make it themselves.
 */
export async function keptOrMade(
  store: SegmentStore | undefined,
  key: string,
  signal: AbortSignal | undefined,
  make: () => Promise<StoredSegment>,
): Promise<StoredSegment & { readonly fromStore: boolean }> {
  if (store === undefined) return { ...(await make()), fromStore: false };
  const making = underWay.get(store) ?? new Map<string, Promise<StoredSegment>>();
  underWay.set(store, making);
  for (;;) {
    const other = making.get(key);
    if (!other) break;
    const made = await unlessAborted(() => other.catch(() => undefined), signal);
    if (made) return { ...made, fromStore: true };
  }
  let isKept = false;
  const segment = (async () => {
    const kept = await store.get(key);
    if (kept !== undefined) {
      isKept = true;
      return kept;
    }
    const made = await make();
    await store.put(key, made);
    return made;
  })().finally(() => making.delete(key));
  making.set(key, segment);
  return { ...(await segment), fromStore: isKept };
}

/** A store that lives as long as the program. */
export function memorySegments(): SegmentStore & { readonly size: number } {
  const kept = new Map<string, StoredSegment>();
  return {
    get: async (key) => kept.get(key),
    put: async (key, segment) => {
      kept.set(key, segment);
    },
    get size() {
      return kept.size;
    },
  };
}

/** JSON with sorted keys, so that the order of fields does not matter. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );

/** Hex digest of a value's canonical JSON. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/**
 * Hash of everything that shapes a segment's sound: text, voice, model, settings, format, seed, language, dictionaries
 * with their versions, normalisation. The neighbours are not part of it: they shape intonation only, and their ids
 * change with every run.
 */
export function segmentKey(request: SpeechRequest, timestamps: boolean): string {
  const { previous_text, next_text, previous_request_ids, next_request_ids, enable_logging, ...shaping } = objectOf(
    request,
    'the request',
  );
  return hashOf({ ...shaping, timestamps });
}
