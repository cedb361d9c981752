import { IbidError } from '../core/errors.ts';
import { joinRecognitions } from '../core/location.ts';
import type { Block, Locator, Place, ReadWarning, Span } from '../core/types.ts';
import { oneLine } from '../text/one-line.ts';
import { withBoldHeadings } from './bold-headings.ts';
import type { ParsedDocument } from './contract.ts';
import { cleanText } from './normalise.ts';

/** Above this number, neighbouring locators are joined. */
const MAX_LOCATORS = 1 << 17;

type BlockShape = Omit<Block, 'start' | 'end'>;

/**
 * Writes the text of a document from start to end and records the offsets of blocks and locators. Incoming text is
 * normalised first (line ends, controls, surrogates), so offsets refer to the final text.
 */
export class DocumentBuilder {
  readonly metadata: Record<string, string | number | boolean | null> = {};
  readonly warnings: ReadWarning[] = [];
  title = '';
  readonly #format: string;
  readonly #maxTextChars: number;
  readonly #pieces: string[] = [];
  readonly #blocks: Block[] = [];
  readonly #locators: Locator[] = [];
  /** Where paragraphs begin that are bold as a whole. */
  readonly #bold = new Set<number>();
  #length = 0;
  #compactAt = MAX_LOCATORS;

  constructor(format: string, limits: { readonly maxTextChars: number }) {
    this.#format = format;
    this.#maxTextChars = limits.maxTextChars;
  }

  /** Offset of the next text. */
  get length(): number {
    return this.#length;
  }

