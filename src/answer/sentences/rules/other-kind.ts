import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { asksWhetherHas } from '../../../text/languages/there-is.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchOf, positionOf, type Question, sameWord } from '../question/question.ts';
import { isDegree } from '../question/wanted.ts';
import { isOfRange } from './out-of-bounds.ts';
import { rowOf } from './row-contest.ts';

/**
 * Whether a row is of another kind of what the question names: beside the word that both have, the question and the cell
 * each have one that the other has not. `Brass hinges` are no steel hinges, and 160 × 80 is not 200 × 80.
 */
export function isOfOtherKind(question: Question, candidate: Candidate): boolean {
  const row = candidate.unit.kind === 'row' ? rowOf(candidate) : undefined;
  if (row === undefined || isOfRange(question, candidate)) return false;
  const { tokens } = question;
  return row.cells.some(({ start, end }) => {
    const own = candidate.tokens.filter((token) => token.start >= start && token.end <= end);
    return own.some((word, k) => {
      const held = matchOf(question, word);
      if (word.empty || !held) return false;
      return tokens.some((asked, i) => {
        const j = positionOf(question, asked);
        if (j < 0 || held[j]! < sameWord) return false;
        if (isForeign(question, own[k - 1]) && isOpen(question, candidate, tokens[i - 1])) return true;
        if (question.language === 'en' || tokens[i + 1]?.empty !== true) return false;
        return (
          isForeign(
            question,
            own.slice(k + 1).find(({ empty }) => !empty),
          ) && isOpen(question, candidate, tokens[i + 2])
        );
      });
    });
  });
}

/** Where a question for what something has or supports names that: `support` is no kind of it. */
const behindHaving = once(({ text }) => asksWhetherHas.exec(text)?.[0].length ?? 0);

/** A word that says something, and that the question has in no form. */
function isForeign(question: Question, word: AnalysedWord | undefined): boolean {
  if (word === undefined || word.empty || question.known.has(word.word)) return false;
  return matchOf(question, word)?.every((one) => one === 0) ?? true;
}

/** A word of the question that neither the row, nor its header, nor what stands over it has in any form. */
function isOpen(question: Question, { match, titleMatch }: Candidate, word: AnalysedWord | undefined): boolean {
  if (word === undefined || word.empty || isCommonWord(word.word) || isDegree(word.word)) return false;
  if (word.end <= behindHaving(question)) return false;
  const j = positionOf(question, word);
  return j >= 0 && match[j] === 0 && titleMatch[j] === 0;
}
