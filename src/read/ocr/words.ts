/** The words of a page that was read, turned upright: x grows in reading direction of Latin text, y from line to line. */
import type { Recognition } from '../../core/types.ts';
import { mean, quantile } from '../../eval/summary.ts';
import type { ReadLine } from './contract.ts';

export interface Word {
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** In dots of the picture, as it is stored. */
  readonly box: Box;
}

export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Words of one line, as tesseract found it, with the number of its paragraph. */
export interface WordLine {
  readonly block: string;
  readonly paragraph: string;
  readonly words: readonly Word[];
}

/** The reach of something on the upright page. */
export interface Place {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** Letters of scripts without blanks between words. */
export const UNSPACED: RegExp = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const RTL = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** A line shorter than this says nothing about the slope of a page, in heights of its words. */
const LEAST_LENGTH = 12;
const STEEPEST = 0.2;
/** How much the heights of two words differ that have the same kinds of letters, as a share. */
const SAME_HEIGHT = 0.06;
/** So many words from its ends a line is looked at. */
const FARTHEST = 10;

/** Where a box stands once the page is turned upright, and its lines are level. */
export function uprightOf(lines: readonly WordLine[]): (box: Box) => Place {
  const steps = lines.flatMap(({ words }) =>
    words.slice(1).map(({ box }, i): [number, number] => {
      const [x, y] = centreOf(words[i]!.box);
      const [nextX, nextY] = centreOf(box);
      return [nextX - x, nextY - y];
    }),
  );
  const sum = (axis: 0 | 1, of: (n: number) => number): number => steps.reduce((all, step) => all + of(step[axis]), 0);
  const isLevel = sum(0, Math.abs) >= sum(1, Math.abs);
  const along = sum(isLevel ? 0 : 1, Math.sign) * (isRightToLeft(lines) ? -1 : 1);
  const turn = ([left, top, right, bottom]: Box): Place => {
    if (isLevel && along >= 0) return { x0: left, x1: right, y0: top, y1: bottom };
    if (isLevel) return { x0: -right, x1: -left, y0: -bottom, y1: -top };
    if (along >= 0) return { x0: top, x1: bottom, y0: -right, y1: -left };
    return { x0: -bottom, x1: -top, y0: left, y1: right };
  };
  const slopes = lines.flatMap(({ words }) => slopeOf(words.map(({ box }) => turn(box))) ?? []);
  const slope = slopes.length === 0 ? 0 : quantile(slopes, 0.5);
  if (Math.abs(slope) > STEEPEST) return turn;
  return (box) => {
    const { x0, x1, y0, y1 } = turn(box);
    const drop = (slope * (x0 + x1)) / 2;
    return { x0, x1, y0: y0 - drop, y1: y1 - drop };
  };
}

/**
 * The slope of a line, from two words of one height that stand far apart: a comma or the tail of a letter moves the
 * middle of a word as much as a slope does.
 */
function slopeOf(words: readonly Place[]): number | undefined {
  const height = heightOf(words);
  const isAlike = (a: Place, b: Place): boolean =>
    Math.abs(a.y1 - a.y0 - b.y1 + b.y0) <= Math.max(1, SAME_HEIGHT * height);
  let widest: readonly [Place, Place] | undefined;
  let most = LEAST_LENGTH * height;
  for (const a of words.slice(0, FARTHEST)) {
    for (const b of words.slice(-FARTHEST)) {
      const length = Math.abs(b.x0 - a.x0);
      if (length < most || !isAlike(a, b)) continue;
      most = length;
      widest = [a, b];
    }
  }
  if (!widest) return undefined;
  const [first, last] = widest;
  return (last.y0 + last.y1 - first.y0 - first.y1) / (last.x0 + last.x1 - first.x0 - first.x1);
}

export function heightOf(places: readonly Place[]): number {
  return quantile(
    places.map(({ y0, y1 }) => y1 - y0),
    0.5,
  );
}

export function isRightToLeft(lines: readonly WordLine[]): boolean {
  const texts = lines.flatMap(({ words }) => words.map(({ text }) => text)).filter((text) => /\p{L}/u.test(text));
  return texts.filter((text) => RTL.test(text)).length > texts.length / 2;
}

function centreOf([left, top, right, bottom]: Box): [number, number] {
  return [(left + right) / 2, (top + bottom) / 2];
}

/** Words as a text. Tesseract parts words of scripts that write no blanks between them. */
export function textOf(words: readonly Word[]): string {
  return words
    .map(({ text }) => text)
    .reduce((text, word) => {
      const isUnspaced = UNSPACED.test(text.at(-1)!) && UNSPACED.test(word[0]!);
      return isUnspaced ? text + word : `${text} ${word}`;
    });
}

/** Words as a line with its region on a page of this size. */
export function lineOf(
  words: readonly Word[],
  size: readonly [number, number],
  text: string = textOf(words),
): ReadLine {
  return { text, region: regionOf(words, size), confidence: round(mean(words.map(({ confidence }) => confidence))) };
}

function regionOf(words: readonly Word[], [width, height]: readonly [number, number]): Recognition['region'] {
  const share = (value: number, whole: number): number => Math.min(1, Math.max(0, round(value / Math.max(1, whole))));
  const edge = (at: number, most: (...values: number[]) => number): number => most(...words.map(({ box }) => box[at]!));
  return [
    share(edge(0, Math.min), width),
    share(edge(1, Math.min), height),
    share(edge(2, Math.max), width),
    share(edge(3, Math.max), height),
  ];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
