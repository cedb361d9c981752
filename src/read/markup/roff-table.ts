/** Tables of `tbl`, row by row. */
import { oneLine } from '../../text/one-line.ts';
import type { RoffLines } from './roff-lines.ts';

/** A cell, or a line, that is drawn. */
const RULE = /^(?:[_=]|\\[_^])$/;

/** Whether a line of a format sets all its columns in bold: `lb cb`, `LfB | Lf(B)`. */
function isBoldFormat(line: string): boolean {
  const columns = line
    .replace(/\.\s*$/, '')
    .replace(/w\([^)]*\)/gi, '')
    .split(/[\s|]+/);
  const shown = columns.filter((column) => /^[lrcna]/i.test(column));
  return shown.length > 0 && shown.every((column) => /b/i.test(column.slice(1)));
}

export interface RoffTable {
  /** Cells of each, in one line. */
  readonly rows: readonly string[];
  /** How many of the rows, from the first on, are names of columns. */
  readonly headers: number;
  /** The last line of the file that was read. */
  readonly last: number;
}

/** Reads from behind `.TS` to `.TE`. */
export function readTable(lines: RoffLines): RoffTable {
  const rows: string[] = [];
  let last = 1;
  let tab = '\t';
  /** Options end with `;`, the format of columns with `.`; then come the data. */
  let isData = false;
  let cells: string[] | undefined;
  let block: string[] | undefined;
  /** Of each line of the format: whether all columns are bold. */
  const formats: boolean[] = [];
  /** Numbers of rows behind which a rule stands. */
  const rules = new Set<number>();
  let isBold = false;
  const show = (cell: string): string => oneLine(lines.print(cell));
  const add = (text: string): void => {
    // A cell of several lines stands between `T{` and `T}`; the row goes on behind it.
    const parts = text.split(tab);
    cells ??= [];
    const isOpen = parts.at(-1)?.trim() === 'T{';
    cells.push(...(isOpen ? parts.slice(0, -1) : parts));
    if (isOpen) {
      block = [];
      return;
    }
    if (rows.length === 0)
      isBold = cells.every((cell) => /^\s*\\f(?:B|\[B\]|\(B).*\\f(?:[RP]|\[[RP]?\])\s*$/.test(cell));
    if (cells.every((cell) => RULE.test(cell.trim()))) rules.add(rows.length);
    const row = cells.map(show).map((cell) => (RULE.test(cell) ? '' : cell));
    if (row.some((cell) => cell !== '')) rows.push(row.join(' | ').replace(/(?: \|\s*)+$/, ''));
    cells = undefined;
  };
  for (let raw = lines.raw(); raw !== undefined; raw = lines.raw()) {
    last = raw.line;
    const { text } = raw;
    if (/^\.TE\b/.test(text)) break;
    if (/^[.']\s*T&/.test(text)) isData = false;
    else if (!isData) {
      const option = /\btab\s*\((.)\)/i.exec(text)?.[1];
      if (option !== undefined) tab = option;
      if (!text.trim().endsWith(';') && rows.length === 0)
        for (const line of text.replace(/^.*;/, '').split(','))
          if (line.trim() !== '') formats.push(isBoldFormat(line));
      if (/\.\s*$/.test(text)) isData = true;
    } else if (block !== undefined && text.startsWith('T}')) {
      cells!.push(block.join(' '));
      block = undefined;
      const rest = text.slice(2);
      if (rest.startsWith(tab)) add(rest.slice(tab.length));
      else add('');
    } else if (block !== undefined) block.push(text.replace(/^[.']\s*(?:[a-z]\w*\b.*|[A-Z]{1,2}\s+)/, ''));
    else if (!/^[.']/.test(text)) add(text);
  }
  // The last line of the format is that of all other rows. Rules behind all rows only part them.
  const set = formats.findIndex((bold) => !bold);
  const ruled = rules.has(1) && !rules.has(2) && rows.length > 1;
  const headers = set > 0 ? Math.min(set, rows.length - 1) : ruled || (isBold && rows.length > 1) ? 1 : 0;
  return { rows, headers: Math.max(0, headers), last };
}
