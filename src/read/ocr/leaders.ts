/** The dots between a title and its page, which tesseract reads as letters: `Canal...... eee cceeee 64`. */
import type { Word, WordLine } from './words.ts';

/** What is read below this confidence in a line with dots is dots. */
const UNSURE = 0.15;
const DOTS = /[.…·_]{3,}.*$/u;
const REPEATED = /(\p{L})\1\1/iu;

export function withoutLeaders(lines: readonly WordLine[]): WordLine[] {
  return lines
    .map((line) => (line.words.some(isDots) ? { ...line, words: line.words.flatMap(withoutDots) } : line))
    .filter(({ words }) => words.length > 0);
}

function isDots({ text, confidence }: Word): boolean {
  return confidence < UNSURE && (DOTS.test(text) || REPEATED.test(text));
}

function withoutDots(word: Word): Word[] {
  const text = word.text.replace(DOTS, '');
  if (text === word.text) return word.confidence < UNSURE ? [] : [word];
  if (!/\p{L}{2}|\d/u.test(text)) return [];
  const [left, top, right, bottom] = word.box;
  const share = text.length / word.text.length;
  return [{ ...word, text, box: [left, top, Math.round(left + (right - left) * share), bottom] }];
}
