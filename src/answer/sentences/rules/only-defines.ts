import {
  asksClass,
  asksWhatItHas,
  copula,
  expletive,
  indefiniteArticle,
  locates,
  namesAfterAgent,
} from '../../../text/languages/definitions.ts';
import type { Candidate } from '../question/candidate.ts';
import { matchTerms, type Question, relatedWord, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** The words before `is a`, at most. */
const mostBefore = 18;

/** Another rule knows whether a definition answers these. */
const never: ReadonlySet<Question['type']> = new Set(['date', 'number']);

/** `What rope is used?` asks for the rope. */
const inUse = /^(?:uses?|used|using)$/u;

/**
 * Whether a sentence only says what its subject is, where it is asked who does something with it, where or how, or what
 * colour it has:
 * `A gig oar is a kind of long oar.`, asked how gig oars are made.
 */
export function onlyDefines(question: Question, candidate: Candidate): boolean {
  const { unit, tokens, match } = candidate;
  const { type } = question;
  const isAsked = type === 'definition' ? asksWhatItHas.test(question.text) : !never.has(type);
  if (unit.kind === 'row' || !isAsked || asksClass.test(question.text)) return false;
  const at = tokens.findIndex(({ word }) => copula.test(word));
  if (at < 1 || at > mostBefore || expletive.test(tokens[at - 1]!.word)) return false;
  if (!indefiniteArticle.test(tokens[at + 1]?.word ?? '')) return false;
  const head = matchTerms(question, tokens.slice(0, at));
  const others = question.terms.flatMap(({ word }, j) => (head[j]! < sameWord && !inUse.test(word) ? [j] : []));
  const behind = textOf(candidate).slice(tokens[at]!.end - unit.start);
  if (others.length === 0 || others.length === question.terms.length) return false;
  if (others.some((j) => match[j]! >= relatedWord)) return false;
  if (type === 'person') return !namesAfterAgent.test(behind);
  return type !== 'place' || !locates.test(behind);
}
