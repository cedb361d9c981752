import { analyseWords } from '../../../text/analysis/words.ts';
import { type StepAsked, stepAskedIn } from '../../../text/languages/steps-asked.ts';
import type { AnalysedPassage, Candidate, Scored } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { heldShare, matchTerms, positionsOf, type Question, raise, sameWord } from '../question/question.ts';
import { type Step, stepLists } from '../structure/steps.ts';

/** On the scale of the trees: the next step has none of the words of the question. */
export const gainOfStep = 12;
/** Of the words of what is done, the share that the step has itself; its page has the others. */
const leastOwn = 0.5;

interface Asked extends StepAsked {
  /** Positions of the terms of what is done in the step that is named, or of what a numbered step is one of. */
  readonly said: readonly number[];
}

const asked: (question: Question) => Asked | undefined = once(({ text, tokens, terms }) => {
  const step = stepAskedIn(text);
  if (step === undefined) return undefined;
  const said = positionsOf(
    { terms },
    tokens.filter(({ start, empty }) => start >= step.from && !empty),
  );
  return step.number === undefined && said.length === 0 ? undefined : { ...step, said };
});

/** A step that fits what the question says of one, and the step that is asked for, if the list has it. */
interface Found {
  readonly passage: AnalysedPassage;
  readonly named: Step;
  readonly wanted: Step | undefined;
  readonly share: number;
}

/** The sentences with which the step begins that a question asks for, and those of the step beside which it stands. */
interface StepsFound {
  readonly wanted: ReadonlySet<Candidate>;
  isBeside(candidate: Candidate): boolean;
  /** Several lists have a step of the number that is asked for, or none stands where it is asked for. */
  readonly isUnclear: boolean;
}

const none: StepsFound = { wanted: new Set(), isBeside: () => false, isUnclear: false };

/**
 * The step of a numbered list that is asked for by its number (`What is step 5?`), or by what is done straight before or
 * after (`What do I do after promoting the replica?`). The step has the verb and most words of what is done; its headings
 * and its title have the others. Where several lists have such a step, none is taken.
 */
export function stepsFound(question: Question, ranked: readonly Scored[]): StepsFound {
  const wanted = asked(question);
  if (wanted === undefined) return none;
  const byPassage = Map.groupBy(
    ranked.map(({ candidate }) => candidate),
    ({ passage }) => passage,
  );
  let best: Found[] = [];
  for (const [passage, candidates] of byPassage) {
    for (const list of stepLists(passage.hit.chunk.text)) {
      const end = list.at(-1)!.end;
      const placed = candidates.find(({ unit }) => list[0]!.start <= unit.start && unit.start < end);
      if (placed === undefined) continue;
      list.forEach((named, i) => {
        const share = shareOf(question, wanted, named, placed);
        if (share === 0 || share < (best[0]?.share ?? 0)) return;
        if (share > (best[0]?.share ?? 0)) best = [];
        best.push({ passage, named, wanted: list[i + wanted.by], share });
      });
    }
  }
  const [found] = best;
  if (found === undefined || best.length > 1)
    return { ...none, isUnclear: found !== undefined && wanted.number !== undefined };
  const own = (byPassage.get(found.passage) ?? []).filter(({ unit }) => found.wanted && isIn(found.wanted, unit));
  own.sort((a, b) => a.unit.start - b.unit.start);
  return {
    isUnclear: found.wanted === undefined,
    wanted: new Set(own.slice(0, 1)),
    isBeside: ({ passage, unit }) =>
      wanted.by !== 0 && passage === found.passage && isIn(found.named, unit) && !own.some((one) => one.unit === unit),
  };
}

/**
 * How well a step is the one that the question names, from 0, where it is not.
 * @param placed any sentence of the list: the step itself may say no more than the question
 */
function shareOf(question: Question, { number, said }: Asked, named: Step, placed: Candidate): number {
  const { titleMatch, headingMatch, passage } = placed;
  const holdsAll = (match: ArrayLike<number>): boolean =>
    said.every((j) => Math.max(match[j]!, titleMatch[j]!) >= sameWord);
  const shareIn = (match: ArrayLike<number>): number =>
    heldShare(
      question,
      (j) => (match[j]! >= sameWord ? 1 : 0),
      (term) => said.includes(question.terms.indexOf(term)),
    ) ?? 0;
  if (number !== undefined) {
    if (named.number !== number || !holdsAll(passage.match)) return 0;
    return 1 + shareIn(titleMatch) + shareIn(headingMatch);
  }
  const { text } = passage.hit.chunk;
  const [first, ...others] = passage.units
    .filter((unit) => isIn(named, unit))
    .map(({ start, end }) => matchTerms(question, analyseWords(text.slice(start, end))));
  if (first === undefined || first[said[0]!]! < sameWord) return 0;
  const match = Float32Array.from(first);
  for (const one of others) raise(match, one, 1);
  const share = shareIn(match);
  return holdsAll(match) && share >= leastOwn ? share : 0;
}

/** Whether a sentence begins in a step; its number may stand before it. */
const isIn = (step: Step, { start }: { readonly start: number }): boolean => step.start <= start && start < step.end;
