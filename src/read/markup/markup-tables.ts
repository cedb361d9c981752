/** Tables that a line-oriented markup writes cell by cell, as rows. */
import { oneLine } from '../../text/one-line.ts';
import { csvRows } from '../data/csv-rows.ts';
import { SpannedCells } from '../data/spanned-cells.ts';
import { joinCells } from '../join-cells.ts';

export interface TableLine {
  readonly text: string;
  /** First and last line in the source, from 0. */
  readonly at: readonly [number, number];
}

export interface MarkupTable {
  readonly title?: TableLine | undefined;
  readonly lines: readonly TableLine[];
  /** How many of the lines are names of columns; 0: the lines are entries, each with its first cell as a term. */
  readonly headers: number;
  /** Lines of the source that it takes. */
  readonly taken: number;
}

/** The table that begins on a line; undefined for other lines. */
export type TableFinder = (lines: readonly string[], index: number) => MarkupTable | undefined;

export interface Row {
  readonly cells: readonly string[];
  readonly at: readonly [number, number];
}

/** A rule below names tells that they are names, whatever stands in the rows. */
export function tableOf(
  rows: readonly Row[],
  headers: number,
  taken: number,
  title?: TableLine,
): MarkupTable | undefined {
  const told = rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const names = Math.min(headers, rows.length);
  if (told.length === 0) return undefined;
  if (names === 0) return { title, taken, headers: 0, lines: told.map(entryOf) };
  const shown = told.map(({ cells, at }) => ({ text: joinRow(cells), at }));
  const rule = { text: told[0]!.cells.map(() => '---').join(' | '), at: told[names - 1]!.at };
  return { title, taken, headers: names, lines: [...shown.slice(0, names), rule, ...shown.slice(names)] };
}

/** An empty first cell stays: the others are in their columns. */
function joinRow(cells: readonly string[]): string {
  return cells[0] === '' ? ` | ${joinCells(cells.slice(1))}` : joinCells(cells);
}

/** Without names of columns a row tells what its first cell is. */
function entryOf({ cells, at }: Row): TableLine {
  const [term = '', ...rest] = cells.filter((cell) => cell !== '');
  return { text: `- ${rest.length === 0 ? term : `${term}: ${rest.join('; ')}`}`, at };
}

/** `list-table` and `csv-table` of reStructuredText. */
export const rstTable: TableFinder = (lines, index) => {
  const [, indent, kind, name = ''] = /^(\s*)\.\. (list|csv)-table::\s*(.*)$/.exec(lines[index]!) ?? [];
  if (indent === undefined) return undefined;
  let end = index + 1;
  let last = index;
  for (; end < lines.length; end++) {
    const line = lines[end]!;
    if (line.trim() === '') continue;
    if (/^\s*/.exec(line)![0].length <= indent.length) break;
    last = end;
  }
  const options = new Map<string, string>();
  let at = index + 1;
  let option = '';
  for (; at <= last && lines[at]!.trim() !== ''; at++) {
    const [, key, value = ''] = /^\s*:([\w-]+):\s*(.*)$/.exec(lines[at]!) ?? [];
    option = key ?? option;
    options.set(option, key === undefined ? `${options.get(option) ?? ''} ${lines[at]!.trim()}` : value);
  }
  const delimiter = options.get('delim') ?? ',';
  const sign = { tab: '\t', space: ' ' }[delimiter] ?? delimiter;
  const rows = kind === 'list' ? listRows(lines, at, last) : recordsIn(lines, at, last, sign);
  const named = options.get('header');
  const head = named === undefined ? [] : recordsIn([named], 0, 0, sign).map((row) => ({ ...row, at: lineAt(index) }));
  const count = Number.parseInt(options.get('header-rows') ?? '0', 10) || 0;
  const title = name.trim() === '' ? undefined : { text: name.trim(), at: [index, index] as const };
  return rows.length === 0 ? undefined : tableOf([...head, ...rows], head.length + count, last - index + 1, title);
};

/** `* - cell`, then `  - cell` for the others of a row; deeper lines go on with a cell. */
function listRows(lines: readonly string[], from: number, to: number): Row[] {
  const rows: { cells: string[]; at: [number, number] }[] = [];
  let column: number | undefined;
  for (let i = from; i <= to; i++) {
    const line = lines[i]!;
    if (line.trim() === '') continue;
    const indent = /^\s*/.exec(line)![0].length;
    const [, sign, said = ''] = /^\s*([*+-]\s+-(?=\s|$)|[*+-](?=\s|$))(.*)$/.exec(line) ?? [];
    const row = rows.at(-1);
    if (sign !== undefined && sign.length > 1 && indent <= (column ?? indent)) {
      column = indent;
      rows.push({ cells: [said.trim()], at: [i, i] });
    } else if (row !== undefined) {
      if (sign?.length === 1 && column !== undefined && indent > column && indent <= column + 3)
        row.cells.push(said.trim());
      else row.cells.push(oneLine(`${row.cells.pop() ?? ''} ${line}`));
      row.at[1] = i;
    }
  }
  return rows;
}

/** Lines from one to another, both included, as records with a sign between their cells. */
function recordsIn(lines: readonly string[], from: number, to: number, delimiter: string): Row[] {
  const text = lines.slice(from, to + 1).map((line) => line.trim());
  return Array.from(
    csvRows(text.join('\n'), delimiter, () => {}, from),
    ({ cells, firstLine, lastLine }) => ({ cells: cells.map(oneLine), at: [firstLine, lastLine] }),
  );
}

/** Lines above a table that say how it is read: attributes, anchors, its title. */
const ABOVE = /^(?:\[[^\]]*\]|\.[^\s.].*)\s*$/;
const MOST_ABOVE = 4;

