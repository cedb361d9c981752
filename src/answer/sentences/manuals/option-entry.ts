import { analyseWords } from '../../../text/analysis/words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';

/** On the scale of the trees: what an option does is said without its name, or the command's. */
const gain = 6;
const lossOfOther = -4;
/** The terms alone say nothing. */
const lossOfBare = -3;
/** `-x`, `--dry-run`, `--[no-]verify` */
const option = /(?<![\p{L}\p{N}_\-/.)\]])-{1,2}(?:\[no-\])?[\p{L}\p{N}?#@][\p{L}\p{N}_-]*/gu;
/** Terms of an entry, in front of what the option does: `-j njobs, --jobs=njobs: Run so many at once.` */
const termsBefore =
  /^[\s>]*(?:[-*+•]\s+)?[*_`|\s]{0,5}(-{1,2}[^\s:](?:[^\n:]|:(?=\S)){0,140}?)[*_`\]]{0,3}(?:[ \t]*[:：|–—]\s|\s-{1,2}\s|\t| {2,}|\n\s*)(?=\S)/u;
/** Terms that stand in a line of their own, with the mark of reStructuredText before them or not. */
const termsAlone =
  /^[ \t]*(?:\.\. (?:\w+:)?option::[ \t]+)?[*`]{0,2}(-{1,2}[\p{L}\p{N}?#@[](?:(?!: )[^\n])*)(?<![.!?:;,])$/u;
const optionsAsked = once(({ text }) => optionsIn(text));
const kinds = /^(?:options?|flags?|switch(?:es)?|arguments?|parameters?|commands?)$/u;

/** Whether a question names one option: `-x`, `--dry-run`. */
export function namesOption(question: string): boolean {
  return optionsIn(question).length === 1;
}

/** Options as they are written: case tells `-x` from `-X`. */
function optionsIn(text: string): string[] {
  return Array.from(text.matchAll(option), ([one]) => one);
}

function lists(terms: string, asked: string): boolean {
  return optionsIn(terms).some((one) => {
    const plain = one.replace('[no-]', '');
    return plain === asked || (plain !== one && one.replace(/[[\]]/g, '') === asked);
  });
}

/**
 * How much a sentence gains since it is what a manual says first of the option that is asked about (`What does git clean
 * -x remove?`, answered by `-x: Don't use the standard ignore rules …`), and loses since it says it of another option;
 * else 0. The page, or what is above the entry, has the other words of the question.
 */
export function optionGain(question: Question, { passage, unit, titleMatch }: Candidate): number {
  if (question.type !== 'definition' && question.type !== 'other') return 0;
  const asked = optionsAsked(question);
  if (asked.length !== 1) return 0;
  const { text, uri } = passage.hit.chunk;
  const own = text.slice(unit.start, unit.end);
  const bare = termsAlone.exec(own)?.[1];
  if (bare !== undefined) return lists(bare, asked[0]!) ? lossOfBare : lossOfOther;
  const terms = termsBefore.exec(own)?.[1] ?? optionTermsAbove(text.slice(0, unit.start));
  // a row that has the name of the command says nothing of its option
  if (terms === undefined) return unit.kind === 'row' && !lists(own, asked[0]!) ? lossOfOther : 0;
  if (!lists(terms, asked[0]!)) return lossOfOther;
  return isOfCommand(question, asked[0]!, matchTerms(question, analyseWords(uri)), titleMatch) ? gain : 0;
}

/** Whether title or address have the words that stand before the option, or behind it as what has the option. */
function isOfCommand(question: Question, asked: string, inAddress: Float32Array, inTitle: Float32Array): boolean {
  const from = question.text.indexOf(asked);
  const to = from + asked.length;
  const owner = /\s(?:of|in|from|with|for|to|von|bei|für|de|di|do|da)\s/u.exec(question.text.slice(to));
  return question.terms.every(({ term, word }, j) => {
    if (kinds.test(word) || inAddress[j]! >= sameWord || inTitle[j]! >= sameWord) return true;
    return question.tokens.every(
      (token) => token.term !== term || !(token.start < from || (owner !== null && token.start > to + owner.index)),
    );
  });
}

/** The terms in the line straight above a sentence, which begins a line: a heading or the term of a definition. */
export function optionTermsAbove(before: string): string | undefined {
  if (before !== '' && !/\n[ \t]*$/.test(before)) return undefined;
  return termsAlone.exec(before.trimEnd().split('\n').at(-1)!)?.[1];
}
