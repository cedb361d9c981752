import { amends, saysChange } from '../../../text/languages/changes.ts';
import { negation } from '../../../text/languages/negation.ts';
import { isFigureWord, isYear } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { countsNone, holdsWanted } from '../question/wanted.ts';
import { isOfOtherDate } from '../rules/other-date.ts';
import { isOfLaterMessage } from '../structure/turn.ts';
import { textOf } from '../structure/unit-text.ts';
import { holdsAsMuch, LOOKED_AT } from './rivals.ts';

/** Of the weight of what the answer holds of the question. */
const leastShared = 0.5;

/**
 * The sentence of a newer document, or of a later message, that says that what the answer says has changed: it is about
 * the same, holds another value of the kind that is asked for, and has a word for change or the value of the answer
 * with a no, or stands in an amendment.
 * @param isNewer whether the passage of a sentence is of a newer document than that of the answer
 */
export function supersedingOf(
  question: Question,
  first: Candidate,
  ranked: readonly { readonly candidate: Candidate }[],
  isNewer: (candidate: Candidate) => boolean,
): Candidate | undefined {
  if (!['number', 'date', 'place'].includes(question.type)) return undefined;
  const about = heldBy(first, ranked);
  const weight = sum(question, (j) => about[j]! >= sameWord);
  let best: { readonly candidate: Candidate; readonly share: number; readonly number: number } | undefined;
  for (const { candidate } of ranked.slice(0, LOOKED_AT)) {
    if (candidate.unit.kind === 'row') continue;
    const isLater = isOfLaterMessage(candidate, first);
    if (!isLater && candidate.passage.hit.chunk.uri === first.passage.hit.chunk.uri) continue;
    // in a conversation nobody names the subject again
    if (!isLater && lacksSubject(question, first, candidate)) continue;
    const isAmending = isAmendmentOf(candidate, first);
    if (!saysOther(question, first, candidate, isAmending) || !(isLater || isAmending || isNewer(candidate))) continue;
    const own = heldBy(candidate, ranked);
    const share = sum(question, (j) => about[j]! >= sameWord && own[j]! >= sameWord) / weight;
    const number = isAmending ? numberOf(candidate) : 0;
    // an amendment changes what it names
    if (isAmending && (!holdsAsMuch(question, first, candidate) || isOfOtherYear(question, candidate))) continue;
    const isBetter = best === undefined || number > best.number || (number === best.number && share > best.share);
    if (share >= leastShared && isBetter) best = { candidate, share, number };
  }
  return best?.candidate;
}

/** Asked what was so in one year, a sentence with another year says nothing. */
function isOfOtherYear({ tokens }: Question, other: Candidate): boolean {
  const years = tokens.flatMap(({ word }) => (isYear(word) ? [word] : []));
  return years.length > 0 && !other.tokens.some(({ word }) => years.includes(word));
}

/** Whether a sentence stands in a document that changes another one, and the other sentence does not, or in one before it. */
export function isAmendmentOf(candidate: Candidate, other: Candidate): boolean {
  const [own, its] = [candidate, other].map(({ passage }) => amends.exec(passage.hit.chunk.title));
  return !!own && (!its || numberOf(candidate) > numberOf(other));
}

/** Of several documents that change one, the later has the higher number. */
function numberOf({ passage }: Candidate): number {
  return Number(amends.exec(passage.hit.chunk.title)?.groups?.number ?? 1);
}

/** What a sentence holds of the question with the one before it, which says what it is about. */
function heldBy(
  { passage, index, match, headings }: Candidate,
  ranked: readonly { readonly candidate: Candidate }[],
): Float32Array {
  const before = ranked.find(({ candidate }) => candidate.passage === passage && candidate.index === index - 1);
  if (before === undefined || before.candidate.headings !== headings) return match;
  return match.map((one, j) => Math.max(one, before.candidate.match[j]!));
}

function sum({ terms }: Question, isCounted: (j: number) => boolean): number {
  return terms.reduce((all, { weight }, j) => (isCounted(j) ? all + weight : all), 0);
}

/** A name in the question, or a word of it in the title over the answer, is nowhere in the other passage. */
function lacksSubject({ tokens, terms }: Question, first: Candidate, other: Candidate): boolean {
  const names = new Set(tokens.flatMap(({ capital, start, term }) => (capital && start > 0 ? [term] : [])));
  return terms.some(({ term }, j) => {
    const isSubject = first.titleMatch[j]! >= sameWord || (names.has(term) && first.passage.match[j]! >= sameWord);
    return isSubject && other.passage.match[j]! < sameWord;
  });
}

function saysOther(question: Question, first: Candidate, other: Candidate, isAmending: boolean): boolean {
  if (question.type === 'place') return saysChange.test(textOf(other)) && !saysChange.test(textOf(first));
  if (holdsWanted(question, other.holds) < 0.7 || countsNone(question, other.holds)) return false;
  if (isOfOtherDate(question, other) || (first.holds.unit && !other.holds.unit)) return false;
  const isFigure = ({ numeric, word }: Candidate['tokens'][number]): boolean =>
    (numeric || isFigureWord(word)) && !question.known.has(word);
  const figures = new Set(first.tokens.filter(isFigure).map(({ word }) => word));
  const others = other.tokens.filter(isFigure).map(({ word }) => word);
  if (others.every((word) => figures.has(word))) return false;
  const text = textOf(other);
  return isAmending || saysChange.test(text) || (negation.test(text) && others.some((word) => figures.has(word)));
}
