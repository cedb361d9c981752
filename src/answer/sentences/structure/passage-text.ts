import type { StoredChunk } from '../../../core/types.ts';
import { type AnalysedWord, analyseWords } from '../../../text/analysis/words.ts';
import { languageOf } from '../../../text/languages/detect.ts';
import { type Unit, unitsOf } from './units.ts';

/** What the text of a passage holds, whatever is asked. */
export interface PassageText {
  readonly words: readonly AnalysedWord[];
  readonly units: readonly Unit[];
  /** The words of each unit, half-open. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  readonly language: string;
}

/** The header of the table that a chunk goes on with; '' where it does not. The context of a program is its language. */
export function headerBefore({ format, context = '' }: Pick<StoredChunk, 'format' | 'context'>): string {
  return format === 'code' ? '' : context;
}

interface Kept extends PassageText {
  readonly format: string;
  readonly beginsInTable: boolean;
}

/** Of the passages read last, so long as they have no more characters together: about 30 bytes are kept for each. */
const keptChars = 200_000;
/** By text, the one read last at the end. */
const kept = new Map<string, Kept>();
let chars = 0;

/**
 * Reads a passage's text. Questions that follow each other often get the same passages: the last ones are kept.
 * @param beginsInTable as `unitsOf` takes it
 */
export function passageText(text: string, format: string, beginsInTable: boolean = false): PassageText {
  let found = kept.get(text);
  if (found) {
    kept.delete(text);
    chars -= text.length;
  }
  if (found?.format !== format || found.beginsInTable !== beginsInTable) found = read(text, format, beginsInTable);
  kept.set(text, found);
  chars += text.length;
  for (const oldest of kept.keys()) {
    if (chars <= keptChars) break;
    kept.delete(oldest);
    chars -= oldest.length;
  }
  return found;
}

function read(text: string, format: string, beginsInTable: boolean): Kept {
  const words = analyseWords(text);
  const units = unitsOf(text, format, beginsInTable);
  const ranges = divide(words, units);
  return { format, beginsInTable, words, units, ranges, language: languageOf(text.slice(0, 300)) };
}

/** The words of each unit, half-open. */
function divide(words: readonly AnalysedWord[], units: readonly Unit[]): (readonly [from: number, to: number])[] {
  let k = 0;
  return units.map(({ start, end }) => {
    while (k < words.length && words[k]!.start < start) k++;
    const from = k;
    while (k < words.length && words[k]!.start < end) k++;
    return [from, k];
  });
}
