import { mean } from '../../eval/summary.ts';
import type { ReadLine, ReadPage } from './contract.ts';

/** Rows of the table: page, block, paragraph, line, word. */
const PAGE = '1';
const WORD = '5';
/** A paragraph below this confidence, or without a letter or digit, is grain of the picture. */
const LEAST_CONFIDENCE = 0.3;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

interface Line {
  words: string[];
  confidences: number[];
  box: [left: number, top: number, right: number, bottom: number];
}

/** The table that tesseract prints with `tsv` → pages of paragraphs of lines. */
export function readTsv(tsv: string): ReadPage[] {
  const pages: { size: [number, number]; paragraphs: Map<string, Map<string, Line>> }[] = [];
  for (const row of tsv.split('\n')) {
    const cells = row.trimEnd().split('\t');
    const [level, , block, paragraph, line] = cells;
    const [left, top, width, height] = cells.slice(6, 10).map(Number) as [number, number, number, number];
    if (level === PAGE) pages.push({ size: [width, height], paragraphs: new Map() });
    const word = cells.slice(11).join(' ').trim();
    const confidence = Number(cells[10]);
    const page = pages.at(-1);
    if (level !== WORD || word === '' || !(confidence >= 0) || page === undefined) continue;
    const key = `${block} ${paragraph}`;
    const lines = page.paragraphs.get(key) ?? new Map<string, Line>();
    page.paragraphs.set(key, lines);
    const known = lines.get(line!) ?? { words: [], confidences: [], box: [left, top, left, top] };
    lines.set(line!, known);
    known.words.push(word);
    known.confidences.push(confidence);
    const [l, t, r, b] = known.box;
    known.box = [Math.min(l, left), Math.min(t, top), Math.max(r, left + width), Math.max(b, top + height)];
  }
  return pages.map(({ size, paragraphs }) => ({
    paragraphs: [...paragraphs.values()]
      .map((lines) => [...lines.values()].map((line) => toLine(line, size)))
      .filter(isText),
  }));
}

function toLine({ words, confidences, box }: Line, [width, height]: readonly [number, number]): ReadLine {
  const share = (value: number, whole: number): number => Math.min(1, Math.max(0, round(value / Math.max(1, whole))));
  return {
    text: words.reduce((text, word) => (isUnspaced(text, word) ? text + word : `${text} ${word}`)),
    region: [share(box[0], width), share(box[1], height), share(box[2], width), share(box[3], height)],
    confidence: round(mean(confidences) / 100),
  };
}

/** Tesseract parts words of scripts that write no blanks between them. */
function isUnspaced(before: string, after: string): boolean {
  return UNSPACED.test(before.at(-1)!) && UNSPACED.test(after[0]!);
}

function isText(lines: readonly ReadLine[]): boolean {
  const isUnsure = mean(lines.map(({ confidence }) => confidence)) < LEAST_CONFIDENCE;
  return !isUnsure && lines.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
