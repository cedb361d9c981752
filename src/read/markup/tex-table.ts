/** Tables of LaTeX: the cells between `&` and `\\` of `tabular`, `longtable` and their like, as rows. */

import { oneLine } from '../../text/one-line.ts';
import { SpannedCells } from '../data/spanned-cells.ts';
import { type Row, type TableFinder, tableOf } from './markup-tables.ts';
import { argumentAt } from './tex-arguments.ts';

const BEGIN = /\\begin\{(tabular[*xy]?|tabulary|longtable|supertabular|xltabular)\}/;
/** Environments with a width before their columns. */
const WITH_WIDTH = /^(?:tabular[*xy]|tabulary|xltabular)$/;
const MOST_LINES = 5000;
/** Tables in tables: no writer nests more. */
const MOST_NESTED = 50;
const MAX_COLUMNS = 200;
/** Commands between rows that print lines or colours. */
const RULES =
  /^\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|tabularnewline|centering|small|footnotesize|noalign|cline|cmidrule|morecmidrules|specialrule|addlinespace|rowcolors?|arrayrulecolor|hhline)(?![A-Za-z])/;

interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

/** What stands between two ends of rows. */
interface Piece {
  readonly cells: Cell[];
  readonly at: [number, number];
  /** Names of the lines above it: `hline`, `midrule`, `endhead`. */
  readonly rules: readonly string[];
}

export const texTable: TableFinder = (lines, index) => {
  const begin = BEGIN.exec(lines[index]!);
  if (!begin || /(?<!\\)%/.test(lines[index]!.slice(0, begin.index))) return undefined;
  const name = begin[1]!;
  let end = index;
  for (let depth = 0; ; end++) {
    const line = lines[end];
    if (line === undefined || end - index > MOST_LINES) return undefined;
    depth += line.split(`\\begin{${name}}`).length - line.split(`\\end{${name}}`).length;
    if (depth > MOST_NESTED) return undefined;
    if (depth <= 0) break;
  }
  const source = lines.slice(index, end + 1).join('\n');
  const close = source.lastIndexOf(`\\end{${name}}`);
  let from = begin.index + begin[0].length;
  for (let i = WITH_WIDTH.test(name) ? 2 : 1; i > 0; i--) from = argumentAt(source, from).end;
  if (from > close) return undefined;
  const { pieces, captions } = piecesOf(source.slice(from, close), index + lineOf(source, from));
  const beside = [source.slice(0, begin.index), source.slice(close).replace(/^\\end\{[^}]*\}/, '')].map(texCell);
  const said = [...captions, ...beside].filter((text) =>
    /[\p{L}\p{N}]/u.test(text.replace(/\\[A-Za-z]+|\[[^\]]*\]/g, '')),
  );
  const title = said.length === 0 ? undefined : { text: said.join(' '), at: [index, index] as const };
  const { rows, headers } = rowsOf(pieces);
  return tableOf(rows, headers, end - index + 1, title);
};

function lineOf(source: string, at: number): number {
  return source.slice(0, at).split('\n').length - 1;
}

/** Cuts the body at the signs that no brace and no other environment holds. */
function piecesOf(body: string, firstLine: number): { readonly pieces: readonly Piece[]; readonly captions: string[] } {
  const pieces: Piece[] = [];
  const captions: string[] = [];
  let line = firstLine;
  let text = '';
  let cells: Cell[] = [];
  let rules: string[] = [];
  let first: number | undefined;
  let depth = 0;
  const endCell = (): void => {
    cells.push(cellOf(text));
    text = '';
  };
  const endRow = (): void => {
    endCell();
    if (cells.length > 1 || cells[0]!.text !== '') {
      pieces.push({ cells, at: [first ?? line, line], rules });
      rules = [];
    }
    cells = [];
    first = undefined;
  };
  for (let at = 0; at < body.length; ) {
    const sign = body[at]!;
    const rest = sign === '\\' ? body.slice(at, at + 40) : '';
    const word = /^\\[A-Za-z]+/.exec(rest)?.[0] ?? '';
    let taken = sign === '\\' ? Math.max(2, word.length) : 1;
    if (sign === '%') {
      const stop = body.indexOf('\n', at);
      at = stop === -1 ? body.length : stop;
      continue;
    }
    if (sign === '\n') line++;
    if (depth === 0 && sign === '&') endCell();
    else if (depth === 0 && (rest.startsWith('\\\\') || word === '\\tabularnewline')) {
      const option = /^\*?\s?\[[^\]\n]*\]/.exec(body.slice(at + taken, at + taken + 40));
      taken += option?.[0].length ?? (body[at + taken] === '*' ? 1 : 0);
      endRow();
    } else if (depth === 0 && RULES.test(rest) && text.trim() === '' && cells.length === 0) {
      rules.push(word.slice(1));
      const options = /^(?:\s*(?:\([^)\n]*\)|\[[^\]\n]*\]|\{[^{}\n]*\}))*/.exec(
        body.slice(at + taken, at + taken + 200),
      );
      if (/[[({]/.test(options?.[0] ?? '')) taken += options![0].length;
    } else if (depth === 0 && word === '\\caption' && text.trim() === '' && cells.length === 0) {
      const starred = body[at + taken] === '*' ? 1 : 0;
      const argument = argumentAt(body, at + taken + starred);
      captions.push(texCell(argument.text));
      line += lineOf(body.slice(at, argument.end), argument.end - at);
      at = Math.max(argument.end, at + taken);
      continue;
    } else {
      if (sign === '{' || word === '\\begin') depth++;
      else if (sign === '}' || word === '\\end') depth = Math.max(0, depth - 1);
      if (first === undefined && sign.trim() !== '') first = line;
      text += body.slice(at, at + taken);
    }
    at += taken;
  }
  endRow();
  return { pieces, captions };
}

