import type { Span } from '../../../core/types.ts';
import { itemMark } from '../../../text/item-mark.ts';
import { isFunctionWord } from '../../../text/languages/function-words.ts';

const announces = /[:：]["'”’*_`)]*$/;
const lastWord = /(?<![\p{L}\p{M}])(\p{Ll}+)["'”’*_`]*$/u;
const item = new RegExp(String.raw`^([ \t]*)${itemMark}[ \t]+\S`);

/** Whether a sentence goes on in what stands below: it ends in a colon, or in a word like `that`, as no sentence ends. */
export function leadsOn(sentence: string): boolean {
  if (announces.test(sentence)) return true;
  const last = lastWord.exec(sentence)?.[1];
  return last !== undefined && isFunctionWord(last, false);
}

/** How many items of a list stand directly below a sentence that leads on to it; those of lists in it are not counted. */
export function itemsBelow(text: string, { start, end }: Span): number {
  const rest = text.slice(end);
  const gap = /^[ \t]*\n(?:[ \t]*\n)*/.exec(rest)?.[0];
  if (gap === undefined || !item.test(rest.slice(gap.length)) || !leadsOn(text.slice(start, end))) return 0;
  const indent = item.exec(rest.slice(gap.length))![1]!.length;
  let items = 0;
  let isBlank = false;
  for (const line of rest.slice(gap.length).split('\n')) {
    const own = item.exec(line)?.[1]?.length;
    if (own === indent) items++;
    else if (isBlank && line.trim() !== '' && (own ?? line.length - line.trimStart().length) <= indent) break;
    isBlank = line.trim() === '';
  }
  return items;
}
