import { asksSuccessor } from '../../../text/languages/names-given.ts';
import { leavesOffice, takesOffice } from '../../../text/languages/successions.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 6;

/** The last name of who is followed by somebody. */
const followed = once(({ text }: Question) => asksSuccessor.exec(text)?.groups?.who?.split(/\s+/u).at(-1));

/**
 * How much a sentence gains since it says who follows somebody, whom it or the sentence before it names: `Ann Moor steps
 * down. Lee Voss will take over until March.`
 */
export function successorGain(question: Question, candidate: Candidate): number {
  const name = followed(question);
  const { unit, passage, index, holds } = candidate;
  if (name === undefined || unit.kind === 'row' || holds.names === 0) return 0;
  const own = textOf(candidate);
  if (!takesOffice.test(own)) return 0;
  const before = passage.units[index - 1];
  const said = before === undefined ? '' : passage.hit.chunk.text.slice(before.start, before.end);
  return own.includes(name) || (said.includes(name) && leavesOffice.test(said)) ? gain : 0;
}
