import { locate } from '../../core/location.ts';
import type { Hit, Span } from '../../core/types.ts';
import { formatCitation, verifyCitation } from '../citation.ts';
import type { Citation } from '../contract.ts';
import type { Scored } from '../sentences/select.ts';
import type { Unit } from '../sentences/units.ts';
import { plainText } from './plain-text.ts';

/** Neighbouring units of one chunk, cited as one. */
interface Excerpt {
  readonly hit: Hit;
  readonly from: number;
  readonly to: number;
  readonly units: readonly Unit[];
  readonly best: number;
}

export interface Composition {
  readonly text: string;
  readonly citations: readonly Citation[];
}

/** A passage that only announces (`… are:`) takes what follows along, up to this many characters. */
const announcedChars = 400;

/**
 * Joins neighbouring sentences and cites each excerpt: the best excerpt first, then by document and position. An
 * excerpt that cannot be sliced out of its chunk again is left out.
 */
export function compose(picked: readonly Scored[]): Composition {
  const citations: Citation[] = [];
  let text = '';
  for (const excerpt of order(join(picked))) {
    const { chunk } = excerpt.hit;
    const quote = chunk.text.slice(excerpt.from, excerpt.to);
    const span: Span = { start: chunk.span.start + excerpt.from, end: chunk.span.start + excerpt.to };
    if (!verifyCitation({ quote, span }, chunk)) continue;
    const before = chunk.text.slice(0, excerpt.from);
    const plain = plainText(quote, { format: chunk.format, before }) || quote.replace(/\s+/g, ' ').trim();
    if (text !== '') text += ' ';
    const start = text.length;
    const n = citations.length + 1;
    text += plain;
    citations.push({
      n,
      reference: formatCitation({ uri: chunk.uri, span, snapshot: excerpt.hit.web?.snapshot }),
      uri: chunk.uri,
      title: chunk.title,
      quote,
      span,
      place: locate(chunk, span),
      headings: chunk.headings,
      ...contextOf(excerpt),
      verified: true,
      answerSpan: { start, end: text.length },
      origin: excerpt.hit.origin,
    });
    text += ` [${n}]`;
  }
  return { text, citations };
}

function contextOf({ hit, units, from }: Excerpt): { context?: string } {
  const row = units.find((unit) => unit.kind === 'row');
  if (row === undefined) return {};
  const { text, context } = hit.chunk;
  if (row.header) return row.header.start >= from ? {} : { context: text.slice(row.header.start, row.header.end) };
  return context === undefined || context === '' ? {} : { context };
}

/** Neighbours in one chunk become one excerpt; so does the sentence that a colon announces. */
function join(picked: readonly Scored[]): Excerpt[] {
  const byChunk = new Map<Hit, Scored[]>();
  for (const item of picked) {
    const list = byChunk.get(item.candidate.passage.hit);
    if (list) list.push(item);
    else byChunk.set(item.candidate.passage.hit, [item]);
  }
  const excerpts: Excerpt[] = [];
  for (const [hit, items] of byChunk) {
    const units = items[0]!.candidate.passage.units;
    const score = new Map(items.map(({ candidate, score }) => [candidate.index, score]));
    for (const { candidate } of items) {
      for (const index of announced(hit.chunk.text, units, candidate.index)) {
        if (!score.has(index)) score.set(index, Number.NEGATIVE_INFINITY);
      }
    }
    let run: number[] = [];
    const close = (): void => {
      if (run.length === 0) return;
      const own = run.map((index) => units[index]!);
      const best = Math.max(...run.map((index) => score.get(index)!));
      excerpts.push({ hit, from: own[0]!.start, to: own.at(-1)!.end, units: own, best });
      run = [];
    };
    for (const index of [...score.keys()].sort((a, b) => a - b)) {
      if (run.length > 0 && index !== run.at(-1)! + 1) close();
      run.push(index);
    }
    close();
  }
  return excerpts;
}

/** The units that the unit at `index` announces by a colon or a question mark: one, or the list items that follow. */
function announced(text: string, units: readonly Unit[], index: number): number[] {
  const unit = units[index]!;
  if (unit.kind === 'row' || !/[:：?？؟]["'”’*_]*$/.test(text.slice(unit.start, unit.end))) return [];
  const out: number[] = [];
  for (let i = index + 1; i < units.length; i++) {
    if (units[i]!.end - unit.end > announcedChars && out.length > 0) break;
    const item = /^[ \t]*(?:[-*+•‣▪]|\d{1,3}[.)])[ \t]/.test(
      text.slice(text.lastIndexOf('\n', units[i]!.start - 1) + 1, units[i]!.end),
    );
    if (out.length > 0 && !item && units[i]!.kind !== 'row') break;
    out.push(i);
    if (!item && units[i]!.kind !== 'row') break;
  }
  return out;
}

/** The best excerpt comes first, because it answers the question; the others follow in reading order. */
function order(excerpts: readonly Excerpt[]): Excerpt[] {
  const best = new Map<string, number>();
  for (const { hit, best: score } of excerpts)
    best.set(hit.chunk.uri, Math.max(best.get(hit.chunk.uri) ?? Number.NEGATIVE_INFINITY, score));
  const inReadingOrder = [...excerpts].sort((a, b) => {
    const left = a.hit.chunk;
    const right = b.hit.chunk;
    if (left.uri !== right.uri) return best.get(right.uri)! - best.get(left.uri)! || (left.uri < right.uri ? -1 : 1);
    return left.span.start + a.from - (right.span.start + b.from);
  });
  const [first] = [...inReadingOrder].sort((a, b) => b.best - a.best);
  return first === undefined ? [] : [first, ...inReadingOrder.filter((excerpt) => excerpt !== first)];
}
