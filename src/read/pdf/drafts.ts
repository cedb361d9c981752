/** Turns the rows of one region into drafts of blocks: finds the bounds of paragraphs, headings, lists and tables. */
import type { BlockKind, Recognition } from '../../core/types.ts';
import { cellsOf } from './cells.ts';
import { mostlyRtl, type PageRegions, type Region, type Row } from './layout.ts';
import { joinLines, type WordCounts } from './repair.ts';
import { type RuledTable, ruledText } from './ruled.ts';
import { type TableText, tableText } from './table-text.ts';
import { findTables } from './tables.ts';

export interface PdfBlock {
  kind: BlockKind;
  level?: number;
  /** Text with its page; pieces are joined without a separator. */
  pieces: { text: string; page: number; ocr?: Recognition }[];
  /** In tables: length of the caption and header lines at the start of the text; else 0. */
  headerLength: number;
}

/** A block with the measures of its rows. */
export interface Draft extends PdfBlock {
  readonly size: number;
  readonly bold: boolean;
  readonly rows: number;
  /**
   * Whether the last line reaches the right margin and ends no sentence, so that the paragraph may continue elsewhere.
   */
  open: boolean;
  /** Characters that had room behind the last line, where it ends no sentence: a longer word had to go elsewhere. */
  room?: number;
  /** Where its first line begins, in points; of paragraphs, headings and lists. */
  readonly left?: number;
  readonly top: boolean;
  /** Whether it is a running header or footer, or text in another direction: text goes on across it. */
  running?: boolean;
}

const SENTENCE_END = /[.!?:;。！？؟।][)\]"'”’»\d]*$/u;
const BULLET = /^[•●○◦▪■□☐☑☒‣➢✓✔✗·∙*–—-]\s+\S/u;
export const NUMBERED: RegExp = /^(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|\[\d{1,3}\])\s+\S/iu;
export const CAPTION: RegExp =
  /^(?:table|tab\.|figure|fig\.|exhibit|chart|listing|algorithm|tabelle|abbildung|tableau|表|图|図)\s*(?:\d+|[IVX]+|[A-Z]\.?\d+)\b/iu;
/** `Excess: EUR 250`: a name, and what it is. */
const LABELLED = /^\p{Lu}[^:.!?]{0,40}:\s+\S/u;
const CONTENTS = /(?:\s?[.·…]){4,}\s*(?:[A-Z]-)?\p{Nd}{0,4}\s*$/u;
/** Dots between a title and its page, with the bounds of cells beside them. */
const LEADERS = /(?:\s*\|)?(?:\s?[.·…]){4,}\s*(?:\| )?/gu;

export interface Style {
  readonly bodySize: number;
  /** Usual distance of two baselines, in font sizes, by rounded font size. */
  readonly leading: ReadonlyMap<number, number>;
  readonly bodyBold: boolean;
  /** Whether most text has a fixed pitch, which then does not mean code. */
  readonly bodyMono: boolean;
}

export function measureStyle(pages: readonly PageRegions[]): Style {
  const sizes = new Map<number, number>();
  const gaps = new Map<number, Map<number, number>>();
  // Of lines that are full, or go on: paragraphs of one line are further apart than lines.
  const within = new Map<number, Map<number, number>>();
  let bold = 0;
  let mono = 0;
  let all = 0;
  for (const { regions, head = [], foot = [], turned = [] } of pages) {
    for (const region of [head, ...regions, ...turned, foot]) {
      const left = Math.min(...region.map((row) => row.x0));
      const right = Math.max(...region.map((row) => row.x1));
      for (const [i, row] of region.entries()) {
        if (ruledTable(row)) continue;
        const size = roundSize(row.size);
        sizes.set(size, (sizes.get(size) ?? 0) + row.text.length);
        all += row.text.length;
        if (row.bold) bold += row.text.length;
        if (row.mono) mono += row.text.length;
        const next = region[i + 1];
        if (next && !ruledTable(next) && roundSize(next.size) === size && row.text.length > 20) {
          const gap = Math.round(((next.y - row.y) / row.size) * 20) / 20;
          if (gap < 0.8 || gap > 2.6) continue;
          note(gaps, size, gap);
          const isFull = row.x1 > right - 0.2 * (right - left) && !SENTENCE_END.test(row.text);
          if (isFull || /^\p{Ll}/u.test(next.text)) note(within, size, gap);
        }
      }
    }
  }
  const leading = new Map<number, number>();
  for (const [size, counts] of gaps)
    leading.set(size, Math.min(mode(counts)!, mode(within.get(size) ?? new Map()) ?? 1.2));
  return { bodySize: mode(sizes) ?? 10, leading, bodyBold: bold > all / 2, bodyMono: mono > all / 3 };
}

