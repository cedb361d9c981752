import MarkdownIt, { type Token } from 'markdown-it';
import type { Block, Locator, ReadWarning, Span } from '../../core/types.ts';
import { withBoldHeadings } from '../bold-headings.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { cleanLines } from '../normalise.ts';
import { LineIndex } from '../text/lines.ts';
import { readFrontMatter } from './front-matter.ts';
import { boldLine, plainInline } from './markdown-inline.ts';
import { pushPlainBlocks } from './markdown-plain.ts';
import { withHtmlTables } from './markdown-tables.ts';
import { isNote, noteMetadata, withoutComments } from './notes.ts';

/**
 * Finds blocks only: inline markup stays in the text, so the inline rules, some of them slow, never run. Nesting is
 * limited to 100 levels; deeper text belongs to the block around it.
 */
const markdown = new MarkdownIt('default', { html: true, linkify: false });
markdown.core.ruler.enableOnly(['normalize', 'block']);

/**
 * Markdown and MDX → the source after its front matter, with blocks marked; the front matter of a note with tags or
 * aliases is part of the text. Spans are exact offsets in that text; `firstLine` is the source line on which it starts.
 * Comments of Obsidian are left out, tables of HTML are rows.
 */
export function parseMarkdown(source: string, context: Pick<ParseContext, 'name'>): ParsedDocument {
  const whole = cleanLines(source);
  const front = readFrontMatter(whole);
  const { text: uncommented, lines: comments } = withoutComments(whole.slice(front.end));
  const clean = whole.slice(0, front.end) + uncommented;
  const skipped = /^(?:[ \t]*\n)*/.exec(uncommented)![0].length;
  const body = uncommented.slice(skipped).trimEnd();
  if (body === '' && front.end > 0) {
    // The values of the front matter are the only text.
    return frontMatterDocument(front, clean);
  }
  const from = isNote(front.metadata) ? clean.indexOf(front.source) : front.end + skipped;
  const bodyAt = front.end + skipped - from;
  const firstLine = 1 + countLines(clean, from);
  const tables = withHtmlTables(body, 1 + countLines(clean, from + bodyAt));
  const text = clean.slice(from, from + bodyAt) + (tables?.text ?? body);
  const record: Block[] = bodyAt === 0 ? [] : [{ start: 0, end: front.source.length, kind: 'record' }];
  const blocks = [...record, ...bodyBlocks(body, bodyAt, tables)];
  const first = blocks.find((block) => block.kind === 'heading' && block.level === 1);
  const heading = first ?? undefined;
  const title = front.title ?? (heading?.label === undefined ? '' : heading.label);
  return {
    title,
    text,
    format: context.name.toLowerCase().endsWith('.mdx') ? 'mdx' : 'markdown',
    blocks,
    locators: tables ? [...frontLocators(text, bodyAt, firstLine), ...tables.locators.map(moved(bodyAt))] : [],
    firstLine,
    metadata: { ...front.metadata, ...noteMetadata(body, front.metadata) },
    warnings: comments === 0 ? front.warnings : [...front.warnings, commentsLeftOut(comments)],
  };
}

function bodyBlocks(body: string, at: number, tables: ReturnType<typeof withHtmlTables>): Block[] {
  if (!tables) return [...markdownBlocks(body, at)];
  return tables.parts.flatMap(({ start, text, blocks }) =>
    blocks
      ? blocks.map((block) => ({
          ...moved<Block>(at + start)(block),
          ...(block.header && { header: moved(at + start)(block.header) }),
        }))
      : markdownBlocks(text, at + start),
  );
}

function moved<T extends Span = Span & Locator>(by: number): (one: T) => T {
  return (one) => ({ ...one, start: one.start + by, end: one.end + by });
}

/** The lines of the front matter that stands in a text before its body. */
function frontLocators(text: string, end: number, firstLine: number): Locator[] {
  const locators: Locator[] = [];
  let start = 0;
  for (const [i, line] of text.slice(0, end).trimEnd().split('\n').entries()) {
    if (line !== '') locators.push({ start, end: start + line.length, lines: [firstLine + i, firstLine + i] });
    start += line.length + 1;
  }
  return locators;
}

function commentsLeftOut(lines: number): ReadWarning {
  const message = `left out comments (%% … %%) on ${lines === 1 ? '1 line' : `${lines} lines`}`;
  return { code: 'MARKDOWN_COMMENTS', message, leftOut: lines };
}