/** Tables between two lines `|===`, or `,===`, with the lines above that say how they are read. */
export const asciidocTable: TableFinder = (lines, index) => {
  let open = index;
  while (open < lines.length && open - index < MOST_ABOVE && ABOVE.test(lines[open]!)) open++;
  const fence = /^([|,:!])={3,}\s*$/.exec(lines[open] ?? '');
  if (!fence) return undefined;
  const above = lines.slice(index, open);
  const attributes = above.filter((line) => line.startsWith('[')).join(',');
  const named = above.findIndex((line) => line.startsWith('.'));
  const title = named === -1 ? undefined : { text: above[named]!.slice(1).trim(), at: lineAt(index + named) };
  let close = open + 1;
  while (close < lines.length && lines[close]!.trim() !== fence[0].trim()) close++;
  const taken = Math.min(lines.length, close + 1) - index;

  const options = /(?:options|opts)\s*=\s*(?:"([^"]*)"|(\w+))/i.exec(attributes);
  const said = ` ${[options?.[1] ?? options?.[2], ...attributes.matchAll(/%(\w+)/g)].flat().join(' ').replaceAll(',', ' ')} `;
  const first = open + 1;
  const isBroken = (lines[first] ?? '').trim() !== '' && (lines[first + 1] ?? '').trim() === '' && first + 1 < close;
  const format = /format\s*=\s*"?(\w+)/i.exec(attributes)?.[1] ?? { ',': 'csv', ':': 'dsv' }[fence[1]!] ?? 'psv';
  const width = columnsIn(attributes);
  let rows: readonly Row[];
  let fits = true;
  if (format === 'psv') {
    const cells = cellsBetween(lines, first, close, fence[1]!);
    const onFirst = cells.filter(({ at }) => at[0] === first).reduce((sum, { columns }) => sum + columns, 0);
    const columns = width ?? Math.max(1, onFirst || cells.filter(({ at }) => at[0] === cells[0]?.at[0]).length);
    fits = onFirst === columns;
    rows = rowsOf(cells, columns);
  } else rows = recordsIn(lines, first, close - 1, format === 'csv' ? ',' : format === 'tsv' ? '\t' : ':');
  const isNamed = / header /.test(said) || (isBroken && fits && !/ noheader /.test(said));
  return tableOf(rows, isNamed ? 1 : 0, taken, title);
};

export function lineAt(index: number): readonly [number, number] {
  return [index, index];
}

/** `cols="1,1,2"`, `cols=3*`, `cols="1,2*"`; undefined without. */
function columnsIn(attributes: string): number | undefined {
  const found = /\bcols\s*=\s*(?:"([^"]*)"|([^,\]]+))/i.exec(attributes);
  const list = found?.[1] ?? found?.[2];
  if (list === undefined) return undefined;
  const counts = list.split(/[,;]/).map((one) => Number(/^\s*(\d+)\*/.exec(one)?.[1] ?? 1));
  return Math.min(
    1000,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

interface Cell {
  readonly text: string;
  readonly at: [number, number];
  readonly columns: number;
  readonly rows: number;
}

/** Cells begin with `|`, before which stands how far they reach (`2+`, `.3+`), how often (`3*`) and how they look. */
function cellsBetween(lines: readonly string[], from: number, to: number, sign: string): Cell[] {
  const cells: Cell[] = [];
  let open: { text: string; at: [number, number]; spec: string } | undefined;
  const close = (): void => {
    if (!open) return;
    const [, across = '', down = '', kind = ''] = /^(\d*)(?:\.(\d+))?([+*]?)/.exec(open.spec) ?? [];
    const count = Math.min(1000, Number(across) || 1);
    const cell = { text: oneLine(open.text), at: open.at, columns: kind === '+' ? count : 1, rows: Number(down) || 1 };
    for (let i = 0; i < (kind === '*' ? count : 1); i++) cells.push(cell);
    open = undefined;
  };
  const begin = new RegExp(
    `(?<=^|\\s)((?:\\d*(?:\\.\\d+)?[+*])?[<^>]?(?:\\.[<^>])?[adehlmsv]?)\\${sign}|(?<!\\\\)\\${sign}`,
    'g',
  );
  for (let i = from; i < to; i++) {
    const line = lines[i]!;
    if (/^\/\/(?!\/)/.test(line)) continue; // a comment
    let at = 0;
    for (const found of line.matchAll(begin)) {
      if (open) open.text += ` ${line.slice(at, found.index)}`;
      if (open && line.slice(at, found.index).trim() !== '') open.at[1] = i;
      close();
      open = { text: '', at: [i, i], spec: found[1] ?? '' };
      at = found.index + found[0].length;
    }
    if (open && line.slice(at).trim() !== '') {
      open.text += ` ${line.slice(at)}`;
      open.at[1] = i;
    }
  }
  close();
  return cells.map((cell) => ({ ...cell, text: cell.text.replaceAll(`\\${sign}`, sign) }));
}

function rowsOf(cells: readonly Cell[], width: number): Row[] {
  const rows: Row[] = [];
  const spanned = new SpannedCells();
  let row: string[] = [];
  let at: [number, number] | undefined;
  const end = (): void => {
    if (at === undefined) return;
    spanned.endRow(row);
    rows.push({ cells: row, at });
    row = [];
    at = undefined;
  };
  for (const cell of cells) {
    while (row.length < width && spanned.covers(row.length)) row.push('');
    if (row.length >= width) {
      end();
      while (row.length < width && spanned.covers(row.length)) row.push('');
    }
    at = [at?.[0] ?? cell.at[0], cell.at[1]];
    spanned.begin(row.length, cell.text, cell.rows);
    row.push(cell.text);
    for (let i = 1; i < cell.columns && row.length < width; i++) row.push('');
    if (row.length >= width) end();
  }
  end();
  return rows;
}
