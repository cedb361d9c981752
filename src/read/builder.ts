import { IbidError } from '../core/errors.ts';
import type { Block, Locator, Metadata, Place, ReadWarning, Span } from '../core/types.ts';
import type { ParsedDocument } from './contract.ts';
import { cleanText } from './normalise.ts';

/** Beyond this many, neighbouring locators are joined. */
const MAX_LOCATORS = 1 << 17;

export type BlockShape = Omit<Block, 'start' | 'end'>;

/**
 * Writes a document's text front to back and keeps the offsets of blocks and locators right.
 * Text that comes in is normalised on the way (line ends, controls, surrogates), so offsets always refer to what is
 * kept.
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
  #length = 0;
  #compactAt = MAX_LOCATORS;

  constructor(format: string, limits: { readonly maxTextChars: number }) {
    this.#format = format;
    this.#maxTextChars = limits.maxTextChars;
  }

  /** Offset at which the next text will stand. */
  get length(): number {
    return this.#length;
  }

  /** Writes text outside any block (separators). @returns where it stands */
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
   * Writes one block, after an empty line when there is text before it. Blank text writes nothing.
   * @param separator what stands between this and the text before @default '\n\n'
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

  /** Marks text that is already written as a block; spans must come in order. */
  mark(span: Span, shape: BlockShape): void {
    if (span.end > span.start) this.#blocks.push({ start: span.start, end: span.end, ...shape });
  }

  /** Says where `span` stands in the source; spans must come in order. Neighbours with the same place become one. */
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
   * Writes a whole document found inside this one: its blocks and locators move along, its headings go `levels` deeper,
   * and every place in it is named by `part`.
   */
  include(
    inner: ParsedDocument,
    { part, levels = 0 }: { readonly part?: string; readonly levels?: number } = {},
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
      this.locate(span, { ...locator, ...(named === undefined ? {} : { part: named }) });
      at = span.end;
    }
    if (part !== undefined) this.locate({ start: at, end: this.#length }, { part });
    for (const { code, message } of inner.warnings)
      this.warn(code, part === undefined ? message : `${part}: ${message}`);
  }

  /**
   * Joins neighbours that differ only in lines, rows or times: a file of a million rows is cited in steps of a few
   * rows.
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

  /** @param extra fields that only some formats have */
  build(extra: { readonly firstLine?: number; readonly metadata?: Metadata } = {}): ParsedDocument {
    return {
      title: cleanText(this.title).replace(/\s+/gu, ' ').trim(),
      text: this.#pieces.join(''),
      format: this.#format,
      blocks: this.#blocks,
      locators: this.#locators,
      ...(extra.firstLine === undefined ? {} : { firstLine: extra.firstLine }),
      metadata: { ...this.metadata, ...extra.metadata },
      warnings: this.warnings,
    };
  }
}

/** One locator for two, when page, sheet and part are the same and both name the same kinds of ranges. */
function joinPlaces(a: Locator, b: Locator): Locator | undefined {
  if (a.page !== b.page || a.sheet !== b.sheet || a.part !== b.part) return undefined;
  const joined: { -readonly [K in keyof Locator]: Locator[K] } = { ...a, end: b.end };
  for (const key of ['lines', 'rows', 'timeMs'] as const) {
    const from = a[key];
    const to = b[key];
    if ((from === undefined) !== (to === undefined)) return undefined;
    if (from && to) joined[key] = [Math.min(from[0], to[0]), Math.max(from[1], to[1])];
  }
  return joined;
}

function samePlace(a: Place, b: Place): boolean {
  return (
    a.page === b.page &&
    a.sheet === b.sheet &&
    a.part === b.part &&
    sameRange(a.lines, b.lines) &&
    sameRange(a.rows, b.rows) &&
    sameRange(a.timeMs, b.timeMs)
  );
}

function sameRange(a: readonly [number, number] | undefined, b: readonly [number, number] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1]);
}

/** Without empty lines before it and white space after; the first line keeps its indentation. */
function withoutBlankEdges(text: string): string {
  let start = 0;
  while (text.charCodeAt(start) === 10) start++;
  return text.slice(start).trimEnd();
}
