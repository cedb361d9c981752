import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { irregularVerb } from '../../../text/languages/irregular-verbs.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

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

/** `sold` of `Who sold the gate?` */
const pastAsked = once(({ text, language, type }: Question): string | undefined => {
  if (language !== 'en' || type !== 'person') return undefined;
  const verb = /^\W*who (?:(?:first|originally) )?(\p{Ll}{3,}) (?=\p{L})/iu.exec(text)?.[1]?.toLowerCase();
  return verb !== undefined && (/ed$/.test(verb) || irregularVerb(verb) !== undefined) ? verb : undefined;
});
const passive = /(?<!\p{L})(?:was|were|is|are|been|being|be) (?:(?!not)\p{Ll}+ )?(\p{Ll}{3,})(?!\p{L})/giu;

/** Whether a sentence tells that it was done, and not by whom: `It was sold to the museum.`, asked who sold it. */
export function isByNobody(question: Question, candidate: Candidate): boolean {
  const verb = pastAsked(question);
  if (verb === undefined || candidate.unit.kind === 'row') return false;
  const text = textOf(candidate);
  if (/(?<!\p{L})by(?!\p{L})/iu.test(text)) return false;
  const base = irregularVerb(verb);
  const isOf = (word: string): boolean => word === verb || (base !== undefined && irregularVerb(word) === base);
  const told = Array.from(text.matchAll(passive), ([, word]) => word!.toLowerCase()).filter(isOf).length;
  return told > 0 && candidate.tokens.filter(({ word }) => isOf(word)).length === told;
}
