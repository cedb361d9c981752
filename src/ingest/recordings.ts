import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isRecordingName } from '../read/names.ts';
import { looksLikeTranscript, transcriptBeside } from '../read/recording/beside.ts';
import type { SpeakerNames } from '../read/recording/contract.ts';
import { sha256, sha256OfFile } from './content-hash.ts';
import type { FoundFile } from './walk.ts';

/** Bytes of a JSON file that are looked at. */
const HEAD_BYTES = 4096;

/** Names of speakers, and when they were given, in ms since 1970. */
export interface GivenNames {
  readonly names: SpeakerNames;
  readonly at: number;
}

/** A recording with what belongs to it. */
export interface FoundRecording extends FoundFile {
  /** The transcript beside it. */
  readonly beside?: FoundFile | undefined;
  readonly given?: GivenNames | undefined;
}

/**
 * Puts transcripts to the recordings they lie beside: they are no items of their own.
 * @param files of one folder
 */
export function pairRecordings(files: readonly FoundFile[]): readonly FoundRecording[] {
  if (!files.some(({ path }) => isRecordingName(path))) return files;
  const siblings = new Map(files.map((one) => [basename(one.path), one]));
  const belonging = new Set<string>();
  const paired = files.map((file): FoundRecording => {
    if (!isRecordingName(file.path)) return file;
    const found = besideOf(file.path, new Set(siblings.keys()));
    for (const name of found?.names ?? []) belonging.add(siblings.get(name)!.path);
    return { ...file, beside: found && siblings.get(found.transcript) };
  });
  return paired.filter(({ path }) => !belonging.has(path));
}

/** One recording with the transcript that lies beside it now, for a file that no walk has found. */
export function withBeside(file: FoundFile): FoundRecording {
  if (!isRecordingName(file.path)) return file;
  const folder = dirname(file.path);
  const found = besideOf(file.path, new Set(filesIn(folder)));
  if (!found) return file;
  const path = join(folder, found.transcript);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat ? { ...file, beside: { path, sizeBytes: stat.size, mtimeMs: stat.mtimeMs } } : file;
}

/** Files alone, as a walk takes them: neither folders nor links. Of a folder that cannot be listed, none. */
function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function besideOf(path: string, names: Set<string>): ReturnType<typeof transcriptBeside> {
  for (const name of names) {
    const isOther = name.toLowerCase().endsWith('.json') && !looksLikeTranscript(...endsOf(join(dirname(path), name)));
    if (isOther && couldBelong(name, basename(path))) names.delete(name);
  }
  return transcriptBeside(basename(path), names);
}

/** Only these few JSON files are opened. */
function couldBelong(name: string, recording: string): boolean {
  const stem = name.slice(0, -'.json'.length);
  return stem === recording || recording.startsWith(`${stem}.`);
}

function endsOf(path: string): [head: string, tail: string] {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      const textAt = (at: number): string => bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD_BYTES, at));
      return [textAt(0), textAt(Math.max(0, fstatSync(file).size - HEAD_BYTES))];
    } finally {
      closeSync(file);
    }
  } catch {
    return ['', '']; // gone, or not to be read: then it is no transcript
  }
}

/** Size and time of all that makes the text of a recording: sums, since an old file may take the place of another. */
export function stateOfRecording({ sizeBytes, mtimeMs, beside, given }: FoundRecording): Omit<FoundFile, 'path'> {
  return {
    sizeBytes: sizeBytes + (beside?.sizeBytes ?? 0),
    mtimeMs: mtimeMs + (beside?.mtimeMs ?? 0) + (given?.at ?? 0),
  };
}

/** Hash of all that makes the text of a recording; of the file alone, if there is no more. */
export async function hashOfRecording(
  { path, beside, given }: FoundRecording,
  signal: AbortSignal | undefined,
): Promise<string> {
  const own = await sha256OfFile(path, signal);
  if (!beside && !given) return own;
  return sha256(JSON.stringify([own, beside && (await sha256OfFile(beside.path, signal)), given?.names]));
}

/** The names that apply to a recording: those of the folders above it, then its own. @param all by uri */
export function namesFor(uri: string, all: ReadonlyMap<string, GivenNames>): GivenNames | undefined {
  if (all.size === 0) return undefined;
  const segments = uri.split('/');
  const scopes = segments.map((_, i) => segments.slice(0, i + 1).join('/'));
  const found = ['', ...scopes].flatMap((scope) => all.get(scope) ?? []);
  if (found.length === 0) return undefined;
  return { names: Object.assign({}, ...found.map(({ names }) => names)), at: Math.max(...found.map(({ at }) => at)) };
}