function ruledTable({ segments: [first] }: Row): RuledTable | undefined {
  return first?.ruled?.table;
}

function note(gaps: Map<number, Map<number, number>>, size: number, gap: number): void {
  const counts = gaps.get(size) ?? new Map<number, number>();
  gaps.set(size, counts.set(gap, (counts.get(gap) ?? 0) + 1));
}

export function roundSize(size: number): number {
  return Math.round(size * 2) / 2;
}

function mode(counts: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  let most = 0;
  for (const [value, count] of counts) {
    if (count > most) {
      best = value;
      most = count;
    }
  }
  return best;
}

export function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Separates lines beside the text that do not overlap it, such as the caption of a picture with text around it: the
 * lines before and after them belong together.
 */
export function liftAsides(rows: Region): [main: Row[], aside: Row[]] {
  const main: Row[] = [];
  const aside: Row[] = [];
  for (const [i, row] of rows.entries()) {
    const before = main.at(-1);
    const after = rows.slice(i + 1, i + 5).find((next) => before !== undefined && overlap(next, before));
    const clear =
      !ruledTable(row) && before !== undefined && after !== undefined && !overlap(row, before) && !overlap(row, after);
    const close = before !== undefined && after !== undefined && after.y - before.y < 2.4 * before.size;
    // A line of its own, such as the term above what defines it, keeps its distance on both sides.
    const beside = close && Math.min(row.y - before.y, after.y - row.y) < 0.95 * before.size;
    const same = after !== undefined && before !== undefined && Math.abs(after.size - before.size) < 0.1 * before.size;
    const prose = before !== undefined && words(before) >= 5 && after !== undefined && words(after) >= 3;
    (clear && beside && same && prose ? aside : main).push(row);
  }
  return [main, aside];
}

function words(row: Row): number {
  return row.text.split(' ').length;
}

function overlap(a: Row, b: Row): boolean {
  return Math.min(a.x1, b.x1) > Math.max(a.x0, b.x0);
}

export function* regionDrafts(
  region: Region,
  page: number,
  style: Style,
  titles: ReadonlyMap<string, number>,
  vocabulary: WordCounts,
): Generator<Draft> {
  for (let from = 0, to: number; from < region.length; from = to) {
    const table = ruledTable(region[from]!);
    to = region.findIndex((row, i) => i > from && ruledTable(row) !== table);
    if (to < 0) to = region.length;
    const rows = region.slice(from, to);
    if (table) yield tableDraft(rows, ruledText(rows, vocabulary), page, from === 0);
    else yield* drafts(rows, page, style, titles, vocabulary);
  }
}

function tableDraft(
  rows: readonly Row[],
  { lines: written, headerLines }: TableText,
  page: number,
  top: boolean,
): Draft {
  const contents = written.filter((line) => CONTENTS.test(line.replace(/ \| /gu, ' '))).length > 0.5 * written.length;
  const lines = contents ? written.map((line) => line.replace(LEADERS, ' … ').trimEnd()) : written;
  return {
    kind: contents ? 'reference' : 'table',
    pieces: [{ text: lines.join('\n'), page }],
    headerLength: contents ? 0 : lines.slice(0, headerLines).join('\n').length,
    size: rows[0]!.size,
    bold: false,
    rows: rows.length,
    open: false,
    top,
  };
}

function* drafts(
  rows: readonly Row[],
  page: number,
  style: Style,
  titles: ReadonlyMap<string, number>,
  vocabulary: WordCounts,
): Generator<Draft> {
  let at = 0;
  for (const [start, end] of [...findTables(rows), [rows.length, rows.length] as const]) {
    yield* paragraphs(rows.slice(at, start), page, style, titles, vocabulary);
    const part = rows.slice(start, end);
    if (end > start) yield tableDraft(part, tableText(part, vocabulary), page, start === 0);
    at = end;
  }
}

