import type { Block, Locator } from '../../core/types.ts';
import { type Chat, parseChat } from '../chat/chats.ts';
import { isDiscordText, parseDiscordText } from '../chat/discord-text.ts';
import { chatDocument } from '../chat/document.ts';
import { beginsAsWhatsApp } from '../chat/whatsapp.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { parseCsv } from '../data/csv.ts';
import { cleanLines } from '../normalise.ts';
import { withoutOverstrikes } from './overstruck.ts';
import { findPageLines, type PageLines } from './page-lines.ts';
import { isSeparated } from './separated.ts';

function chatOf(source: string, context: Pick<ParseContext, 'name'>): Chat | undefined {
  if (isDiscordText(source)) return parseDiscordText(source);
  return beginsAsWhatsApp(source, context.name) ? parseChat(source, context) : undefined;
}

/**
 * Plain text, unchanged but for page headers, page footers and page numbers in its middle, for letters that are printed
 * twice, for exported chats and for
 * tables of separated values;
 * paragraphs end at empty lines, and clear headings are marked.
 */
export function parseText(written: string, context?: Pick<ParseContext, 'name' | 'maxTextChars'>): ParsedDocument {
  const source = withoutOverstrikes(written);
  const chat = context && chatOf(source, context);
  if (chat) return chatDocument(chat, context);
  if (context && isSeparated(source)) return parseCsv(source, context);
  const clean = cleanLines(source);
  const pageLines = findPageLines(source.replace(/\r\n?/gu, '\n'));
  const { text, firstLine, locators } = pageLines
    ? withoutPageLines(clean, pageLines)
    : { ...trimLines(clean), locators: [] };
  const blocks = paragraphBlocks(text);
  const first = blocks[0];
  const title = first?.kind === 'heading' && first.start === 0 && first.level === 1 ? (first.label ?? '') : '';
  const document = { title, text, format: 'text', blocks, locators, metadata: {}, warnings: [] };
  if (!pageLines) return { ...document, firstLine };
  const leftOut = pageLines.gone.size - pageLines.kept.length;
  const message = `left out ${leftOut} lines: page headers and footers after the first, page numbers`;
  return {
    ...document,
    metadata: { linesLeftOut: leftOut },
    warnings: [{ code: 'RUNNING_LINES', message, leftOut }],
  };
}

/** The text in one piece, with the line of the source for each of its lines; headers and footers once, at the end. */
function withoutPageLines(
  clean: string,
  { gone, kept }: PageLines,
): { readonly text: string; readonly firstLine: number; readonly locators: Locator[] } {
  const lines = clean.split('\n').map((line, i) => ({ line, at: [i + 1, i + 1] as const }));
  const body: typeof lines = [];
  let end: (typeof lines)[number] | undefined;
  let cut = false;
  for (const [i, each] of lines.entries()) {
    cut ||= gone.has(i);
    if (gone.has(i)) continue;
    if (each.line.trim() !== '') {
      // A sentence that goes on behind the page break is one paragraph.
      const goesOn = cut && end && !/[.!?:;]["'”’)]*\s*$/u.test(end.line) && /^\s*\p{Ll}/u.test(each.line);
      while (goesOn && body.at(-1) !== end) body.pop();
      end = each;
      cut = false;
    }
    body.push(each);
  }
  while (body[0]?.line.trim() === '') body.shift();
  while (body.at(-1)?.line.trim() === '') body.pop();
  const said = kept.flatMap((i) => [
    { line: '', at: lines[i]!.at },
    { ...lines[i]!, line: lines[i]!.line.trim() },
  ]);
  const all = [...body, ...said];
  const locators: Locator[] = [];
  let start = 0;
  for (const { line, at } of all) {
    if (line.trim() !== '') locators.push({ start, end: start + line.length, lines: at });
    start += line.length + 1;
  }
  return {
    text: all
      .map(({ line }) => line)
      .join('\n')
      .trimEnd(),
    firstLine: body[0]?.at[0] ?? 1,
    locators,
  };
}

/** Removes empty lines at the start and white space at the end. @returns also the line on which the rest starts */
export function trimLines(clean: string): { text: string; firstLine: number } {
  const skipped = /^(?:[^\S\n]*\n)*/.exec(clean)![0];
  let firstLine = 1;
  for (let at = skipped.indexOf('\n'); at !== -1; at = skipped.indexOf('\n', at + 1)) firstLine++;
  return { text: clean.slice(skipped.length).trimEnd(), firstLine };
}

function paragraphBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const gap = /\n[^\S\n]*\n\s*/g;
  let start = 0;
  while (start < text.length) {
    const match = gap.exec(text);
    const end = match ? match.index : text.length;
    if (end > start) pushParagraph(blocks, text, start, end);
    if (!match) break;
    // The indentation of the next paragraph's first line belongs to it.
    const next = match.index + match[0].length;
    start = text.lastIndexOf('\n', next - 1) + 1;
    gap.lastIndex = Math.max(next, start);
  }
  return withoutContents(blocks, text);
}

