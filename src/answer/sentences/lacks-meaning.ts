import { askedTerm, definitionGain } from './defined.ts';
import type { Candidate } from './features.ts';
import { beginsAsked } from './manual-entry.ts';
import type { Question } from './question.ts';
import { textOf } from './unit-text.ts';

/** Asks what a word means, not what a thing is. */
const asksMeaning =
  /\b(?:do|does|did) .+ mean\b|\bmeant by\b|\b(?:meaning|definition) of\b|^\W*(?:please )?define\b|\bwas (?:bedeutet|bedeuten|heißt)\b|\bque signifie(?:nt)?\b|\bqu[eé] significan?\b|\bcosa significan?o?\b|\bo que significam?\b/iu;
/** Anything by which a sentence may say what a word means, wherever in it. */
const explains =
  /\b(?:mean|refer|denot|signif|defin|stands? for|short for|describ|call|term|known as|translat|deriv|i\.e\.|includ|comprises?|consists?|heiß|bedeut|bezeichn|désign|veut dire|appel|llam|designa|chama|vuol dire)|(?<!\p{L})(?:is|are|was|were|ist|sind|est|sont|es|son|è|sono|é|são) (?:an?|the|any|when|where|eine?|der|die|das|une?|les?|la|el|il|uma?)\b|["“„«(=:–—]/iu;

/** Whether it is asked what a word means, and a sentence only uses it. */
export function lacksMeaning(question: Question, candidate: Candidate): boolean {
  const term = asksMeaning.test(question.text) ? askedTerm(question) : undefined;
  if (term === undefined || term.asksUse || candidate.unit.kind === 'row') return false;
  if (explains.test(textOf(candidate)) || beginsAsked(question, candidate)) return false;
  return definitionGain(question, term, candidate) === 0;
}
