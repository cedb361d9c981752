import type { TranscriptionScript } from './script.ts';
import type { HeardTurn } from './transcriber.ts';

export interface TranscriptItem {
  readonly text: string;
  readonly start: number | null;
  readonly end: number | null;
  readonly type: 'word' | 'spacing' | 'audio_event';
  readonly speaker_id: string | null;
  readonly logprob: number;
  readonly characters: readonly { readonly text: string; readonly start: number; readonly end: number }[] | null;
  readonly channel_index: number | null;
}

export interface TranscriptOptions {
  readonly languageCode: string;
  readonly granularity: 'none' | 'word' | 'character';
  readonly diarize: boolean;
  readonly tagEvents: boolean;
  readonly roles: boolean;
  /** Items carry their channel (combined answers). */
  readonly channels: boolean;
  readonly numSpeakers: number;
}

const tidy = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** No spacing items in languages written without spaces. */
const unspaced = new Set(['ja', 'jpn', 'zh', 'cmn', 'yue', 'th', 'tha', 'lo', 'lao', 'my', 'mya']);

/** Words, spaces between them and audio events of some turns; their texts joined are the transcript. */
export function itemsOf(
  turns: readonly HeardTurn[],
  options: TranscriptOptions,
  script: TranscriptionScript,
): TranscriptItem[] {
  const items: TranscriptItem[] = [];
  const spaced = !unspaced.has(options.languageCode);
  const freeze = script.frozenAfterSeconds ?? Number.POSITIVE_INFINITY;
  const time = (seconds: number) => tidy(Math.min(seconds, freeze));
  for (const turn of [...turns].sort((a, b) => a.startSeconds - b.startSeconds)) {
    const words = turn.text.split(' ').filter((word) => options.tagEvents || !word.startsWith('('));
    const each = (turn.endSeconds - turn.startSeconds) / Math.max(1, words.length);
    for (const [at, word] of words.entries()) {
      const start = time(turn.startSeconds + at * each);
      // A word ends a little before the next begins; the space fills the gap, or by script reaches into both.
      const end = time(turn.startSeconds + (at + 0.85) * each);
      const common = {
        speaker_id: speakerOf(turn, options),
        channel_index: options.channels ? turn.channel : null,
      };
      if (items.length > 0 && spaced) {
        const reach = script.overlappingSpacing === true ? 0.02 : 0;
        const previous = items.at(-1)!;
        const from = at === 0 ? start : (previous.end ?? start);
        items.push({
          text: ' ',
          start: time(from - reach),
          end: time(start + reach),
          type: 'spacing',
          logprob: 0,
          characters: null,
          ...common,
        });
      }
      items.push({
        text: word,
        start,
        end,
        type: word.startsWith('(') ? 'audio_event' : 'word',
        logprob: -0.02 * (1 + (at % 5)),
        characters: options.granularity === 'character' ? charactersOf(word, start, end) : null,
        ...common,
      });
    }
  }
  if (script.nullTimes !== true) return items;
  return items.map((item, at) => (at % 3 === 2 ? { ...item, start: null, end: null } : item));
}

function speakerOf(turn: HeardTurn, { diarize, roles, numSpeakers }: TranscriptOptions): string | null {
  if (!diarize) return null;
  const speaker = Math.min(turn.speaker, numSpeakers - 1);
  return roles ? (speaker === 0 ? 'agent' : 'customer') : `speaker_${speaker}`;
}

function charactersOf(word: string, start: number, end: number): TranscriptItem['characters'] {
  const characters = Array.from(word);
  const each = (end - start) / characters.length;
  return characters.map((text, at) => ({ text, start: tidy(start + at * each), end: tidy(start + (at + 1) * each) }));
}

/** Numbers and names by simple patterns. */
export function entitiesOf(text: string, kinds: readonly string[]): Record<string, unknown>[] {
  const patterns: Readonly<Record<string, RegExp>> = { number: /\b(?:twelve|three|second)\b/g, name: /\bScribe\b/g };
  return Object.entries(patterns)
    .filter(([kind]) => kinds.includes('all') || kinds.includes(kind))
    .flatMap(([kind, pattern]) =>
      [...text.matchAll(pattern)].map((match) => ({
        text: match[0],
        entity_type: kind,
        start_char: match.index,
        end_char: match.index + match[0].length,
      })),
    );
}

export interface WantedFormat {
  readonly format: string;
  readonly include_speakers?: boolean;
  readonly include_timestamps?: boolean;
}

/** SRT and text are real; documents are base64 of something short. */
export function formatTranscript(
  wanted: WantedFormat,
  text: string,
  items: readonly TranscriptItem[],
): Record<string, unknown> {
  const { format } = wanted;
  const binary = format === 'docx' || format === 'pdf';
  const content =
    format === 'srt'
      ? srt(items)
      : format === 'segmented_json'
        ? JSON.stringify({ segments: [{ text, words: items.length }] })
        : format === 'html'
          ? `<p>${text}</p>`
          : text;
  const types: Readonly<Record<string, string>> = {
    srt: 'text/srt',
    txt: 'text/plain',
    html: 'text/html',
    segmented_json: 'application/json',
    pdf: 'application/pdf',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  };
  return {
    requested_format: format,
    file_extension: format === 'segmented_json' ? 'json' : format,
    content_type: types[format],
    is_base64_encoded: binary,
    content: binary ? Buffer.from(`${format} ${text}`).toString('base64') : content,
  };
}

function srt(items: readonly TranscriptItem[]): string {
  const words = items.filter((item) => item.type === 'word' && item.start !== null && item.end !== null);
  if (words.length === 0) return '';
  const clock = (seconds: number) => new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace('.', ',');
  const blocks: string[] = [];
  for (let at = 0; at < words.length; at += 8) {
    const part = words.slice(at, at + 8);
    const text = part.map((item) => item.text).join(' ');
    blocks.push(`${blocks.length + 1}\n${clock(part[0]!.start!)} --> ${clock(part.at(-1)!.end!)}\n${text}\n`);
  }
  return blocks.join('\n');
}
