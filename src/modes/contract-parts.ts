import type { Answer } from '../answer/contract.ts';
import { byPart } from '../answer/party-parts.ts';
import type { CallOptions, Hit } from '../core/types.ts';
import { sqlIn } from '../store/sql.ts';
import { contentTerms } from '../text/analysis/words.ts';
import type { QuestionSearch } from './question-search.ts';

const passages = 20;

/**
 * The answer, or that of a contract which calls a party of the question by its part, where it says more of what is asked.
 * @param found what the answer was made of
 */
export async function answerOfContract(
  search: QuestionSearch,
  asked: string,
  answer: Answer,
  found: readonly Hit[],
  answerFrom: (question: string, hits: readonly Hit[]) => Promise<Answer>,
  options: CallOptions,
): Promise<Answer> {
  let best = answer;
  for (const { contract, question, names } of byPart(asked, found)) {
    const hits = await search.searchWithin(question, sqlIn('uri', [contract.uri]), { limit: passages, ...options });
    const own = await answerFrom(question, hits);
    const named = new Set(names.flatMap(contentTerms));
    const wanted = contentTerms(asked).filter((term) => !named.has(term));
    const more = saidIn(own, wanted) - saidIn(best, wanted);
    const [isPlain, wasPlain] = [own.confidence === 'high', best.confidence === 'high'];
    const isBetter = isPlain === wasPlain ? isOfAnother(best, contract.uri, [...named]) : isPlain;
    if (!own.abstained && (more > 0 || (more === 0 && isBetter))) best = own;
  }
  return best;
}

/** How many of the terms the first sentence has. */
function saidIn({ citations }: Answer, terms: readonly string[]): number {
  const said = new Set(contentTerms(citations[0]?.quote ?? ''));
  return terms.filter((term) => said.has(term)).length;
}

/** Whether an answer is of another document, and its first sentence names no party of the contract. */
function isOfAnother(answer: Answer, uri: string, named: readonly string[]): boolean {
  return answer.citations[0]?.uri !== uri && saidIn(answer, named) === 0;
}
