import { listOf } from '../core/arguments.ts';
import { ownMarks } from '../core/own-files.ts';
import type { Span } from '../core/types.ts';
import { oneLine } from '../text/one-line.ts';
import { cutLong } from '../text/sentences/cuts.ts';
import type { SpokenSpan } from './contract.ts';

/** The text on the screen during a stretch of sound. */
export interface Caption {
  readonly startMs: number;
  readonly endMs: number;
  /** As it is written. */
  readonly text: string;
  /** Below the text: what the words rest on. */
  readonly notes: readonly string[];
}

/** Stars between two digits are no emphasis. */
const MARKDOWN = /(?!(?<=\p{N}\*?)\*{1,2}\p{N})(?:\*{1,3}(?=\S)|(?<=\S)\*{1,3})|`+|^(?:#{1,6}|[-*+]) +/gmu;

/** Longest text of one caption, in characters: two lines. */
const MOST_CHARS = 84;

/**
 * Captions of one sentence: cut at clauses, else between words, where it is long, at the time of the next word.
 * @param spans of the sentence, in order; `start` and `end` are offsets in the text. None: not heard
 */
export function captionsOf(text: string, spans: readonly SpokenSpan[], notes: readonly string[]): Caption[] {
  if (listOf(spans, 'spans').length === 0) return [];
  const pieces: Span[] = [];
  cutLong(text, 0, text.length, MOST_CHARS, pieces);
  return pieces.map((piece, i) => ({
    startMs: i === 0 ? spans[0]!.startMs : timeAt(piece.start, spans),
    endMs: i === pieces.length - 1 ? spans.at(-1)!.endMs : timeAt(pieces[i + 1]!.start, spans),
    text: text.slice(piece.start, piece.end).replace(MARKDOWN, ''),
    notes,
  }));
}

/** When the character is said: inside a span by its share of it. */
function timeAt(offset: number, spans: readonly SpokenSpan[]): number {
  const span = spans.find(({ end }) => end > offset) ?? spans.at(-1)!;
  const share = Math.min(1, Math.max(0, offset - span.start) / Math.max(1, span.end - span.start));
  return span.startMs + share * (span.endMs - span.startMs);
}

/**
 * A WebVTT file of what was spoken here. One caption is shown at a time: it ends where the next one begins, and none
 * begins before another.
 */
export function webVtt(captions: readonly Caption[]): string {
  let last = 0;
  const starts = listOf(captions, 'captions').map(({ startMs }) => {
    last = Math.max(last, startMs);
    return last;
  });
  const cues = captions.map(({ endMs, text, notes }, i) => {
    const lines = [text, ...notes].map((line) => escaped(oneLine(line)));
    const end = Math.max(starts[i]!, Math.min(endMs, starts[i + 1] ?? endMs));
    return `${i + 1}\n${stamp(starts[i]!)} --> ${stamp(end)}\n${lines.join('\n')}\n`;
  });
  return ['WEBVTT\n', `${ownMarks.captions}\n`, ...cues].join('\n');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function stamp(ms: number): string {
  const whole = Math.round(ms);
  const part = (unit: number, most: number, width: number): string =>
    String(Math.floor(whole / unit) % most).padStart(width, '0');
  return `${part(3_600_000, Number.MAX_SAFE_INTEGER, 2)}:${part(60_000, 60, 2)}:${part(1000, 60, 2)}.${part(1, 1000, 3)}`;
}
