import type { Block, Locator } from '../../core/types.ts';
import type { ParsedDocument } from '../contract.ts';
import { cleanLines } from '../normalise.ts';
import { LineIndex } from '../text/lines.ts';
import { trimLines } from '../text/text.ts';
import { gridTable, simpleTable } from './drawn-tables.ts';
import { withFences, withVersionNotes } from './line-for-line.ts';
import { withoutAdocComments, withoutRstComments } from './markup-comments.ts';
import { asciidocTable, rstTable, type TableFinder } from './markup-tables.ts';

export interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Of a table: how many lines it has, the rule below its names included, and how many of them are names. */
  readonly table?: { readonly lines: number; readonly headers: number } | undefined;
  /** Of a title or code, where the text has not all lines of the source. */
  readonly mark?: LineMark | undefined;
}

/** What of a line is printed, and whether a part of the text begins or ends there; undefined for the whole line. */
export type Printed = (line: string) => { readonly text: string; readonly isEdge: boolean } | undefined;

/** The role of one line of a line-oriented markup. */
export interface LineMark {
  readonly kind: 'heading' | 'code' | 'list' | 'skip';
  readonly level?: number;
  readonly label?: string;
  /** Headings: what stands in the text, where the label says less. */
  readonly text?: string;
  /** Number of lines that belong together, this one included. */
  readonly lines: number;
  readonly language?: string;
  /** Lists: whether an item ends the paragraph right above it. */
  readonly isApart?: boolean;
  /** Headings: where in the last of its lines it ends, if text stands behind it. */
  readonly end?: number | undefined;
}

export type Marker = (lines: readonly Line[], index: number) => LineMark | undefined;

/**
 * Keeps the text and marks the headings and code of a line-oriented markup in it.
 * @param printed for a markup whose titles stand without their commands, and titles, lists and code apart from what is
 * around them
 */
export function parseMarkup(
  source: string,
  format: string,
  marker: Marker,
  titleOf: (text: string) => string | undefined,
  tableAt?: TableFinder,
  printed?: Printed,
): ParsedDocument {
  const { text: whole, firstLine } = trimLines(cleanLines(source));
  const written = whole.split('\n');
  const { text, lines, locators } = withTables(written, firstLine, marker, tableAt, printed);
  const blocks: Block[] = [];
  let open: { start: number; end: number; kind: 'paragraph' | 'list' } | undefined;
  const close = (): void => {
    if (open) blocks.push(open);
    open = undefined;
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (line.text.trim() === '') {
      if (open?.kind !== 'list') close();
      continue;
    }
    if (line.table) {
      close();
      const { lines: count, headers } = line.table;
      const span = { start: line.start, end: lines[i + count - 1]!.end };
      const header = { start: line.start, end: lines[i + Math.max(headers, 1) - 1]!.end };
      blocks.push(headers === 0 ? { ...span, kind: 'list' } : { ...span, kind: 'table', header });
      i += count - 1;
      continue;
    }
    const mark = line.mark ?? (printed ? undefined : marker(lines, i));
    if (mark && mark.kind !== 'list') {
      close();
      const last = lines[Math.min(lines.length - 1, i + mark.lines - 1)]!;
      const span = { start: line.start, end: last.start + last.text.trimEnd().length };
      if (mark.kind === 'heading') {
        const end = mark.end === undefined ? span.end : last.start + mark.end;
        blocks.push({ start: span.start, end, kind: 'heading', level: mark.level ?? 1, label: mark.label ?? '' });
        const behind = last.text.length - last.text.slice(mark.end ?? last.text.length).trimStart().length;
        if (mark.end !== undefined) open = { start: last.start + behind, end: span.end, kind: 'paragraph' };
      }
      if (mark.kind === 'code' && span.end > span.start) {
        blocks.push({ ...span, kind: 'code', ...(mark.language === undefined ? {} : { language: mark.language }) });
      }
      i += mark.lines - 1;
      continue;
    }
    const kind = mark ? 'list' : open?.kind === 'list' && /^\s/.test(line.text) ? 'list' : 'paragraph';
    if (
      open &&
      open.kind !== kind &&
      !(open.kind === 'paragraph' && !mark?.isApart && lines[i - 1]?.text.trim() !== '')
    )
      close();
    const end = line.start + line.text.trimEnd().length;
    open = open ? { ...open, end } : { start: line.start, end, kind };
  }
  close();
  const first = blocks.find((block) => block.kind === 'heading');
  const title = titleOf(text) ?? first?.label ?? '';
  return { title, text, format, blocks, locators, firstLine, metadata: {}, warnings: [] };
}

