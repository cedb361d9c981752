import type { Span } from '../../core/types.ts';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import { parseChat } from '../chat/chats.ts';
import { DISCORD_CSV } from '../chat/discord-package.ts';
import { chatDocument } from '../chat/document.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { joinCells } from '../join-cells.ts';
import { shownValue } from '../markup/html-values.ts';
import { type CsvRow, csvRows, SAMPLE_CHARS } from './csv-rows.ts';
import { type CsvSection, CsvSections } from './csv-sections.ts';

/** A character that is in no text: every line is one cell. */
const ONE_COLUMN = '\0';
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** A first line that tells Excel the delimiter, and is no row there. */
const EXCEL_TOLD = /^sep=([,;\t|])\n/i;

/**
 * CSV, TSV and similar → one line for each row, cells joined with ` | `; a first row that looks like a header is the
 * header of the table. Quoting follows RFC 4180, but blanks may stand before a quote, and a file may write quotes in
 * cells as `\"`; after a quote that never closes, quotes are plain characters. Locators carry `rows` as a spreadsheet
 * counts them (the header is row 1) and `lines` of the file. Names of another number of columns behind an empty line begin
 * another table. An export of a chat is read as such.
 */
export function parseCsv(
  source: string,
  context: Pick<ParseContext, 'name' | 'maxTextChars' | 'surroundings'>,
): ParsedDocument {
  const chat = DISCORD_CSV.test(source)
    ? parseChat(source, { name: context.name, ...context.surroundings })
    : undefined;
  if (chat) return chatDocument(chat, context);
  const builder = new DocumentBuilder('csv', context);
  const whole = source.replace(/\r\n?/g, '\n').replace(/^\ufeff/, '');
  const told = EXCEL_TOLD.exec(whole);
  const text = told ? whole.slice(told[0].length) : whole;
  const from = told ? 2 : 1;
  const delimiter = told?.[1] ?? (/\.(?:tsv|tab)$/i.test(context.name) ? '\t' : sniffDelimiter(text));
  // Two passes, so that not all cells are in memory: the first finds the shape, the second writes.
  let count = 0;
  let width = 0;
  let narrowest = Number.POSITIVE_INFINITY;
  const first: CsvRow[] = [];
  const sections = new CsvSections(isHeader);
  const warnOfQuote = (line: number): void =>
    builder.warn('CSV_OPEN_QUOTE', `a quote opened on line ${line} is never closed`);
  for (const row of csvRows(text, delimiter, warnOfQuote, from)) {
    if (count++ < FIRST_ROWS) first.push(row);
    sections.add(row);
    width = Math.max(width, row.cells.length);
    narrowest = Math.min(narrowest, row.cells.length);
  }
  const { head, others } = tablesOf(first, width, sections.found);
  if (narrowest < width && others.length === 0) builder.warn('CSV_RAGGED', 'rows have different numbers of cells');
  let start = 0;
  let header: Span | undefined;
  const endTable = (): void =>
    builder.mark({ start, end: builder.length }, { kind: 'table', ...(header && { header }) });
  let index = 0;
  let next = 0;
  let names = 0;
  for (const row of csvRows(text, delimiter, () => {}, from)) {
    const isFirst = index >= head.from && index < head.to;
    index++;
    const line = joinCells(row.cells.map((cell) => oneLine(shownValue(cell, context))));
    if (line === '') continue;
    const other = others[next];
    if (other?.from === row.number) {
      endTable();
      next++;
      ({ names } = other);
      header = undefined;
    }
    if (builder.length > 0) builder.append(other?.from === row.number ? '\n\n' : '\n');
    const span = builder.append(line);
    if (other?.from === row.number) ({ start } = span);
    builder.locate(span, { rows: [row.number, row.number], lines: [row.firstLine, row.lastLine] });
    if (isFirst || row.number === names) header = { start: header?.start ?? span.start, end: span.end };
  }
  endTable();
  builder.metadata.rows = count - head.to - others.length;
  builder.metadata.columns = width;
  return builder.build();
}

/** A comma that stands in no number such as `1,5`. */
const PLAIN_COMMA = /,(?!\d)|(?<!\d),/;

/**
 * The delimiter that most often cuts the first lines into the same number of cells, more than one. Commas of decimal
 * numbers do that too: where all commas stand between digits, another delimiter goes before.
 */
function sniffDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARS);
  let best = ONE_COLUMN;
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const rows: CsvRow[] = [];
    for (const row of csvRows(sample, delimiter, () => {})) {
      rows.push(row);
      if (rows.length === 50) break;
    }
    if (rows.length > 1 && rows.length < 50 && sample.length < text.length) rows.pop(); // may be incomplete
    if (rows.length === 0) continue;
    const widths = new Map<number, number>();
    for (const row of rows) widths.set(row.cells.length, (widths.get(row.cells.length) ?? 0) + 1);
    const [width, count] = [...widths].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]!;
    if (width === 1) continue;
    // One that cuts all of them alike, the header too, goes before one that makes more cells of most.
    const fit = (count === rows.length ? 1 : 0) + (count / rows.length) * (1 + Math.log2(width) / 10);
    const score = delimiter === ',' && !PLAIN_COMMA.test(sample) ? fit / 4 : fit;
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/** Among so many rows the header is looked for; statements of banks begin with up to a dozen lines about the account. */
const FIRST_ROWS = 20;
const MAX_TITLES = 3;
/** A line about an account fills as many cells: "IBAN:";"DE02 …", or with a currency or a second value. */
const LABEL_AND_VALUE = 3;
/** A number, a sum or a date: digits without a word. */
const IS_VALUE = /^[^\p{L}]*\d[^\p{L}]*(?:\p{Sc}|[A-Z]{3}|Z)?$/u;
const NO_HEADER = { from: 0, to: 0 };

/**
 * The rows of the header: titles of one cell, then a row of distinct words as wide as the table. A number, a long text
 * or many empty cells in that row mean that there is no header. Above may stand lines of less than half as many cells;
 * then the header is that row alone.
 */
function findHeader(rows: readonly CsvRow[], width: number): { readonly from: number; readonly to: number } {
  const isNarrow = (row: CsvRow): boolean => row.cells.length < width / 2;
  const at = rows.findIndex((row) => width === 1 || (filled(row).length > 1 && !isNarrow(row)));
  const row = rows[at];
  if (row === undefined || at + 1 >= rows.length) return NO_HEADER;
  const above = rows.slice(0, at);
  if (above.filter((one) => !isNarrow(one)).length > MAX_TITLES) return NO_HEADER;
  const cells = filled(row);
  if (cells.length < row.cells.length / 2 || cells.length < width / 2) return NO_HEADER;
  if (!isHeader(cells)) return NO_HEADER;
  return { from: isTitled(above) ? 0 : at, to: at + 1 };
}

/**
 * The row of the header where every line above fills fewer cells, perhaps padded with empty ones: no row fills more
 * cells than this one, and a number or a date stands under its words.
 */
function findHeaderBelow(rows: readonly CsvRow[]): { readonly from: number; readonly to: number } | undefined {
  const most = Math.max(0, ...rows.map((row) => filled(row).length));
  const at = rows.findIndex((row) => filled(row).length === most);
  const head = rows[at];
  const next = rows[at + 1];
  if (at < 1 || most < 3 || !head || !next || next.cells.length < most) return undefined;
  const above = rows.slice(0, at);
  if (!above.every((row) => filled(row).length <= LABEL_AND_VALUE)) return undefined;
  // Without a value there the first line may be a header that leaves a column without a name.
  if (!above.some((row) => row.cells.slice(1).some((cell) => /\d/.test(cell)))) return undefined;
  if (!isHeader(filled(head)) || !next.cells.some((cell) => IS_VALUE.test(cell.trim()))) return undefined;
  return { from: at, to: at + 1 };
}

/** The header of the first table, and the tables below it. */
function tablesOf(
  rows: readonly CsvRow[],
  width: number,
  found: readonly CsvSection[],
): { readonly head: { readonly from: number; readonly to: number }; readonly others: readonly CsvSection[] } {
  const below = findHeaderBelow(rows);
  for (const [i, { from }] of found.entries()) {
    const own = rows.filter(({ number }) => number < from);
    const columns = Math.max(...own.map(({ cells }) => cells.length));
    // What stands above the names of the first table is no table; pairs are labels and values.
    const head = columns > (below ? 2 : 1) ? findHeader(own, columns) : NO_HEADER;
    if (head.to > 0 && own.length > head.to) return { head, others: found.slice(i) };
  }
  if (below) return { head: below, others: found.filter(({ names }) => names > rows[below.from]!.number) };
  return { head: findHeader(rows, width), others: [] };
}

function isTitled(above: readonly CsvRow[]): boolean {
  return above.length <= MAX_TITLES && above.every((row) => filled(row).length < 2);
}

/** Words that differ, none of them a number or a long text. */
function isHeader(cells: readonly string[]): boolean {
  if (cells.some((cell) => /^[-+]?[\d.,]+%?$/.test(cell) || cell.length > 100)) return false;
  return new Set(cells).size === cells.length;
}

function filled(row: CsvRow): string[] {
  return row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
}
