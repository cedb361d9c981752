import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { causedBy, ofKind, ofWord } from '../../../text/languages/prepositions.ts';
import { objectPronoun } from '../../../text/languages/pronouns.ts';
import { whichWord } from '../../../text/languages/question-words.ts';
import { beforeTime } from '../../../text/languages/times.ts';
import { isAlikeName, isShortForm } from '../question/alike-names.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { isSame, matchOf, positionOf, type Question } from '../question/question.ts';
import { isClaim } from './findings.ts';

/** `price` of `coffee`, and the word behind them. */
interface Owned {
  readonly thing: AnalysedWord;
  readonly of: AnalysedWord;
  readonly next: AnalysedWord | undefined;
  /** `projet du quai` has an owner, `projet de construction` a kind. */
  readonly isKind: boolean;
}

/** `prices` for `price`; `projected` is no project. */
const mostOfPlural = 1;
/** An article may stand between. */
const mostBetween = 2;

/** `By how much did the price of coffee rise?` */
const endsInVerb = /(?<!\p{L})(?:do|does|did)(?!\p{L})/iu;

/** `damage caused by flood` */
const participle = /^(?:caused|made|done)$/u;

/** What a text has of what. */
function ownedIn(tokens: readonly AnalysedWord[]): Owned[] {
  return tokens.flatMap(({ word }, i) => {
    const isBy = causedBy.test(word);
    const thing = isBy && participle.test(tokens[i - 1]?.word ?? '') ? tokens[i - 2] : tokens[i - 1];
    if (isBy && word === 'by' && /ed$/.test(thing?.word ?? '')) return []; // `represented by lines`
    if (!(isBy || ofWord.test(word)) || thing === undefined || thing.empty) return [];
    let k = i + 1;
    while (k - i <= mostBetween && tokens[k]?.empty === true && !whichWord.test(tokens[k]!.word)) k++;
    const of = tokens[k];
    if (isBy && ofWord.test(tokens[k + 1]?.word ?? '')) return []; // `for most of them`
    const isKind = ofKind.test(word) && k === i + 1;
    return of === undefined || of.empty ? [] : [{ thing, of, next: tokens[k + 1], isKind }];
  });
}

/** Whether a sentence has `charge of them`, whose things it does not name. */
function isOfThem(question: Question, thing: AnalysedWord, tokens: readonly AnalysedWord[]): boolean {
  return tokens.some(
    ({ word }, i) =>
      ofWord.test(word) && objectPronoun.test(tokens[i + 1]?.word ?? '') && isSame(question, thing, tokens[i - 1]),
  );
}

const askedOf = once(({ tokens }: Question) => ownedIn(tokens));

/**
 * Whether a sentence says something of another owner than the question: `the price of lunch`, asked for the price of
 * coffee, which neither the sentence nor what stands over it has.
 */
export function isOfOther(question: Question, { tokens, match, titleMatch, passage }: Candidate): boolean {
  const asked = askedOf(question);
  if (asked.length === 0) return false;
  const said = ownedIn(tokens);
  const { tokens: tokensAsked } = question;
  return asked.some(({ thing, of, next, isKind }) => {
    const j = positionOf(question, of);
    if (j < 0 || match[j]! > 0 || titleMatch[j]! > 0 || (!of.numeric && isShortForm(question.text, of))) return false;
    // `reduced` is no thing in `causes of reduced growth`
    const isThing =
      next === undefined ||
      next.empty ||
      beforeTime.test(next.word) ||
      of.numeric ||
      tokens.some((token) => isSame(question, next, token));
    if (!isThing) return false;
    if (passage.match[j] === 0 && isOfThem(question, thing, tokens)) return true;
    const isVerb = next !== undefined && next === tokensAsked.at(-1) && endsInVerb.test(question.text);
    return said.some(
      (own) =>
        (isVerb || !(next?.empty === false && isSame(question, next, own.next))) &&
        isSame(question, thing, own.thing) &&
        Math.abs(thing.word.length - own.thing.word.length) <= mostOfPlural &&
        own.of.numeric === of.numeric &&
        own.isKind === isKind &&
        !question.known.has(own.of.word) &&
        !isAlikeName(of.word, own.of.word) && // misspelt
        !matchOf(question, own.of)?.some((held) => held > 0),
    );
  });
}

/** On the scale of the trees. */
const loss = -2;

/** What a sentence of another owner loses where another one has that of the question, unless a claim is checked. */
export function otherOfLosses(question: Question, candidates: readonly Candidate[]): (candidate: Candidate) => number {
  const asked = isClaim(question) ? [] : askedOf(question);
  const isSaid = asked.some(({ of }) => {
    const j = positionOf(question, of);
    return candidates.some(({ match }) => match[j]! > 0);
  });
  return (candidate) => (isSaid && isOfOther(question, candidate) ? loss : 0);
}
