/** What the words of a scan are, by their letters. */
import { UNSPACED } from './words.ts';

/** Lines of prose have so many words. */
const FEWEST_WORDS = 4;
const FLOWING_LINES = 4;
/** Of the lines of a text that runs over them: the share that begins with a small letter. Names all begin with a capital. */
const SMALL_STARTS = 0.1;

/** A line between cells that was read as a letter. */
export function isBorder(word: string): boolean {
  return /^[|¦‖]+$/u.test(word);
}

/** A bracket without its other half at the edge of a cell is a line beside it. */
export function withoutBorders(cell: string): string {
  const inner = cell.includes(']') ? cell : cell.replace(/^\[/u, '');
  return (inner.includes('[') ? inner : inner.replace(/\]$/u, ''))
    .replace(/^[|¦‖]+\s*|\s*[|¦‖]+$/gu, '')
    .replace(/\s*\|\s*/gu, ' / ')
    .trim();
}

/** Amounts, dates, quantities with a unit. */
export function isFigure(text: string): boolean {
  return /\d/u.test(text) && !/\p{L}{4}/u.test(text);
}

/**
 * Whether the lines of a block are sentences: half of their letters stand in lines of several words, or most lines are
 * as wide as the block.
 */
export function isProseBlock(texts: readonly string[], widths: readonly number[]): boolean {
  const all = texts.reduce((sum, text) => sum + text.length, 0);
  const prose = texts.filter(isProse).reduce((sum, text) => sum + text.length, 0);
  if (prose >= all / 2) return true;
  const widest = Math.max(...widths);
  const full = widths.filter((width) => width > 0.75 * widest).length;
  const words = texts.reduce((sum, text) => sum + text.split(' ').length, 0);
  const isWords = texts.filter((text) => !isFigure(text)).length > 0.8 * texts.length;
  const isFlowing = isWords && words >= 2 * texts.length && !areNames(texts);
  return texts.length >= FLOWING_LINES && isFlowing && full >= 0.6 * texts.length;
}

function areNames(texts: readonly string[]): boolean {
  const small = texts.filter((text) => /^\P{L}*\p{Ll}/u.test(text)).length;
  return texts.every((text) => /\p{Lu}/u.test(text)) && small < SMALL_STARTS * texts.length;
}

function isProse(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const unspaced = [...text].filter((one) => UNSPACED.test(one)).length; // two of them are about a word
  const isMostlyLetters = letters >= 0.6 * text.replace(/\s/gu, '').length;
  return isMostlyLetters && text.split(/\s+/u).length + unspaced / 2 >= FEWEST_WORDS;
}
