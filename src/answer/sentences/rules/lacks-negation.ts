import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { asksWhatIsNot, deniedFrom, deniesAnything, negation } from '../../../text/languages/negation.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { coverage, isSame, type Question } from '../question/question.ts';
import { namesOver, textOf } from '../structure/unit-text.ts';

/** The share of a question's words from which a sentence says the same, or the opposite. */
const sameFrom = 0.5;
/** What announces a list may stand so far before its items. */
const farthest = 600;

/** `in the` may stand before what is denied; not `do when she was`. */
const mostSkipped = 2;

interface Denied {
  readonly asksWhat: boolean;
  /** `allowed` in `is not allowed` */
  readonly words: readonly AnalysedWord[];
}

const deniedIn = once(
  ({ text, tokens }: Question): Denied => ({
    asksWhat: asksWhatIsNot(text),
    words: deniedFrom(text).flatMap((from) => {
      const behind = tokens.filter(({ start }) => start >= from).slice(0, mostSkipped + 1);
      return behind.find(({ empty }) => !empty) ?? [];
    }),
  }),
);

/**
 * Whether it is asked what is not so, or a sentence has a word that the question denies; and the sentence, which has the
 * words of the question, denies nothing but what the question says itself, nor does what stands over it: `The policy
 * covers fire and theft.`, asked what it does not cover.
 */
export function lacksNegation(question: Question, candidate: Candidate): boolean {
  const { passage, unit, match, tokens } = candidate;
  if (question.type === 'reason' || question.type === 'steps' || unit.kind === 'row') return false;
  const { asksWhat, words } = deniedIn(question);
  if (!asksWhat && !words.some((word) => tokens.some((token) => isSame(question, word, token)))) return false;
  if (coverage(question, match) < sameFrom) return false;
  const before = passage.hit.chunk.text.slice(Math.max(0, unit.start - farthest), unit.start);
  const lead = before.match(/[^\n]*:(?=\s*\n)/g)?.at(-1) ?? '';
  const said = [...aroundDenied(question, candidate), lead, ...namesOver(candidate)];
  return !said.some((text) => negation.test(text) || deniesAnything.test(withoutAsked(question, text)));
}

/** Words around one that is denied, within which it is: `not` of the next clause denies something else. */
const mostBefore = 5;
const mostBehind = 5;

/** The parts of a sentence in which a word stands that the question denies; all of it, where none does. */
function aroundDenied(question: Question, candidate: Candidate): readonly string[] {
  const { tokens, passage } = candidate;
  const { asksWhat, words } = deniedIn(question);
  const places = [...tokens.keys()].filter((k) => words.some((word) => isSame(question, word, tokens[k])));
  if (!asksWhat || places.length === 0) return [textOf(candidate)];
  const { text } = passage.hit.chunk;
  return places.map((k) =>
    text.slice(tokens[Math.max(0, k - mostBefore)]!.start, tokens[Math.min(tokens.length - 1, k + mostBehind)]!.end),
  );
}

/** `less than` denies nothing where the question has it too. */
const withoutAsked = ({ known }: Question, text: string): string =>
  text.replace(/\p{L}+/gu, (word) => (known.has(word.toLowerCase()) ? '' : word));
