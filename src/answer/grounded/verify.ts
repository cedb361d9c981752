import type { Span } from '../../core/types.ts';
import type { ModelCitation } from '../language-model.ts';
import type { GroundingSource } from './sources.ts';

/** A checked citation: the exact place, or the reason why there is none. */
export type Checked =
  | { readonly source: GroundingSource; readonly span: Span; readonly quote: string }
  | { readonly dropped: string };

/**
 * Proves a model's citation, or drops it. The passages it points at must exist, and what it says stands there must
 * stand there: equal to the source's own text, but for white space at both ends. A quote that stands elsewhere in the
 * source is not moved to where it would fit: place and words contradict each other, and either may be the invention.
 */
export function checkCitation(citation: ModelCitation, sources: ReadonlyMap<string, GroundingSource>): Checked {
  const source = sources.get(citation.source);
  if (!source) return { dropped: `there is no source "${citation.source.slice(0, 80)}"` };
  const { first, end, quoted, isPart = false } = citation;
  const isRange = Number.isSafeInteger(first) && Number.isSafeInteger(end) && first >= 0 && end > first;
  if (!isRange || end > source.spans.length) {
    return { dropped: `${citation.source} has passages 0 to ${source.spans.length - 1}, not ${first} to ${end - 1}` };
  }
  const start = source.spans[first]!.start - source.span.start;
  const text = source.text.slice(start, source.spans[end - 1]!.end - source.span.start);
  if (isPart) return checkPart(source, text, source.span.start + start, quoted ?? '');
  const quote = text.trim();
  if (quoted !== undefined && quoted.trim() !== quote) {
    return { dropped: `${citation.source} does not say "${quoted.trim().slice(0, 80)}" there` };
  }
  const from = source.span.start + start + text.indexOf(quote);
  return { source, span: { start: from, end: from + quote.length }, quote };
}

/** The words of a citation in a page: equal to the source's own but for white space, which a layout puts anywhere. */
function checkPart(source: GroundingSource, text: string, offset: number, quoted: string): Checked {
  const letters = [...text.matchAll(/\S/gu)];
  const joined = letters.map(([letter]) => letter).join('');
  const wanted = quoted.replace(/\s+/gu, '');
  const at = wanted === '' || !wanted.isWellFormed() ? -1 : joined.indexOf(wanted);
  if (at < 0) return { dropped: `${source.id} does not say "${quoted.trim().slice(0, 80)}" there` };
  // offsets in `joined` are code units, letters are code points
  let units = 0;
  let first = 0;
  while (units < at) units += letters[first++]![0].length;
  let last = first;
  for (units = 0; units < wanted.length; last++) units += letters[last]![0].length;
  const from = letters[first]!.index;
  const to = letters[last - 1]!.index + letters[last - 1]![0].length;
  return { source, span: { start: offset + from, end: offset + to }, quote: text.slice(from, to) };
}
