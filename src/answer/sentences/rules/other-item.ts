import { analyseWords } from '../../../text/analysis/words.ts';
import { itemMark } from '../../../text/item-mark.ts';
import type { AnalysedPassage, Candidate } from '../question/candidate.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import { remembered } from '../structure/remembered.ts';
import { isClaim } from './findings.ts';

/** On the scale of the trees. */
const loss = -3;

/** An item of a list that begins with its name in bold letters: `- **Oak.** Heavy, and lasts long.` */
interface NamedItem {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

const named = new RegExp(String.raw`^[ \t]*${itemMark}[ \t]+(?:\*\*|__)([^*_\n]{2,80})(?:\*\*|__)`, 'u');
const begins = new RegExp(String.raw`^[ \t]*${itemMark}[ \t]`, 'u');

const itemsOf = remembered(({ hit }: AnalysedPassage): readonly NamedItem[] => {
  const items: NamedItem[] = [];
  let at = 0;
  let open: { start: number; name: string } | undefined;
  const close = (end: number): void => {
    if (open) items.push({ ...open, end });
    open = undefined;
  };
  for (const line of hit.chunk.text.split('\n')) {
    const name = named.exec(line)?.[1];
    // text at the margin is of no item
    if (name !== undefined || begins.test(line) ? !/^[ \t]{2,}/.test(line) : /^\S/.test(line)) close(at);
    if (name !== undefined && open === undefined) open = { start: at, name };
    at += line.length + 1;
  }
  close(at);
  return items;
});

/**
 * Whether a sentence stands in the item of another name than the question: in that of `**Pine.**`, asked about oak, which
 * has an item of its own beside it, and of which neither the sentence nor what stands over it has a word.
 */
export function isOfOtherItem(question: Question, candidate: Candidate): boolean {
  if (isClaim(question)) return false;
  const items = itemsOf(candidate.passage);
  const own = items.find(({ start, end }) => start <= candidate.unit.start && candidate.unit.end <= end);
  if (own === undefined || items.length < 2) return false;
  const held = matchTerms(question, analyseWords(own.name));
  const weightOf = (match: Float32Array): number =>
    question.terms.reduce((sum, { weight }, j) => sum + (match[j]! >= sameWord ? weight : 0), 0);
  return items.some((other) => {
    if (other === own) return false;
    const match = matchTerms(question, analyseWords(other.name));
    const isSaid = (j: number): boolean => Math.max(candidate.match[j]!, candidate.titleMatch[j]!) >= sameWord;
    return weightOf(match) > weightOf(held) && question.terms.some((_, j) => match[j]! >= sameWord && !isSaid(j));
  });
}

/** What a sentence loses that stands in the item of another name. */
export function otherItemLoss(question: Question, candidate: Candidate): number {
  return isOfOtherItem(question, candidate) ? loss : 0;
}
