import { analyseWords } from '../../../text/analysis/words.ts';
import { leansOnCell } from '../../../text/languages/column-words.ts';
import { negation, none } from '../../../text/languages/negation.ts';
import { asksWho, peopleWord } from '../../../text/languages/row-bounds.ts';
import { type AskedExtreme, extremeAsked, isTotal, timeExtremeAsked } from '../../../text/languages/superlatives.ts';
import { asksWhichColumn } from '../../../text/languages/values-asked.ts';
import { yesOrNo } from '../../../text/languages/yes-no.ts';
import { isToldElsewhere } from '../manuals/latest-release.ts';
import type { Candidate, Scored, WholeDocuments } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { holdsAnyTerm, matchTerms, positionOf, type Question, sameWord } from '../question/question.ts';
import { amountOf, type Time, timesOf } from '../structure/column-values.ts';
import type { Row } from '../structure/table.ts';
import { textOf } from '../structure/unit-text.ts';
import { columnMatch, hasPeople, tableMatch } from './column-held.ts';
import { cellMatch, rowOf, tablesIn } from './row-contest.ts';

/** The row with the most or the least of what a question asks for. */
interface ExtremeRow {
  readonly candidate: Candidate;
  /** Whether the table has every word of the question. */
  readonly isSure: boolean;
}

interface Asked extends Pick<AskedExtreme, 'extreme' | 'column' | 'turned' | 'isLoose'> {
  /** Positions of the terms beside the words for it. */
  readonly terms: readonly number[];
  /** Positions of the terms of these words. */
  readonly words: readonly number[];
  /** That of the term that says which thing is asked for: `plot` in `Which plot is the largest?`; -1 without one. */
  readonly thing: number;
}

const askedOf = once((question: Question): Asked | undefined => askedWith(question, extremeAsked(question.text)));
const timeAskedOf = once((question: Question): Asked | undefined =>
  askedWith(question, timeExtremeAsked(question.text)),
);

function askedWith({ text, terms, tokens }: Question, found: AskedExtreme | undefined): Asked | undefined {
  if (found === undefined) return undefined;
  const said = new Set(analyseWords(found.words).map(({ term }) => term));
  const isSaid = (j: number): boolean => said.has(terms[j]!.term);
  const all = [...terms.keys()];
  const from = asksWhichColumn.exec(text)?.[0].length;
  const named = tokens.find(({ start }) => start === from);
  const thing = positionOf({ terms }, named);
  return { ...found, terms: all.filter((j) => !isSaid(j)), words: all.filter(isSaid), thing };
}

/**
 * Whether a row is asked for that has the most or the least of something, not where one column is called `Highest`; or a
 * sentence has none of what the most is asked of: `The account pays no interest.`
 */
export function isExtremeAsked(question: Question, candidate: Candidate): boolean {
  const asked = askedOf(question);
  if (asked === undefined) return false;
  if (candidate.unit.kind !== 'row') return asked.extreme === 'most' && hasNone(question, candidate);
  return asked.words.every((j) => candidate.match[j]! < sameWord);
}

/** `no interest`, `keine Zinsen` */
function hasNone(question: Question, { tokens }: Candidate): boolean {
  return tokens.some(({ word }, i) => {
    const next = tokens[i + 1];
    if (next === undefined || !(word === 'no' ? question.language === 'en' : none.test(word))) return false;
    return holdsAnyTerm(question, next);
  });
}

/**
 * The row that has the most or the least in the column that a question asks for, or the latest or earliest time: all rows
 * of one table are compared, but for totals. None where the table may go on elsewhere, a cell is no plain number or time,
 * or two rows are alike.
 */
