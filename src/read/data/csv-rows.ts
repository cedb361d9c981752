/** Cells of one record and its source lines, from 1. */
export interface CsvRow {
  readonly cells: readonly string[];
  /** Row number as in a spreadsheet: from 1, empty rows included. */
  readonly number: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** From so much of a text its dialect is told. */
export const SAMPLE_CHARS: number = 64 * 1024;

/**
 * The records of a text whose lines end with line feeds. Quoting follows RFC 4180, but blanks may stand before a quote,
 * and a text may write quotes in cells as `\"`; after a quote that never closes, quotes are plain characters.
 * @param from number of the first line
 */
export function* csvRows(
  text: string,
  delimiter: string,
  onOpenQuote: (line: number) => void,
  from = 1,
): Generator<CsvRow, void, undefined> {
  const stop = delimiter.charCodeAt(0);
  let cells: string[] = [];
  let line = from;
  let firstLine = from;
  let number = 0;
  let at = 0;
  let lenient = false; // after a quote that never closes, quotes are plain characters
  const isEscaped = ESCAPED_QUOTE.test(text.slice(0, SAMPLE_CHARS));
  while (at <= text.length) {
    let cell: string;
    if (!lenient) at = quoteBehindBlanks(text, at, stop, isEscaped);
    if (!lenient && text.charCodeAt(at) === 34) {
      const end = closingQuote(text, at + 1, isEscaped);
      if (end === -1) {
        onOpenQuote(line);
        lenient = true;
        continue;
      }
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      if (isEscaped) cell = cell.replace(/\\(["\\])/g, '$1');
      for (let feed = text.indexOf('\n', at); feed !== -1 && feed < end; feed = text.indexOf('\n', feed + 1)) line++;
      at = end + 1;
      // Text after the closing quote belongs to the cell: `"a"b` becomes `ab`.
      const rest = cellEnd(text, at, stop);
      cell += text.slice(at, rest);
      at = rest;
    } else {
      const end = cellEnd(text, at, stop);
      cell = text.slice(at, end);
      at = end;
    }
    cells.push(cell);
    if (at < text.length && text.charCodeAt(at) === stop) {
      at++;
      continue;
    }
    number++;
    if (cells.length > 1 || cells[0] !== '') yield { cells, number, firstLine, lastLine: line };
    cells = [];
    at++;
    line++;
    firstLine = line;
  }
}

function cellEnd(text: string, from: number, stop: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === stop || code === 10) break;
    at++;
  }
  return at;
}

/** A quote after a backslash in a quoted cell, with neither a quote nor the end of the cell behind it. */
const ESCAPED_QUOTE = /(?:^|[,;\t|])"[^"\n]*[^"\n\\]\\"[^",;\t|\n]/m;

/** The quote that ends a quoted cell, skipping doubled and escaped ones; -1 without one. */
function closingQuote(text: string, from: number, isEscaped: boolean): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code === 34 && text.charCodeAt(at + 1) === 34) || (isEscaped && code === 92)) at++;
    else if (code === 34) return at;
  }
  return -1;
}

/** Where a quoted cell begins behind blanks, as in `1, "a, b"`; else `at`. Such a cell has nothing behind its quote. */
function quoteBehindBlanks(text: string, at: number, stop: number, isEscaped: boolean): number {
  if (text.charCodeAt(at) !== 32) return at;
  let open = at;
  while (text.charCodeAt(open) === 32) open++;
  if (text.charCodeAt(open) !== 34) return at;
  const end = closingQuote(text, open + 1, isEscaped);
  if (end === -1) return at;
  return /^ *$/.test(text.slice(end + 1, cellEnd(text, end + 1, stop))) ? open : at;
}
