import { analyseWords } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { asksDecision, decides, keeps, proposes, rejects } from '../../../text/languages/proposals.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import { remembered } from '../structure/remembered.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: a decision has few of the words of what was proposed. */
const gain = 9;
const loss = -3;
/** Sentences behind the proposal in which the decision stands. */
const decidedWithin = 3;

const asksForProposal = once(({ text }) => proposes.test(text));

/** Both have a figure: of what was proposed, a decision gives another one, or the old one is kept. */
const isProposal = (text: string): boolean => figure.test(text) && proposes.test(text) && !decides.test(text);
const isDecision = (text: string): boolean => figure.test(text) && (decides.test(text) || keeps.test(text));
const figure = /\p{Nd}/u;

/** What a sentence loses that says what was proposed, where one behind it says what was decided, unless proposals are asked for. */
export function onlyProposedLoss(question: Question, candidate: Candidate): number {
  const { unit, index, passage } = candidate;
  if (unit.kind === 'row' || asksForProposal(question) || !isProposal(textOf(candidate))) return 0;
  const behind = passage.units.slice(index + 1, index + 1 + decidedWithin);
  return behind.some((one) => isDecision(slice(candidate, one)) || rejects.test(slice(candidate, one))) ? loss : 0;
}

/** Most passages have none. */
const hasProposal = remembered(({ hit }: Candidate['passage']) => proposes.test(hit.chunk.text));

const asksForDecision = once(({ text }) => asksDecision.test(text));

/**
 * How much a sentence gains since it says what was decided of a proposal before it that has all words of the question, or
 * says so below a heading that has them, where just that is asked.
 */
export function decidedGain(question: Question, candidate: Candidate): number {
  const { unit, index, passage, titleMatch } = candidate;
  if (unit.kind === 'row' || index === 0 || asksForProposal(question)) return 0;
  const text = textOf(candidate);
  const isAsked = asksForDecision(question) && decides.test(text);
  if (!isAsked && !(hasProposal(passage) && isDecision(text))) return 0;
  const before = passage.units.slice(Math.max(0, index - decidedWithin), index).map((one) => slice(candidate, one));
  if (isAsked) {
    const said = matchTerms(question, analyseWords([...before, text].join('\n')));
    const isHeld = (j: number): boolean => Math.max(said[j]!, titleMatch[j]!) >= sameWord;
    if (question.terms.every(({ word }, j) => isCommonWord(word) || decides.test(word) || isHeld(j))) return gain;
  }
  if (!isDecision(text)) return 0;
  const isOfProposal = before.filter(isProposal).some((one) => {
    const held = matchTerms(question, analyseWords(one));
    return question.terms.every(({ word }, j) => isCommonWord(word) || held[j]! >= sameWord);
  });
  return isOfProposal ? gain : 0;
}

const slice = ({ passage }: Candidate, { start, end }: { start: number; end: number }): string =>
  passage.hit.chunk.text.slice(start, end);
