import type { Candidate } from '../question/candidate.ts';
import { holdsAnyTerm, type Question } from '../question/question.ts';
import { withTerm } from '../structure/definitions.ts';

/** Whether a sentence says no more than a question that asks how: `Compute the length of a boat.` above the line that does. */
export function saysNoMore(question: Question, { tokens, unit }: Candidate): boolean {
  if (question.type !== 'steps' || unit.kind === 'row') return false;
  return tokens.every((token) => token.empty || holdsAnyTerm(question, token));
}

const asksMore: ReadonlySet<Question['type']> = new Set(['reason', 'definition', 'other', 'place']);
const fewestWords = 2;

/** `One more thing:`, before what is spoken of next. */
const turnsTo = /^(?:one|last|next|more|other|another|thing|point|topic|item|nächste[rs]?|punkt|thema|sujet)$/u;

/** Where the definition begins, in an entry of a manual: `LOG_DIR` over `Where the log is kept.` */
function endOfTerm({ passage, unit }: Candidate): number {
  const { text } = passage.hit.chunk;
  const own = text.slice(unit.start, unit.end);
  return withTerm(own, text.slice(0, unit.start)) === own ? unit.start : unit.start + own.indexOf('\n');
}

/**
 * Whether a sentence has no word that the question does not have: `The pump stops.`, asked why the pump stops; but for
 * words that turn to it.
 */
export function isEcho(question: Question, candidate: Candidate): boolean {
  const { tokens, unit } = candidate;
  if (!asksMore.has(question.type) || unit.kind === 'row') return false;
  const from = question.type === 'place' ? endOfTerm(candidate) : unit.start;
  const said = tokens.filter(({ empty, word, start }) => !empty && !turnsTo.test(word) && start >= from);
  if (said.length < fewestWords) return false;
  return said.every((token) => holdsAnyTerm(question, token));
}
