import { asksWhatToDo } from '../../../text/languages/case-advice.ts';
import { isFunctionWord } from '../../../text/languages/function-words.ts';
import { verbOfImperative } from '../../../text/languages/ways-told.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: what is to be done has none of the words of the case. */
const gain = 3;
/** Of the weight of the names in the question and of what else the index has of it, by the nearest heading. */
const leastHeaded = 0.6;
/** `Do not open the lid.` says what is left alone. */
const forbids = /^\W*(?:do not|don['’]t|never|nicht|ne|no|non)(?!\p{L})/iu;

/**
 * How much a sentence gains since it tells to do something, below a heading that is the case, where it is asked what to do
 * in that case: `Empty the tray.` below `Paper jam`, asked `What should I do when there is a paper jam?`
 */
export function caseAdviceGain(question: Question, candidate: Candidate): number {
  if (candidate.unit.kind === 'row' || !asksWhatToDo.test(question.text)) return 0;
  let [held, all] = [0, 0];
  const named = new Set(question.tokens.flatMap(({ capital, start, term }) => (capital && start > 0 ? [term] : [])));
  question.terms.forEach(({ term, weight, documentFrequency }, j) => {
    if (documentFrequency === 0 && !named.has(term)) return; // `rings`
    all += weight;
    if (candidate.headingMatch[j]! >= sameWord) held += weight;
  });
  if (all === 0 || held < leastHeaded * all) return 0;
  const own = textOf(candidate);
  const verb = forbids.test(own) ? undefined : verbOfImperative(own);
  return verb === undefined || isFunctionWord(verb, false) ? 0 : gain;
}
