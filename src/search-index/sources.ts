import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import type { IngestSummary } from '../ingest/contract.ts';
import { folderSource, uriOf, within } from '../ingest/folder-source.ts';
import { itemsOf } from '../ingest/items.ts';
import { coveredNow, type EarlierPlaces, isWhole } from '../ingest/moved.ts';
import { isFailureOnly, reconcile } from '../ingest/reconcile.ts';
import type { Manifest } from '../store/contract.ts';
import { disksOf, machineNow, missingDisk } from './disks.ts';
import type { IngestSession } from './ingest-session.ts';
import type { SearchIndexIngestOptions } from './options.ts';
import type { IndexParts } from './parts.ts';
import type { Finding } from './status.ts';

/** Files and folders that one ingest read, as uris, and what decides which of the files it found. */
export interface NotedSource {
  readonly paths: readonly string[];
  readonly hidden?: boolean | undefined;
  readonly leaveOut?: readonly string[] | undefined;
  /** Of `disksOf`; absent where the paths lie on the disk of the index. */
  readonly disks?: readonly string[] | undefined;
}

/** Key of the note with the sources that an index was made from. */
export const SOURCES = 'sources';

/** A program may ingest one file after the other. */
const MOST_SOURCES = 256;

export function sourceOf(
  base: string,
  paths: readonly string[],
  { hidden, leaveOut }: SearchIndexIngestOptions,
): NotedSource {
  const there = paths.map((path) => resolve(path)).filter((path) => existsSync(path));
  const uris = [...new Set(there.map((path) => uriOf(base, path)))].sort();
  const disks = disksOf(base, there);
  return {
    paths: uris,
    ...(hidden && { hidden }),
    ...(leaveOut?.length && { leaveOut }),
    ...(disks.length > 0 && { disks }),
  };
}

/**
 * Notes what an ingest has read. Writes nothing where the index knows it.
 * @param summary of the run: it names the folders whose documents are now elsewhere
 */
export async function noteSource(
  index: IngestSession,
  read: NotedSource,
  summary: IngestSummary,
  { missingDisk: missing }: Pick<EarlierPlaces, 'missingDisk'>,
): Promise<void> {
  const moved = movedFrom(summary);
  const away = read.paths.flatMap((uri) => missing?.(uri) ?? []); // is asked for in the next run, too
  const source = away.length > 0 ? { ...read, disks: [...new Set([...(read.disks ?? []), ...away])].sort() } : read;
  const noted = sourcesOf(await index.getNote(SOURCES));
  const known = moved.size > 0 ? noted.flatMap((one) => without(one, moved)) : noted;
  if (moved.size === 0 && known.some((one) => JSON.stringify(one) === JSON.stringify(source))) return;
  const others = known.filter((one) => !liesIn(one, source));
  if (moved.size === 0 && others.some((one) => liesIn(source, one))) return;
  await index.putNote(SOURCES, [...others, source].slice(-MOST_SOURCES));
}

/**
 * Says which documents may be missing where shards are made anew, and how they come back.
 * @param note under `SOURCES`
 * @param isDry nothing is made; a run that writes would
 */
export function refilledWarning(refilled: readonly string[], note: unknown, isDry: boolean): IbidError {
  const paths = sourcesOf(note).flatMap((source) => source.paths);
  const noted =
    paths.length > 0 ? ` (it was made from ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ', …' : ''})` : '';
  const isOne = refilled.length === 1;
  const [verb, past] = isOne ? ['is', 'was'] : ['are', 'were'];
  const become = isDry ? `${verb} gone and would be` : `${past} gone and ${verb}`;
  return new IbidError(
    'INDEX_NOT_FOUND',
    `${isOne ? 'shard' : 'shards'} ${refilled.join(', ')} of the index ${become} made anew, empty: documents that this run does not read ${isDry ? 'would be' : 'are'} missing`,
    {
      hint: `Ingest all folders of the index${noted}; what a program has added must be added again.`,
    },
  );
}

/** @param note of `noteSource` */
export const sourcesOf = (note: unknown): readonly NotedSource[] => (note ?? []) as readonly NotedSource[];

function without(source: NotedSource, gone: ReadonlySet<string>): readonly NotedSource[] {
  const paths = source.paths.filter((path) => !gone.has(path));
  return paths.length > 0 ? [{ ...source, paths }] : [];
}

/** Folders that a run has found elsewhere as a whole, as they are noted. */
function movedFrom({ moved = [] }: IngestSummary): ReadonlySet<string> {
  return new Set(moved.filter(isWhole).map(({ from }) => (from === '.' ? '' : from)));
}

/** What an ingest must know of earlier ones. @param note under `SOURCES` */
export function earlierPlaces(base: string, note: unknown): EarlierPlaces {
  const sources = sourcesOf(note);
  const roots = new Set(sources.flatMap(({ paths }) => paths));
  const mounts = sources.flatMap(({ disks = [] }) => disks);
  const machine = machineNow();
  return {
    roots: [...roots],
    isThere: (uri) => existsSync(resolve(base, uri)),
    missingDisk: (uri) => missingDisk(base, mounts, uri, machine),
  };
}

