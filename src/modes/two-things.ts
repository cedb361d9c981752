import type { Answer, Citation } from '../answer/contract.ts';
import { dateIn, valuesOf } from '../answer/sentences/structure/values.ts';
import { type ThingsCompared, thingsCompared } from '../text/languages/things-compared.ts';
import { answerInSteps, askOf, joined } from './two-steps.ts';

type Ask = (question: string) => Promise<Answer>;

/** Answers a question that asks the same of two things, or that needs another one answered first. */
export async function answerInParts(question: string, ask: Ask, most?: number): Promise<Answer | undefined> {
  return (await answerOfBoth(question, ask, most)) ?? (await answerInSteps(question, ask, most));
}

/**
 * Answers a question that compares two things by a date or an extent, or asks what both are (`Who is older, Ann Moor or
 * Lee Voss?`): the same is asked of each. The sentence of the thing that is meant comes first.
 * @param ask answers a question in one step
 * @param most sentences
 * @returns undefined where the question is no such one, or there is no plain answer of one of the two
 */
export async function answerOfBoth(question: string, ask: Ask, most: number = 3): Promise<Answer | undefined> {
  const compared = thingsCompared(question);
  if (compared === undefined) return undefined;
  const one = await answerOf(compared.one, compared, ask, most);
  const other = one && (await answerOf(compared.other, compared, ask, most));
  if (one === undefined || other === undefined) return undefined;
  const isSame = one.citations[0]!.reference === other.citations[0]!.reference;
  const [first, second] = isOtherMeant(one, other, compared) ? [other, one] : [one, other];
  return isSame || first.citations.length >= most ? undefined : joined(first, second, most);
}

async function answerOf(thing: string, { asks }: ThingsCompared, ask: Ask, most: number): Promise<Answer | undefined> {
  for (const question of asks(thing)) {
    const answer = (await answerInSteps(question, ask, most)) ?? (await askOf(question, thing, ask));
    if (answer?.confidence === 'high') return answer;
  }
  return undefined;
}

/** By the first of their dates or amounts in one unit. */
function isOtherMeant(one: Answer, other: Answer, { wanted, by }: ThingsCompared): boolean {
  const amounts = by === 'date' ? datesIn : amountsIn;
  const others = other.citations.flatMap(amounts);
  for (const { amount, unit } of one.citations.flatMap(amounts)) {
    const same = others.find((found) => by === 'count' || found.unit === unit);
    if (same !== undefined && same.amount !== amount)
      return wanted !== undefined && same.amount < amount === (wanted === 'least');
  }
  return false;
}

interface Amount {
  readonly amount: number;
  readonly unit: string;
}

const mostOfUnit = 20;

function markedIn({ quote, span, highlight = [] }: Citation): { readonly text: string; readonly behind: string }[] {
  return highlight.map(({ start, end }) => ({
    text: quote.slice(start - span.start, end - span.start),
    behind: quote.slice(end - span.start, end - span.start + mostOfUnit),
  }));
}

/** A day as 20240531, a year as 20240000. */
function datesIn(citation: Citation): Amount[] {
  return markedIn(citation).flatMap(({ text }) => {
    const date = dateIn(text) ?? /(?<!\p{N})[12]\p{N}{3}(?!\p{N})/u.exec(text)?.[0];
    return date === undefined ? [] : [{ amount: Number(date.replaceAll('-', '').padEnd(8, '0')), unit: '' }];
  });
}

/** Numbers, with the word or the sign of their unit. */
function amountsIn(citation: Citation): Amount[] {
  return markedIn(citation).flatMap(({ text, behind }) =>
    valuesOf(text)
      .filter(({ kind }) => kind === 'number')
      .map(({ amount, unit, end }) => ({
        amount,
        unit: unit || (/^\s?\p{L}+/u.exec(text.slice(end) + behind)?.[0].trim() ?? ''),
      })),
  );
}