/** The lines of a text with its tables as rows. Where lines have moved, locators tell those of the source. */
function withTables(
  written: readonly string[],
  firstLine: number,
  marker: Marker,
  tableAt: TableFinder | undefined,
  printed: Printed | undefined,
): { readonly text: string; readonly lines: readonly Line[]; readonly locators: readonly Locator[] } {
  const lines: Line[] = [];
  const locators: Locator[] = [];
  let start = 0;
  let hasMoved = false;
  const add = (text: string, from: number, to: number, shape: Pick<Line, 'table' | 'mark'> = {}): void => {
    const end = start + text.length;
    lines.push({ text, start, end, ...shape });
    if (text.trim() !== '') locators.push({ start, end, lines: [firstLine + from, firstLine + to] });
    start = end + 1;
  };
  /** Titles and lists stand apart from what is around them. */
  const part = (at: number, next: string | undefined): void => {
    if (printed && lines.length > 0 && lines.at(-1)!.text.trim() !== '' && next?.trim()) add('', at, at);
  };
  const plainLines = tableAt ? written.map((text): Line => ({ text, start: 0, end: text.length })) : [];
  for (let i = 0; i < written.length; i++) {
    const table = tableAt?.(written, i);
    if (table) {
      hasMoved = true;
      if (table.headers === 0) part(i, table.lines[0]?.text);
      if (table.title) {
        add(table.title.text, ...table.title.at);
        add('', i, i);
      }
      const shape = { table: { lines: table.lines.length, headers: table.headers } };
      for (const [n, { text, at }] of table.lines.entries()) add(text, ...at, n === 0 ? shape : undefined);
      i += table.taken - 1;
      if (table.headers === 0) part(i, written[i + 1]);
      continue;
    }
    const title = printed && marker(plainLines, i);
    if (title?.kind === 'heading') {
      hasMoved = true;
      part(i, title.label);
      const last = i + title.lines - 1;
      add(title.text ?? title.label ?? '', i, last, {
        mark: { kind: 'heading', lines: 1, level: title.level ?? 1, label: title.label ?? '' },
      });
      const behind = title.end === undefined ? '' : written[last]!.slice(title.end).trimStart();
      part(last, behind || written[last + 1]);
      if (behind !== '') add(behind, last, last);
      i = last;
      continue;
    }
    if (title?.kind === 'code') {
      part(i, written[i]);
      const next = Math.min(written.length, i + title.lines);
      for (let at = i; at < next; at++) add(written[at]!, at, at, at === i ? { mark: title } : undefined);
      i = next - 1;
      part(i, written[next]);
      continue;
    }
    const shown = printed?.(written[i]!);
    if (shown) {
      hasMoved = true;
      if (shown.isEdge) part(i, 'edge');
      if (shown.text !== '') add(shown.text, i, i);
      continue;
    }
    // What is left out leaves no blank lines behind.
    if (printed && hasMoved && written[i]!.trim() === '' && (lines.at(-1)?.text ?? '').trim() === '') continue;
    add(written[i]!, i, i);
    // Examples stay as they are; the lines of a title are looked at once, as they are below.
    const mark = tableAt ? marker(plainLines, i) : undefined;
    for (let more = (mark?.lines ?? 1) - 1; more > 0 && i + 1 < written.length; more--) add(written[++i]!, i, i);
  }
  while (hasMoved && lines.at(-1)?.text.trim() === '') lines.pop();
  const text = lines.map((line) => line.text).join('\n');
  return { text, lines, locators: hasMoved ? locators : [] };
}

/** Number of indented or blank lines from `index` on, without blank lines at the end. */
function indentedLines(lines: readonly Line[], index: number): number {
  let end = index;
  let last = index;
  while (end < lines.length && (lines[end]!.text.trim() === '' || /^\s/.test(lines[end]!.text))) {
    if (lines[end]!.text.trim() !== '') last = end + 1;
    end++;
  }
  return last - index;
}

/** Lines of reStructuredText that stand as they are: deeper than the line above them, which ends with `::`. */
function literalLines(lines: readonly Line[], index: number): number {
  if (lines[index]!.text.trim() === '') return 0;
  let above = index - 1;
  while (above >= 0 && lines[above]!.text.trim() === '') above--;
  const lead = lines[above]?.text ?? '';
  if (above === index - 1 || !/::\s*$/.test(lead) || /^\s*\.\.\s/.test(lead)) return 0;
  const depth = lead.length - lead.trimStart().length;
  const isDeeper = ({ text }: Line): boolean => text.length - text.trimStart().length > depth;
  let count = 0;
  for (let i = index; i < lines.length && (lines[i]!.text.trim() === '' || isDeeper(lines[i]!)); i++)
    if (lines[i]!.text.trim() !== '') count = i - index + 1;
  return count;
}

