import { canonicalUrl } from '../../core/url.ts';
import type { Open } from './parse.ts';

/** A page an answer may cite. */
export interface Source {
  /** What `[number]` in the text means, from 1. */
  readonly number: number;
  readonly url: string;
  readonly title?: string | undefined;
  readonly snippet?: string | undefined;
  readonly date?: string | undefined;
  /** The entry it was read from, with every field the service sent. */
  readonly entry?: Open | undefined;
}

/** A place in the text that cites. */
export interface Citation {
  /** As it stands in the text: `[3]`, `[web:2]`, `[title](https://…)`; '' for a span the service annotated. */
  readonly marker: string;
  /** Offsets of the marker (or of the annotated span) in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** `undefined` when the marker points beyond the known sources. */
  readonly source: Source | undefined;
}

const marker =
  /\[(\d{1,4})\](?!\()|\[web:(\d{1,4})\]|\[(?:[^[\]\n]|\[[^[\]\n]*\])*\]\((https?:\/\/[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\)/g;

/** Fenced blocks and code in backticks: `a[1]` in there is an index, not a citation. */
const code = /^(```|~~~)[^\n]*\n[\s\S]*?(?:^\1|$(?![\s\S]))|(?<!`)(`+)(?!`)[\s\S]*?[^`]\2(?!`)/gm;

/**
 * Citation markers of a text in order. `[n]` is source number n (from 1); `[web:n]` counts the sources from 0; a
 * Markdown link cites when its address is a known source.
 */
export function findCitations(text: string, sources: readonly Source[]): readonly Citation[] {
  if (!text.includes('[')) return [];
  const byNumber = new Map(sources.map((source) => [source.number, source]));
  const byUrl = new Map(sources.map((source) => [normaliseUrl(source.url), source]));
  const hidden = [...text.matchAll(code)].map((match) => [match.index, match.index + match[0].length] as const);
  const found: Citation[] = [];
  let at = 0;
  for (const match of text.matchAll(marker)) {
    const start = match.index;
    while (at < hidden.length && hidden[at]![1] <= start) at++;
    const block = hidden[at];
    if (block !== undefined && block[0] <= start) continue;
    const [whole, number, zeroBased, url] = match;
    const source =
      number !== undefined
        ? byNumber.get(Number(number))
        : zeroBased !== undefined
          ? sources[Number(zeroBased)]
          : byUrl.get(normaliseUrl(url ?? ''));
    if (url !== undefined && source === undefined) continue; // an ordinary link
    found.push({ marker: whole, start, end: start + whole.length, source });
  }
  return found;
}

/**
 * One spelling per page, for comparing, not for opening; what is no http address stays as it is. See `canonicalUrl`.
 */
export function normaliseUrl(address: string): string {
  return canonicalUrl(address) ?? address.trim();
}