  /** Writes text outside blocks (separators). @returns its span */
  append(text: string): Span {
    const clean = cleanText(text);
    const start = this.#length;
    this.#length += clean.length;
    if (this.#length > this.#maxTextChars) {
      throw new IbidError('FILE_TOO_LARGE', `the text is longer than ${this.#maxTextChars} characters`, {
        hint: 'Split the file, or raise maxTextChars.',
      });
    }
    if (clean !== '') this.#pieces.push(clean);
    return { start, end: this.#length };
  }

  /**
   * Writes one block, after `separator` when there is text before it. Blank text writes nothing.
   * @param separator text before the block @default '\n\n'
   */
  block(shape: BlockShape, text: string, place?: Place, separator = '\n\n'): Span | undefined {
    const body = withoutBlankEdges(cleanText(text));
    if (body === '') return undefined;
    if (this.#length > 0) this.append(separator);
    const span = this.append(body);
    this.#blocks.push({ ...span, ...shape });
    if (place) this.locate(span, place);
    return span;
  }

  /** Says that a paragraph is set in bold letters, as headings are that have no style of their own. */
  setBold({ start }: Span): void {
    this.#bold.add(start);
  }

  /** Marks text that is already written as a block; spans must come in order. */
  mark(span: Span, shape: BlockShape): void {
    if (span.end > span.start) this.#blocks.push({ start: span.start, end: span.end, ...shape });
  }

  /** Records the place of `span` in the source; spans must come in order. Neighbours with the same place become one. */
  locate(span: Span, place: Place): void {
    if (span.end <= span.start) return;
    const last = this.#locators.at(-1);
    if (last && samePlace(last, place)) {
      this.#locators[this.#locators.length - 1] = { ...last, end: span.end };
    } else {
      this.#locators.push({ ...place, start: span.start, end: span.end });
      if (this.#locators.length >= this.#compactAt) this.#compact();
    }
  }

  /**
   * Writes a whole document that was found inside this one, with its blocks and locators. Its headings go `levels`
   * deeper, and `part` is added to every place; `page` is the place of a document that has no pages.
   */
  include(
    inner: ParsedDocument,
    { part, page, levels = 0 }: { readonly part?: string; readonly page?: number; readonly levels?: number } = {},
  ): void {
    if (this.#length > 0) this.append('\n\n');
    const base = this.#length;
    this.append(inner.text);
    const shift = (span: Span): Span => ({ start: span.start + base, end: span.end + base });
    for (const block of inner.blocks) {
      this.#blocks.push({
        ...block,
        ...shift(block),
        ...(block.level === undefined ? {} : { level: Math.min(6, block.level + levels) }),
        ...(block.header === undefined ? {} : { header: shift(block.header) }),
      });
    }
    let at = base;
    for (const locator of inner.locators) {
      const span = shift(locator);
      if (part !== undefined && span.start > at) this.locate({ start: at, end: span.start }, { part });
      const named = part === undefined ? locator.part : locator.part === undefined ? part : `${part} › ${locator.part}`;
      this.locate(span, { ...(page && { page }), ...locator, ...(named === undefined ? {} : { part: named }) });
      at = span.end;
    }
    if (part !== undefined) this.locate({ start: at, end: this.#length }, { part });
    for (const warning of inner.warnings) {
      if (this.warnings.length >= 100) break;
      this.warnings.push({ ...warning, message: part === undefined ? warning.message : `${part}: ${warning.message}` });
    }
  }

  /**
   * Joins neighbours that differ only in lines, rows or times: in a file of a million rows a locator covers a few rows.
   */
  #compact(): void {
    let kept = 0;
    for (let i = 0; i < this.#locators.length; i += 2) {
      const a = this.#locators[i]!;
      const b = this.#locators[i + 1];
      const joined = b && joinPlaces(a, b);
      this.#locators[kept++] = joined ?? a;
      if (b && !joined) this.#locators[kept++] = b;
    }
    this.#locators.length = kept;
    this.#compactAt = Math.max(MAX_LOCATORS, kept * 2);
  }

  warn(code: string, message: string): void {
    if (this.warnings.length < 100) this.warnings.push({ code, message });
  }

  /** Says that lines were left out on purpose, and counts them. */
  leaveOut(lines: number, code: string, message: string): void {
    this.warnings.push({ code, message, leftOut: lines });
    this.metadata.linesLeftOut = Number(this.metadata.linesLeftOut ?? 0) + lines;
  }

  build(): ParsedDocument {
    const text = this.#pieces.join('');
    return {
      title: oneLine(cleanText(this.title)),
      text,
      format: this.#format,
      blocks: withBoldHeadings(this.#blocks, this.#bold, ({ start, end }) => text.slice(start, end)),
      locators: this.#locators,
      metadata: this.metadata,
      warnings: this.warnings,
    };
  }
}

/** One locator for two that have the same page, sheet, part and speaker and the same kinds of ranges; else `undefined`. */
function joinPlaces(a: Locator, b: Locator): Locator | undefined {
  if (a.page !== b.page || a.sheet !== b.sheet || a.part !== b.part || a.speaker !== b.speaker) return undefined;
  const joined: { -readonly [K in keyof Locator]: Locator[K] } = { ...a, end: b.end };
  for (const key of ['lines', 'rows', 'timeMs'] as const) {
    const from = a[key];
    const to = b[key];
    if ((from === undefined) !== (to === undefined)) return undefined;
    if (from && to) joined[key] = [Math.min(from[0], to[0]), Math.max(from[1], to[1])];
  }
  if ((a.ocr === undefined) !== (b.ocr === undefined)) return undefined;
  if (a.ocr && b.ocr) joined.ocr = joinRecognitions(a.ocr, a.end - a.start, b.ocr, b.end - b.start);
  return joined;
}

function samePlace(a: Place, b: Place): boolean {
  return (
    a.page === b.page &&
    a.sheet === b.sheet &&
    a.part === b.part &&
    a.speaker === b.speaker &&
    a.ocr === b.ocr &&
    sameRange(a.lines, b.lines) &&
    sameRange(a.rows, b.rows) &&
    sameRange(a.timeMs, b.timeMs)
  );
}

function sameRange(a: readonly [number, number] | undefined, b: readonly [number, number] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1]);
}

/** Removes empty lines at the start and white space at the end; the first line keeps its indentation. */
function withoutBlankEdges(text: string): string {
  let start = 0;
  while (text.charCodeAt(start) === 10) start++;
  return text.slice(start).trimEnd();
}
