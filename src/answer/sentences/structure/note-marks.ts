import type { Span } from '../../../core/types.ts';

/** `Fees (1)`, `Fees[a]`, `Fees*`: marks of notes behind a label. */
const noteMarks = /(?<=[\p{L}\p{N})%])(?:\s*(?:[([](?:\p{Nd}{1,2}|\p{Ll})[)\]]|[*†‡§]))+\s*$/u;

/** The length of a label without the marks of notes behind it. */
export function labelLength(label: string): number {
  return noteMarks.exec(label)?.index ?? label.length;
}

/** A label without the mark behind it that begins a line of the text, which is its note; else the label. */
export function withoutNoteMark(label: string, text: string): string {
  const end = labelLength(label);
  const mark = label.slice(end).trim();
  return mark !== '' && text.split('\n').some((line) => line.trimStart().startsWith(`${mark} `))
    ? label.slice(0, end)
    : label;
}

/** `wide.[7]` and `wide[7]`: marks that lead to notes, and say nothing where the notes are not. */
export const citedNotes: RegExp =
  /(?<=\p{L}{3}|[.,;:!?”"’])(?:\[(?!0)\p{Nd}+(?:\s*[,;–-]\s*\p{Nd}+)*\])+(?=[\s.,;:!?]|$)/gu;
const none: readonly Span[] = [];

/** Where a text has such marks. */
export function citedNotesIn(text: string): readonly Span[] {
  if (!text.includes('[')) return none;
  return Array.from(text.matchAll(citedNotes), ({ 0: mark, index }) => ({ start: index, end: index + mark.length }));
}
