import type { AnalysedWord } from '../../../text/analysis/words.ts';
import {
  asksForParts,
  consistsOf,
  membersAsked,
  smallNumber,
  stateOfMembers,
} from '../../../text/languages/members-asked.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionsOf, type Question, sameWord } from '../question/question.ts';
import { itemsBelow, rowsBelow } from '../structure/list-below.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees, for which a sentence that only announces is the least likely of all. */
const gain = 9;
/** Fewer are no list. */
export const fewestItems = 2;

interface Members {
  /** Positions of the terms that name the kind, and of the others. */
  readonly kind: readonly number[];
  /** Whether it is the parts of the others. */
  readonly areParts: boolean;
  readonly others: readonly number[];
  /** That the question says there are. */
  readonly count: number | undefined;
}

/** What all of are asked for; undefined for other questions. */
export const allAsked: (question: Question) => Members | undefined = once(({ text, tokens, terms }) => {
  const kind = membersAsked(text);
  if (kind === undefined) return undefined;
  const from = text.indexOf(kind);
  const words = tokens.filter(({ empty, start, word }) => !empty && start >= from && smallNumber(word) === undefined);
  const isKind = ({ end }: AnalysedWord): boolean => end <= from + kind.length;
  const named = positionsOf({ terms }, words.filter(isKind));
  if (named.length === 0) return undefined;
  const counting = tokens.find(
    (token) => token.start >= from && isKind(token) && smallNumber(token.word) !== undefined,
  );
  return {
    kind: named,
    areParts: asksForParts.test(kind),
    others: positionsOf(
      { terms },
      words.filter((word) => !isKind(word) && !stateOfMembers.test(word.word)),
    ), // which a list does not say
    count: counting && smallNumber(counting.word),
  };
});

/**
 * How much a sentence gains since all of a kind are asked for, and it announces a list or a table of them: it names the
 * kind, and it, its headings or its title have the other words of the question. Where the question says how many there
 * are, the list has as many.
 */
export function listGain(question: Question, { passage, unit, index, match, titleMatch }: Candidate): number {
  const wanted = allAsked(question);
  if (wanted === undefined || unit.kind === 'row') return 0;
  const { kind, areParts, others, count } = wanted;
  const says = kind.every((j) => match[j]! >= sameWord);
  if (!says && !(areParts && others.length > 0 && consistsOf.test(textOf({ passage, unit })))) return 0;
  if (!others.every((j) => Math.max(match[j]!, titleMatch[j]!) >= sameWord)) return 0;
  const { text } = passage.hit.chunk;
  const items = itemsBelow(text, unit) || rowsBelow(text, passage.units, index).length;
  return items >= fewestItems && (count ?? items) === items ? gain : 0;
}