function liesIn({ paths }: NotedSource, whole: NotedSource): boolean {
  return paths.every((path) => whole.paths.some((folder) => within(path, folder)));
}

const ofMissing =
  'Bring back what is not there. If it was moved, or the index was, ingest its folder where it lies now: its documents ' +
  'keep their vectors. Or forget its documents with `remove`.';

/** What the next ingest of the noted sources would find. Size and time decide, and the content where an ingest reads it. */
export async function checkSources(parts: IndexParts, manifest: Manifest, options: CallOptions): Promise<Finding> {
  const note = await (await parts.session.store()).getMeta(SOURCES);
  const sources = sourcesOf(note);
  const places = earlierPlaces(parts.base, note);
  const paths = sources.flatMap((source) => source.paths);
  const away = paths.filter((path) => !places.isThere(path) || places.missingDisk?.(path) !== undefined);
  const missing = [...missed(away, manifest)];
  const changes = new Changes();
  for (const source of sources) {
    const there = source.paths.filter((path) => !away.includes(path));
    if (there.length > 0) await compare(parts, { ...source, paths: there }, places, manifest, changes, options);
  }
  const { unopened, ...changed } = changes;
  const counts = Object.entries(changed).flatMap(([how, { size }]) => (size > 0 ? [`${size} ${how}`] : []));
  const stale = [...manifest.values()].filter((entry) => entry.failure && entry.chunks > 0).length;
  const details = [
    ...counts,
    ...(counts.length === 0 && paths.length > away.length ? ['none has changed'] : []),
    ...(paths.length === 0 ? ['not compared, since no ingest of a folder has come to its end'] : []),
    ...(stale > 0 ? [`${stale} could not be read again (see status)`] : []),
    ...(unopened.size > 0 ? [`not compared, since not readable: ${[...unopened].slice(0, 5).join(', ')}`] : []),
    ...(missing.length > 0 ? [`not there: ${missing.slice(0, 5).join(', ')}`] : []),
  ];
  const hints = [
    ...(counts.length > 0 ? ['Ingest the same folders again.'] : []),
    ...(missing.length > 0 ? [ofMissing] : []),
  ];
  return {
    ...{ check: 'files', ok: true, detail: details.join(', ') },
    ...(hints.length > 0 && { hint: hints.join(' ') }),
  };
}

/**
 * Paths of which nothing is there, with how many documents the index still has of each, and how many of these it has
 * under other names too; none of one that it forgot.
 */
function* missed(away: readonly string[], manifest: Manifest): Generator<string> {
  for (const path of away) {
    const inside: string[] = [];
    const others = new Set<string>();
    for (const entry of manifest.values()) {
      if (isFailureOnly(entry)) continue;
      if (within(entry.uri, path)) inside.push(entry.contentHash);
      else others.add(entry.contentHash);
    }
    const twice = inside.filter((hash) => others.has(hash)).length;
    const also = twice > 0 ? `, ${twice} of them stored under other names too` : '';
    if (inside.length > 0) yield `${path} (${inside.length} ${inside.length === 1 ? 'document' : 'documents'}${also})`;
  }
}

/** Uris of files, by what became of them since they were read. */
class Changes {
  readonly changed: Set<string> = new Set();
  readonly gone: Set<string> = new Set();
  readonly new: Set<string> = new Set();
  readonly renamed: Set<string> = new Set();
  /** Folders that this user may not list. */
  readonly unopened: Set<string> = new Set();
}

async function compare(
  { base, database, reader, recordings }: IndexParts,
  { paths, hidden, leaveOut }: NotedSource,
  places: Pick<EarlierPlaces, 'missingDisk'>,
  manifest: Manifest,
  changes: Changes,
  { signal }: CallOptions,
): Promise<void> {
  const source = folderSource({
    ...{ paths: paths.map((path) => resolve(base, path)), base, reader: reader(), hidden, signal },
    leaveOut: leaveOut && { root: base, patterns: leaveOut },
    exclude: database.address.kind === 'local' ? database.address.directory : undefined,
    recordings: recordings.partsFor(undefined),
  });
  const items = await itemsOf(source.items({ signal }));
  for (const { uri } of source.unopened?.() ?? []) changes.unopened.add(uri);
  const never = async (): Promise<boolean> => false; // what waits for OCR or a transcript waits on
  const asked = { signal, force: true, readsPictures: never, transcribes: never };
  const covers = coveredNow((uri) => source.covers(uri), places);
  const plan = await reconcile(items, manifest, covers, asked);
  for (const number of plan.added) changes.new.add(items.at(number).uri);
  for (const { item } of plan.renamed) changes.renamed.add(item.uri);
  for (const entry of plan.removed) if (!isFailureOnly(entry)) changes.gone.add(entry.uri);
  for (const number of plan.updated) {
    const { uri, sizeBytes, mtimeMs } = items.at(number);
    const entry = manifest.get(uri);
    // an ingest tries again what it could not read
    const isAsBefore = entry?.failure && entry.sizeBytes === sizeBytes && entry.mtimeMs === mtimeMs;
    if (!isAsBefore) changes.changed.add(uri);
  }
}
