import { mean } from '../../eval/summary.ts';
import type { ReadLine, ReadPage } from './contract.ts';
import { withoutLeaders } from './leaders.ts';
import { findTables } from './tables.ts';
import { lineOf, type Word, type WordLine } from './words.ts';

/** Rows of the table: page, block, paragraph, line, word. */
const PAGE = '1';
const WORD = '5';
/** A paragraph below this confidence, or without a letter or digit, is grain of the picture. */
const LEAST_CONFIDENCE = 0.3;

interface TsvPage {
  readonly size: readonly [width: number, height: number];
  readonly lines: Map<string, WordLine & { readonly words: Word[] }>;
  readonly pictures: number[];
}

/** The table that tesseract prints with `tsv` → pages of paragraphs of lines. */
export function readTsv(tsv: string): ReadPage[] {
  const pages: TsvPage[] = [];
  for (const row of tsv.split('\n')) {
    const cells = row.trimEnd().split('\t');
    const [level, , block = '', inBlock, inParagraph] = cells;
    const [left, top, width, height] = cells.slice(6, 10).map(Number) as [number, number, number, number];
    if (level === PAGE) pages.push({ size: [width, height], lines: new Map(), pictures: [] });
    const text = cells.slice(11).join(' ').trim();
    const confidence = Number(cells[10]) / 100;
    const page = pages.at(-1);
    if (level === WORD && text === '') page?.pictures.push((top + height / 2) / page.size[1]);
    if (level !== WORD || text === '' || !(confidence >= 0) || page === undefined) continue;
    const paragraph = `${block} ${inBlock}`;
    const key = `${paragraph} ${inParagraph}`;
    const line = page.lines.get(key) ?? { block, paragraph, words: [] };
    page.lines.set(key, line);
    line.words.push({ text, confidence, box: [left, top, left + width, top + height] });
  }
  return pages.map(({ size, lines, pictures }) => ({
    paragraphs: paragraphsOf(withoutLeaders([...lines.values()]), size),
    ...(pictures.length > 0 && { pictures }),
  }));
}

/** Paragraphs and tables, each table where its first line stands. */
function paragraphsOf(lines: readonly WordLine[], size: TsvPage['size']): ReadLine[][] {
  const tables = findTables(lines, size);
  const written = new Set<(typeof tables)[number]>();
  const paragraphs: { of: unknown; lines: ReadLine[] }[] = [];
  for (const line of lines) {
    const table = tables.find((one) => one.lines.has(line));
    if (table && !written.has(table)) paragraphs.push({ of: table, lines: [...table.rows] });
    if (table) {
      written.add(table);
      continue;
    }
    if (paragraphs.at(-1)?.of !== line.paragraph) paragraphs.push({ of: line.paragraph, lines: [] });
    paragraphs.at(-1)!.lines.push(lineOf(line.words, size));
  }
  return paragraphs.map((paragraph) => paragraph.lines).filter(isText);
}

function isText(lines: readonly ReadLine[]): boolean {
  const isUnsure = mean(lines.map(({ confidence }) => confidence)) < LEAST_CONFIDENCE;
  return !isUnsure && lines.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
}
