import type { Block } from '../core/types.ts';
import { noticeWord } from '../text/languages/notice-words.ts';
import { readsAsTitle } from '../text/title-line.ts';

const mostChars = 90;
const mostWords = 12;
/** `3. Opening hours` */
const number = /^(?:\d{1,3}(?:\.\d{1,3})*|[A-Z]|[IVX]{1,5})[.)]?[ \t]+/;
/** `Total: EUR 250` is a label and its value. */
const entry = /[:：][^:：]*\p{N}/u;
/** They say what stands next to them, not what the text below is about. */
const aside =
  /^(?:(?:example|beispiel|exemple|ejemplo)s?$|(?:table|figure|fig|chart|tabelle|abbildung|abb|tableau|tabla|figura)\b\.?\s*[\dA-Z])/iu;

/** Whether a line that is set in bold letters, with text below it, is the title of that text. */
export function isBoldTitle(line: string): boolean {
  const title = line.replace(number, '');
  if (line.length > mostChars || line.includes('\n') || !/\p{L}{2}/u.test(title)) return false;
  return readsAsTitle(title, mostWords) && !entry.test(title) && !aside.test(title) && !noticeWord.test(title);
}

/**
 * Many people make a heading by setting a line in bold letters: such a paragraph is one, a level below the last heading,
 * where text in other letters follows. Nothing changes where most of the text is bold.
 * @param bold where paragraphs begin that are bold as a whole
 * @param titleOf the text of one of them
 */
export function withBoldHeadings(
  blocks: readonly Block[],
  bold: ReadonlySet<number>,
  titleOf: (block: Block) => string,
): readonly Block[] {
  if (bold.size === 0) return blocks;
  const lengthOf = (some: readonly Block[]): number => some.reduce((sum, { start, end }) => sum + end - start, 0);
  if (2 * lengthOf(blocks.filter(({ start }) => bold.has(start))) > lengthOf(blocks)) return blocks;
  let level = 1;
  return blocks.map((block, i) => {
    const { start, end, kind } = block;
    if (kind === 'heading') level = block.level ?? 1;
    const next = blocks[i + 1];
    if (!bold.has(start) || next === undefined || bold.has(next.start)) return block;
    if (next.kind === 'heading' || next.kind === 'reference') return block;
    const label = titleOf(block);
    return isBoldTitle(label) ? { start, end, kind: 'heading', level: Math.min(6, level + 1), label } : block;
  });
}
