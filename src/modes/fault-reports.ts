import { partsIn } from '../answer/sentences/rules/trouble.ts';
import type { Hit } from '../core/types.ts';
import { answerTypeOf } from '../text/languages/answer-types.ts';
import { languageOf } from '../text/languages/detect.ts';
import { tellsSymptom, troublePartAsked } from '../text/languages/troubles.ts';
import { alongside, hitsOf } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';

/** Passages of a report. */
const mostPassages = 12;

/**
 * The passages of a report of a fault that say its cause, or how it is put right, where a question asks for that and the
 * passage with the symptom was found alone: they need no word of the question.
 */
export async function passagesOfReport(
  search: QuestionSearch,
  question: string,
  found: readonly Hit[],
): Promise<readonly Hit[]> {
  const [first] = found;
  if (first?.origin !== 'local' || !tellsSymptom.test(first.chunk.text)) return [];
  const part =
    troublePartAsked(question) ?? (answerTypeOf(question, languageOf(question)) === 'reason' ? 'cause' : undefined);
  const { uri } = first.chunk;
  if (part === undefined || found.some(({ chunk }) => chunk.uri === uri && partsIn(chunk.text, part) > 0)) return [];
  const chunks = await search.passagesBeside(first.chunk, mostPassages);
  return alongside(found, hitsOf(chunks.filter(({ text }) => partsIn(text, part) > 0)));
}
