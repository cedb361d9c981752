import type { MetadataValue } from '../../core/types.ts';
import { oneLine } from '../../text/one-line.ts';
import type { SpokenWord, Transcript } from '../../transcribe/contract.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParsedDocument } from '../contract.ts';
import { cleanText } from '../normalise.ts';
import type { RecordingInfo, SpeakerNames } from './contract.ts';
import { endsSentence, sectionsOf, type Turn } from './turns.ts';

/** A word without an end lasts until the next one begins, but not longer, in ms. */
const MOMENT_MS = 2_000;
/** Longer names of speakers are cut, in characters. */
const NAME_CHARS = 80;

interface RecordingText {
  readonly info: Omit<RecordingInfo, 'lyrics'>;
  readonly transcript: Transcript;
  /** Where the words are from: a file name, the id of a transcriber, `lyrics`. Absent: there are none. */
  readonly from?: string | undefined;
  readonly names?: SpeakerNames | undefined;
}

/**
 * A recording as a document: chapters are headings, a paragraph is what one speaker says, and begins with the name.
 * Every word has a locator with its times and speaker, so that each span of the text has the times of its first and
 * last word.
 */
export function recordingDocument(
  { info, transcript, from, names = {} }: RecordingText,
  limits: { readonly maxTextChars: number },
): ParsedDocument {
  const builder = new DocumentBuilder('recording', limits);
  builder.title = info.title ?? '';
  for (const { code, message } of info.warnings) builder.warn(code, message);
  const speakers = new Speakers(transcript.words, names);
  const ends = endsOf(transcript.words);
  for (const { chapter, turns } of sectionsOf(transcript.words, info.chapters)) {
    if (chapter) {
      const place = { timeMs: [chapter.startMs, chapter.startMs] as const };
      builder.block({ kind: 'heading', level: 1 }, chapter.title, place);
    }
    for (const turn of turns) writeTurn(builder, turn, ends, speakers.nameOf(turn.speaker));
  }
  const facts: Readonly<Record<string, MetadataValue | undefined>> = {
    durationMs: info.durationMs || undefined,
    container: info.container || undefined,
    codec: info.codec || undefined,
    artist: info.artist,
    album: info.album,
    date: info.date,
    language: transcript.language,
    speakers: speakers.all.length > 0 ? speakers.all.join('; ') : undefined,
    transcript: from,
  };
  for (const [key, value] of Object.entries(facts)) if (value !== undefined) builder.metadata[key] = value;
  return builder.build();
}

/** The speakers of one transcript by their names. */
class Speakers {
  readonly #names = new Map<string, string>();

  constructor(words: readonly SpokenWord[], given: SpeakerNames) {
    for (const { speaker } of words) {
      if (speaker === undefined || this.#names.has(speaker)) continue;
      const number = this.#names.size + 1;
      const isId = /^(?:(?:speaker|spk)[_ -]?)?\d+$/i.test(speaker);
      const name = given[speaker] ?? given[String(number)] ?? (isId ? `Speaker ${number}` : speaker);
      // `;` parts the names in the metadata
      this.#names.set(speaker, oneLine(cleanText(name).replaceAll(';', ',')).slice(0, NAME_CHARS).toWellFormed());
    }
  }

  /** In the order of their first words: the place in the list is the number. Two numbers may have one name. */
  get all(): string[] {
    return [...this.#names.values()];
  }

  nameOf(speaker: string | undefined): string | undefined {
    return speaker === undefined ? undefined : this.#names.get(speaker);
  }
}

/** When words end that the transcript gives no length: a span of no time can be neither found nor played. */
function endsOf(words: readonly SpokenWord[]): ReadonlyMap<SpokenWord, number> {
  const ends = new Map<SpokenWord, number>();
  for (let i = words.length - 1; i >= 0; i--) {
    const { startMs, endMs } = words[i]!;
    if (endMs > startMs) continue;
    const next = words[i + 1];
    const nextMs = next && (next.startMs > startMs ? next.startMs : (ends.get(next) ?? next.endMs));
    const mostMs = startMs + MOMENT_MS;
    ends.set(words[i]!, nextMs !== undefined && nextMs > startMs ? Math.min(nextMs, mostMs) : mostMs);
  }
  return ends;
}

function writeTurn(
  builder: DocumentBuilder,
  { sentences, isFirst }: Turn,
  ends: ReadonlyMap<SpokenWord, number>,
  speaker: string | undefined,
): void {
  if (builder.length > 0) builder.append('\n\n');
  const start = builder.length;
  const named = speaker === undefined ? {} : { speaker };
  if (isFirst && speaker !== undefined) {
    const at = sentences[0]![0]!.startMs;
    builder.locate(builder.append(`${speaker}:`), { timeMs: [at, at], ...named });
    builder.append(' ');
  }
  for (const [i, sentence] of sentences.entries()) {
    for (const [w, word] of sentence.entries()) {
      const text = oneLine(cleanText(word.text));
      if (text === '') continue;
      if (w > 0 && !word.joined) builder.append(' ');
      // Where no mark ends a sentence, the line does.
      if (w === 0 && i > 0) builder.append(separatorBefore(sentences[i - 1]!.at(-1)!.text, word));
      builder.locate(builder.append(text), { timeMs: [word.startMs, ends.get(word) ?? word.endMs], ...named });
    }
  }
  builder.mark({ start, end: builder.length }, { kind: 'paragraph' });
}

function separatorBefore(before: string, { joined }: SpokenWord): string {
  if (!endsSentence(before)) return '\n';
  return joined ? '' : ' ';
}
