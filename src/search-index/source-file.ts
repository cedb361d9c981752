import { lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { IbidError } from '../core/errors.ts';
import { within } from '../ingest/folder-source.ts';
import { type GivenNames, stateOfRecording, withBeside } from '../ingest/recordings.ts';
import { withSurroundings } from '../ingest/surroundings.ts';
import type { SourceFiles } from '../passages/show.ts';
import { isRecordingName } from '../read/names.ts';
import type { ManifestEntry } from '../store/contract.ts';
import type { Store } from '../store/index.ts';
import type { IndexParts } from './parts.ts';
import { SOURCES, sourcesOf } from './sources.ts';

/** The file that a document was read from. */
export interface SourceFile {
  readonly uri: string;
  /** Absolute. */
  readonly path: string;
  readonly format: string;
  readonly sizeBytes: number;
  /** Of its last change, in ms since 1970. */
  readonly mtimeMs: number;
}

/**
 * The file of a document, where it is as it was read: no link, behind none, and of the same size and time. Another file
 * in its place was never part of the index.
 * @param sources uris of what was ingested
 * @param format undefined: the index has no such document
 * @param names that apply to the speakers of a recording
 * @throws IbidError CITATION_NOT_FOUND, CONFLICT
 */
async function fileOf(
  { base, sources }: { readonly base: string; readonly sources: readonly string[] },
  uri: string,
  format: string | undefined,
  entry: ManifestEntry | undefined,
  names?: GivenNames,
): Promise<SourceFile> {
  if (format === undefined || !entry) throw new IbidError('CITATION_NOT_FOUND', `the index has no document "${uri}"`);
  // documents of programs and collections have no time of a file
  if (entry.mtimeMs <= 0) throw new IbidError('CITATION_NOT_FOUND', `"${uri}" was given as text, there is no file`);
  const path = resolve(base, uri);
  const now = await lstat(path).catch(() => undefined);
  if (!now) throw new IbidError('CITATION_NOT_FOUND', `the file of "${uri}" is not there`);
  const file = { path, sizeBytes: now.size, mtimeMs: now.mtimeMs };
  // a recording was read together with the transcript beside it, under the names of its speakers
  const state = isRecordingName(path)
    ? stateOfRecording({ ...withBeside(file), given: names })
    : withSurroundings(file);
  const isAnother = !now.isFile() || (await isBehindLink(base, uri, sources));
  if (isAnother || state.sizeBytes !== entry.sizeBytes || state.mtimeMs !== entry.mtimeMs)
    throw new IbidError('CONFLICT', `the file of "${uri}" has changed since it was indexed`, {
      hint: 'The next ingest reads it again.',
    });
  return { uri, format, ...file };
}

/** An ingest follows no links below the paths it is given: a folder that has become one leads to files it never read. */
async function isBehindLink(base: string, uri: string, sources: readonly string[]): Promise<boolean> {
  const [root] = sources.filter((source) => within(uri, source)).sort((a, b) => b.length - a.length);
  if (root === undefined) return false;
  const top = resolve(base, root);
  for (let folder = dirname(resolve(base, uri)); folder.length > top.length; folder = dirname(folder))
    if ((await lstat(folder)).isSymbolicLink()) return true;
  return false;
}

/** The files of an index, for whoever compares a document with its own. */
export function sourceFilesOf({ base, session, recordings, reader }: IndexParts): SourceFiles {
  return {
    base,
    reader: reader(),
    entry: async (name) => (await manifestOf(await session.store())).get(name),
    names: (name) => recordings.namesOf(name),
  };
}

/** Without the shards that cannot be read: a document that was found is in another one. */
function manifestOf(store: Store): ReturnType<Store['manifest']> {
  return store.manifest({ onMissing: () => undefined });
}

/** As `fileOf`, of a document that was found in the index. */
export async function sourceFileOf(
  { base, session, recordings }: IndexParts,
  uri: string,
  document: { readonly format: string } | undefined,
): Promise<SourceFile> {
  const store = await session.store();
  const entry = document && (await manifestOf(store)).get(uri);
  const sources = sourcesOf(await store.getMeta(SOURCES)).flatMap(({ paths }) => paths);
  return await fileOf({ base, sources }, uri, document?.format, entry, document && (await recordings.namesOf(uri)));
}
