import { analyseWords } from '../../../text/analysis/words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import { listsOption, optionAt, optionsIn, optionTermsAt, termsAlone } from '../structure/option-terms.ts';
import { pageGain } from './manual-entry.ts';

/** On the scale of the trees: what an option does is said without its name, or the command's. */
const gain = 6;
const lossOfOther = -4;
/** The terms alone say nothing. */
const lossOfBare = -3;
const optionsAsked = once(({ text }) => optionsIn(text));
const kinds =
  /^(?:options?|flags?|switch(?:es)?|arguments?|parameters?|commands?|long|short|full|forms?|versions?|names?|equivalents?|spellings?)$/u;

/**
 * How much a sentence gains since it is what a manual says first of the option that is asked about (`What does git clean
 * -x remove?`, answered by `-x: Don't use the standard ignore rules …`), and loses since it says it of another option;
 * else 0. The page, or what is above the entry, has the other words of the question.
 */
export function optionGain(question: Question, candidate: Candidate): number {
  const { passage, unit, titleMatch } = candidate;
  if (question.type !== 'definition' && question.type !== 'other') return 0;
  const asked = optionsAsked(question);
  if (asked.length !== 1) return 0;
  const { text, uri } = passage.hit.chunk;
  const own = text.slice(unit.start, unit.end);
  const bare = termsAlone.exec(own)?.[1];
  if (bare !== undefined) return listsOption(bare, asked[0]!) ? lossOfBare : lossOfOther;
  const terms = optionTermsAt(text, unit);
  // a row that has the name of the command says nothing of its option
  if (terms === undefined) return unit.kind === 'row' && !listsOption(own, asked[0]!) ? lossOfOther : 0;
  if (!listsOption(terms, asked[0]!)) return lossOfOther;
  return isOfCommand(question, asked[0]!, matchTerms(question, analyseWords(uri)), titleMatch)
    ? gain + pageGain(question, candidate)
    : 0;
}

/** Whether title or address have the words that stand before the option, or behind it as what has the option. */
function isOfCommand(question: Question, asked: string, inAddress: Float32Array, inTitle: Float32Array): boolean {
  const from = optionAt(question.text);
  const to = from + asked.length;
  const owner = /\s(?:of|in|from|with|for|to|von|bei|für|de|di|do|da)\s/u.exec(question.text.slice(to));
  return question.terms.every(({ term, word }, j) => {
    if (kinds.test(word) || inAddress[j]! >= sameWord || inTitle[j]! >= sameWord) return true;
    return question.tokens.every(
      (token) => token.term !== term || !(token.start < from || (owner !== null && token.start > to + owner.index)),
    );
  });
}
