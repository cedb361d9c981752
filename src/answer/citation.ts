import { objectOf, textOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { Hit, Place, Span } from '../core/types.ts';
import { isRecordingName } from '../read/names.ts';

/** The place that a citation names; `ibid show` finds it again. */
export interface CitationReference {
  readonly uri: string;
  /** Document offsets; absent for a whole document. */
  readonly span?: Span | undefined;
  /** For a page of the web: which of its texts, by the id it was kept under. */
  readonly snapshot?: string | undefined;
  /** For a recording, in place of `span`: the words between these times. */
  readonly timeMs?: readonly [start: number, end: number] | undefined;
}

/** What is shown of a media fragment without an end, in ms. */
const OPEN_MS = 10_000;
/** Characters that would end or split a reference, or that a shell, a sentence or a line break would cut off. */
const unsafe = /[%#\s\p{C}"'<>`\\^{}|[\]]|[\uD800-\uDFFF]/gu;

/**
 * A citation as one word: `uri#start-end`, for a page of the web `uri#start-end@snapshot`. The uri is percent-encoded
 * where it must be (UTF-8), so that names with `#`, `%`, blanks or quotes come back the same; other letters of any
 * alphabet stay readable.
 */
export function formatCitation(reference: CitationReference): string {
  const { uri, span, snapshot } = objectOf(reference, 'the citation', 'uri');
  const name = encodeName(uri);
  const place = span === undefined ? '' : `${span.start}-${span.end}`;
  const text = snapshot === undefined ? place : `${place}@${snapshot}`;
  return text === '' ? name : `${name}#${text}`;
}

function encodeName(uri: string): string {
  return uri.replace(unsafe, (c) => (isLoneSurrogate(c) ? '%EF%BF%BD' : percent(c)));
}

/**
 * A cited span of a recording as a media fragment, which players understand: `talk.mp3#t=843.2,851`. It is a citation
 * too. Undefined for what is no recording.
 * @see https://www.w3.org/TR/media-frags/#naming-time
 */
export function mediaFragment(uri: string, { timeMs }: Place): string | undefined {
  if (timeMs === undefined || !isRecordingName(uri)) return undefined;
  return `${encodeName(uri)}#t=${timeMs[0] / 1000},${timeMs[1] / 1000}`;
}

/** The citation of a whole hit. */
export function citationOf(hit: Pick<Hit, 'chunk' | 'web'>): string {
  const { chunk, web } = objectOf(hit, 'the hit', 'chunk');
  return formatCitation({ uri: chunk.uri, span: chunk.span, snapshot: web?.snapshot });
}

function isLoneSurrogate(c: string): boolean {
  return c.length === 1 && c >= '\uD800' && c <= '\uDFFF';
}

function percent(c: string): string {
  return Array.from(new TextEncoder().encode(c), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
    '',
  );
}

/**
 * Reads what `formatCitation` or `mediaFragment` wrote. A `%` that starts no escape is itself, so that a plain file
 * name typed by hand works.
 * @throws IbidError INVALID_ARGUMENT when it is empty or what follows `#` is neither `start-end` with start ≤ end,
 * `@snapshot` or both, nor `t=start,end` in seconds
 */
export function parseCitation(reference: string): CitationReference {
  const text = textOf(reference, 'the citation').trim();
  const hash = text.lastIndexOf('#');
  const name = hash < 0 ? text : text.slice(0, hash);
  if (name === '') throw invalid(reference, 'it names no document');
  const uri = name.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeRun);
  if (hash < 0) return { uri };
  const times = /^t=(?:npt:)?(\d{1,9}(?:\.\d{1,6})?)(?:,(\d{1,9}(?:\.\d{1,6})?))?$/.exec(text.slice(hash + 1));
  if (times) {
    const [startMs, endMs] = times
      .slice(1)
      .map((time) => (time === undefined ? undefined : Math.round(Number(time) * 1000)));
    if (endMs !== undefined && endMs < startMs!) throw invalid(reference, 'it ends before it starts');
    return { uri, timeMs: [startMs!, endMs ?? startMs! + OPEN_MS] };
  }
  const place = /^(?:(\d{1,15})-(\d{1,15}))?(?:@([0-9a-f]{8,64}))?$/.exec(text.slice(hash + 1));
  if (!place || place[0] === '') throw invalid(reference, 'what follows "#" is neither start-end nor t=start,end');
  const [, start, end, snapshot] = place;
  const kept = snapshot === undefined ? {} : { snapshot };
  if (start === undefined) return { uri, ...kept };
  const span = { start: Number(start), end: Number(end) };
  if (span.end < span.start) throw invalid(reference, 'it ends before it starts');
  return { uri, span, ...kept };
}

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run; // not UTF-8: somebody's file name, not an escape
  }
}

function invalid(reference: string, why: string): IbidError {
  return new IbidError('INVALID_ARGUMENT', `"${reference}" is not a citation: ${why}`, {
    hint: 'Write it as it was printed: uri#start-end, e.g. guide/setup.md#120-188.',
  });
}

/** The words of a citation, and their place in the document. */
export interface Quoted {
  readonly quote: string;
  readonly span: Span;
}

/**
 * Whether the quote is what stands at its span.
 * @param chunk the text of the chunk that holds the span and where it starts; a whole document starts at 0
 */
export function verifyCitation(
  { quote, span }: Quoted,
  chunk: { readonly text: string; readonly span: Span },
): boolean {
  const from = span.start - chunk.span.start;
  const to = span.end - chunk.span.start;
  return (
    quote !== '' &&
    from >= 0 &&
    to <= chunk.text.length &&
    to - from === quote.length &&
    chunk.text.slice(from, to) === quote
  );
}
