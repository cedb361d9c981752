/** Tables that are drawn with signs in plain text: those of reStructuredText, and those of Org. */
import { oneLine } from '../../text/one-line.ts';
import { lineAt, type MarkupTable, type Row, type TableFinder, type TableLine, tableOf } from './markup-tables.ts';

const GRID = /^\s*\+(?:-+\+)+\s*$/;
const GRID_LINE = /^\s*[+|].*[+|]\s*$/;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/gu;
/** Fills the second place of a sign that is as wide as two. No text holds it. */
const FILL = '\0';

interface DrawnCell {
  text: string;
}

/** The table with lines around its cells, `+---+---+`, that begins on a line. */
export const gridTable: TableFinder = (lines, index) => {
  if (!GRID.test(lines[index]!)) return undefined;
  let end = index;
  while (end < lines.length && GRID_LINE.test(lines[end]!)) end++;
  const drawn = lines.slice(index, end).map((line) => line.trimEnd().replace(WIDE, `$&${FILL}`));
  const edges = edgesOf(drawn);
  if (drawn.length < 3 || edges.length < 2 || !/^\s*\+[-=+]+\+$/.test(drawn.at(-1)!)) return undefined;
  const rows: { cells: DrawnCell[]; at: [number, number] }[] = [];
  let headers = 0;
  let open: DrawnCell[] | undefined;
  for (const [i, line] of drawn.entries()) {
    const pieces = edges.slice(1).map((to, column) => line.slice(edges[column]! + 1, to));
    const isRule = pieces.map((piece) => /^[-=]+$/.test(piece) || /^[-=]+\+[-=+]*$/.test(piece));
    if (isRule.some((rule) => rule)) {
      if (/^\s*\+[=+]+\+$/.test(line) && headers === 0) headers = rows.length;
      const above: DrawnCell[] | undefined = open;
      open =
        i === drawn.length - 1 ? undefined : pieces.map((_, c) => (isRule[c] || !above ? { text: '' } : above[c]!));
      // A cell that goes on below the rule is the same one in both rows.
      for (const [column, piece] of pieces.entries()) if (open && !isRule[column]) open[column]!.text += ` ${piece}`;
      const first = index + i + (isRule.every((rule) => rule) ? 1 : 0);
      if (open) rows.push({ cells: open, at: [first, first] });
      continue;
    }
    if (!open) return undefined;
    let column = 0;
    for (let c = 0; c < pieces.length; c++) {
      const bordered = c === 0 || line[edges[c]!] === '|' || line[edges[c]!] === '+';
      if (bordered) column = c;
      open[column]!.text += `${bordered ? ' ' : (line[edges[c]!] ?? '')}${pieces[c]!}`;
    }
    rows.at(-1)!.at[1] = index + i;
  }
  const told = rows.map(
    ({ cells, at }): Row => ({ cells: cells.map(({ text }) => oneLine(text.replaceAll(FILL, ''))), at }),
  );
  // A box around words is a drawing.
  return edges.length === 2 && headers === 0 ? undefined : tableOf(told, headers, end - index);
};

/** Where lines between columns stand. */
function edgesOf(drawn: readonly string[]): number[] {
  const edges = new Set<number>();
  for (const line of drawn) {
    if (!/^\s*\+[-=+]/.test(line)) continue;
    for (let at = line.indexOf('+'); at !== -1; at = line.indexOf('+', at + 1)) edges.add(at);
  }
  return [...edges].sort((a, b) => a - b);
}

const SIMPLE = /^\s*=+(?: +=+)+\s*$/;
const MOST_LINES = 5000;

/** The table between lines of `====  ====` that begins on a line; a line more stands below names. */
export const simpleTable: TableFinder = (lines, index) => {
  const border = lines[index]!;
  if (!SIMPLE.test(border)) return undefined;
  const borders = [index];
  for (let i = index + 1; i < Math.min(lines.length, index + MOST_LINES) && borders.length < 3; i++) {
    if (!SIMPLE.test(lines[i]!)) continue;
    borders.push(i);
    if ((lines[i + 1] ?? '').trim() === '') break;
  }
  const end = borders.at(-1)!;
  if (borders.length < 2) return undefined;
  const starts = Array.from(border.matchAll(/=+/g), ({ index: at }) => at);
  const rows: { cells: string[]; at: [number, number] }[] = [];
  let headers = 0;
  for (let i = index + 1; i < end; i++) {
    const line = lines[i]!;
    if (i === borders[1]) headers = rows.length;
    if (i === borders[1] || line.trim() === '' || /^\s*-[- ]*$/.test(line)) continue;
    const cells = cut(line, starts);
    const last = rows.at(-1);
    // Without a first cell a line goes on with the row above, but not beyond the names.
    if (cells[0] === '' && last && !(headers > 0 && rows.length === headers)) {
      last.cells = last.cells.map((text, c) => oneLine(`${text} ${cells[c]}`));
      last.at[1] = i;
    } else rows.push({ cells: cells.map((cell) => (cell === '\\' ? '' : cell)), at: [i, i] });
  }
  return tableOf(rows, borders.length === 3 ? headers : 0, end - index + 1);
};

/** The pieces of a line that begin at these places; text that runs over a place stays with the one before. */
function cut(line: string, starts: readonly number[]): string[] {
  const cells = starts.map(() => '');
  let column = 0;
  for (const [c, start] of starts.entries()) {
    if (c === 0 || (line[start - 1] ?? ' ') === ' ') column = c;
    cells[column] += line.slice(c === 0 ? 0 : start, starts[c + 1]);
  }
  return cells.map(oneLine);
}

const ORG_ROW = /^\s*\|/;
const ORG_RULE = /^\s*\|-[-+]*\|?\s*$/;
const ORG_WIDTHS = /^(?:<[lrc]?\d*>)?$/;
const MOST_ABOVE = 6;

/** The table of Org that begins on a line, with the lines `#+caption:` and their like above it. */
export const orgTable: TableFinder = (lines, index) => {
  // Rows that are no table from the first one on are none from a later one on.
  if (index > 0 && ORG_ROW.test(lines[index]!) && ORG_ROW.test(lines[index - 1]!)) return undefined;
  let at = index;
  let title: TableLine | undefined;
  for (; at < lines.length && at - index < MOST_ABOVE; at++) {
    const [, key, value = ''] =
      /^\s*#\+(caption|name|tblname|attr_\w+|label)(?:\[[^\]]*\])?:\s*(.*)$/i.exec(lines[at]!) ?? [];
    if (key === undefined) break;
    if (key.toLowerCase() === 'caption' && value !== '') title = { text: value.trim(), at: lineAt(at) };
  }
  if (!ORG_ROW.test(lines[at] ?? '')) return undefined;
  const rows: Row[] = [];
  let headers = 0;
  let end = at;
  for (; end < lines.length && ORG_ROW.test(lines[end]!); end++) {
    if (ORG_RULE.test(lines[end]!)) {
      if (headers === 0) headers = rows.length;
      continue;
    }
    const cells = lines[end]!.trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map(oneLine);
    const isShape = cells.some((cell) => cell !== '') && cells.every((cell) => ORG_WIDTHS.test(cell));
    if (!isShape) rows.push({ cells, at: lineAt(end) });
  }
  return orgNames(rows, headers, end - index, title);
};

/** A rule below all rows is no rule below names. */
function orgNames(rows: Row[], headers: number, taken: number, title?: TableLine): MarkupTable | undefined {
  return tableOf(rows, headers < rows.length ? headers : 0, taken, title);
}
