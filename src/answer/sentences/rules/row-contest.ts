import { analyseWords } from '../../../text/analysis/words.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { matchOf, matchTerms, type Question, raise, sameWord } from '../question/question.ts';
import { labelLength } from '../structure/note-marks.ts';
import { type Row, rowsOf } from '../structure/table.ts';
import { isOutOfBounds } from './out-of-bounds.ts';
import { rowMatch } from './row-match.ts';

/** On the scale of the trees: of a row where another one of its table has all that it has of the question, and more. */
const lossOfBeaten = -6;

/** How rows of one table compare, by what their cells have of the question. */
interface Contest {
  /** What a row loses since another one holds more; else 0. */
  lossOf(candidate: Candidate): number;
  /** Whether nothing but luck makes these rows the answer: other rows hold the same, or more. */
  isLucky(answer: readonly Candidate[]): boolean;
}

interface Entry {
  readonly candidate: Candidate;
  readonly row: Row;
  /** Per question term, by the cells alone. */
  readonly match: Float32Array;
  /** Cells that the question names whole; the first counts for more, since it says what the row is of. */
  readonly named: number;
}

/** Of the first cell, where others count 1. */
const ofSubject = 1.5;

const contests = new WeakMap<readonly Scored[], Contest>();

/** @param ranked all sentences of the hits */
export function contestOf(question: Question, ranked: readonly Scored[]): Contest {
  const known = contests.get(ranked);
  if (known) return known;
  const contest = makeContest(question, ranked);
  contests.set(ranked, contest);
  return contest;
}

/** The rows of a table that stands in several passages are compared too. */
export function tablesIn(ranked: readonly Scored[]): ReadonlyMap<string, readonly Candidate[]> {
  const tables = new Map<string, Candidate[]>();
  for (const { candidate } of ranked) {
    const row = candidate.unit.kind === 'row' ? rowOf(candidate) : undefined;
    if (row === undefined) continue;
    const list = tables.get(row.table);
    if (list) list.push(candidate);
    else tables.set(row.table, [candidate]);
  }
  return tables;
}

/** The row of a table that a unit is. */
export function rowOf({ passage, unit }: Pick<Candidate, 'passage' | 'unit'>): Row | undefined {
  return rowsOf(passage.hit.chunk).get(unit.start);
}

/** How well the cells of a row hold each term, with what stands over it, and without the names of its columns. */
export function cellMatch(question: Question, { tokens }: Candidate, row: Row): Float32Array {
  const out = rowMatch(question, row);
  for (const token of tokens) {
    const match = matchOf(question, token);
    if (match) raise(out, match, 1);
  }
  return out;
}

function makeContest(question: Question, ranked: readonly Scored[]): Contest {
  let tables: ReadonlyMap<string, readonly Candidate[]> | undefined;
  const entries = new Map<string, readonly Entry[]>();
  const entriesOf = (table: string): readonly Entry[] => {
    tables ??= tablesIn(ranked);
    const found = entries.get(table) ?? (tables.get(table) ?? []).map((one) => entryOf(question, one));
    entries.set(table, found);
    return found;
  };
  const others = (candidate: Candidate): { own: Entry; rest: readonly Entry[] } | undefined => {
    const row = candidate.unit.kind === 'row' ? rowOf(candidate) : undefined;
    if (row === undefined) return undefined;
    const all = entriesOf(row.table);
    const own = all.find((one) => one.candidate === candidate);
    return own && { own, rest: all.filter((one) => one !== own) };
  };
  return {
    lossOf: (candidate) => {
      const found = others(candidate);
      return found?.rest.some((one) => beats(one, found.own)) ? lossOfBeaten : 0;
    },
    isLucky: ([first, ...more]) => {
      const found = first && others(first);
      if (found === undefined) return false;
      const { own, rest } = found;
      if (rest.some((one) => beats(one, own))) return true;
      if (!isOfQuestion(question, own)) return false;
      const alike = rest.filter(
        (one) =>
          isAlike(one, own) &&
          !isNarrower(one, own) &&
          !more.includes(one.candidate) &&
          !isOutOfBounds(question, one.candidate),
      );
      return alike.length > 0 && !sayTheSame(question, own, alike);
    },
  };
}

function entryOf(question: Question, candidate: Candidate): Entry {
  const row = rowOf(candidate)!;
  const isNamed = (words: Candidate['tokens']): boolean =>
    words.length > 0 && words.every(({ word, term }) => question.known.has(word) || question.known.has(term));
  let named = 0;
  row.cells.forEach(({ start, end: cellEnd, text }, i) => {
    const end = i === 0 ? Math.min(cellEnd, start + labelLength(text)) : cellEnd;
    const above = row.asAbove[i];
    const words =
      above === undefined
        ? candidate.tokens.filter((token) => token.start >= start && token.end <= end)
        : analyseWords(above);
    if (isNamed(words)) named += i === 0 ? ofSubject : 1;
  });
  return { candidate, row, match: cellMatch(question, candidate, row), named };
}

/** The label of one has all words of the other's, and more: `Net income per share` beside `Net income`. */
function isNarrower({ row: { cells } }: Entry, { row }: Entry): boolean {
  const [narrow = '', wide = ''] = [cells[0], row.cells[0]].map((cell) => cell?.text.slice(0, labelLength(cell.text)));
  if (narrow.length <= wide.length || wide === '') return false;
  const own = new Set(analyseWords(narrow).map(({ term }) => term));
  return analyseWords(wide).every(({ term }) => own.has(term));
}

/** Holds all that the other holds, and more, or the same where the other is of less than the question names. */
function beats(a: Entry, b: Entry): boolean {
  if (isAlike(a, b)) return a.match.some((one) => one >= sameWord) && isNarrower(b, a);
  if (a.named < b.named || a.match.some((one, j) => one < b.match[j]!)) return false;
  return a.named > b.named || a.match.some((one, j) => one > b.match[j]!);
}

const isAlike = (a: Entry, b: Entry): boolean => a.named === b.named && a.match.every((one, j) => one === b.match[j]!);

/** Cells or the names of columns have a word of it; a label and its value may say the same in other words. */
function isOfQuestion(question: Question, { row, match }: Entry): boolean {
  if (match.some((one) => one >= sameWord)) return true;
  return (
    row.names.length > 2 && matchTerms(question, analyseWords(row.names.join('\n'))).some((one) => one >= sameWord)
  );
}

/** Whether rows have the same in each column that is asked for. */
function sayTheSame(question: Question, own: Entry, others: readonly Entry[]): boolean {
  const asked = own.row.names.flatMap((name, i) => {
    const held = matchTerms(question, analyseWords(name));
    return held.some((one, j) => one >= sameWord && own.match[j]! < sameWord) ? [i] : [];
  });
  return (
    asked.length > 0 && others.every(({ row }) => asked.every((i) => row.cells[i]?.text === own.row.cells[i]?.text))
  );
}