function* paragraphs(
  given: readonly Row[],
  page: number,
  style: Style,
  titles: ReadonlyMap<string, number>,
  vocabulary: WordCounts,
): Generator<Draft> {
  if (given.length === 0) return;
  const rows = mostlyRtl(given.flatMap(({ segments }) => segments)) ? given.map(mirrored) : given;
  const left = edge(rows.map((row) => row.x0));
  const right = Math.max(
    ...rows.filter((row) => row.size < 1.6 * style.bodySize || rows.length < 3).map((row) => row.x1),
    0,
  );
  let group: Row[] = [];
  for (const [i, row] of rows.entries()) {
    const before = group.at(-1);
    if (before && startsBlock(row, before, rows[i + 1], group, { left, right, style, titles })) {
      yield toDraft(group, page, right, style, titles, vocabulary, group[0] === rows[0]);
      group = [];
    }
    group.push(row);
  }
  yield toDraft(group, page, right, style, titles, vocabulary, group[0] === rows[0]);
}

/** Lines from right to left begin at the right edge, and end early before the left one. */
function mirrored(row: Row): Row {
  return { ...row, x0: -row.x1, x1: -row.x0 };
}

/** The most frequent left edge, rounded to 2 points. */
function edge(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) {
    const key = Math.round(value / 2) * 2;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return mode(counts) ?? 0;
}

interface Frame {
  readonly left: number;
  readonly right: number;
  readonly style: Style;
  readonly titles: ReadonlyMap<string, number>;
}

