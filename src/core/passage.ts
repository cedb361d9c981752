import type { Metadata, Place, Span } from './types.ts';

/** State of the source of a cited span, checked now. */
export type SourceState =
  | 'same'
  | 'has changed since it was indexed'
  | 'is not there'
  | 'cannot be read'
  | 'was given as text, there is no file'
  | 'is a web page, kept as it was read';

/** A word of a recording, or a caption whose words have no times. */
export interface TimedWord {
  readonly text: string;
  readonly timeMs: readonly [start: number, end: number];
  readonly speaker?: string;
}

/** A cited span in its context. */
export interface Passage {
  readonly uri: string;
  readonly title: string;
  readonly format: string;
  readonly metadata: Metadata;
  readonly span: Span;
  readonly quote: string;
  /** Up to `CONTEXT_CHARS` characters on each side. */
  readonly before: string;
  readonly after: string;
  readonly place: Place;
  /** Of a recording: the words of the quote with their times. */
  readonly words?: readonly TimedWord[];
  /** Of a recording: the quote as a media fragment, e.g. `talk.mp3#t=843.2,851`. */
  readonly media?: string;
  readonly source: SourceState;
  /** For a web page: id of the stored text, and when the page was read (ISO 8601). */
  readonly web?: { readonly snapshot: string; readonly fetchedAt: string };
}

export const CONTEXT_CHARS = 300;

/** The text of a span, and the text before and after it, without broken surrogate pairs at the ends. */
export function textAround(text: string, { start, end }: Span): Pick<Passage, 'quote' | 'before' | 'after'> {
  return {
    quote: text.slice(start, end),
    before: text.slice(Math.max(0, start - CONTEXT_CHARS), start).toWellFormed(),
    after: text.slice(end, end + CONTEXT_CHARS).toWellFormed(),
  };
}
