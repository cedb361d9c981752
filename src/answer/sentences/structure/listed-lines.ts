import type { Span } from '../../../core/types.ts';

/** Fewer lines may be a verse, or an address, which no list has: `Quayport, QA 92122`. */
const fewestLines = 6;
const postcode = /(?<!\p{N})\p{N}{5}(?!\p{N})/u;
const longest = 60;
/** Of the lines, so many at most go on in the next one. */
const mostContinued = 0.25;

interface Line extends Span {
  readonly isEntry: boolean;
  readonly goesOn: boolean;
}

/**
 * The parts of a text without sentence marks that is a list of lines, as the box of an encyclopedia in a plain text is:
 * six lines or more, all short, that begin with capitals or figures. What stands before and behind them is a part each;
 * a line in small letters goes on from the one above.
 * @returns the whole where there is no such list
 */
export function listedLines(text: string): readonly Span[] {
  const whole = [{ start: 0, end: text.length }];
  if (!hasFeeds(text, fewestLines - 1)) return whole;
  const lines = Array.from(text.matchAll(/\S[^\n]*/g), ({ 0: line, index }): Line => {
    const own = line.trimEnd();
    const isShort = own.length <= longest && !/[.,;:!?…-]$/.test(own);
    return {
      start: index,
      end: index + own.length,
      isEntry: isShort && /^[\p{Lu}\p{N}]/u.test(own),
      goesOn: isShort && /^\p{Ll}/u.test(own),
    };
  });
  if (lines.length < fewestLines) return whole;
  const [from, to] = longestRun(lines);
  const run = lines.slice(from, to);
  if (postcode.test(text.slice(run[0]?.start, run.at(-1)?.end))) return whole;
  const entries = run.filter(({ isEntry }) => isEntry).length;
  if (entries < fewestLines || run.length - entries > mostContinued * run.length) return whole;
  const parts: Span[] = [];
  for (const { start, end, isEntry } of run) {
    if (isEntry) parts.push({ start, end });
    else parts[parts.length - 1] = { start: parts.at(-1)!.start, end };
  }
  const [before, behind] = [lines.slice(0, from), lines.slice(to)];
  if (before.length > 0) parts.unshift({ start: before[0]!.start, end: before.at(-1)!.end });
  if (behind.length > 0) parts.push({ start: behind[0]!.start, end: behind.at(-1)!.end });
  return parts;
}

/** Most sentences have none, and are not cut into lines to be counted. */
function hasFeeds(text: string, fewest: number): boolean {
  let at = -1;
  for (let found = 0; found < fewest; found++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** The longest run of lines that are entries or go on from one. */
function longestRun(lines: readonly Line[]): readonly [from: number, to: number] {
  let best: readonly [number, number] = [0, 0];
  let from = 0;
  lines.forEach(({ isEntry, goesOn }, i) => {
    if (!isEntry && (!goesOn || from === i)) from = i + 1;
    if (i + 1 - from > best[1] - best[0]) best = [from, i + 1];
  });
  return best;
}
