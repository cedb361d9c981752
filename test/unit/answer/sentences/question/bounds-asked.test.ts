import { expect, it } from 'vitest';
import { boundsAsked, isWithin } from '../../../../../src/answer/sentences/question/bounds-asked.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import {
  amountOf,
  monthOf,
  timeOf,
  timeOfCell,
  timesOf,
  yearOf,
} from '../../../../../src/answer/sentences/structure/column-values.ts';
import { statisticsOf } from '../../hits.ts';

const bounds = (question: string) => boundsAsked(analyseQuestion(question, statisticsOf([''])));
/** `below 20 €`: what a question bounds, by its number or its year and month. */
const said = (question: string): string[] =>
  bounds(question).map(({ relation, kind, value, sign, word }) => {
    const at = kind === 'amount' ? value.from : kind === 'month' ? monthOf(value) : yearOf(value);
    return [relation, kind, at, kind === 'amount' ? sign || word : ''].filter((part) => part !== '').join(' ');
  });

it.each([
  ['Which rooms cost less than €20?', ['below amount 20 €']],
  ['Which rooms have more than 20 seats?', ['above amount 20 seats']],
  ['Which rooms have at least 20 seats?', ['least amount 20 seats']],
  ['Which rooms seat 20 or more people?', ['least amount 20 or']],
  ['Which rooms cost up to 1,500 euros?', ['most amount 1500 euros']],
  ['Which rooms cost between 10 and 20 euros?', ['least amount 10 euros', 'most amount 20 euros']],
  ['Who started before 2015?', ['below time 2015']],
  ['Which contracts end after June 2024?', ['above time 2024']],
  ['Which orders were placed in March?', ['within month 3']],
  ['Which orders were placed between 2015 and 2018?', ['least time 2015', 'most time 2018']],
  ['Which hulls weigh more than 2000 kg?', ['above amount 2000 kg']],
  ['Welche Räume kosten weniger als 20 Euro?', ['below amount 20 Euro']],
  ['Wer ist vor 2015 eingetreten?', ['below time 2015']],
  ['Quelles commandes dépassent 1 000 euros ?', ['above amount 1000 euros']],
  ['¿Qué salas cuestan menos de 20 euros?', ['below amount 20 euros']],
  ['Which rooms are on floor 2?', []],
  ['Which rooms may I book?', []],
])('%s %j', (question, found) => {
  expect(said(question)).toEqual(found);
});

it('leaves open what is partly so', () => {
  const [before] = bounds('Who started before June 2015?');
  expect(isWithin(before!, timeOf(2015, 5, 31))).toBe(true);
  expect(isWithin(before!, timeOf(2015, 6))).toBe(false);
  expect(isWithin(before!, timeOf(2015))).toBe(undefined);
  const [within] = bounds('Who started in 2015?');
  expect([timeOf(2015, 2), timeOf(2014, 2)].map((time) => isWithin(within!, time))).toEqual([true, false]);
  const [month] = bounds('Who started in March?');
  expect([timeOf(2015, 3, 9), timeOf(2016, 4), timeOf(2015)].map((time) => isWithin(month!, time))).toEqual([
    true,
    false,
    undefined,
  ]);
  const [least] = bounds('Who has at least 5 boats?');
  expect([4, 5, 6].map((n) => isWithin(least!, { from: n, to: n }))).toEqual([false, true, true]);
  const [most] = bounds('Who has at most 5 boats?');
  expect([4, 5, 6].map((n) => isWithin(most!, { from: n, to: n }))).toEqual([true, true, false]);
});

it('reads the numbers and times of cells', () => {
  expect(['€1,250.50', '2 kg', '-3', '(40)', '12 of 20', ''].map((cell) => amountOf(cell, 'en')?.amount)).toEqual([
    1250.5,
    2,
    -3,
    -40,
    undefined,
    undefined,
  ]);
  expect(amountOf('2.950', 'de')?.amount).toBe(2950);
  const days: [string, ReturnType<typeof timeOfCell>][] = [
    ['2015', timeOf(2015)],
    ['2015-03', timeOf(2015, 3)],
    ['03/2015', timeOf(2015, 3)],
    ['2015-03-09', timeOf(2015, 3, 9)],
    ['2015-03-09 14:30', timeOf(2015, 3, 9)],
    ['9 March 2015', timeOf(2015, 3, 9)],
    ['Mon 9 March 2015', timeOf(2015, 3, 9)],
    ['09.03.2015', timeOf(2015, 3, 9)],
    ['29/3/2015', timeOf(2015, 3, 29)],
    ['until 2015-03-09', undefined],
    ['9 March', undefined],
    ['41', undefined],
  ];
  for (const [cell, time] of days) expect([cell, timeOfCell(cell)]).toEqual([cell, time]);
});

it('takes the order of day and month from the column, and leaves open what no cell tells', () => {
  expect(timesOf(['3/4/2015', '29/4/2015', ''])).toEqual([timeOf(2015, 4, 3), timeOf(2015, 4, 29), undefined]);
  expect(timesOf(['3/4/2015', '4/29/2015'])).toEqual([timeOf(2015, 3, 4), timeOf(2015, 4, 29)]);
  expect(timesOf(['3/4/2015'])).toEqual([{ from: timeOf(2015, 3, 4).from, to: timeOf(2015, 4, 3).to }]);
  expect(timesOf(['2015', 'soon'])).toBe(undefined);
  expect(timesOf(['', ''])).toBe(undefined);
});