/** A heading that stands indented, and again at the margin further below, is an entry of a table of contents. */
function withoutContents(blocks: readonly Block[], text: string): Block[] {
  const below = new Set<string>();
  return blocks
    .toReversed()
    .map((block): Block => {
      const { start, end, kind, label } = block;
      if (kind !== 'heading' || label === undefined) return block;
      const isIndented = /\s/.test(text[start]!);
      if (isIndented && below.has(label)) return { start, end, kind: 'paragraph' };
      if (!isIndented) below.add(label);
      return block;
    })
    .reverse();
}

function pushParagraph(blocks: Block[], text: string, start: number, end: number): void {
  const body = text.slice(start, Math.min(end, start + 400));
  const lineEnd = body.indexOf('\n');
  const first = (lineEnd === -1 ? body : body.slice(0, lineEnd)).trim();
  const single = lineEnd === -1 && end - start <= 400;
  const underline =
    lineEnd === -1
      ? ''
      : body
          .slice(lineEnd + 1)
          .split('\n', 1)[0]!
          .trim();
  if (first.length > 0 && first.length <= 120 && /^(?:={3,}|-{3,}|~{3,})$/.test(underline)) {
    const headingEnd = start + lineEnd + 1 + body.slice(lineEnd + 1).split('\n', 1)[0]!.length;
    blocks.push({ start, end: headingEnd, kind: 'heading', level: underline.startsWith('=') ? 1 : 2, label: first });
    if (headingEnd + 1 < end) blocks.push({ start: headingEnd + 1, end, kind: 'paragraph' });
    return;
  }
  if (lineEnd > 0 && isAboveIndented(text, start, start + lineEnd, end)) {
    blocks.push({ start, end: start + lineEnd, kind: 'heading', level: 2, label: first.replace(/:$/, '') });
    pushParagraph(blocks, text, start + lineEnd + 1, end);
    return;
  }
  const level = single ? headingLevel(first, blocks.length === 0 && start === 0, blocks.at(-1)) : undefined;
  if (level !== undefined) blocks.push({ start, end, kind: 'heading', level, label: first });
  else blocks.push({ start, end, kind: LIST_ITEM.test(first) ? 'list' : 'paragraph' });
}

/** Whether a line of capitals at the margin stands above lines that are all indented, as on pages of manuals. */
function isAboveIndented(text: string, start: number, lineEnd: number, end: number): boolean {
  const line = text.slice(start, lineEnd);
  const letters = line.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 3 || line.length > LONGEST_CAPITALS || !/^\p{Lu}[\p{Lu}\p{N} /&-]*:?\s*$/u.test(line)) return false;
  return !/^(?:\S| \S)/m.test(text.slice(lineEnd + 1, end));
}

const LONGEST_CAPITALS = 60;
const LIST_ITEM = /^(?:[-*•·‣◦–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S/;
const CHAPTER =
  /^(?:chapter|section|part|article|appendix|book|act|scene|kapitel|abschnitt|teil|chapitre|capítulo|глава|часть)\s+(?:\d+|[ivxlc]+|one|two|three|four|five|six|seven|eight|nine|ten)\b|^第.{1,6}[章节節条編回]/iu;
/** Behind a number of several parts with a dot there may be a name in small letters, behind any such a path. */
const NUMBERED =
  /^\d{1,3}(?:\.|(?:\.\d{1,3}){1,4}\.?)\s+\p{Lu}|^\d{1,3}(?:\.\d{1,3}){1,4}(?:\.\s+["'`(]?\p{Ll}{2}|\.?\s+(?:~?\/|\$)\p{L})/u;
/** Besides what stands in brackets. */
const MOST_WORDS = 10;

/** The level of a separate line that is clearly a heading, else undefined. */
function headingLevel(line: string, isFirst: boolean, before: Block | undefined): number | undefined {
  if (line.length < 2 || line.length > 80 || /[.,;:!?。、，]$/.test(line)) return undefined;
  if (CHAPTER.test(line)) return 2;
  if (NUMBERED.test(line)) {
    const numbers = /^[\d.]+/.exec(line)![0].replace(/\.$/, '').split('.').length;
    const words = line.replace(/\([^()]*\)/g, ' ').match(/\S*[\p{L}\p{N}]\S*/gu) ?? [];
    return words.length <= MOST_WORDS ? Math.min(6, 1 + numbers) : undefined;
  }
  const letters = line.replace(/[^\p{L}]/gu, '');
  if (letters.length >= 4 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()) {
    // "ARTICLE 3", then "RENT": the second line is the title of the first.
    return isFirst ? 1 : before?.kind === 'heading' && CHAPTER.test(before.label ?? '') ? 3 : 2;
  }
  if (isFirst && /^\p{Lu}/u.test(line) && !/[.:]\s/.test(line) && line.split(/\s+/).length <= 12) return 1;
  return undefined;
}
