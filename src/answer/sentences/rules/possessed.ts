import { isCommonWord } from '../../../text/languages/common-words.ts';
import { asksOf } from '../../../text/languages/names-given.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionsOf, type Question, relatedWord, sameWord } from '../question/question.ts';
import { holdsWanted } from '../question/wanted.ts';
import { weekdaysIn } from '../structure/values.ts';

/** On the scale of the trees. */
const loss = -5;
/** Of a sentence that has a thing of the kind that is asked for: it may say the same in other words. */
const lossOfKind = -2;
/** What `holdsWanted` gives where the question asks for no kind of thing. */
const unsaid = 0.5;

/** `Pell`, and not `X` of an option. */
const nameWord = /^\p{Lu}\p{Ll}/u;

interface Asked {
  /** Positions of the terms of whose it is, and of what is asked for. */
  readonly who: readonly number[];
  readonly what: readonly number[];
  /** The question says so by its form; else it only names one. */
  readonly isWhose: boolean;
}

const askedOf = once((question: Question): Asked | undefined => {
  const { text, tokens } = question;
  const groups = asksOf.exec(text)?.groups;
  if (groups === undefined) return ofOne(question);
  const from = text.lastIndexOf(groups.what!);
  const said = tokens.filter(({ empty }) => !empty);
  const who = positionsOf(
    question,
    said.filter(({ start, capital }) => start < from && capital),
  );
  const what = positionsOf(
    question,
    said.filter(({ start }) => start >= from),
  );
  return who.length > 0 && what.length > 0 ? { who, what, isWhose: true } : undefined;
});

/** `When was Ann Moor discharged?` names one, and asks for one thing of it. */
function ofOne({ text, tokens, terms, language, type }: Question): Asked | undefined {
  if (language === 'de' || type === 'person') return undefined; // all nouns have a capital; a name may be the answer
  const said = terms.map(({ term, word }, j) => ({
    j,
    isCommon: isCommonWord(word),
    at: tokens.findIndex((one) => one.term === term),
  }));
  const isName = ({ at }: { at: number }): boolean => {
    const token = tokens[at];
    return at > 0 && nameWord.test(text.slice(token!.start, token!.end)) && weekdaysIn(token!.word).size === 0;
  };
  const names = said.filter(isName);
  const what = said.filter((one) => !isName(one) && !one.isCommon).map(({ j }) => j);
  const isOneRun = names.every(({ at }, i) => i === 0 || at === names[i - 1]!.at + 1);
  if (names.length === 0 || !isOneRun || what.length === 0) return undefined;
  return { who: names.filter(({ isCommon }) => !isCommon).map(({ j }) => j), what, isWhose: false };
}

/**
 * What sentences lose that have the name alone, where another sentence of that name's document has what is asked for:
 * of `What is Ann Moor's extension?`, the signature `Ann Moor`, beside `call me: extension 118`.
 */
export function possessedLosses(
  question: Question,
  candidates: readonly Candidate[],
): (candidate: Candidate) => number {
  const asked = askedOf(question);
  if (asked === undefined) return () => 0;
  const holds = ({ match, headingMatch }: Candidate, least: number): boolean =>
    asked.what.every((j) => Math.max(match[j]!, headingMatch[j]!) >= least);
  const named = new Set(
    candidates
      .filter(({ passage }) => asked.who.every((j) => passage.match[j]! >= sameWord))
      .map(({ passage }) => passage.hit.chunk.uri),
  );
  if (!candidates.some((one) => named.has(one.passage.hit.chunk.uri) && holds(one, sameWord))) return () => 0;
  const holdsAny = ({ match, headingMatch }: Candidate): boolean =>
    asked.what.some((j) => Math.max(match[j]!, headingMatch[j]!) >= relatedWord);
  return (candidate) => {
    if (asked.isWhose) return holds(candidate, relatedWord) ? 0 : loss;
    if (holdsAny(candidate) || asked.who.every((j) => candidate.match[j]! < sameWord)) return 0;
    return holdsWanted(question, candidate.holds) > unsaid ? lossOfKind : loss;
  };
}