/** A title without the marks of words in it. */
export function plain(text: string): string {
  return text
    .replace(/(?<![\w:`]):[a-z][\w:+.-]{0,60}:(?=`)/g, '')
    .replace(/``([^`]+)``/g, '$1')
    .replace(/`([^`<]*[^`<\s])\s*(?:<[^>]*>)?`_{0,2}/g, '$1')
    .replace(/[*~=]{1,2}([^*~=\s][^*~=]*?)[*~=]{1,2}/g, '$1')
    .trim();
}

/** reStructuredText; the order in which adornments first appear gives the heading levels. */
export function parseRst(source: string): ParsedDocument {
  const styles: string[] = [];
  const level = (style: string): number => {
    if (!styles.includes(style)) styles.push(style);
    return Math.min(6, styles.indexOf(style) + 1);
  };
  const adornment = /^([!-/:-@[-`{-~])\1{2,}\s*$/;
  const marker: Marker = (lines, i) => {
    const { text } = lines[i]!;
    const next = lines[i + 1]?.text ?? '';
    if (adornment.test(text) && next.trim() !== '' && lines[i + 2]?.text.trim() === text.trim()) {
      return { kind: 'heading', level: level(`^${text[0]}`), label: plain(next), lines: 3 };
    }
    if (
      /^\S/.test(text) &&
      adornment.test(next) &&
      !adornment.test(text) &&
      next.trim().length >= Math.min(text.trim().length, 40)
    ) {
      return { kind: 'heading', level: level(next[0]!), label: plain(text), lines: 2 };
    }
    const directive = /^\s*\.\. (code-block|code|sourcecode|highlight|literalinclude|parsed-literal)::\s*(\S*)/.exec(
      text,
    );
    if (directive) {
      const language = directive[2]?.toLowerCase();
      return { kind: 'code', lines: 1 + indentedLines(lines, i + 1), ...(language ? { language } : {}) };
    }
    const literal = literalLines(lines, i);
    if (literal > 0) return { kind: 'code', lines: literal };
    return /^\s*(?:[-*+•]|\(?(?:\d+|#|[a-z])[.)])\s+\S/.test(text) ? { kind: 'list', lines: 1 } : undefined;
  };
  const shown = withoutRstComments(cleanLines(source));
  const document = parseMarkup(
    withVersionNotes(shown.source),
    'rst',
    marker,
    () => undefined,
    (all, i) => rstTable(all, i) ?? gridTable(all, i) ?? simpleTable(all, i),
  );
  return { ...document, warnings: [...document.warnings, ...shown.warnings] };
}

/** What a title of AsciiDoc is underlined with, by level. */
const UNDERLINES = '=-~^+';

const ADOC_ITEM = /^\s*(?:[*.-]{1,5}|\d+\.)\s+\S/;
/** Lines that are no text of an item above them: blank ones, attributes, and the edges of blocks. */
const ADOC_EDGE = /^\s*$|^\[[^\]]+\]\s*$|^(?:\||,|:|!)={3}|^(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\/{4,}|```|\/\/)/;
const LONGEST_ITEM = 50;

/** Whether a line goes on with an item of AsciiDoc, or with what `+` attaches to it: no blank line stands between. */
function goesOnWithItem(lines: readonly Line[], index: number): boolean {
  for (let i = index; i >= 0 && index - i < LONGEST_ITEM; i--) {
    const { text } = lines[i]!;
    if (ADOC_EDGE.test(text)) return false;
    if (i < index && ADOC_ITEM.test(text)) return true;
  }
  return false;
}

/** Whether a title of two lines begins a section: its line is about as long. Others like it enclose code. */
function isUnderlined(lines: readonly Line[], index: number): boolean {
  const text = lines[index]!.text;
  const line = lines[index + 1]?.text ?? '';
  if (!/^([-=~^+])\1+\s*$/.test(line) || !/^[\p{L}\p{N}].+/u.test(text)) return false;
  const begins = index === 0 || lines[index - 1]!.text.trim() === '';
  return begins && Math.abs(line.trim().length - text.trim().length) <= 1;
}

const LONGEST_ENCLOSED = 200;

/** Whether a line begins a block that another one like it ends: `Code`, `----`, `ls`, `----`. */
function isEnclosed(lines: readonly Line[], begin: number): boolean {
  const edge = lines[begin]!.text.trim();
  if (edge.length < 4) return false;
  for (let i = begin + 1; i < lines.length && i < begin + LONGEST_ENCLOSED; i++) {
    if (ADOC_TITLE.test(lines[i]!.text)) return false;
    if (lines[i]!.text.trim() === edge) return !isUnderlined(lines, i - 1);
    // A title between two such lines is none of a block.
    if (lines[i + 1]?.text.trim() !== edge && isUnderlined(lines, i)) return false;
  }
  return false;
}

const ADOC_TITLE = /^={1,6} +\S/;

/** The targets of links in a title: `Options[[options]]`. */
function withoutAnchors(title: string): string {
  return title.replace(/\[\[[^[\]\n]*\]\]|\banchor:[\w.:-]+\[[^\]\n]*\]/g, '');
}

/** AsciiDoc. */
export function parseAsciidoc(source: string): ParsedDocument {
  const marker: Marker = (lines, i) => {
    const { text } = lines[i]!;
    const sign = isUnderlined(lines, i) && !isEnclosed(lines, i + 1) ? lines[i + 1]!.text[0]! : undefined;
    if (sign !== undefined)
      return { kind: 'heading', level: UNDERLINES.indexOf(sign) + 1, label: plain(withoutAnchors(text)), lines: 2 };
    const heading = /^(={1,6})\s+(\S.*)$/.exec(text);
    if (heading) {
      const label = plain(
        withoutAnchors(heading[2]!)
          .trimEnd()
          .replace(/(?<=\S)\s+=+$/, ''),
      );
      return { kind: 'heading', level: heading[1]!.length, label, lines: 1 };
    }
    const fence = /^(-{4,}|\.{4,})\s*$|^```([\w+#.-]*)/.exec(text);
    if (fence) {
      let end = i + 1;
      while (end < lines.length && lines[end]!.text.trim() !== (fence[1] ?? '```')) end++;
      const language = fence[2]?.toLowerCase();
      return { kind: 'code', lines: end - i + 1, ...(language ? { language } : {}) };
    }
    // What is said of a list stands in the line before it.
    const item = /^\[[^\]]+\]\s*$/.test(text) ? (lines[i + 1]?.text ?? '') : text;
    return ADOC_ITEM.test(item) || goesOnWithItem(lines, i) ? { kind: 'list', lines: 1 } : undefined;
  };
  const shown = withoutAdocComments(cleanLines(source));
  const document = parseMarkup(withFences(shown.source), 'asciidoc', marker, () => undefined, asciidocTable);
  return { ...document, warnings: [...document.warnings, ...shown.warnings] };
}

/** YAML; the text stays as it is. Each top-level key or list item is a record, with the comments above it. */
export function parseYaml(source: string): ParsedDocument {
  const { text, firstLine } = trimLines(cleanLines(source));
  const index = new LineIndex(text);
  const indent = Math.min(
    ...text
      .split('\n')
      .filter((line) => /^\s*[^\s#-]/.test(line) || /^\s*- /.test(line))
      .slice(0, 200)
      .map((line) => /^\s*/.exec(line)![0].length),
    80,
  );
  const blocks: Block[] = [];
  let start = -1;
  let pending = -1;
  const flush = (end: number): void => {
    if (start !== -1) {
      const stop = start + text.slice(start, end).trimEnd().length;
      if (stop > start) blocks.push({ start, end: stop, kind: 'record' });
    }
    start = -1;
  };
  for (let i = 0; i < index.starts.length; i++) {
    const from = index.starts[i]!;
    const line = text.slice(from, (index.starts[i + 1] ?? text.length + 1) - 1);
    const depth = /^\s*/.exec(line)![0].length;
    if (line.trim() === '' || line.trimStart().startsWith('#')) {
      if (pending === -1 && line.trim() !== '' && depth <= indent) pending = from;
      continue;
    }
    if (depth <= indent && !/^\s*(?:---|\.\.\.)\s*$/.test(line)) {
      const begin = pending === -1 ? from : pending;
      flush(begin);
      start = begin;
    } else if (/^(?:---|\.\.\.)\s*$/.test(line)) flush(from);
    pending = -1;
  }
  flush(text.length);
  const title = /^(?:title|name):[ \t]*["']?([^\n"'#]{1,120})/m.exec(text)?.[1]?.trim() ?? '';
  return { title, text, format: 'yaml', blocks, locators: [], firstLine, metadata: {}, warnings: [] };
}
