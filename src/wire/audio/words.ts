import type { Transcript, TranscriptWord } from './transcript-types.ts';

/** A word with times that hold: milliseconds, whole, never running backwards. */
export interface WordTimes {
  readonly word: TranscriptWord;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Times for every word and audio event, in order; spacing is left out (its intervals overlap its neighbours', and
 * pauses are not in it). A missing start is the end before it; a missing end is the next start; starts never go back;
 * an end is never before its start.
 */
export function monotoneWords(words: readonly TranscriptWord[]): WordTimes[] {
  const spoken = words.filter((word) => word.type !== 'spacing');
  let start = 0;
  let before = 0;
  const starts = spoken.map((word) => {
    start = Math.max(start, milliseconds(word.start) ?? before);
    before = Math.max(start, milliseconds(word.end) ?? start);
    return start;
  });
  return spoken.map((word, i) => {
    const endMs = milliseconds(word.end) ?? starts[i + 1] ?? starts[i]!;
    return { word, startMs: starts[i]!, endMs: Math.max(starts[i]!, endMs) };
  });
}

const milliseconds = (seconds: number | null | undefined): number | undefined =>
  typeof seconds === 'number' && Number.isFinite(seconds) ? Math.round(seconds * 1_000) : undefined;

/** The text as the service means it: items joined as they are. Languages without spaces have no spacing items. */
export function joinWords(words: readonly TranscriptWord[]): string {
  return words.map(({ text }) => text).join('');
}

export interface Sentence {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly speaker: string | undefined;
  readonly channel: number | undefined;
  /** Half-open range of `words`. */
  readonly firstWord: number;
  readonly lastWord: number;
}

export interface SentenceOptions {
  /** A silence this long ends a sentence even without a full stop. @default 1,500 */
  readonly pauseMs?: number | undefined;
  /** @default 400 */
  readonly maxCharacters?: number | undefined;
  /** Sounds that are no words, as sentences of their own: keep or drop. @default true */
  readonly audioEvents?: boolean | undefined;
}

/**
 * Groups words into sentences: a new one after a full stop, at another speaker or channel, after a long pause, and at
 * the length limit. The times run from the first word's start to the last word's end.
 */
export function sentencesOf(transcript: Pick<Transcript, 'words'>, options: SentenceOptions = {}): Sentence[] {
  const { pauseMs = 1_500, maxCharacters = 400, audioEvents = true } = options;
  const times = new Map(monotoneWords(transcript.words).map((item) => [item.word, item]));
  const sentences: Sentence[] = [];
  let open: { items: WordTimes[]; text: string; first: number; last: number } | undefined;
  const finish = (): void => {
    if (open === undefined) return;
    const [first, last] = [open.items[0]!, open.items.at(-1)!];
    sentences.push({
      text: open.text.trim(),
      startMs: first.startMs,
      endMs: last.endMs,
      speaker: first.word.speaker_id ?? undefined,
      channel: first.word.channel_index ?? undefined,
      firstWord: open.first,
      lastWord: open.last + 1,
    });
    open = undefined;
  };
  transcript.words.forEach((word, index) => {
    const item = times.get(word);
    if (item === undefined) {
      if (open !== undefined) open.text += word.text;
      return;
    }
    const event = word.type === 'audio_event';
    if (event && !audioEvents) return;
    const previous = open?.items.at(-1);
    const other =
      previous !== undefined &&
      ((previous.word.speaker_id ?? null) !== (word.speaker_id ?? null) ||
        (previous.word.channel_index ?? null) !== (word.channel_index ?? null) ||
        (previous.word.type === 'audio_event') !== event ||
        item.startMs - previous.endMs > pauseMs ||
        open!.text.length + word.text.length > maxCharacters);
    if (other) finish();
    open ??= { items: [], text: '', first: index, last: index };
    open.items.push(item);
    open.text += word.text;
    open.last = index;
    if (/[.!?…。！？]["'”’»)\]」』]*$/.test(word.text)) finish();
  });
  finish();
  return sentences;
}
