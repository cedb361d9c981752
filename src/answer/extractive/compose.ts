import { locate } from '../../core/location.ts';
import type { Hit, Span } from '../../core/types.ts';
import { itemMark } from '../../text/item-mark.ts';
import { breaksOff } from '../../text/languages/prepositions.ts';
import { questionMark } from '../../text/languages/question-marks.ts';
import { oneLine } from '../../text/one-line.ts';
import { formatCitation, mediaFragment, verifyCitation } from '../citation.ts';
import type { Citation, RelatedPassage } from '../contract.ts';
import { inert } from '../inert.ts';
import type { Candidate } from '../sentences/question/candidate.ts';
import type { Judged } from '../sentences/ranking/rank.ts';
import { chats } from '../sentences/structure/chat-headings.ts';
import { isProgram } from '../sentences/structure/code.ts';
import { commentLine, isCommentOver } from '../sentences/structure/comment-over.ts';
import { withTerm } from '../sentences/structure/definitions.ts';
import { plainDeclaration } from '../sentences/structure/entry-parts.ts';
import { itemsBelow, mostAnnounced } from '../sentences/structure/list-below.ts';
import { headerBefore } from '../sentences/structure/passage-text.ts';
import { rowsOf } from '../sentences/structure/table.ts';
import { writerOf } from '../sentences/structure/turn.ts';
import { headerTextOf } from '../sentences/structure/unit-text.ts';
import type { Unit } from '../sentences/structure/units.ts';
import { plainText } from './plain-text.ts';
import { leadOf, sayRow, unshouted } from './readable.ts';

/** Neighbouring units of one chunk, cited as one. */
interface Excerpt {
  readonly hit: Hit;
  readonly from: number;
  readonly to: number;
  readonly units: readonly Unit[];
  /** That stand over its best sentence. */
  readonly headings: readonly string[];
  readonly best: number;
  readonly bestOf: Candidate | undefined;
}

export interface Composition {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly related: readonly RelatedPassage[];
}

export interface ComposeOptions {
  /** What the answer's text begins with. */
  readonly opening?: string;
  /** Citations in that. @default 0 */
  readonly cited?: number;
  /** Each sentence is said with the title of its document. */
  readonly titled?: boolean | undefined;
  /** The words of a sentence that are what was asked for, in offsets of its chunk's text. */
  readonly highlight?: (candidate: Candidate) => Span | undefined;
  /** Whether a sentence only says what is asked, or is a step of a list, and the line below it goes on. */
  readonly saysNoMore?: (candidate: Candidate) => boolean;
  /** The sentences that are shown together with one, by their places in its passage. */
  readonly together?: (candidate: Candidate) => readonly number[];
  /** Whether it is said below its heading. */
  readonly isHeaded?: (candidate: Candidate) => boolean;
}

/**
 * Joins neighbouring sentences and cites each excerpt: the best excerpt first, then by document and position. An
 * excerpt that cannot be sliced out of its chunk again is left out.
 */
export function compose(
  { answer, related }: { readonly answer: readonly Judged[]; readonly related: readonly Judged[] },
  { opening = '', cited: before = 0, titled = false, highlight, saysNoMore, together, isHeaded }: ComposeOptions = {},
): Composition {
  const citations: Citation[] = [];
  let text = opening;
  const said = order(join(answer, saysNoMore, together));
  for (const excerpt of said) {
    const cited = cite(excerpt, before + citations.length + 1);
    if (cited === undefined) continue;
    if (citations.length > 0) text += ' ';
    const { bestOf } = excerpt;
    text += bestOf && isHeaded?.(bestOf) ? headingOf(excerpt) : lead(excerpt, said) || (titled ? titleOf(excerpt) : '');
    const start = text.length;
    text += cited.text;
    const { text: _, ...citation } = cited;
    const words = excerpt.bestOf && highlight?.(excerpt.bestOf);
    citations.push({
      ...citation,
      answerSpan: { start, end: text.length },
      ...(words ? { highlight: [moved(words, excerpt.hit.chunk.span.start)] } : {}),
    });
    text += ` [${cited.n}]`;
  }
  const taken = said.flatMap(({ hit, units }) => units.map((unit) => ({ hit, unit })));
  const beside: RelatedPassage[] = [];
  for (const excerpt of join(related).sort((a, b) => b.best - a.best)) {
    if (excerpt.units.some((unit) => taken.some((one) => one.hit === excerpt.hit && one.unit === unit))) continue;
    const cited = cite(excerpt, before + citations.length + beside.length + 1);
    if (cited) beside.push({ ...cited, text: lead(excerpt, []) + cited.text });
  }
  return { text, citations, related: beside };
}

