import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { countsNone, holdsWanted, isDegree } from '../question/wanted.ts';

const ofOneKind: ReadonlySet<Question['type']> = new Set(['number', 'date', 'person', 'place']);
const fewestTerms = 2;
/** A name of one word. */
const someName = 0.7;

/**
 * Whether a sentence has every word of the question itself, and a number, a day, a name or a place, whichever is asked
 * for: `Ann Moor found the stolen lamp.`, asked who found it. Support of the whole index says less than that.
 */
export function saysAll(question: Question, { unit, match, holds }: Candidate): boolean {
  const { type, terms } = question;
  if (
    unit.kind === 'row' ||
    !ofOneKind.has(type) ||
    holdsWanted(question, holds) < (type === 'person' ? someName : 1) ||
    countsNone(question, holds)
  )
    return false;
  const asked = [...terms.keys()].filter((j) => !isDegree(terms[j]!.word));
  return asked.length >= fewestTerms && asked.every((j) => match[j]! >= sameWord);
}
