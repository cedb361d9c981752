import type { Span } from '../../../core/types.ts';
import { itemMark } from '../../../text/item-mark.ts';
import { isFunctionWord } from '../../../text/languages/function-words.ts';
import { smallNumber } from '../../../text/languages/members-asked.ts';
import type { Unit } from './units.ts';

const lastWords = /((?:[\p{L}\p{N}-]+\s+){1,3}\p{L}+)\.$/u;
/** `for three hours` counts nothing that could stand below. */
const ofTime =
  /(?<!\p{L})(?:for|during|within|in|after|before|every|at|by|to|durante|por|en|pendant|dans|après|pour|für|seit|nach|während|in|über|auf|bis|tra|fra|per|dopo)\s+(?:\p{L}+|\d{1,2})(?:\s+[\p{L}-]+){1,2}\.$/iu;
/** Ends in a colon. */
export const announces: RegExp = /[:：]["'”’*_`)]*$/;
const lastWord = /(?<![\p{L}\p{M}])(\p{Ll}+)["'”’*_`]*$/u;
const mark = new RegExp(String.raw`^[ \t]*${itemMark}[ \t]+`);
const firstWord = /^\p{Ll}+(?![\p{L}\p{N}])/u;
const item = new RegExp(String.raw`^([ \t]*)${itemMark}[ \t]+\S`);

/** Whether a sentence goes on in what stands below: it ends in a colon, or in a word like `that`, as no sentence ends. */
function leadsOn(sentence: string): boolean {
  if (announces.test(sentence)) return true;
  const last = lastWord.exec(sentence)?.[1];
  return last !== undefined && isFunctionWord(last, false);
}

/** Whether a line without an end goes on in the item below: `Do not use it` before `- if you are ill`. */
export function goesOnIn(line: string, firstItem: string): boolean {
  const word = firstWord.exec(firstItem.replace(mark, ''))?.[0];
  return /[\p{L}\p{N})\]"”’»]$/u.test(line) && word !== undefined && isFunctionWord(word, false);
}

/** How many items of a list stand directly below a sentence that leads on to it; those of lists in it are not counted. */
export function itemsBelow(text: string, { start, end }: Span): number {
  const rest = text.slice(end);
  const gap = /^[ \t]*\n(?:[ \t]*\n)*/.exec(rest)?.[0];
  const lines = rest.slice(gap?.length).split('\n');
  const [first = ''] = lines;
  const indent = item.exec(first)?.[1]?.length;
  if (gap === undefined || indent === undefined) return 0;
  const sentence = text.slice(start, end);
  const isItem = item.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, end));
  const counted = isItem ? undefined : numberAtEnd(sentence);
  if (counted === undefined && !leadsOn(sentence) && !goesOnIn(sentence, first)) return 0;
  let items = 0;
  let isBlank = false;
  for (const line of lines) {
    const own = item.exec(line)?.[1]?.length;
    if (own === indent) items++;
    else if (isBlank && line.trim() !== '' && (own ?? line.length - line.trimStart().length) <= indent) break;
    isBlank = line.trim() === '';
  }
  return counted === undefined || leadsOn(sentence) || items === counted ? items : 0;
}

/** What a sentence announces is shown with it, up to this many characters. */
export const mostAnnounced = 800;

/**
 * The rows of a table that stands directly below the unit at `index`, which ends in a colon, without its header; none
 * where they are not all shown.
 */
export function rowsBelow(text: string, units: readonly Unit[], index: number): Unit[] {
  const { start, end } = units[index]!;
  if (!announces.test(text.slice(start, end))) return [];
  const rows: Unit[] = [];
  for (let i = index + 1; units[i]?.kind === 'row'; i++) {
    if (units[i]!.end - end > mostAnnounced) return [];
    if (units[i]!.header) rows.push(units[i]!);
  }
  return rows;
}

/** A number of things that a sentence ends with: `A crane has three parts.` */
function numberAtEnd(sentence: string): number | undefined {
  if (ofTime.test(sentence)) return undefined;
  const words = lastWords.exec(sentence)?.[1]?.split(/\s+/).slice(0, -1) ?? [];
  return words.map(smallNumber).find((count) => count !== undefined);
}