const moved = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });

function cite(excerpt: Excerpt, n: number): RelatedPassage | undefined {
  const { hit, from, to, headings } = excerpt;
  const { chunk } = hit;
  const quote = chunk.text.slice(from, to);
  const span: Span = { start: chunk.span.start + from, end: chunk.span.start + to };
  if (!verifyCitation({ quote, span }, chunk)) return undefined;
  const place = locate(chunk, span);
  const media = hit.origin === 'local' ? mediaFragment(chunk.uri, place) : undefined;
  return {
    n,
    reference: formatCitation({ uri: chunk.uri, span, snapshot: hit.web?.snapshot }),
    uri: chunk.uri,
    title: chunk.title,
    quote,
    span,
    place,
    ...(media === undefined ? {} : { media }),
    headings,
    ...contextOf(excerpt),
    verified: true,
    origin: hit.origin,
    text: sayExcerpt(excerpt) || oneLine(quote),
  };
}

/** What an excerpt says: sentences as they read, rows of a table with their header. */
function sayExcerpt({ hit, from, to, units }: Excerpt): string {
  const { text, title, format } = hit.chunk;
  const plain = (start: number, end: number): string => {
    const before = text.slice(0, start);
    const quote = text.slice(start, end);
    const said = plainText(isProgram(format) ? quote : withTerm(plainDeclaration(quote), before), { format, before });
    return isProgram(format) ? said : unshouted(said, `${title}\n${text}`);
  };
  const last = units.at(-1)!;
  const above = units.at(-2);
  if (above && isCommentOver(hit.chunk, { start: from, end: above.end }, last))
    return `${plain(from, above.end).replace(/[.:]$/, '')}: ${plain(last.start, last.end)}`;
  if (!units.some(({ kind }) => kind === 'row')) return plain(from, to);
  const rows = rowsOf(hit.chunk);
  let said = '';
  return units
    .filter((unit, i) => i === 0 || units[i + 1]?.header?.start !== unit.start) // said in each row
    .map((unit) => {
      if (unit.kind !== 'row') return plain(unit.start, unit.end);
      const { asAbove, groups = [] } = rows.get(unit.start) ?? {};
      const header = headerTextOf({ passage: { hit }, unit });
      const own = sayRow(text.slice(unit.start, unit.end), header, format, asAbove, text);
      const group = inert(groups.map((one) => `${plainText(one, { format })}: `).join(''));
      const isNew = group !== said;
      said = group;
      return isNew ? `${group}${own}` : own;
    })
    .reduce((all, one) => `${all}${/[:：]$/.test(all) ? '' : ';'} ${one}`);
}

/** What a reader needs before an excerpt that leans on text that is not shown: its list's lead, its heading or title. */
function lead({ hit, units, headings }: Excerpt, said: readonly Excerpt[]): string {
  const { chunk } = hit;
  const isFollowed = said.some(
    (other) => other.hit === hit && other.to <= units[0]!.start && other.headings === headings,
  );
  if (isFollowed) return '';
  const writer = writerOf({ passage: { hit }, unit: units[0]! });
  return writer === undefined ? leadOf(chunk, units[0]!, headings) : inert(`${writer}: `);
}

function headingOf({ hit: { chunk }, headings }: Excerpt): string {
  return inert(`${plainText(headings.at(-1) ?? '', { format: chunk.format }).replace(/[:：]$/, '')}: `);
}

/** The title of its document, where a sentence does not have it. */
function titleOf({ hit: { chunk }, from, to }: Excerpt): string {
  const title = plainText(chunk.title, { format: chunk.format });
  return title === '' || chunk.text.slice(from, to).includes(title) ? '' : inert(`${title}: `);
}

function contextOf({ hit, units, from }: Excerpt): { context?: string } {
  const row = units.find((unit) => unit.kind === 'row');
  if (row === undefined) return {};
  if (row.header) {
    const { start, end } = row.header;
    return start >= from ? {} : { context: hit.chunk.text.slice(start, end) };
  }
  const context = headerBefore(hit.chunk);
  return context === '' ? {} : { context };
}