export function extremeRow(
  question: Question,
  ranked: readonly Scored[],
  whole: WholeDocuments,
): ExtremeRow | undefined {
  const asked = askedOf(question);
  const timeAsked = timeAskedOf(question);
  if (asked === undefined && timeAsked === undefined) return undefined;
  if (isToldElsewhere(question, ranked, whole)) return undefined;
  const found: ExtremeRow[] = [];
  const passages = new Set(ranked.map(({ candidate }) => placeOf(candidate, 0)));
  for (const rows of tablesIn(ranked).values()) {
    if (!isWhole(rows, passages, whole)) continue;
    const one = asked && extremeOf(question, asked, rows);
    const timed = one || timeAsked === undefined ? undefined : extremeTimeOf(question, timeAsked, rows);
    if (one ?? timed) found.push((one ?? timed)!);
  }
  const sure = found.filter(({ isSure }) => isSure);
  const [first, ...more] = sure.length > 0 ? sure : found;
  // one table may stand in several documents
  return more.every(({ candidate }) => textOf(candidate) === textOf(first!.candidate)) ? first : undefined;
}

/** The passage of a candidate, or one that comes so many behind it in its document. */
function placeOf({ passage }: Candidate, behind: number): string {
  const { uri, position } = passage.hit.chunk;
  return `${uri}#${position + behind}`;
}

/** Whether all rows of a table are among the sentences that were found. */
export function isWholeTable(rows: readonly Candidate[], ranked: readonly Scored[], whole: WholeDocuments): boolean {
  return isWhole(rows, new Set(ranked.map(({ candidate }) => placeOf(candidate, 0))), whole);
}

/** Whether no row of a table stands elsewhere: where a passage ends within it, the next one goes on with it, or is none. */
function isWhole(rows: readonly Candidate[], passages: ReadonlySet<string>, whole: WholeDocuments): boolean {
  const own = new Set(rows.map((row) => placeOf(row, 0)));
  return rows.every((row) => {
    if (rowOf(row)!.isEnded) return true;
    const next = placeOf(row, 1);
    return whole.has(row.passage.hit.chunk.uri) && (own.has(next) || !passages.has(next));
  });
}

interface TableRow {
  readonly candidate: Candidate;
  readonly row: Row;
}

/**
 * The rows among which a question asks for one, and the terms that say so: a word in the cells of some rows asks for
 * these alone, the name of a property for those that have it.
 * @param byName what the name of each column holds
 */
function rowsMeant(
  question: Question,
  terms: readonly number[],
  byName: readonly Float32Array[],
  rows: readonly TableRow[],
): { readonly own: readonly TableRow[]; readonly given: readonly number[] } {
  const isNamed = (j: number): boolean => byName.some((match) => match[j]! >= sameWord);
  const matches = rows.map(({ candidate, row }) => cellMatch(question, candidate, row));
  const given = terms.filter((j) => matches.some((match) => match[j]! >= sameWord) && !isNamed(j));
  const properties = [...byName.keys()].filter(
    (i) => terms.some((j) => byName[i]![j]! >= sameWord) && rows.some(({ row }) => flagOf(row, i) !== undefined),
  );
  if (properties.length > 0 && negation.test(question.text)) return { own: [], given };
  const own = rows.filter(
    ({ row }, i) =>
      given.every((j) => matches[i]![j]! >= sameWord) && properties.every((column) => flagOf(row, column)),
  );
  return { own, given };
}

