import { expect, it } from 'vitest';
import { isOfOther, otherOfLosses } from '../../../../../src/answer/sentences/rules/other-of.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['What is the price of coffee?', 'The price of a lunch is 5.60 EUR.', true],
  ['By how much did the price of coffee rise?', 'The price of a lunch rises by 0.40 EUR.', true],
  ['Quel est le poids du moteur ?', 'Le poids de la cuve est de 4 kg.', true],
  ['Quand finit le projet du quai ?', 'Le projet de construction finit en mai.', false], // a kind of project
  ['When were the minutes of 4 May approved?', 'The minutes of 6 April were approved.', true],
  ['What is the price of coffee?', 'The price of a lunch is 5.60 EUR, the price of coffee 2 EUR.', false],
  ['What is the price of coffee?', 'The price is 2 EUR.', false],
  ['What is the price of coffee?', 'The cost of a lunch is 5.60 EUR.', false],
  ['Who asked for a discount for students?', 'Ann Pell asked for a discount for widows.', true],
  ['Who asked for a discount for most of them?', 'Ann Pell asked for a discount for widows.', false],
  ['What is the price of RAM?', 'The price of memory is 9 EUR.', false], // may be written out
  ['What is the price of cofee?', 'The price of coffee is 2 EUR.', false], // misspelt
  ['What are causes of reduced growth?', 'Causes of poor growth are shade and frost.', false], // not of another thing
  ['The price of what rose?', 'The price of a lunch rose.', false],
  ['Who is in charge of the lenses during the move?', 'The acids stay here; Ann Pell is in charge of them.', true],
  ['Who is in charge of the acids during the move?', 'The acids stay here; Ann Pell is in charge of them.', false],
  ['Is damage by lightning paid?', 'Damage caused by flood or war is not paid.', true],
  ['Is damage by war paid?', 'Damage caused by flood or war is not paid.', false],
  ['Are tents insured against snow?', 'Tents are insured against fire.', true],
  ['Lines are represented by what marks?', 'Lines are represented by dots.', false], // that is asked for
  ['Lines are represented by marks of what?', 'Lines are represented by dots.', false],
])('is of another: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isOfOther(asked, candidates[0]!)).toBe(expected);
});

it('reads what stands over it, and is no plain answer', () => {
  const text = 'The price of a lunch is 5.60 EUR. It is paid at the door.';
  const { asked, candidates } = analysed('What is the price of coffee?', text, { headings: ['Coffee'] });
  expect(isOfOther(asked, candidates[0]!)).toBe(false);
  expect(answered('What is the price of a lunch?', text).confidence).toBe('high');
  expect(answered('What is the price of a coffee?', text).confidence).not.toBe('high');
});

it('loses where another sentence has the owner that is asked for, unless a claim is checked', () => {
  const lunch = 'The price of a lunch is 5.60 EUR.';
  const losing = (question: string, text: string): boolean => {
    const { asked, candidates } = analysed(question, text);
    return otherOfLosses(asked, candidates)(candidates[0]!) < 0;
  };
  expect(losing('What is the price of coffee?', `${lunch} Coffee is 2 EUR.`)).toBe(true);
  expect(losing('What is the price of coffee?', lunch)).toBe(false);
  expect(losing('The price of coffee is 5.60 EUR.', `${lunch} Coffee is 2 EUR.`)).toBe(false);
});
