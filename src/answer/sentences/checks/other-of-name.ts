import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { ofBetween } from '../../../text/languages/prepositions.ts';
import type { Scored } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import type { Chosen } from '../ranking/next.ts';
import { wholeText } from '../structure/unit-text.ts';
import { holdsName, namesIn } from './names-held.ts';

interface Joined {
  /** Finds `Bank of` before another name than that of the question. */
  readonly other: RegExp;
  /** `Norway` in `Bank of Norway` */
  readonly of: readonly AnalysedWord[];
}

const isBetween = new RegExp(`^${ofBetween}$`, 'u');
const anyBlanks = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, String.raw`[\s_-]+`);

const joinedNames = once((question: Question): Joined[] => {
  const { text } = question;
  const names = namesIn(question);
  return names.slice(1).flatMap((of, i) => {
    const thing = names[i]!;
    const [start, end] = [thing[0]!.start, thing.at(-1)!.end];
    if (!isBetween.test(text.slice(end, of[0]!.start))) return [];
    const before = String.raw`(?<![\p{L}\p{N}])` + anyBlanks(text.slice(start, end)) + ofBetween;
    const name = anyBlanks(text.slice(of[0]!.start, of.at(-1)!.end));
    return [{ other: new RegExp(String.raw`${before}(?!${name})\p{Lu}`, 'u'), of }];
  });
});

/**
 * Whether the passages of an answer are about the thing of another name than a question says: `Bank of Sweden` for `Bank
 * of Norway`, which nothing found of their documents names.
 */
export function isOfOtherName(question: Question, answer: readonly Chosen[], ranked: readonly Scored[]): boolean {
  const joined = joinedNames(question);
  if (joined.length === 0) return false;
  const own = [...new Set(answer.map(({ candidate }) => candidate.passage))];
  const uris = new Set(own.map(({ hit }) => hit.chunk.uri));
  const found = [...new Set(ranked.map(({ candidate }) => candidate.passage))];
  const ofDocuments = found.filter(({ hit }) => uris.has(hit.chunk.uri));
  return joined.some(
    ({ other, of }) =>
      own.some((passage) => other.test(wholeText(passage))) && !ofDocuments.some((one) => holdsName(question, of, one)),
  );
}
