import { copula } from '../../../text/languages/definitions.ts';
import { demonstrative, personPronoun, subjectPronoun } from '../../../text/languages/pronouns.ts';
import { asksForSubject, asksWhich } from '../../../text/languages/subjects-asked.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';

/** `Refused, ` and `Refused by `: no word that it belongs to comes behind it. */
const endsSaying = /^(?:[,;.]| (?:and|as|at|because|by|for|in|on|since|with)(?!\p{L}))/u;
const participle = /(?:ed|en|t)$/u;

/**
 * Whether a sentence has a pronoun in place of the subject that is asked for: `It appoints the board`, asked who
 * appoints it, or `This tool was able …`, asked which tool was; or none, as in `Refused, sent back.`, asked what was
 * refused. The sentence before it has the name.
 */
export function hasPronounForSubject(question: Question, { tokens, unit, passage }: Candidate): boolean {
  const [pronoun, next] = tokens;
  if (unit.kind === 'row' || question.type === 'number' || question.type === 'date') return false;
  if (pronoun === undefined || next === undefined) return false;
  const [first, second] = question.tokens.filter(({ empty, start }) => !empty && start > 0);
  if (
    endsSaying.test(passage.hit.chunk.text.slice(pronoun.end, next.end)) &&
    participle.test(pronoun.word) &&
    !tokens.some(({ word }) => copula.test(word))
  )
    return asksWhich.test(question.text) && (pronoun.term === first?.term || pronoun.term === second?.term);
  if (next.empty) return false;
  if (demonstrative.test(pronoun.word)) {
    return asksWhich.test(question.text) && (next.term === first?.term || next.term === second?.term);
  }
  const isPerson = question.type === 'person' && personPronoun.test(pronoun.word);
  return (
    (isPerson || subjectPronoun.test(pronoun.word)) && asksForSubject.test(question.text) && next.term === first?.term
  );
}