function startsBlock(row: Row, before: Row, next: Row | undefined, group: readonly Row[], frame: Frame): boolean {
  const { left, style, titles } = frame;
  const size = Math.max(row.size, before.size);
  const gap = row.y - before.y;
  const usual = (style.leading.get(roundSize(before.size)) ?? 1.2) * before.size;
  if (
    row.mono !== before.mono &&
    !style.bodyMono &&
    !(gap < 1.1 * usual && runsThrough(row, before, next, group, frame))
  )
    return true;
  const heading = looksLikeHeading(before, style, titles);
  if (gap > (heading ? 1.45 : 1.28) * Math.max(usual, 1.05 * size)) return true;
  if (Math.abs(row.size - before.size) > 0.09 * size) return true;
  const goesOn = !SENTENCE_END.test(before.text) && /^\p{Ll}/u.test(row.text) && !endsEarly(before, row, frame.right);
  if (row.bold !== before.bold && !(before.bold && goesOn) && (wholeLine(before) || wholeLine(row))) {
    if (before.bold !== group[0]!.bold || group.length === 1 || row.bold) return true;
    // A heading of several lines, straight above its text.
    if (group.every(({ bold }) => bold) && endsEarly(before, row, frame.right)) return true;
  }
  if (row.mono && before.mono && !style.bodyMono) return false;
  if (titles.has(bare(group.map((r) => r.text).join(' ')))) return true;
  if (BULLET.test(rowText(row)) || CAPTION.test(row.text)) return true;
  const ended = SENTENCE_END.test(before.text);
  const short = endsEarly(before, row, frame.right);
  if (NUMBERED.test(rowText(row)) && (ended || short || NUMBERED.test(rowText(group[0]!)))) return true;
  const indent = 0.8 * row.size;
  const indented = row.x0 > left + indent && row.x0 < left + 6 * row.size && before.x0 < left + indent;
  if (indented && (ended || short) && (!next || next.x0 < row.x0 - indent / 2 || short)) return true;
  // A hanging entry (references, definitions): its first line starts further left than the line before.
  if (row.x0 < before.x0 - indent && group.length > 1 && group[0]!.x0 <= row.x0 + indent / 2) return true;
  const [labelled, belowLabelled] = [LABELLED.test(row.text), LABELLED.test(before.text)];
  if (labelled && belowLabelled) return true;
  return short && (ended || labelled || belowLabelled) && /^[\p{Lu}\p{Lo}\p{N}“"'([]/u.test(row.text);
}

/** Whether one line of fixed pitch is part of a sentence: an address, or a name that had no room on the line before. */
function runsThrough(row: Row, before: Row, next: Row | undefined, group: readonly Row[], frame: Frame): boolean {
  if (!row.mono) return !group[0]!.mono;
  return !next?.mono && !SENTENCE_END.test(before.text) && !endsEarly(before, row, frame.right);
}

function wholeLine(row: Row): boolean {
  return row.segments.every((s) => s.bold === row.bold);
}

/** Whether the first word of the next line had room on this line: then the break is intended. */
function endsEarly(before: Row, row: Row, right: number): boolean {
  const word = row.text.split(' ', 1)[0] ?? '';
  const width = ((row.x1 - row.x0) / Math.max(row.text.length, 1)) * (word.length + 1);
  return right - before.x1 > Math.max(width * 1.15, 1.5 * row.size);
}

function rowText(row: Row): string {
  return cellsOf(row)
    .map((cell) => cell.text)
    .join(' ');
}

function toDraft(
  rows: readonly Row[],
  page: number,
  right: number,
  style: Style,
  titles: ReadonlyMap<string, number>,
  vocabulary: WordCounts,
  top: boolean,
): Draft {
  const first = rows[0]!;
  const last = rows.at(-1)!;
  const lines = rows.map(rowText);
  if (rows.length > 1 && rows.every((row) => row.mono) && !style.bodyMono) return codeDraft(rows, page, top);
  const text = joinLines(lines, vocabulary).replace(/(?:\s?[.·…]){5,}\s*/gu, ' … ');
  const kind = kindOf(rows, text, style, titles);
  const unended = (kind === 'paragraph' || kind === 'list') && !/[.!?:;。！？]["”’)\]]*$/u.test(text);
  const room = (right - last.x1) / ((last.x1 - last.x0) / Math.max(last.text.length, 1));
  const full = right - last.x1 < 0.12 * (right - Math.min(...rows.map((row) => row.x0)));
  return {
    kind,
    pieces: [{ text, page }],
    headerLength: 0,
    size: first.size,
    bold: first.bold,
    rows: rows.length,
    open:
      (kind === 'paragraph' || kind === 'list') &&
      (full || /[-\u00ad]$/u.test(text)) &&
      !/[.!?:。！？]["”’)\]]*$/u.test(text),
    ...(unended ? { room } : {}),
    left: first.x0,
    top,
  };
}

/** Lines of fixed pitch keep their breaks, and their indents as blanks. */
function codeDraft(rows: readonly Row[], page: number, top: boolean): Draft {
  const left = Math.min(...rows.map((row) => row.x0));
  const lines = rows.map((row) => {
    const pitch = Math.max(1, (row.x1 - row.x0) / Math.max(1, row.text.length));
    return ' '.repeat(Math.min(80, Math.round((row.x0 - left) / pitch))) + row.text;
  });
  return {
    kind: 'code',
    pieces: [{ text: lines.join('\n'), page }],
    headerLength: 0,
    size: rows[0]!.size,
    bold: false,
    rows: rows.length,
    open: false,
    top,
  };
}

function kindOf(rows: readonly Row[], text: string, style: Style, titles: ReadonlyMap<string, number>): BlockKind {
  if (CONTENTS.test(rowText(rows[0]!))) return 'reference';
  if (titles.has(bare(text)) && text.length < 300 && rows.length <= 4) return 'heading';
  if (BULLET.test(text)) return 'list';
  if (
    rows.length <= 4 &&
    text.length <= 220 &&
    rows.every((row) => looksLikeHeading(row, style, titles)) &&
    !CAPTION.test(text) &&
    !/[,;]$/u.test(text) &&
    !(/[.]$/u.test(text) && text.split(' ').length > 12)
  ) {
    return 'heading';
  }
  return NUMBERED.test(text) && !/^(?:\d{1,2}|[ivx]+|[a-z])\.?\s+\p{Lu}[^.]{0,60}$/iu.test(text) ? 'list' : 'paragraph';
}

function looksLikeHeading(row: Row, style: Style, titles: ReadonlyMap<string, number>): boolean {
  const text = row.text;
  if (titles.has(bare(text))) return true;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 2 || letters < 0.4 * text.replace(/\s/gu, '').length) return false;
  if (row.size >= 1.12 * style.bodySize) return text.length < 160;
  return (
    row.bold && !style.bodyBold && row.size >= 0.93 * style.bodySize && text.length < 140 && !/^\p{Ll}/u.test(text)
  );
}
