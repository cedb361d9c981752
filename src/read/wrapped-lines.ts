/** Finds paragraphs that are the lines of one text: somebody pasted it line by line, as it came out of a PDF. */

import { itemMark } from '../text/item-mark.ts';

const mostOfLine = 120;
const fewestLines = 4;
/** A shorter column is a list of names, or a table. */
const leastWidth = 45;
/** How many lines go on in a small letter before the others are believed to go on as well. */
const fewestGoingOn = 2;
/** A line is full if the next word makes it longer than this share of the widest: letters differ in width. */
const fullFrom = 0.85;
const mostlyFull = 0.8;
/** The widest line may be of another kind. */
const widest = 0.9;

const ends = /[.!?:;…。！？][\s"'”’»)\]]*$/u;
const small = /^["'“„«(]?\p{Ll}/u;
const item = new RegExp(`^\\s*${itemMark}\\s`, 'u');

/**
 * Which lines go on in the next one: those without an end that are as long as their column is wide, in a run where
 * several go on in a small letter.
 * @param lines undefined for what is no line of a paragraph, and between lines that stand apart
 */
export function linesGoingOn(lines: readonly (string | undefined)[]): readonly boolean[] {
  const goesOn = lines.map(() => false);
  for (let from = 0; from < lines.length; from++) {
    let to = from;
    while (to < lines.length && isLine(lines[to])) to++;
    if (to > from) {
      joinRun(lines.slice(from, to) as string[], from, goesOn);
      from = to;
    }
  }
  return goesOn;
}

function isLine(line: string | undefined): boolean {
  return line !== undefined && line.length <= mostOfLine && !line.includes('\n') && !item.test(line);
}

function joinRun(run: readonly string[], offset: number, goesOn: boolean[]): void {
  if (run.length < fewestLines) return;
  const lengths = run.map(({ length }) => length).sort((a, b) => a - b);
  const width = lengths[Math.floor(widest * (lengths.length - 1))]!;
  if (width < leastWidth) return;
  const open = run.flatMap((line, i) => (i + 1 < run.length && !ends.test(line) ? [i] : []));
  const isFull = (i: number): boolean => run[i]!.length + 1 + /^\S*/u.exec(run[i + 1]!)![0].length >= fullFrom * width;
  const full = open.filter(isFull);
  if (full.length < mostlyFull * open.length) return;
  if (full.filter((i) => small.test(run[i + 1]!)).length < fewestGoingOn) return;
  for (const i of full) goesOn[offset + i] = true;
}