function frontMatterDocument(front: ReturnType<typeof readFrontMatter>, clean: string): ParsedDocument {
  const text = front.source;
  const start = clean.indexOf(text);
  return {
    title: front.title ?? '',
    text,
    format: 'markdown',
    blocks: text === '' ? [] : [{ start: 0, end: text.length, kind: 'record' }],
    locators: [],
    firstLine: 1 + countLines(clean, start),
    metadata: front.metadata,
    warnings: [...front.warnings, { code: 'FRONT_MATTER_ONLY', message: 'the file is front matter and nothing else' }],
  };
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Longer texts are parsed in pieces, because the tokens of the parser take many times the memory of the text. */
const PIECE_CHARS = 1 << 19;

/**
 * The end of the piece that starts at `from`: before a heading that follows an empty line outside fenced code. A text
 * without such a heading stays whole.
 */
function pieceEnd(text: string, from: number): number {
  let fences = 0;
  let counted = from;
  const heading = /\n\n(?=#{1,6} )/g;
  heading.lastIndex = from + PIECE_CHARS;
  if (heading.lastIndex >= text.length) return text.length;
  for (let match = heading.exec(text); match; match = heading.exec(text)) {
    const end = match.index + 2;
    fences += text.slice(counted, end).match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
    counted = end;
    if (fences % 2 === 0) return end;
  }
  return text.length;
}

/**
 * The blocks of Markdown text in order, without overlap. A container (list, quote) gives one block. A line of bold
 * letters may be a heading.
 */
export function markdownBlocks(text: string, offset = 0): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < text.length; ) {
    const end = pieceEnd(text, at);
    const piece = end - at === text.length ? text : text.slice(at, end);
    if (!pushPlainBlocks(piece, offset + at, blocks)) pushBlocks(piece, offset + at, blocks);
    at = end;
  }
  const titleOf = ({ start, end }: Span): string | undefined => boldLine(text.slice(start - offset, end - offset));
  const bold = new Set(blocks.filter((one) => one.kind === 'paragraph' && titleOf(one)).map(({ start }) => start));
  return withBoldHeadings(blocks, bold, (one) => plainInline(titleOf(one)!));
}

/** Adds the blocks that the parser finds in a piece to `blocks`. */
export function pushBlocks(text: string, offset: number, blocks: Block[]): void {
  const lines = new LineIndex(text);
  const tokens = markdown.parse(text, {});
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.level !== 0 || token.map === null || token.nesting < 0) continue;
    const span = trimmed(text, lines.span(token.map[0], token.map[1]));
    if (span.end <= span.start) continue;
    const shape = shapeOf(token, tokens, i, text, lines, offset);
    blocks.push({ start: span.start + offset, end: span.end + offset, ...shape });
  }
}

function shapeOf(
  token: Token,
  tokens: readonly Token[],
  index: number,
  text: string,
  lines: LineIndex,
  offset: number,
): Omit<Block, 'start' | 'end'> {
  switch (token.type) {
    case 'heading_open': {
      const label = plainInline(tokens[index + 1]?.content ?? '');
      return { kind: 'heading', level: Number(token.tag.slice(1)), label };
    }
    case 'fence': {
      // Quarto and R Markdown run what stands behind ```{r}.
      const language = /^\{?\.?([\w+#.-]+)/.exec(token.info.trim())?.[1]?.toLowerCase();
      return language === undefined ? { kind: 'code' } : { kind: 'code', language };
    }
    case 'code_block':
      return { kind: 'code' };
    case 'bullet_list_open':
    case 'ordered_list_open':
      return { kind: 'list' };
    case 'blockquote_open':
      return { kind: 'quote' };
    case 'table_open': {
      // The header is the first row and the delimiter row below.
      const [first] = token.map!;
      const header = trimmed(text, lines.span(first, first + 2));
      return { kind: 'table', header: { start: header.start + offset, end: header.end + offset } };
    }
    default:
      return { kind: 'paragraph' };
  }
}

function trimmed(text: string, { start, end }: Span): Span {
  let last = end;
  while (last > start && isBlank(text.charCodeAt(last - 1))) last--;
  let first = start;
  while (first < last && text.charCodeAt(first) === 10) first++;
  return { start: first, end: last };
}

function isBlank(code: number): boolean {
  return code === 10 || code === 32 || code === 9;
}
