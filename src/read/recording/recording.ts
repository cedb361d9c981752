import { basename } from 'node:path';
import { IbidError } from '../../core/errors.ts';
import type { ReadWarning } from '../../core/types.ts';
import { WAITS_FOR_TRANSCRIPT } from '../../core/waiting.ts';
import type { Transcript } from '../../transcribe/contract.ts';
import { readWavHeader } from '../../transcribe/wav.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { readTranscript } from './beside.ts';
import { readContainer } from './container.ts';
import type { RecordingInfo, RecordingInput } from './contract.ts';
import { recordingDocument } from './document.ts';
import { type RecordingType, recordingType } from './kinds.ts';
import { untranscribed } from './refusal.ts';

/** A recording as far as it can be read now. */
interface RecordingOutcome {
  readonly document?: ParsedDocument;
  /** Set when a transcript would say more. */
  readonly waits?: RecordingInfo;
}

type RecordingFile = { readonly path: string } | { readonly bytes: Uint8Array };

const unknown: RecordingInfo = {
  container: '',
  codec: '',
  durationMs: 0,
  channels: 0,
  chapters: [],
  hasVideo: false,
  warnings: [],
};

/**
 * A recording with the words that are there: a transcript that was made, one beside it, or lyrics inside it. A
 * transcript counts even where the recording is broken, with a warning.
 * @throws IbidError FILE_DAMAGED, FILE_ENCRYPTED, FILE_EMPTY (no sound, or nobody speaks), FILE_UNREADABLE
 */
export async function readRecording(
  file: RecordingFile,
  type: RecordingType,
  { beside, made, names }: RecordingInput,
  limits: { readonly maxTextChars: number },
): Promise<RecordingOutcome> {
  const warnings: ReadWarning[] = [];
  let words: { readonly transcript: Transcript; readonly from: string } | undefined;
  if (made) words = { transcript: made.transcript, from: made.by };
  else if (beside) {
    try {
      words = { transcript: await readTranscript(beside.path), from: basename(beside.path) };
      if (words.transcript.words.length === 0) words = undefined;
    } catch (error) {
      if (error instanceof IbidError && error.code === 'FILE_OWN') throw error; // so is the sound
      const { message } = error as Error; // whatever it is, the recording is read without it
      warnings.push({ code: 'TRANSCRIPT_UNREADABLE', message: `${basename(beside.path)}: ${message}` });
    }
  }
  let info: RecordingInfo;
  try {
    info = await readContainer(file, type);
    if ('path' in file && type === 'audio/wav') warnings.push(...(await cutWav(file.path)));
  } catch (error) {
    if (!words || !(error instanceof IbidError) || error.code === 'FILE_UNREADABLE') throw error;
    info = unknown;
    warnings.push({ code: 'RECORDING_UNREADABLE', message: `only its transcript is read: ${error.message}` });
  }
  const { lyrics } = info;
  if (!words && lyrics && 'words' in lyrics) words = { transcript: { words: lyrics.words }, from: 'lyrics' };
  const all = { ...info, warnings: [...info.warnings, ...warnings] };
  if (words) {
    const document = recordingDocument({ info: all, names, ...words }, limits);
    if (document.locators.length === 0) throw new IbidError('FILE_EMPTY', 'nobody speaks in the recording');
    return { document };
  }
  const plain = lyrics && 'text' in lyrics ? lyrics.text : undefined;
  if (plain !== undefined) {
    const document = recordingDocument({ info: all, transcript: { words: [] }, from: 'lyrics' }, limits);
    return { document: withText(document, plain) };
  }
  if (info.chapters.length === 0) return { waits: all };
  const document = recordingDocument({ info: all, transcript: { words: [] } }, limits);
  const warning = {
    code: WAITS_FOR_TRANSCRIPT,
    message: 'only the chapters are known; a transcript beside it would be read',
  };
  return { document: { ...document, warnings: [...document.warnings, warning] }, waits: all };
}

/** A recording inside another file, such as an attachment. @throws IbidError FILE_UNTRANSCRIBED, and as above */
export async function parseRecording(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const { document, waits } = await readRecording({ bytes }, recordingType(bytes) ?? 'audio/mpeg', {}, context);
  if (document) return document;
  throw untranscribed(waits!); // one of the two is set
}

async function cutWav(path: string): Promise<ReadWarning[]> {
  const header = await readWavHeader(path);
  if (header?.dataBytes === 0) throw new IbidError('FILE_EMPTY', 'the recording lasts 0 seconds');
  if (!header || header.missingBytes === 0) return [];
  const whole = header.dataBytes + header.missingBytes;
  const share = Math.round((100 * header.dataBytes) / whole);
  return [{ code: 'RECORDING_CUT', message: `the file is cut short: it holds ${share} % of its sound` }];
}

/** Text without times below what is known already. */
function withText(document: ParsedDocument, text: string): ParsedDocument {
  const body = text.replace(/\r\n?/g, '\n').trim();
  const before = document.text === '' ? '' : `${document.text}\n\n`;
  const start = before.length;
  const end = start + body.length;
  return { ...document, text: before + body, blocks: [...document.blocks, { kind: 'paragraph', start, end }] };
}
