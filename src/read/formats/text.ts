import type { Block } from '../../core/types.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { cleanLines } from '../normalise.ts';

/** Plain text → itself; paragraphs at empty lines, headings where they are obvious. */
export function parseText(source: string, _context?: Pick<ParseContext, 'name'>): ParsedDocument {
  const clean = cleanLines(source);
  const { text, firstLine } = trimLines(clean);
  const blocks = paragraphBlocks(text);
  const first = blocks[0];
  const title =
    first?.kind === 'heading' && first.start === 0 ? text.slice(first.start, first.end).split('\n', 1)[0]!.trim() : '';
  return { title, text, format: 'text', blocks, locators: [], firstLine, metadata: {}, warnings: [] };
}

/** Drops empty lines at the start and white space at the end, and says on which line the rest starts. */
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
    // Indentation of the next paragraph's first line belongs to it.
    const next = match.index + match[0].length;
    start = text.lastIndexOf('\n', next - 1) + 1;
    gap.lastIndex = Math.max(next, start);
  }
  return blocks;
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
  const level = single ? headingLevel(first, blocks.length === 0 && start === 0) : undefined;
  if (level !== undefined) blocks.push({ start, end, kind: 'heading', level, label: first });
  else blocks.push({ start, end, kind: LIST_ITEM.test(first) ? 'list' : 'paragraph' });
}

const LIST_ITEM = /^(?:[-*•·‣◦–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S/;
const NUMBERED =
  /^(?:(?:chapter|section|part|article|appendix|book|kapitel|abschnitt|chapitre|capítulo|глава)\s+[\divxlc]+\b|\d+(?:\.\d+){0,4}\.?\s+\p{Lu}|第.{1,6}[章节節条])/iu;

/** The level of a line that stands alone when it is a heading beyond doubt, else undefined. */
function headingLevel(line: string, isFirst: boolean): number | undefined {
  if (line.length < 2 || line.length > 80 || /[.,;:!?。、，]$/.test(line)) return undefined;
  if (NUMBERED.test(line)) {
    const dots = /^\d+((?:\.\d+)*)/.exec(line);
    return dots ? Math.min(6, 2 + (dots[1]!.match(/\./g)?.length ?? 0)) : 2;
  }
  const letters = line.replace(/[^\p{L}]/gu, '');
  if (letters.length >= 4 && letters === letters.toUpperCase() && letters !== letters.toLowerCase())
    return isFirst ? 1 : 2;
  if (isFirst && /^\p{Lu}/u.test(line) && !/[.:]\s/.test(line) && line.split(/\s+/).length <= 12) return 1;
  return undefined;
}
