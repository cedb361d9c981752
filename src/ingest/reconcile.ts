import { extname } from 'node:path';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import { byteParsers } from '../read/formats.ts';
import { formats, isRecordingName } from '../read/names.ts';
import type { Manifest, ManifestEntry } from '../store/contract.ts';
import type { SourceItem } from './contract.ts';

/**
 * The time of a document that was given by a program; no file can have it. No source removes such a document, whatever
 * its scope.
 */
export const GIVEN_MTIME = -8.64e15;

export interface Rename {
  readonly from: string;
  readonly item: SourceItem;
  readonly contentHash: string;
}

/**
 * Failures that say what a file is, not that reading went wrong. A scan waits for OCR, a recording for a transcript,
 * which another day may have.
 */
const SKIP_CODES: ReadonlySet<string> = new Set([
  'FILE_UNSUPPORTED',
  'FILE_EMPTY',
  'FILE_SCANNED',
  'FILE_UNTRANSCRIBED',
]);

/** Names that promise a document: one that no reader knows is broken, not of another kind. */
const documentNames: ReadonlySet<string> = new Set(
  Object.entries(formats).flatMap(([format, names]) => (format in byteParsers ? names : [])),
);

/** True for a file that holds nothing to index, and of which the index has no earlier version. */
export function isSkipped(entry: ManifestEntry): boolean {
  if (!isFailureOnly(entry)) return false;
  const { code } = entry.failure!; // as it is a failure
  const isDocument = documentNames.has(extname(entry.uri).slice(1).toLowerCase());
  return SKIP_CODES.has(code) && !(code === 'FILE_UNSUPPORTED' && isDocument);
}

/** The `contentHash` of a skipped file: which formats were known when it was skipped. */
export const skippedHash: string = `formats ${Object.keys(formats).length}`;

/** A skipped file of this size and time needs no second look, unless there are new formats. */
function staysSkipped(entry: ManifestEntry, item: SourceItem): boolean {
  return (
    isSkipped(entry) &&
    entry.contentHash === skippedHash &&
    entry.sizeBytes === item.sizeBytes &&
    entry.mtimeMs === item.mtimeMs
  );
}

/** The work of a run. Every item and every covered manifest entry is in exactly one list. */
export interface Plan {
  readonly added: SourceItem[];
  readonly updated: SourceItem[];
  readonly renamed: readonly Rename[];
  /** Same content with a new time: only the manifest is updated. */
  readonly touched: readonly SourceItem[];
  readonly removed: readonly ManifestEntry[];
  readonly unchanged: number;
  /** Files that were skipped before and are as they were. */
  readonly skipped: readonly ManifestEntry[];
}

export interface ReconcileOptions extends CallOptions {
  /** Hash every file instead of trusting size and time. @default false */
  readonly verify?: boolean | undefined;
  /** Allow the removal of more than half of the covered documents. @default false */
  readonly force?: boolean | undefined;
  /** Whether there is OCR now, asked once when something waits for it. Absent: what waits is read again. */
  readonly readsPictures?: ((options: CallOptions) => Promise<boolean>) | undefined;
  /** Whether recordings get transcripts now, as above. */
  readonly transcribes?: ((options: CallOptions) => Promise<boolean>) | undefined;
}

/** True for a file that could never be read: the manifest has it, but it is not a document. */
export function isFailureOnly(entry: ManifestEntry): boolean {
  return entry.failure !== undefined && entry.chunks === 0;
}

/**
 * Compares the items of a source with the manifest: size and time first. The content's hash decides in three cases:
 * another time with the same size, a source without times, or a new file with the size of a missing one (a rename).
 * @throws IbidError DELETE_GUARD when more than half of the covered documents would be removed and `force` is not set
 */
