import type { Span } from '../core/types.ts';
import { sentenceSpans } from '../text/sentences.ts';

/** The smallest thing that is cited: a sentence, or a row of a table. Offsets are the chunk text's. */
export interface Unit extends Span {
  readonly kind: 'sentence' | 'row';
  /** Rows: the table's header in the same text, when it is another line. */
  readonly header?: Span;
}

/**
 * Cuts a chunk's text into citable units, in order, without overlap. Lines that look like rows (two or more of them in a
 * row, cells parted by `|`, tabs or runs of blanks) are units; everything else is cut into sentences.
 */
export function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let proseFrom = 0;
  for (const table of tablesOf(text)) {
    addSentences(text, proseFrom, table.start, units);
    for (const unit of table.rows) units.push(unit);
    proseFrom = table.end;
  }
  addSentences(text, proseFrom, text.length, units);
  return units;
}

function addSentences(text: string, from: number, to: number, units: Unit[]): void {
  if (to <= from) return;
  const part = from === 0 && to === text.length ? text : text.slice(from, to);
  for (const { start, end } of sentenceSpans(part))
    units.push({ kind: 'sentence', start: from + start, end: from + end });
}

interface Table extends Span {
  readonly rows: readonly Unit[];
}

const ruleLine = /^[\s|:+=-]*-[\s|:+=-]*$/;

function tablesOf(text: string): Table[] {
  if (!/[|\t]|\S {2,}\S/.test(text)) return [];
  const tables: Table[] = [];
  let lines: Span[] = [];
  const close = (): void => {
    const table = tableFrom(text, lines);
    if (table) tables.push(table);
    lines = [];
  };
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    if (cellsOf(text.slice(start, end)) >= 2) lines.push({ start, end });
    else close();
    start = end + 1;
  }
  close();
  return tables;
}

/** How many cells a line has; 1 or 0 for ordinary text. */
function cellsOf(line: string): number {
  const trimmed = line.trim();
  if (trimmed === '') return 0;
  if (trimmed.includes('\t')) return trimmed.split(/\t+/).length;
  if (/^\|.*\|$/.test(trimmed)) return Math.max(2, trimmed.split('|').length - 2);
  if (/ \| /.test(trimmed)) return trimmed.split(' | ').length;
  // Columns kept apart by blanks only: figures, and nothing that looks like code.
  if (trimmed.length > 400 || !/\d/.test(trimmed) || /[{};=]|\/\//.test(trimmed)) return 1;
  return trimmed.split(/ {2,}/).length;
}

function tableFrom(text: string, lines: readonly Span[]): Table | undefined {
  if (lines.length < 2) return undefined;
  const rows: Unit[] = [];
  let header: Span | undefined;
  lines.forEach((line, i) => {
    const content = trim(text, line);
    const string = text.slice(content.start, content.end);
    if (ruleLine.test(string)) return;
    // The first line is a header when a rule follows it, or when it holds no figures and the others do.
    if (i === 0 && (ruleLine.test(text.slice(lines[1]!.start, lines[1]!.end)) || !/\d/.test(string))) header = content;
    rows.push({ kind: 'row', ...content, ...(header && header !== content ? { header } : {}) });
  });
  return rows.length === 0 ? undefined : { start: lines[0]!.start, end: lines.at(-1)!.end, rows };
}

function trim(text: string, { start, end }: Span): Span {
  while (start < end && /\s/.test(text[start]!)) start++;
  while (end > start && /\s/.test(text[end - 1]!)) end--;
  return { start, end };
}
