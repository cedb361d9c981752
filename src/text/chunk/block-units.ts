import type { Block, BlockKind, Document, Span } from '../../core/types.ts';
import { cutLabel, documentLimits } from '../document-limits.ts';
import { oneLine } from '../one-line.ts';

/** A block with the separators after it. Units partition the document. */
export interface BlockUnit extends Span {
  readonly kind: BlockKind;
  readonly block: Block | undefined;
  readonly section: Section;
}

/** A heading and the text under it. The text before the first heading belongs to the root. */
export interface Section {
  readonly parent: Section | undefined;
  /** 0 for the root, and for a slide without a title. */
  readonly level: number;
  readonly label: string;
  /** Number of the section in document order, from 0. */
  readonly index: number;
  /**
   * The section that begins the part in which it stands: a file of an archive, a table of a database, a slide without a
   * title; 0 outside.
   */
  readonly part: number;
}

interface Piece {
  start: number;
  readonly kind: BlockKind;
  readonly block: Block | undefined;
}

const { headingChars } = documentLimits;
const paragraphBreak = /\n[^\S\n]*\n\s*/g;

/**
 * The document as units in order, each with its section. Text between blocks becomes paragraphs, unless it is blank.
 */
export function blockUnitsOf(document: Document): BlockUnit[] {
  const { text } = document;
  const pieces: Piece[] = [];
  let at = 0;
  for (const block of document.blocks) {
    const start = Math.max(at, Math.min(block.start, text.length));
    const end = Math.max(start, Math.min(block.end, text.length));
    if (!hasText(text, start, end)) continue;
    if (hasText(text, at, start)) addParagraphs(text, at, start, pieces);
    pieces.push({ start, kind: block.kind, block });
    at = end;
  }
  if (hasText(text, at, text.length)) addParagraphs(text, at, text.length, pieces);
  if (pieces.length === 0 && text.length > 0) pieces.push({ start: 0, kind: 'paragraph', block: undefined });

  if (document.format === 'code') moveDocComments(text, pieces);

  // A heading that names its place begins a part; of a file in a file the place is a path.
  const places = new Map(document.locators.flatMap(({ start, part }) => (part === undefined ? [] : [[start, part]])));
  const slideAt = slidesOf(document);
  let slide: number | undefined;
  let section: Section = { parent: undefined, level: 0, label: '', index: 0, part: 0 };
  let sections = 0;
  return pieces.map(({ start, kind, block }, i): BlockUnit => {
    const before = slide;
    slide = slideAt?.(start) ?? slide;
    if (kind !== 'heading' && slide !== before && section.level > 0) {
      sections++;
      section = { parent: undefined, level: 0, label: '', index: sections, part: sections };
    }
    if (kind === 'heading' && block) {
      const level = Math.max(1, block.level ?? 1);
      let parent: Section = section;
      while (parent.level >= level && parent.parent) parent = parent.parent;
      sections++;
      const label = (block.label ?? text.slice(block.start, block.end)).slice(0, 8 * headingChars);
      const short = cutLabel(oneLine(label), headingChars);
      const place = places.get(block.start);
      const begins = place !== undefined && (place === label || place.endsWith(` › ${label}`));
      section = { parent, level, label: short, index: sections, part: begins ? sections : parent.part };
    }
    return { start: i === 0 ? 0 : start, end: pieces[i + 1]?.start ?? text.length, kind, block, section };
  });
}

const slideFormats: ReadonlySet<string> = new Set(['pptx', 'ppt', 'odp']);

/** The number of the slide at an offset. The title of a slide holds until its end. @returns undefined without slides */
function slidesOf({ format, locators }: Document): ((start: number) => number | undefined) | undefined {
  if (!slideFormats.has(format)) return undefined;
  let next = 0;
  let page: number | undefined;
  return (start) => {
    for (; next < locators.length && locators[next]!.start <= start; next++) page = locators[next]!.page ?? page;
    return page;
  };
}

/** In source code a declaration is a heading, and the comment directly above belongs to it. */
function moveDocComments(text: string, pieces: Piece[]): void {
  for (let i = 1; i < pieces.length; i++) {
    const heading = pieces[i]!;
    const above = pieces[i - 1]!;
    if (heading.kind !== 'heading' || above.kind === 'heading') continue;
    const start = commentStart(text, above.start, heading.start);
    // A piece that is all comment becomes part of the heading.
    if (start <= above.start) pieces.splice(--i, 1);
    heading.start = start;
  }
}

const lineComment = /^[ \t]*(?:\/\/|#|--|;;|%|@)/;

/**
 * Start of the comment or decorator lines directly above the line of `at`, not before `from`; `at` without such lines.
 */
function commentStart(text: string, from: number, at: number): number {
  let start = text.lastIndexOf('\n', at - 1) + 1;
  if (start < from) return at;
  const unmoved = start;
  // Some styles leave one blank line between a block comment and its declaration.
  const above = text.slice(Math.max(from, start - 40), start);
  if (/\*\/[ \t]*\n[ \t]*\n$/.test(above)) start = text.lastIndexOf('\n', start - 2) + 1;
  while (start > from) {
    const previous = Math.max(from, text.lastIndexOf('\n', start - 2) + 1);
    const line = text.slice(previous, Math.min(start, previous + 400));
    if (/\*\/\s*$/.test(line)) {
      const open = text.slice(from, start).lastIndexOf('/*');
      if (open === -1) break;
      start = Math.max(from, text.lastIndexOf('\n', from + open) + 1);
    } else if (lineComment.test(line)) start = previous;
    else break;
  }
  return start === unmoved ? at : start;
}

function addParagraphs(text: string, from: number, to: number, pieces: Piece[]): void {
  let start = from;
  while (start < to && isBlank(text, start)) start++;
  pieces.push({ start, kind: 'paragraph', block: undefined });
  // A slice, so that the pattern does not search beyond `to`.
  for (const { index, 0: blanks } of text.slice(start, to).matchAll(paragraphBreak)) {
    const next = start + index + blanks.length;
    if (next < to) pieces.push({ start: next, kind: 'paragraph', block: undefined });
  }
}

function hasText(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isBlank(text, at)) return true;
  return false;
}

function isBlank(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit <= 0x20 || unit === 0xa0 || unit === 0x3000 || (unit > 0xff && text[at]!.trim() === '');
}

/** The sections from the outermost to this one, without the root. */
export function pathOf(section: Section): Section[] {
  const path: Section[] = [];
  for (let at: Section | undefined = section; at && at.level > 0; at = at.parent) path.push(at);
  return path.reverse();
}
