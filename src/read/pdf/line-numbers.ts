/**
 * Numbers of lines in the margin of a page, as transcripts, bills and manuscripts have them: read along, they stand
 * between the words of a sentence. Numbers of items and of rows stay.
 */
import type { Segment } from './runs.ts';

const FEWEST = 10;
/** Of small ones, which are told by more than their distances. */
const FEWEST_SMALL = 4;
/** Numbers of lines are often smaller than the text, those of items and rows are not. */
const SMALL = 0.8;
/** Of the lines beside small numbers: the share that has one, and the share that goes on in small letters. */
const NUMBERED = 0.6;
const GOING_ON_SMALL = 0.15;
/** A page of more numbers that stand alone is a table. */
const MOST = 500;
/** Numbers of one column end at the same place, or begin there; in font sizes. */
const ALIGNED = 0.3;
/** How much the distances of lines differ, as a share of the usual one. */
const UNEVEN = 0.1;
/** Of lines that text runs over: the share that goes on in small letters, and the share that is full. */
const GOING_ON = 0.3;
const FULL = 0.5;
/** Of the longest line. */
const FULL_WIDTH = 0.85;
const FEWEST_WORDS = 4;

interface Numbers {
  readonly page: number;
  /** Where they end. */
  readonly x: number;
  readonly numbers: readonly Segment[];
  readonly first: number;
  /** Texts at the height of a number. */
  readonly texts: readonly Segment[];
  readonly isEven: boolean;
  /** Whether they are smaller than the text, and stand beside most of its lines. */
  readonly isSmall: boolean;
}

/** @returns of each page the segments that number its lines */
export function findLineNumbers(pages: readonly (readonly Segment[])[]): ReadonlySet<Segment>[] {
  const found = pages.map((segments, page) => columnsOf(segments, page));
  const all = found.flat();
  const even = all.filter((one) => one.isEven);
  const small = all.filter((one) => one.isSmall);
  const lines = small.reduce((sum, { texts }) => sum + texts.length, 0);
  const smallGo = small.reduce((sum, one) => sum + goingOn(one), 0) > Math.max(2, GOING_ON_SMALL * lines);
  return found.map((columns) => {
    const numbered = columns.filter(
      (one) => (one.isEven && (isProse(one) || numbersEachPage(one, even))) || (one.isSmall && smallGo),
    );
    return new Set(numbered.flatMap(({ numbers }) => numbers));
  });
}

/** Numbers that follow one another at equal distances beside all other text. */
function columnsOf(segments: readonly Segment[], page: number): Numbers[] {
  const digits = segments.filter(({ text }) => /^\d{1,4}$/.test(text)).sort((a, b) => a.y - b.y);
  if (digits.length < FEWEST_SMALL || digits.length > MOST) return [];
  const columns: Numbers[] = [];
  const taken = new Set<Segment>();
  for (const start of digits) {
    if (taken.has(start)) continue;
    const numbers = [start];
    for (const next of digits) {
      const last = numbers.at(-1)!;
      const aligned = near(next.x1, last.x1, start.size) || near(next.x0, last.x0, start.size);
      if (next.y > last.y && aligned && Number(next.text) === Number(last.text) + 1) numbers.push(next);
    }
    const even = numbers.length >= FEWEST && isEven(numbers);
    if (numbers.length < FEWEST_SMALL) continue;
    const own = new Set(numbers);
    const [top, bottom] = [start.y, numbers.at(-1)!.y];
    const beside = segments.filter((one) => !own.has(one) && one.y >= top - 1 && one.y <= bottom + 1);
    const [x0, x1] = [Math.min(...numbers.map((one) => one.x0)), Math.max(...numbers.map((one) => one.x1))];
    if (!beside.every((one) => one.x0 > x1) && !beside.every((one) => one.x1 < x0)) continue;
    const heights = numbers.map(({ y }) => y);
    const texts = beside.filter(({ y, size }) => heights.some((height) => Math.abs(height - y) < 0.5 * size));
    const isSmall = areSmall(numbers, texts, beside);
    if (!even && !isSmall) continue;
    for (const one of numbers) taken.add(one);
    columns.push({ page, x: x1, numbers, first: Number(start.text), texts, isEven: even, isSmall });
  }
  return columns;
}

const near = (a: number, b: number, size: number): boolean => Math.abs(a - b) < ALIGNED * size;

function isEven(numbers: readonly Segment[]): boolean {
  const distances = numbers.slice(1).map(({ y }, i) => y - numbers[i]!.y);
  const usual = distances.toSorted((a, b) => a - b)[distances.length >> 1]!;
  return distances.filter((one) => Math.abs(one - usual) > UNEVEN * usual).length <= 0.1 * distances.length;
}

function areSmall(numbers: readonly Segment[], texts: readonly Segment[], beside: readonly Segment[]): boolean {
  const usual = texts.map(({ size }) => size).sort((a, b) => a - b)[texts.length >> 1] ?? 0;
  const lines = new Set(beside.filter(({ size }) => size > SMALL * usual).map(({ y }) => Math.round(y)));
  return numbers.every(({ size }) => size <= SMALL * usual) && numbers.length > NUMBERED * lines.size;
}

const longestOf = (texts: readonly Segment[]): number => Math.max(0, ...texts.map(({ x0, x1 }) => x1 - x0));

/**
 * Lines that go on, in small letters, where the one above is full of words: items begin anew, and rows have cells beside
 * each other.
 */
function goingOn({ texts, numbers }: Numbers): number {
  const longest = longestOf(texts);
  const lines = numbers.map(({ y, size }) => texts.filter((text) => Math.abs(text.y - y) < 0.5 * size));
  return lines.filter((line, i) => {
    const [above] = i === 0 ? [] : lines[i - 1]!;
    if (line.length !== 1 || lines[i - 1]?.length !== 1 || above === undefined) return false;
    const isFull = above.x1 - above.x0 >= FULL_WIDTH * longest && above.text.split(' ').length >= FEWEST_WORDS;
    return isFull && /^\p{Ll}/u.test(line[0]!.text);
  }).length;
}

/** A text runs over the lines, and fills them. */
function isProse(one: Numbers): boolean {
  const { texts } = one;
  const longest = longestOf(texts);
  const full = texts.filter(({ x0, x1 }) => x1 - x0 >= FULL_WIDTH * longest).length;
  return goingOn(one) > GOING_ON * texts.length && full >= FULL * texts.length;
}

/** Each page begins with 1, or there are lines without text; and some sentence goes on. */
function numbersEachPage(one: Numbers, all: readonly Numbers[]): boolean {
  if (one.first !== 1) return false;
  const isAlike = (other: Numbers): boolean =>
    other.page !== one.page && other.first === 1 && Math.abs(other.x - one.x) < 2 * one.numbers[0]!.size;
  const likes = [one, ...all.filter(isAlike)];
  const heights = new Set(one.texts.map(({ y }) => Math.round(y)));
  return (
    (likes.length > 1 || heights.size < one.numbers.length) && likes.reduce((sum, each) => sum + goingOn(each), 0) > 1
  );
}
