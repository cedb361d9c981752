import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { IbidError } from '../core/errors.ts';
import { type GivenNames, stateOfRecording, withBeside } from '../ingest/recordings.ts';
import { withSurroundings } from '../ingest/surroundings.ts';
import type { SourceFiles } from '../passages/show.ts';
import { isRecordingName } from '../read/names.ts';
import type { ManifestEntry } from '../store/contract.ts';
import type { IndexParts } from './parts.ts';

/** The file that a document was read from. */
export interface SourceFile {
  readonly uri: string;
  /** Absolute. */
  readonly path: string;
  readonly format: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/**
 * The file of a document, where it is as it was read: no link, and of the same size and time. Another file in its place
 * was never part of the index.
 * @param format undefined: the index has no such document
 * @param names that apply to the speakers of a recording
 * @throws IbidError CITATION_NOT_FOUND, CONFLICT
 */
export async function fileOf(
  base: string,
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
  if (!now.isFile() || state.sizeBytes !== entry.sizeBytes || state.mtimeMs !== entry.mtimeMs)
    throw new IbidError('CONFLICT', `the file of "${uri}" has changed since it was indexed`, {
      hint: 'The next ingest reads it again.',
    });
  return { uri, format, ...file };
}

/** The files of an index, for whoever compares a document with its own. */
export function sourceFilesOf({ base, session, recordings, reader }: IndexParts): SourceFiles {
  return {
    base,
    reader: reader(),
    entry: async (name) => (await (await session.store()).manifest()).get(name),
    names: (name) => recordings.namesOf(name),
  };
}

/** As `fileOf`, of a document that was found in the index. */
export async function sourceFileOf(
  { base, session, recordings }: IndexParts,
  uri: string,
  document: { readonly format: string } | undefined,
): Promise<SourceFile> {
  const entry = document && (await (await session.store()).manifest()).get(uri);
  return await fileOf(base, uri, document?.format, entry, document && (await recordings.namesOf(uri)));
}