function extremeOf(
  question: Question,
  { extreme, terms, words, thing, column: meant, turned, isLoose = false }: Asked,
  candidates: readonly Candidate[],
): ExtremeRow | undefined {
  const all = candidates.map((candidate) => ({ candidate, row: rowOf(candidate)! }));
  const [first] = all;
  const names = first!.row.names;
  const rows = all.filter(({ row }) => !isTotal(row.cells.find(({ text }) => text !== '')?.text ?? ''));
  const byName = names.map((name) => columnMatch(question, name));
  // a column that is itself called `Highest`
  if (holdsAnyOf(words, matchTerms(question, analyseWords(names.join('\n'))))) return undefined;
  const { own, given } = rowsMeant(question, terms, byName, rows);
  if (own.length < 2) return undefined;
  const columns = names.flatMap((name, i) => {
    const held = terms.filter((j) => byName[i]![j]! >= sameWord).length;
    const isTurned = turned?.test(name) === true && meant?.test(name) === false;
    const isMeant = isTurned || meant?.test(name) === true;
    if (held === 0 && !isMeant) return [];
    // the things themselves are compared where nothing else of them is asked for
    const isThing = (byName[i]![thing]! >= sameWord && terms.length > 1) || (meant !== undefined && !isLoose);
    if (i === 0 && !isMeant && isThing) return [];
    const amounts = amountsIn(own, i, question.language);
    // the word that says what is compared says more than others of the question, unless it fits many things
    return amounts ? [{ held: isMeant && !isLoose ? terms.length + 1 : held, amounts, isTurned }] : [];
  });
  const most = Math.max(...columns.map(({ held }) => held));
  const [column, ...others] = columns.filter(({ held }) => held === most);
  if (column === undefined || others.length > 0) return undefined;
  const best = (extreme === 'most') !== column.isTurned ? Math.max(...column.amounts) : Math.min(...column.amounts);
  const at = column.amounts.indexOf(best);
  if (column.amounts.indexOf(best, at + 1) >= 0) return undefined;
  const { candidate } = own[at]!;
  const held = tableMatch(question, candidate, byName);
  const isSure = terms.every((j) => held[j]! >= sameWord || given.includes(j) || saysRow(question, j, names));
  return { candidate, isSure };
}

/** `employee` says what the rows of a table of people are, `gave` nothing of its own. */
function saysRow({ terms, text }: Question, j: number, names: readonly string[]): boolean {
  const { word } = terms[j]!;
  return leansOnCell.test(word) || (hasPeople(text, names) && peopleWord.test(word));
}

/**
 * The row with the latest or earliest time, in the one column of times whose name has most words of the question. Only
 * where the table and its title have every word of it.
 */
function extremeTimeOf(
  question: Question,
  { extreme, terms }: Asked,
  candidates: readonly Candidate[],
): ExtremeRow | undefined {
  const all = candidates.map((candidate) => ({ candidate, row: rowOf(candidate)! }));
  const { names } = all[0]!.row;
  const byName = names.map((name) => columnMatch(question, name));
  const { own, given } = rowsMeant(question, terms, byName, all);
  if (own.length < 2) return undefined;
  const columns = names.flatMap((_, column) => {
    const times = timesOf(own.map(({ row }) => row.cells[column]?.text ?? ''));
    if (times === undefined || times.includes(undefined)) return [];
    const held = terms.filter((j) => byName[column]![j]! >= sameWord).length;
    return [{ times: times as Time[], held }];
  });
  const most = Math.max(...columns.map(({ held }) => held));
  const [column, ...others] = columns.filter(({ held }) => held === most);
  if (column === undefined || others.length > 0) return undefined;
  const { times } = column;
  const isBeyond = (a: Time, b: Time): boolean => (extreme === 'most' ? a.from > b.to : a.to < b.from);
  const at = times.findIndex((one, i) => times.every((other, k) => k === i || isBeyond(one, other)));
  if (at < 0) return undefined;
  const held = tableMatch(question, candidates[0]!, byName);
  const { text } = question;
  const isHeld = (j: number): boolean => held[j]! >= sameWord || given.includes(j) || saysRow(question, j, names);
  const isOfThings = asksWho.test(text) ? hasPeople(text, names) : terms.length > 0;
  return isOfThings && terms.every(isHeld) ? { candidate: own[at]!.candidate, isSure: true } : undefined;
}

const holdsAnyOf = (terms: readonly number[], match: ArrayLike<number>): boolean =>
  terms.some((j) => match[j]! >= sameWord);

const flagOf = ({ cells }: Row, column: number): boolean | undefined => yesOrNo(cells[column]?.text ?? '');

/** The numbers of a column, all in one unit; undefined where a cell is none. */
function amountsIn(rows: readonly TableRow[], column: number, language: string): number[] | undefined {
  const units = new Set<string>();
  const out: number[] = [];
  for (const { row } of rows) {
    const found = amountOf(row.cells[column]?.text ?? '', language);
    if (found === undefined) return undefined;
    units.add(`${found.before}|${found.unit}`);
    out.push(found.amount);
  }
  return units.size === 1 ? out : undefined;
}
