import type { AnalysedWord } from '../../../text/analysis/words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';

/** What may stand between the verb and `by`, and before it in a list of verbs: `written and sung by Ann Moor`. */
const listed = 4;

/** `exhibited` of `Who exhibited the maps?` */
const verbAsked = once(({ text, tokens, language, type }: Question): AnalysedWord | undefined => {
  if (language !== 'en' || type !== 'person') return undefined;
  const asked = /^\W*who (?=\p{L}+ed )/iu.exec(text);
  return asked === null ? undefined : tokens.find(({ start }) => start >= asked[0].length);
});

/**
 * Whether a sentence tells by whom something else was done: `The maps were drawn by Ann Moor and will be exhibited.`,
 * asked who exhibited them.
 */
export function isByOther(question: Question, { tokens, unit }: Candidate): boolean {
  const asked = verbAsked(question);
  if (asked === undefined || unit.kind === 'row') return false;
  const places = [...tokens.keys()].filter((k) => tokens[k]!.word === asked.word);
  if (places.length === 0) return false;
  const isName = ({ capital, empty, word }: AnalysedWord, i: number): boolean =>
    capital && !empty && i > 0 && !question.known.has(word);
  const by = tokens.findIndex(
    ({ word }, i) =>
      word === 'by' &&
      /(?:ed|en|wn)$/.test(tokens[i - 1]?.word ?? '') &&
      tokens.slice(i + 1, i + 1 + listed).some((token) => isName(token, i + 1)),
  );
  if (by < 0 || places.some((k) => k < by && by - k <= listed)) return false;
  // whoever is named before may do it
  return tokens.every((token, i) => i > by || !isName(token, i));
}
