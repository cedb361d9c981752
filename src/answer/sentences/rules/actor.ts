import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';

/** On the scale of the trees. */
const gain = 2;
/** Words before the deed. */
const mostOfRole = 4;
const roleFirst = /^[\s*/#-]*(?:the|an?|your|our|each|every) (?:\p{Ll}[\p{L}-]* ){1,3}$/iu;
const who = /^\W*(?:(?:and|so) )?who(?: else)?$/iu;

/** `purged` of `Who purged the cache?`: as it is written, for another form may be said of something else. */
const actAsked = once(({ type, text, tokens }): string | undefined => {
  if (type !== 'person') return undefined;
  const act = tokens.find(({ empty }) => !empty);
  return act !== undefined && !act.capital && who.test(text.slice(0, act.start).trimEnd()) ? act.word : undefined;
});

/** `The caller frees it`, as rules have it: somebody who is known by what they do. */
export function actsByRole(question: Question, { passage, unit, tokens }: Candidate): boolean {
  const act = actAsked(question);
  if (act === undefined || !act.endsWith('s')) return false;
  const at = tokens.findIndex(({ word }) => word === act);
  if (at < 2 || at > mostOfRole) return false;
  return roleFirst.test(passage.hit.chunk.text.slice(unit.start, tokens[at]!.start));
}

/** How much a sentence gains since somebody with a name does straight away what is asked who does it: `Ann purged the cache.` */
export function actorGain(question: Question, candidate: Candidate): number {
  const { unit, tokens } = candidate;
  const act = actAsked(question);
  if (act === undefined || unit.kind === 'row') return 0;
  if (actsByRole(question, candidate)) return gain;
  return tokens.some(({ word, capital }, i) => word === act && !capital && isName(question, tokens[i - 1])) ? gain : 0;
}

function isName({ known }: Question, token: Candidate['tokens'][number] | undefined): boolean {
  return token?.capital === true && !token.empty && !known.has(token.term);
}
