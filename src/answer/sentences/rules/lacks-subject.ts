import { isCommonWord } from '../../../text/languages/common-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionsOf, type Question, relatedWord } from '../question/question.ts';
import { isProgram } from '../structure/code.ts';

/** `Which port does` before `redis use` */
const asksOf =
  /^\W*(?:(?:on|in|at|to|with) )?(?:(?:which|what)(?=\s+(?!(?:does|do|did)\b)\p{L})|how (?:many|much|long|often)|where|when)\b[^?]*?\b(?:does|do|did) (?:the |an? )?/iu;

/** Positions of the terms of the subject: the words up to the next one that says nothing, without the verb behind them. */
const subjectOf: (question: Question) => readonly number[] = once(({ text, tokens, terms }) => {
  const found = asksOf.exec(text);
  if (found === null) return [];
  const behind = tokens.filter(({ start }) => start >= found[0].length);
  const end = behind.findIndex(({ empty }) => empty);
  const named = behind.slice(0, end < 0 ? undefined : end);
  const own = named.length > 1 ? named.slice(0, -1) : named;
  if (own.every(({ word }) => isCommonWord(word))) return [];
  return positionsOf({ terms }, own);
});

const asksWhich = /^\W*(?:which|what) \p{L}/iu;
/** One word may well be said in another. */
const fewestOfObject = 2;

/** Positions of the terms behind the last word that says nothing: `lower`, `case` of `Which filter writes in lower case?` */
const objectOf: (question: Question) => readonly number[] = once(({ type, text, tokens, terms }) => {
  if ((type !== 'other' && type !== 'list') || !asksWhich.test(text)) return [];
  const last = tokens.findLastIndex(({ empty }) => empty);
  if (tokens.slice(0, last).every(({ empty }) => empty)) return []; // `What is the keel depth?`
  const object = positionsOf(
    { terms },
    tokens.slice(last + 1).filter(({ word }) => !isCommonWord(word)),
  );
  return object.length < fewestOfObject ? [] : object;
});

/**
 * Whether neither a sentence nor its passage has a word of what the question asks about: the port of `db` for that of
 * `redis`, in settings, code or a record, where names are written out and nothing is called by `it`; or of what it ends
 * with, be it prose: `money writes a number`, asked what writes in lower case.
 */
export function lacksSubject(question: Question, { passage, match, titleMatch }: Candidate): boolean {
  const isAway = (j: number): boolean =>
    Math.max(match[j]!, titleMatch[j]!, passage.match[j]!, passage.titleMatch[j]!) < relatedWord;
  const object = objectOf(question);
  if (object.length > 0 && object.every(isAway)) return true;
  const { format } = passage.hit.chunk;
  if (!isProgram(format) && format !== 'json') return false;
  const subject = subjectOf(question);
  return subject.length > 0 && subject.every(isAway);
}
