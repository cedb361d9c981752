import { analyseWords } from '../../../text/analysis/words.ts';
import { asksHappening, besideEvent } from '../../../text/languages/happenings.ts';
import { boundsAsked } from '../question/bounds-asked.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionsOf, type Question, sameWord } from '../question/question.ts';
import { monthOf, yearOf } from '../structure/column-values.ts';
import { textOf } from '../structure/unit-text.ts';
import { monthsIn } from '../structure/values.ts';

/** On the scale of the trees. */
const gain = 8;
/** Of what only tells again what the question says. */
const loss = -4;

const year = /(?<!\d)(?:1\d|20)\d\d(?!\d)/g;

/** The month that a question asks what happened in, with its year where it gives one. */
const monthAsked = once((question: Question) => {
  if (!asksHappening.test(question.text)) return undefined;
  const [bound, ...more] = boundsAsked(question);
  if (bound === undefined || more.length > 0 || bound.relation !== 'within' || bound.kind === 'amount')
    return undefined;
  const month = monthOf(bound.value);
  if (month === undefined) return undefined;
  return { month, year: bound.kind === 'month' ? undefined : String(yearOf(bound.value)) };
});

/**
 * How much a sentence gains since it tells what happened in the month that is asked for (`In July fever struck the camp`,
 * asked about July 1911); else 0. The year stands in it, or is the last one before it.
 */
export function happenedGain(question: Question, candidate: Candidate): number {
  const asked = monthAsked(question);
  const { unit, passage, headings } = candidate;
  if (asked === undefined || unit.kind === 'row' || !monthsIn(textOf(candidate)).has(asked.month)) return 0;
  const { chunk } = passage.hit;
  const before = `${chunk.title}\n${headings.join('\n')}\n${chunk.text.slice(0, unit.start)}`;
  const own = textOf(candidate).match(year) ?? before.match(year)?.slice(-1) ?? [];
  return asked.year === undefined || own.includes(asked.year) ? gain : 0;
}

/** Positions of the terms of what happened, and the side of it that is asked for. */
const eventAsked = once((question: Question) => {
  const found = asksHappening.test(question.text) ? besideEvent.exec(question.text) : null;
  if (found === null) return undefined;
  const { after, event } = found.groups!;
  const terms = positionsOf(question, analyseWords(event!));
  return terms.length === 0 ? undefined : { terms, side: after === undefined ? -1 : 1 };
});

/**
 * What sentences gain and lose where it is asked what happened after or before something that one sentence alone tells
 * (`In July fever struck the camp.`): the next one of its passage gains, or the one before, and it loses itself. Nothing
 * where it says `after the fever` itself.
 */
export function besideHappening(question: Question, ranked: readonly Scored[]): (candidate: Candidate) => number {
  const none = (): number => 0;
  const asked = eventAsked(question);
  if (asked === undefined) return none;
  const own = ranked.filter(
    ({ candidate: { unit, match } }) => unit.kind === 'sentence' && asked.terms.every((j) => match[j]! >= sameWord),
  );
  const [only, ...others] = own;
  if (only === undefined || others.length > 0) return none;
  const { passage, index } = only.candidate;
  const said = besideEvent.exec(textOf(only.candidate));
  if (said && (said.groups!.after === undefined ? -1 : 1) === asked.side) return none;
  const beside = ranked.find(
    ({ candidate }) =>
      candidate.passage === passage && candidate.index === index + asked.side && candidate.unit.kind === 'sentence',
  )?.candidate;
  if (beside === undefined) return none;
  return (candidate) => (candidate === beside ? gain : candidate === only.candidate ? loss : 0);
}
