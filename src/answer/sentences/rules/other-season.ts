import { type AnalysedWord, analyseWords } from '../../../text/analysis/words.ts';
import { seasonIn, seasonOf } from '../../../text/languages/seasons.ts';
import type { AnalysedPassage, Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { remembered } from '../structure/remembered.ts';
import { wholeText } from '../structure/unit-text.ts';
import { monthsIn } from '../structure/values.ts';

const asked = once(({ text }: Question) => seasonIn(text));

/** `Winter party`: the season, and the term of what it is. */
interface Seasonal {
  readonly season: number;
  readonly thing: string;
}

function seasonalIn(tokens: readonly AnalysedWord[]): Seasonal[] {
  return tokens.flatMap(({ word }, i) => {
    const next = tokens[i + 1];
    const [season, thing] = seasonOf(word, next === undefined || next.empty ? '' : next.term) ?? [];
    return season === undefined || !thing ? [] : [{ season, thing }];
  });
}

const seasonalAsked = once(({ tokens }: Question) => seasonalIn(tokens));
const seasonalSaid = remembered((passage: AnalysedPassage) => seasonalIn(analyseWords(wholeText(passage))));

/** Whether a passage has the summer party, and not the winter party that is asked about. */
function isOfOtherParty(question: Question, passage: AnalysedPassage): boolean {
  const things = seasonalAsked(question);
  if (things.length === 0) return false;
  const said = seasonalSaid(passage);
  return things.some((one) => {
    const same = said.filter(({ thing }) => thing === one.thing);
    return same.length > 0 && same.every(({ season }) => season !== one.season);
  });
}

/**
 * Whether it is asked what is so in winter, and a passage speaks of other months, and neither of winter nor of its own;
 * or of the summer party, where the winter party is asked about.
 */
export function isOfOtherSeason(question: Question, { passage }: Candidate): boolean {
  const season = asked(question);
  if (isOfOtherParty(question, passage)) return true;
  if (season === undefined || question.type === 'date') return false;
  const [words, months] = season;
  const text = wholeText(passage);
  const named = monthsIn(text);
  return named.size > 0 && !words.test(text) && !months.some((month) => named.has(month));
}
