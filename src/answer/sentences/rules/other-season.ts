import { seasonIn } from '../../../text/languages/seasons.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { wholeText } from '../structure/unit-text.ts';
import { monthsIn } from '../structure/values.ts';

const asked = once(({ text }: Question) => seasonIn(text));

/** Whether it is asked what is so in winter, and a passage speaks of other months, and neither of winter nor of its own. */
export function isOfOtherSeason(question: Question, { passage }: Candidate): boolean {
  const season = asked(question);
  if (season === undefined || question.type === 'date') return false;
  const [words, months] = season;
  const text = wholeText(passage);
  const named = monthsIn(text);
  return named.size > 0 && !words.test(text) && !months.some((month) => named.has(month));
}