export async function reconcile(
  items: Iterable<SourceItem>,
  manifest: Manifest,
  covers: (uri: string) => boolean,
  options: ReconcileOptions = {},
): Promise<Plan> {
  const { signal } = options;
  const added: SourceItem[] = [];
  const updated: SourceItem[] = [];
  const touched: SourceItem[] = [];
  const skipped: ManifestEntry[] = [];
  const isReady = readiness(options);
  const diff = manifest.diff();
  let unchanged = 0;
  for (const item of items) {
    const hasTime = item.mtimeMs > 0 && !options.verify;
    const standing = diff.compare(item.uri, item.sizeBytes, hasTime ? item.mtimeMs : Number.NaN);
    if (standing === 'repeated') continue;
    if (standing === 'unchanged') {
      unchanged++;
      continue;
    }
    if (standing === 'new') {
      added.push(item);
      continue;
    }
    const entry = manifest.get(item.uri)!;
    if (standing === 'waiting') {
      if (await isReady(entry)) updated.push(item);
      else if (isFailureOnly(entry)) skipped.push(entry);
      else unchanged++;
      continue;
    }
    if (entry.failure) {
      if (hasTime && staysSkipped(entry, item)) skipped.push(entry);
      else updated.push(item);
      continue;
    }
    if (entry.sizeBytes === item.sizeBytes && (await hashOf(item, signal)) === entry.contentHash) {
      if (entry.mtimeMs === item.mtimeMs) unchanged++;
      else touched.push(item);
    } else {
      updated.push(item);
    }
  }
  const missing: ManifestEntry[] = [];
  for (const uri of diff.missing()) {
    const entry = covers(uri) ? manifest.get(uri)! : undefined;
    if (entry && entry.mtimeMs !== GIVEN_MTIME) missing.push(entry);
  }
  const { renamed, fresh, gone } = await matchRenames(added, missing, signal);
  if (!options.force && gone.length > 0) checkGuard(gone, coveredBy(manifest, covers));
  return { added: fresh, updated, renamed, touched, removed: gone, unchanged: unchanged + touched.length, skipped };
}

/** Whether what an entry waits for is there now; asked once for OCR and once for transcripts. */
function readiness({ readsPictures, transcribes, signal }: ReconcileOptions) {
  const once = (ask: typeof transcribes): (() => Promise<boolean>) => {
    let asked: Promise<boolean> | undefined;
    return () => {
      asked ??= ask?.({ signal }) ?? Promise.resolve(true);
      return asked;
    };
  };
  const [ocr, transcripts] = [once(readsPictures), once(transcribes)];
  return async ({ uri, failure }: ManifestEntry): Promise<boolean> => {
    const isRecording = failure ? failure.code === 'FILE_UNTRANSCRIBED' : isRecordingName(uri);
    return await (isRecording ? transcripts() : ocr());
  };
}

function* coveredBy(manifest: Manifest, covers: (uri: string) => boolean): Generator<ManifestEntry> {
  for (const entry of manifest.values()) if (covers(entry.uri) && entry.mtimeMs !== GIVEN_MTIME) yield entry;
}

async function matchRenames(
  added: readonly SourceItem[],
  missing: readonly ManifestEntry[],
  signal: AbortSignal | undefined,
): Promise<{ renamed: Rename[]; fresh: SourceItem[]; gone: ManifestEntry[] }> {
  const bySize = new Map<number, ManifestEntry[]>();
  for (const entry of missing) {
    if (isFailureOnly(entry)) continue;
    const list = bySize.get(entry.sizeBytes);
    if (list) list.push(entry);
    else bySize.set(entry.sizeBytes, [entry]);
  }
  const renamed: Rename[] = [];
  const fresh: SourceItem[] = [];
  const taken = new Set<string>();
  for (const item of added) {
    const sameSize = bySize.get(item.sizeBytes);
    if (!sameSize) {
      fresh.push(item);
      continue;
    }
    const contentHash = await hashOf(item, signal);
    // another extension may mean another format and so another text: that is a new document
    const from = sameSize.find(
      (entry) => entry.contentHash === contentHash && extname(entry.uri) === extname(item.uri) && !taken.has(entry.uri),
    );
    if (from && contentHash !== undefined) {
      taken.add(from.uri);
      renamed.push({ from: from.uri, item, contentHash });
    } else {
      fresh.push(item);
    }
  }
  return { renamed, fresh, gone: missing.filter((entry) => !taken.has(entry.uri)) };
}

/**
 * The hash of an item; `undefined` when the content cannot be read. The item is then loaded as changed, and `load`
 * reports the error.
 */
async function hashOf(item: SourceItem, signal: AbortSignal | undefined): Promise<string | undefined> {
  signal?.throwIfAborted();
  try {
    return await item.hash({ signal });
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/** @throws IbidError DELETE_GUARD when `gone` holds more than half of the documents in `all` */
export function checkGuard(gone: Iterable<ManifestEntry>, all: Iterable<ManifestEntry>): void {
  const leaving = countDocuments(gone);
  const documents = countDocuments(all);
  if (leaving * 2 <= documents) return;
  throw new IbidError('DELETE_GUARD', `this would remove ${leaving} of the ${documents} documents in its scope`, {
    hint: 'If they are meant to go, run again with `force: true`. Nothing was changed.',
  });
}

function countDocuments(entries: Iterable<ManifestEntry>): number {
  let count = 0;
  for (const entry of entries) if (!isFailureOnly(entry)) count++;
  return count;
}
