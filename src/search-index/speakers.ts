import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { IbidError } from '../core/errors.ts';
import type { Locator } from '../core/types.ts';
import type { Snapshot } from '../store/contract.ts';
import { sqlString } from '../store/sql.ts';

/** One speaker of a recording. */
export interface RecordedSpeaker {
  /** From 1, in the order of their first words. */
  readonly number: number;
  readonly name: string;
  /** Time of all words, and of the first one. */
  readonly spokenMs: number;
  readonly firstMs: number;
  /** The beginning of what is said first. */
  readonly says: string;
}

const SAYS_CHARS = 80;

/** The speakers of a recording. @throws IbidError CITATION_NOT_FOUND, INVALID_ARGUMENT for another document */
export async function speakersOf(snapshot: Snapshot, uri: string): Promise<RecordedSpeaker[]> {
  const { ordinals } = await snapshot.filter(`uri = ${sqlString(uri)}`);
  const chunks = await snapshot.fetch(ordinals);
  const [first] = chunks;
  if (!first) throw new IbidError('CITATION_NOT_FOUND', `the index has no document "${uri}"`);
  if (first.format !== 'recording') throw new IbidError('INVALID_ARGUMENT', `"${uri}" is no recording`);
  const names = typeof first.metadata.speakers === 'string' ? first.metadata.speakers.split('; ') : [];
  const text = chunks.map((chunk) => chunk.text).join('');
  const words = chunks.flatMap(({ locators }) => locators).filter(isWord);
  return names.map((name, i) => {
    const own = words.filter(({ speaker }) => speaker === name);
    const from = own[0]?.start ?? 0;
    const end = Math.min(from + SAYS_CHARS, text.indexOf('\n', from) === -1 ? text.length : text.indexOf('\n', from));
    return {
      number: i + 1,
      name,
      spokenMs: own.reduce((sum, { timeMs }) => sum + timeMs![1] - timeMs![0], 0),
      firstMs: own[0]?.timeMs?.[0] ?? 0,
      says: own.length === 0 ? '' : text.slice(from, end),
    };
  });
}

/** Not the label of a speaker, which has a moment and no length. */
function isWord({ timeMs }: Locator): boolean {
  return timeMs !== undefined && timeMs[1] > timeMs[0];
}

/** Paths of a recording, or of all recordings below a folder. @throws IbidError INVALID_ARGUMENT when there is none */
export async function recordingPaths(snapshot: Snapshot, base: string, uri: string): Promise<string[]> {
  const below = uri === '' ? '' : ` AND (uri = ${sqlString(uri)} OR starts_with(uri, ${sqlString(`${uri}/`)}))`;
  const { ordinals } = await snapshot.filter(`position = 0 AND format = 'recording'${below}`);
  const uris = (await snapshot.fetch(ordinals)).map((chunk) => chunk.uri);
  const paths = uris.map((one) => resolve(base, one)).filter((path) => existsSync(path));
  if (paths.length > 0) return paths;
  throw new IbidError('INVALID_ARGUMENT', `the index has no recording "${uri}", and none below it`, {
    hint: 'Name a recording as hits of a search do, or a folder of recordings.',
  });
}

/** @throws IbidError INVALID_ARGUMENT for numbers that are meant for many recordings */
export function checkNames(
  names: Readonly<Record<string, string>>,
  uri: string,
  paths: readonly string[],
  base: string,
): void {
  const isOne = paths.length === 1 && paths[0] === resolve(base, uri);
  const number = Object.keys(names).find((speaker) => /^\d+$/.test(speaker));
  if (isOne || number === undefined) return;
  throw new IbidError('INVALID_ARGUMENT', `speaker ${number} is another person in each recording below "${uri}"`, {
    hint: 'Name speakers of a folder by what their transcripts call them, or one recording by number.',
  });
}
