import { type AnalysedWord, analyseWords } from '../../../text/analysis/words.ts';
import { type Opposites, oppositesOf, votesAgainst, votesFor } from '../../../text/languages/opposites.ts';
import { asksYesOrNo, isNumberWord } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { isSame, type Question } from '../question/question.ts';
import { termOf } from '../structure/definitions.ts';
import { headerTextOf, namesOver, textOf } from '../structure/unit-text.ts';
import { isClaim } from './findings.ts';
import { measuresIn } from './out-of-bounds.ts';

/** A word of the question that rules others out, and the words beside it that say something. */
interface Opposed extends Opposites {
  readonly word: string;
  readonly before: AnalysedWord | undefined;
  readonly after: AnalysedWord | undefined;
}

/** `the` and `of` may stand between. */
const mostBetween = 2;

function beside(tokens: readonly AnalysedWord[], i: number, step: 1 | -1): AnalysedWord | undefined {
  for (let k = 1; k <= mostBetween + 1; k++) {
    const token = tokens[i + k * step];
    if (token === undefined || !token.empty) return token;
  }
  return undefined;
}

/** The next word that says something, or the one behind that: `mailbox` in `Close the old mailbox`. */
function isNear(
  question: Question,
  asked: AnalysedWord | undefined,
  tokens: readonly AnalysedWord[],
  k: number,
  step: 1 | -1,
): boolean {
  const next = beside(tokens, k, step);
  if (next === undefined || asked === undefined) return false;
  return isSame(question, asked, next) || isSame(question, asked, beside(tokens, tokens.indexOf(next), step));
}

/** `Was it approved?` is answered by `It was rejected.` */
const opposedIn = once(({ text, tokens }: Question): readonly Opposed[] =>
  asksYesOrNo.test(text)
    ? []
    : tokens.flatMap(({ word }, i) => {
        const opposites = oppositesOf(word);
        if (opposites === undefined) return [];
        return [{ ...opposites, word, before: beside(tokens, i, -1), after: beside(tokens, i, 1) }];
      }),
);

/**
 * Whether a sentence says something of the opposite: beside the same word it has `maximum` where the question has
 * `minimum`, and nothing of the question's side, nor does what stands over it; or `non-members` where the question has
 * `members`.
 */
export function isOfOpposite(question: Question, candidate: Candidate): boolean {
  return (
    isExcluded(question, candidate) ||
    isOfOpposedEntry(question, candidate) ||
    votesOtherwise(question, candidate) ||
    isOpposedTo(opposedIn(question), question, candidate)
  );
}

function isOpposedTo(asked: readonly Opposed[], question: Question, candidate: Candidate): boolean {
  if (asked.length === 0) return false;
  const { tokens } = candidate;
  return asked.some(({ word, same, opposite, before, after }) => {
    const isOther = tokens.some(
      (token, k) =>
        opposite.has(token.word) && (isNear(question, after, tokens, k, 1) || isNear(question, before, tokens, k, -1)),
    );
    if (!isOther || tokens.some((token) => same.has(token.word))) return false;
    return !isNamedOver(same, candidate) && !(isNumberWord(word) && isBounded(candidate));
  });
}

/** `--max-size`, asked for the minimum size: the entry of the opposite, beside a word of the question. */
function isOfOpposedEntry(question: Question, candidate: Candidate): boolean {
  const asked = opposedIn(question);
  if (asked.length === 0) return false;
  const { passage, unit, tokens } = candidate;
  const term = termOf(passage.hit.chunk.text, unit.start);
  if (term === undefined) return false;
  const own = analyseWords(term);
  return asked.some(({ same, opposite, before, after }) => {
    if (!own.some(({ word }) => opposite.has(word))) return false;
    if ([...own, ...tokens].some(({ word }) => same.has(word))) return false;
    return [before, after].some((word) => own.some((token) => isSame(question, word, token)));
  });
}

/** On the scale of the trees. */
const loss = -2;

/**
 * What a sentence of the opposite loses where another one has a word of the question's side, unless a claim is checked,
 * against which it may speak.
 */
export function oppositeLosses(question: Question, candidates: readonly Candidate[]): (candidate: Candidate) => number {
  const asked = isClaim(question) ? [] : opposedIn(question);
  const said = asked.filter(({ same }) => candidates.some(({ tokens }) => tokens.some(({ word }) => same.has(word))));
  return (candidate) => (isOpposedTo(said, question, candidate) ? loss : 0);
}

const voteAsked = once(({ text }: Question) =>
  votesFor.test(text) ? votesAgainst : votesAgainst.test(text) ? votesFor : undefined,
);

/** `Bo Lind voted against it.`, asked who voted for it. */
function votesOtherwise(question: Question, candidate: Candidate): boolean {
  const other = voteAsked(question);
  if (other === undefined) return false;
  const text = textOf(candidate);
  return other.test(text) && !(other === votesFor ? votesAgainst : votesFor).test(text);
}

const excluded = /(?<!\p{L})(?:non|nicht)[- ](\p{L}+)/giu;

const excludes = once(({ text }: Question) => text.search(excluded) >= 0);

/** Whether a word of the question stands behind `non-` alone. */
function isExcluded(question: Question, candidate: Candidate): boolean {
  const text = textOf(candidate);
  if (excludes(question) || !/non|nicht/i.test(text)) return false;
  const words = Array.from(text.matchAll(excluded), ([, word = '']) => word);
  if (words.length === 0) return false;
  const rest = new Set(analyseWords(text.replace(excluded, ' ')).map(({ term }) => term));
  return analyseWords(words.join(' ')).some(
    ({ term, empty }) => !empty && !rest.has(term) && question.tokens.some((token) => token.term === term),
  );
}

function isNamedOver(words: ReadonlySet<string>, candidate: Candidate): boolean {
  const over = [headerTextOf(candidate), ...namesOver(candidate)].join('\n').toLowerCase();
  return (over.match(/[\p{L}\p{M}]+/gu) ?? []).some((one) => words.has(one));
}

/** `three` is in `under four`. */
const isBounded = (candidate: Candidate): boolean =>
  measuresIn(textOf(candidate)).some(({ bound }) => bound !== undefined);
