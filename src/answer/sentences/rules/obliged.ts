import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { asksObligation, beforeVerb, obliges } from '../../../text/languages/obligations.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { holdsTerm, positionOf, type Question, sameWord } from '../question/question.ts';

/** On the scale of the trees. */
const gain = 4;
const mostBeforeVerb = 3;
const endOfClause = /[,;:.!?()]/;

const whether: ReadonlySet<Question['type']> = new Set(['choice', 'other']);

/** The position of the first term, which says of what something must be; -1 where that is not asked. */
const subjectAsked: (question: Question) => number = once(({ text, type, tokens, terms }) => {
  if (!whether.has(type) || !asksObligation.test(text)) return -1;
  const subject = tokens.find(({ empty, word }) => !empty && !obliges.test(word) && !isCommonWord(word));
  return positionOf({ terms }, subject);
});

/** The verb behind a word like `must`; in German the last word of the clause that is no auxiliary. */
function verbBehind(
  tokens: readonly AnalysedWord[],
  at: number,
  text: string,
  language: string,
): AnalysedWord | undefined {
  const rest = tokens.slice(at + 1);
  if (language !== 'de') {
    return rest.slice(0, mostBeforeVerb + 1).find(({ word }) => !beforeVerb.test(word));
  }
  const end = rest.findIndex((token, i) => endOfClause.test(text.slice(token.end, rest[i + 1]?.start)));
  return rest
    .slice(0, end < 0 ? undefined : end + 1)
    .findLast(({ word, empty }) => !empty && !/^(?:werden|sein)$/u.test(word));
}

/**
 * How much a sentence gains since it says whether what is asked must be done: behind `must` it has a verb of the
 * question, and its passage or what stands over it has all other words: of `Must meetings be recorded?`, `All meetings
 * must be electronically recorded`, and not `If the record is lost, the clerk must say so`.
 */
export function obligationGain(question: Question, { passage, unit, tokens, match, titleMatch }: Candidate): number {
  const subject = subjectAsked(question);
  if (subject < 0 || unit.kind === 'row' || Math.max(match[subject]!, titleMatch[subject]!) < sameWord) return 0;
  const { text } = passage.hit.chunk;
  const isSaid = tokens.some(({ word }, i) => {
    if (!obliges.test(word)) return false;
    const verb = verbBehind(tokens, i, text, question.language);
    return question.terms.some((term, j) => holdsTerm(question, verb, j) && !isCommonWord(term.word));
  });
  const isHeld = ({ word }: { word: string }, j: number): boolean =>
    isCommonWord(word) || obliges.test(word) || Math.max(match[j]!, titleMatch[j]!, passage.match[j]!) >= sameWord;
  return isSaid && question.terms.every(isHeld) ? gain : 0;
}
