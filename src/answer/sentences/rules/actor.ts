import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';

/** On the scale of the trees. */
const gain = 2;
const who = /^\W*(?:(?:and|so) )?who(?: else)?$/iu;

/** `purged` of `Who purged the cache?`: as it is written, for another form may be said of something else. */
const actAsked = once(({ type, text, tokens }): string | undefined => {
  if (type !== 'person') return undefined;
  const act = tokens.find(({ empty }) => !empty);
  return act !== undefined && !act.capital && who.test(text.slice(0, act.start).trimEnd()) ? act.word : undefined;
});

/** How much a sentence gains since somebody with a name does straight away what is asked who does it: `Ann purged the cache.` */
export function actorGain(question: Question, { unit, tokens }: Candidate): number {
  const act = actAsked(question);
  if (act === undefined || unit.kind === 'row') return 0;
  return tokens.some(({ word, capital }, i) => word === act && !capital && isName(question, tokens[i - 1])) ? gain : 0;
}

function isName({ known }: Question, token: Candidate['tokens'][number] | undefined): boolean {
  return token?.capital === true && !token.empty && !known.has(token.term);
}
