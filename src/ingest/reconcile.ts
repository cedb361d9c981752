import { extname } from 'node:path';
import { IbidError } from '../core/errors.ts';
import { yieldToEventLoop } from '../core/event-loop.ts';
import type { CallOptions } from '../core/types.ts';
import { byteParsers } from '../read/formats.ts';
import { formats, isRecordingName } from '../read/names.ts';
import type { Manifest, ManifestEntry } from '../store/contract.ts';
import type { SourceItem } from './contract.ts';
import type { Items } from './items.ts';
import { type EarlierPlaces, type MovedFolder, matchMoved } from './moved.ts';
import { readingOrder, repeatedIn } from './reading-order.ts';
import { hashOf, SameContent } from './same-content.ts';

/**
 * The time of a document that was given by a program; no file can have it. No source removes such a document, whatever
 * its scope.
 */
export const GIVEN_MTIME = -8.64e15;

/** An item of the source whose document is in the index under another uri, with the same content. */
export interface RenamedItem {
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
  'FILE_OWN',
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

/** The work of a run. Every item and every covered manifest entry is in exactly one list. Items stand by number. */
export interface Plan {
  readonly added: Uint32Array;
  readonly updated: Uint32Array;
  readonly renamed: readonly RenamedItem[];
  /** Same content with a new time: only the manifest is updated. */
  readonly touched: Uint32Array;
  readonly removed: readonly ManifestEntry[];
  /** Folders whose documents were found elsewhere; of those that were found whole, `renamed` has the documents. */
  readonly moved: readonly MovedFolder[];
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
  /** What earlier runs have read. Absent: a folder that has moved is not looked for. */
  readonly earlier?: EarlierPlaces | undefined;
}

/** True for a file that could never be read: the manifest has it, but it is not a document. */
export function isFailureOnly(entry: ManifestEntry): boolean {
  return entry.failure !== undefined && entry.chunks === 0;
}

/**
 * Compares the items of a source with the manifest: size and time first. The content's hash decides in these cases:
 * another time with the same size, a source without times, or a new file with the size of a missing one (a rename, or a
 * folder that has moved).
 * @throws IbidError DELETE_GUARD when more than half of the covered documents would be removed and `force` is not set
 */
export async function reconcile(
  items: Items,
  manifest: Manifest,
  covers: (uri: string) => boolean,
  options: ReconcileOptions = {},
): Promise<Plan> {
  const { signal } = options;
  const verdicts = new Uint8Array(items.length);
  const skipped: ManifestEntry[] = [];
  const isReady = readiness(options);
  const diff = manifest.diff();
  const look = async (item: SourceItem, standing: 'waiting' | 'known', hasTime: boolean): Promise<Verdict> => {
    const entry = manifest.get(item.uri)!;
    const staysOut = standing === 'waiting' ? isFailureOnly(entry) : hasTime && staysSkipped(entry, item);
    if (standing === 'waiting' && (await isReady(entry))) return Verdict.updated;
    if (staysOut) skipped.push(entry);
    if (staysOut) return Verdict.none;
    if (standing === 'waiting') return Verdict.unchanged;
    const isSame = !entry.failure && entry.sizeBytes === item.sizeBytes;
    if (!isSame || (await hashOf(item, signal)) !== entry.contentHash) return Verdict.updated;
    return entry.mtimeMs === item.mtimeMs ? Verdict.unchanged : Verdict.touched;
  };
  let unchanged = 0;
  const emptied: ManifestEntry[] = [];
  for (let number = 0; number < items.length; number++) {
    if (number % ITEMS_PER_TURN === 0) await yieldToEventLoop();
    const item = items.at(number);
    const hasTime = item.mtimeMs > 0 && !options.verify;
    const standing = diff.compare(item.uri, item.sizeBytes, hasTime ? item.mtimeMs : Number.NaN);
    if (standing === 'repeated') items.repeated?.(number);
    const isClear = standing === 'new' || standing === 'unchanged' || standing === 'repeated';
    const verdict = isClear ? clear[standing] : await look(item, standing, hasTime);
    verdicts[number] = verdict;
    if (verdict === Verdict.updated) emptied.push(...emptiedDocument(item, manifest));
    if (verdict === Verdict.unchanged || verdict === Verdict.touched) unchanged++;
    if (verdict === Verdict.unchanged || verdict === Verdict.none) items.release?.(number);
  }
  leaveOutRepeated(items, verdicts);
  const missing: ManifestEntry[] = [];
  for (const uri of diff.missing()) {
    const entry = covers(uri) ? manifest.get(uri)! : undefined;
    if (entry && entry.mtimeMs !== GIVEN_MTIME) missing.push(entry);
  }
  const { renamed, gone } = await matchRenames(items, verdicts, missing, signal);
  const added = numbersOf(verdicts, Verdict.added);
  const { moved, renames, left } = options.earlier
    ? await matchMoved(items, added, manifest, covers, options.earlier, signal)
    : { moved: [], renames: new Map<number, RenamedItem>(), left: [] };
  for (const [number, rename] of renames) {
    renamed.push(rename);
    verdicts[number] = Verdict.none;
  }
  const leaving = [...gone, ...emptied];
  if (!options.force && leaving.length > 0) checkGuard(leaving, coveredBy(manifest, covers), emptied.length);
  const of = (verdict: Verdict): Uint32Array => numbersOf(verdicts, verdict);
  const [updated, touched] = [of(Verdict.updated), of(Verdict.touched)];
  return {
    added: of(Verdict.added),
    updated,
    renamed,
    touched,
    removed: [...gone, ...left],
    moved,
    unchanged,
    skipped,
  };
}

/** The decision about an item. */
const Verdict = { none: 0, unchanged: 1, added: 2, updated: 3, touched: 4 } as const;
type Verdict = (typeof Verdict)[keyof typeof Verdict];

const clear = { new: Verdict.added, unchanged: Verdict.unchanged, repeated: Verdict.none } as const;

/** Items between two turns of the event loop. */
const ITEMS_PER_TURN = 256;

function numbersOf(verdicts: Uint8Array, wanted: Verdict): Uint32Array {
  let count = 0;
  for (const verdict of verdicts) if (verdict === wanted) count++;
  const numbers = new Uint32Array(count);
  for (let number = verdicts.length - 1; number >= 0; number--)
    if (verdicts[number] === wanted) numbers[--count] = number;
  return numbers;
}

/** A new uri that a source gives twice; the manifest knows the others. */
function leaveOutRepeated(items: Items, verdicts: Uint8Array): void {
  const hash = (number: number): number => items.hashOf(number);
  const uri = (number: number): string => items.at(number).uri;
  const order = readingOrder(numbersOf(verdicts, Verdict.added), hash, uri);
  for (const number of [...repeatedIn(order, hash, uri)]) {
    items.repeated?.(number);
    verdicts[number] = Verdict.none;
    items.release?.(number);
  }
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
  items: Items,
  verdicts: Uint8Array,
  missing: readonly ManifestEntry[],
  signal: AbortSignal | undefined,
): Promise<{ renamed: RenamedItem[]; gone: ManifestEntry[] }> {
  const documents = missing.filter((entry) => !isFailureOnly(entry));
  const lost = new SameContent(documents);
  const renamed: RenamedItem[] = [];
  const taken = new Set<string>();
  for (const number of documents.length > 0 ? numbersOf(verdicts, Verdict.added) : []) {
    const item = items.at(number);
    const found = await lost.take(item, signal);
    if (found === undefined) continue;
    taken.add(found.entry.uri);
    renamed.push({ from: found.entry.uri, item, contentHash: found.contentHash });
    verdicts[number] = Verdict.none;
  }
  return { renamed, gone: missing.filter((entry) => !taken.has(entry.uri)) };
}

/** The document that is known of a file which has no bytes now. */
export function emptiedDocument({ uri, sizeBytes, mtimeMs }: SourceItem, manifest: Manifest): readonly ManifestEntry[] {
  const entry = sizeBytes === 0 && mtimeMs !== GIVEN_MTIME ? manifest.get(uri) : undefined;
  return entry && entry.chunks > 0 ? [entry] : [];
}

/**
 * @param emptied how many of `gone` have a file without bytes
 * @throws IbidError DELETE_GUARD when `gone` holds more than half of the documents in `all`
 */
export function checkGuard(gone: Iterable<ManifestEntry>, all: Iterable<ManifestEntry>, emptied: number = 0): void {
  const leaving = countDocuments(gone);
  const documents = countDocuments(all);
  if (leaving * 2 <= documents) return;
  const empty = emptied > 0 ? `, ${emptied} of them with a file that has no bytes now` : '';
  throw new IbidError(
    'DELETE_GUARD',
    `this would remove ${leaving} of the ${documents} documents in its scope${empty}`,
    {
      hint: 'If they are meant to go, run again with `force: true`. Nothing was changed.',
    },
  );
}

function countDocuments(entries: Iterable<ManifestEntry>): number {
  let count = 0;
  for (const entry of entries) if (!isFailureOnly(entry)) count++;
  return count;
}
