import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { IbidError } from '../../core/errors.ts';
import { ownMarks, refuseOwn } from '../../core/own-files.ts';
import type { Transcript } from '../../transcribe/contract.ts';
import { transcriptOfJson } from '../../transcribe/json.ts';
import { decodeBytes } from '../encoding.ts';
import { transcriptOfCaptions } from './captions.ts';

/** Extensions of transcripts, the exactest first: JSON has the times of words. */
const KINDS = ['json', 'vtt', 'srt', 'sbv'] as const;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$/;

/** Files that belong to a recording, by the names in its folder. */
export interface Beside {
  /** The transcript that is used. */
  readonly transcript: string;
  /** All that say the same and are no documents of their own; with `transcript`. */
  readonly names: readonly string[];
}

/**
 * The transcript of a recording among its neighbours: `talk.mp3` goes with `talk.json`, `talk.vtt`, `talk.srt`,
 * `talk.sbv`, with `talk.mp3.vtt`, and, when there is none of these, with `talk.en.vtt`.
 * @param names of the files in its folder
 */
export function transcriptBeside(recording: string, names: ReadonlySet<string>): Beside | undefined {
  const stem = recording.slice(0, recording.length - extname(recording).length);
  const plain = KINDS.flatMap((kind) => [`${stem}.${kind}`, `${recording}.${kind}`]).filter((name) => names.has(name));
  if (plain.length > 0) return { transcript: plain[0]!, names: plain };
  const translated = [...names].filter((name) => {
    if (!name.startsWith(`${stem}.`) || !KINDS.some((kind) => kind !== 'json' && name.endsWith(`.${kind}`)))
      return false;
    return LANGUAGE.test(name.slice(stem.length + 1, name.lastIndexOf('.')));
  });
  const first = translated.sort()[0];
  return first === undefined ? undefined : { transcript: first, names: [first] };
}

/**
 * Whether a JSON file looks like a transcript, by its beginning and its end: other JSON beside a recording stays its
 * own document. Whisper writes the whole text before anything else, and the beginning may end inside it.
 */
export function looksLikeTranscript(head: string, tail: string): boolean {
  if (/^\s*\{\s*"text"\s*:\s*"(?:[^"\\]|\\.)*\\?$/.test(head)) return /"(?:language|start|end)"\s*:/.test(tail);
  return /^\s*\{[\s\S]*?"(?:words|transcripts|segments|language_code|transcription_id|transcription)"\s*:/.test(head);
}

/**
 * Reads a transcript file.
 * @throws IbidError FILE_DAMAGED when nothing in it is a transcript, FILE_OWN
 */
export async function readTranscript(path: string): Promise<Transcript> {
  const { text } = decodeBytes(await readFile(path), undefined);
  if (!path.toLowerCase().endsWith('.json')) {
    refuseOwn(text, ownMarks.captions);
    return transcriptOfCaptions(text);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new IbidError('FILE_DAMAGED', 'the transcript beside the recording is no JSON', { cause });
  }
  const transcript = transcriptOfJson(value);
  if (transcript === undefined) throw new IbidError('FILE_DAMAGED', 'the JSON beside the recording is no transcript');
  return transcript;
}