/** Neighbours in one chunk become one excerpt; so does the sentence that a colon announces. */
function join(
  picked: readonly Judged[],
  saysNoMore: (candidate: Candidate) => boolean = () => false,
  together: (candidate: Candidate) => readonly number[] = () => [],
): Excerpt[] {
  const byChunk = new Map<Hit, Judged[]>();
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
      const further = [...announced(hit.chunk, units, candidate.index, saysNoMore(candidate)), ...together(candidate)];
      for (const index of further) {
        if (!score.has(index)) score.set(index, Number.NEGATIVE_INFINITY);
      }
    }
    let run: number[] = [];
    const close = (): void => {
      if (run.length === 0) return;
      const own = run.map((index) => units[index]!);
      const best = run.reduce((a, b) => (score.get(b)! > score.get(a)! ? b : a));
      const bestOf = items.find(({ candidate }) => candidate.index === best)?.candidate;
      const headings = bestOf?.headings ?? hit.chunk.headings;
      excerpts.push({
        hit,
        from: own[0]!.start,
        to: own.at(-1)!.end,
        units: own,
        headings,
        best: score.get(best)!,
        bestOf,
      });
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

const itemOrLabel = new RegExp(String.raw`^[ \t]*(?:${itemMark}[ \t]|\p{Lu}[^:.!?\n]{0,48}:[ \t])`, 'u');

/**
 * The units that the unit at `index` announces by a colon or a question mark, or as it breaks off, says no more than the
 * question or is a step of a list: one, or the list items that follow, or labels with what they are; the line of code
 * below a comment.
 */
function announced(chunk: Hit['chunk'], units: readonly Unit[], index: number, saysNoMore: boolean): number[] {
  const { text } = chunk;
  const unit = units[index]!;
  const isComment = (i: number): boolean => units[i] !== undefined && commentLine.test(lineTo(text, units[i].end));
  for (let i = index; i < index + mostOfComment && isComment(i); i++) {
    if (isCommentOver(chunk, { start: unit.start, end: units[i]!.end }, units[i + 1])) return range(index + 1, i + 1);
  }
  if (isProgram(chunk.format)) {
    for (let i = index - 1, end = units[i]?.end; i >= 0 && i >= index - mostOfComment && isComment(i); i--) {
      const begins = !isComment(i - 1) || text.slice(units[i - 1]!.end, units[i]!.start).includes('\n\n');
      if (begins && isCommentOver(chunk, { start: units[i]!.start, end: end! }, unit)) return range(i, index - 1);
    }
  }
  const own = text.slice(unit.start, unit.end);
  if (isProgram(chunk.format) && /\($/.test(own)) return columnsBelow(text, units, index);
  const asks = asking.test(own);
  const shows = saysNoMore && /^\s*\n\s*$/.test(text.slice(unit.end, units[index + 1]?.start));
  const leads = /[:：]["'”’*_]*$/.test(own) || breaksOff.test(own);
  if (unit.kind === 'row' || !(shows || asks || leads || itemsBelow(text, unit) > 0)) return [];
  const out: number[] = [];
  for (let i = index + 1; i < units.length; i++) {
    if (units[i]!.end - unit.end > mostAnnounced && out.length > 0) break;
    if (out.length > 0 && chats.has(chunk.format) && text.slice(0, units[i]!.start).endsWith('\n\n')) break; // no reply
    const item = itemOrLabel.test(text.slice(text.lastIndexOf('\n', units[i]!.start - 1) + 1, units[i]!.end));
    if (out.length > 0 && !item && units[i]!.kind !== 'row') break;
    if (units[i]!.kind !== units[out[0] ?? i]!.kind) break; // a table below the list
    out.push(i);
    if (!item && units[i]!.kind !== 'row') break;
  }
  return out;
}

/** The columns of a table that a statement declares, up to the bracket that closes it. */
function columnsBelow(text: string, units: readonly Unit[], index: number): number[] {
  const { end } = units[index]!;
  const closed = /\n\s*\)/.exec(text.slice(end));
  const to = closed === null ? text.length : end + closed.index;
  const last = units.findLastIndex((unit) => unit.end <= to && unit.end - end <= mostAnnounced);
  return range(index + 1, last);
}

/** Sentences of a comment that are shown together with the line below. */
const mostOfComment = 3;
const asking = new RegExp(`${questionMark}["'”’*_]*$`, 'u');

function lineTo(text: string, end: number): string {
  return text.slice(text.lastIndexOf('\n', end - 1) + 1, end);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
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
