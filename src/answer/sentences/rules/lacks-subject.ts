import { isCommonWord } from '../../../text/languages/common-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, relatedWord } from '../question/question.ts';
import { isProgram } from '../structure/code.ts';

/** `Which port does` before `redis use` */
const asksOf =
  /^\W*(?:(?:on|in|at|to|with) )?(?:which|what|how (?:many|much|long|often)|where|when)\b[^?]*?\b(?:does|do|did) (?:the |an? )?/iu;

/** Positions of the terms of the subject: the words up to the next one that says nothing, without the verb behind them. */
const subjectOf: (question: Question) => readonly number[] = once(({ text, tokens, terms }) => {
  const found = asksOf.exec(text);
  if (found === null) return [];
  const behind = tokens.filter(({ start }) => start >= found[0].length);
  const end = behind.findIndex(({ empty }) => empty);
  const named = behind.slice(0, end < 0 ? undefined : end);
  const own = named.length > 1 ? named.slice(0, -1) : named;
  if (own.every(({ word }) => isCommonWord(word))) return [];
  return own.map(({ term }) => terms.findIndex((one) => one.term === term)).filter((j) => j >= 0);
});

/**
 * Whether settings, code or a record have no word of what the question asks about, neither where it stands nor in what
 * stands over it: the port of `db` for that of `redis`. Names are written out there, and nothing is called by `it`.
 */
export function lacksSubject(question: Question, { passage, match, titleMatch }: Candidate): boolean {
  const { format } = passage.hit.chunk;
  if (!isProgram(format) && format !== 'json') return false;
  const subject = subjectOf(question);
  return (
    subject.length > 0 && subject.every((j) => Math.max(match[j]!, titleMatch[j]!, passage.match[j]!) < relatedWord)
  );
}