function cellOf(source: string): Cell {
  let text = source.trim();
  let columns = 1;
  let rows = 1;
  for (let i = 0; i < 2; i++) {
    const span = /^(?:\\cellcolor(?:\[[^\]]*\])?\{[^{}]*\}\s*)?\\(multicolumn|multirow)\s*(?:\[[^\]]*\])?/.exec(text);
    if (!span) break;
    const count = argumentAt(text, span[0].length);
    const optional = /^\s*\[[^\]]*\]/.exec(text.slice(count.end))?.[0].length ?? 0;
    const shape = argumentAt(text, count.end + optional);
    const moved = /^\s*\[[^\]]*\]/.exec(text.slice(shape.end))?.[0].length ?? 0;
    const said = argumentAt(text, shape.end + moved);
    const number = Math.min(MAX_COLUMNS, Math.abs(Number.parseInt(count.text, 10)) || 1);
    if (span[1] === 'multicolumn') columns = number;
    else rows = number;
    text = `${said.text} ${text.slice(said.end)}`.trim();
  }
  return { text: texCell(text), columns, rows };
}

const FONTS = String.raw`\\(?:text(?:bf|it|tt|sc|rm|sf|sl|md|up|normal)|emph|underline|makecell|thead|textsuperscript|mbox|shortstack)`;
const SWITCHES =
  /\\(?:bfseries|itshape|scshape|ttfamily|raggedright|raggedleft|centering|arraybackslash|tiny|scriptsize|footnotesize|small|normalsize|large|tightlist|item|noindent|hfill|strut|par)(?![A-Za-z])\s?/g;
const SHAPES =
  /\\begin\{(?:minipage|itemize|enumerate|center|tabular)\}(?:\[[^\]]*\])*(?:\{[^{}]*\})?|\\end\{(?:minipage|itemize|enumerate|center|tabular)\}/g;
const UNWRAPPED = new RegExp(`${FONTS}\\*?(?:\\[[^\\]]*\\])?\\{([^{}]*)\\}`, 'g');

/** The text of a cell without what only says how it looks; formulas and all other commands stay. */
function texCell(source: string): string {
  const parts = source.split(/(\$[^$]*\$)/);
  return oneLine(
    parts
      .map((part, i) => {
        if (i % 2 === 1) return part;
        let text = part
          .replace(SHAPES, ' ')
          .replace(SWITCHES, '')
          .replace(/\\\\(?:\[[^\]]*\])?|(?<!\\)~/g, ' ');
        for (let before = ''; before !== text; ) {
          before = text;
          text = text.replace(UNWRAPPED, '$1');
        }
        return text.replace(/(?<![A-Za-z\]}\\])\{([^{}\\]*)\}/g, '$1').replace(/\\([&%$#_])/g, '$1');
      })
      .join(''),
  );
}

/** Names stand above the first `\midrule` or `\endhead`, or are the row that a line parts from the others. */
function rowsOf(pieces: readonly Piece[]): { readonly rows: readonly Row[]; readonly headers: number } {
  const once = withoutRepeated(pieces);
  const named = once.findIndex(
    ({ rules }, i) => i > 0 && rules.some((rule) => /^(?:midrule|endhead|endfirsthead)$/.test(rule)),
  );
  const lined = once.length > 2 && once[1]!.rules.some((rule) => /^(?:hline|hhline|specialrule)$/.test(rule)) ? 1 : 0;
  const headers = named === -1 ? lined : named;
  const spanned = new SpannedCells();
  const rows = once.map(({ cells, at }, i): Row => {
    const row: string[] = [];
    for (const { text, columns, rows: down } of cells) {
      if (down > 1 || !spanned.covers(row.length)) spanned.begin(row.length, text, down);
      row.push(text);
      // A name over several columns is part of the name of each.
      for (let c = 1; c < columns && row.length < MAX_COLUMNS; c++) row.push(i < headers ? text : '');
    }
    spanned.endRow(row);
    return { cells: row, at };
  });
  return { rows, headers };
}

/** The names that a long table writes again on each page stand between `\endfirsthead` and `\endhead`. */
function withoutRepeated(pieces: readonly Piece[]): readonly Piece[] {
  const from = pieces.findIndex(({ rules }) => rules.includes('endfirsthead'));
  const to = pieces.findIndex(({ rules }) => rules.includes('endhead'));
  if (from === -1 || to <= from) return pieces;
  return [...pieces.slice(0, from), ...pieces.slice(to)];
}
