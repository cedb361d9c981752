import { expect, it } from 'vitest';
import { isOfOpposite, oppositeLosses } from '../../../../../src/answer/sentences/rules/opposite.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['Who was the first keeper?', 'The last keeper was Per Nygaard.', true],
  ['Who was the 1st keeper?', 'The second keeper was Per Nygaard.', true],
  ['Wer war der erste Wärter?', 'Der letzte Wärter war Per Nygaard.', true],
  ['Qui était le premier gardien ?', 'Le dernier gardien était Per Nygaard.', true],
  ['Who was the first keeper?', 'The first keeper was Ove Lie, the last keeper Per Nygaard.', false],
  ['Who was the first keeper?', 'The 1st keeper was Ove Lie.', false],
  ['Who was the first keeper?', 'The keeper Per Nygaard sold the last cow.', false],
  ['Who was the keeper?', 'The last keeper was Per Nygaard.', false],
  ['When did the first boat come?', 'The last keeper was Per Nygaard.', false],
  ['What is the minimum load of the crane?', 'The maximum load of the crane is 40 t.', true],
  ['What is the fee for children?', 'The fee for adults is 12 EUR.', true],
  ['What is a stay of three hours called?', 'A stay under four hours is called a call.', false], // within bounds
  ['What runs on six cylinders?', 'The pump runs on four cylinders.', true],
  ['What do members pay?', 'Non-members pay 9 EUR.', true],
  ['What do members pay?', 'Members pay 4 EUR, non-members 9 EUR.', false],
  ['What do non-members pay?', 'Non-members pay 9 EUR.', false],
  ['Was zahlen Mitglieder?', 'Nicht-Mitglieder zahlen 9 EUR.', true],
  ['Was the trip approved?', 'The trip was rejected.', false], // says no
  ['Which trip was approved?', 'The trip was rejected.', true],
  ['When does the ferry return?', 'The ferry leaves at 6:45.', true],
  ['Who voted for the crane?', 'Bo Lind voted against it.', true],
  ['Who voted against the crane?', 'Bo Lind voted against it, Ada voted for it.', false],
  ['Wer stimmte für den Kran?', 'Bo Lind stimmte gegen den Kran.', true],
  ['Who opened a window?', 'Ann Pell closed the window.', true],
  ['Wie hoch ist der Preis für Kinder?', 'Der Preis für Erwachsene ist 12 EUR.', true],
  ['What is the minimum load of the crane?', 'The crane lifts a load of 3 t; the maximum height is 40 m.', false],
  ['What is the minimum load of the crane?', 'The lowest load of the crane is 3 t, its maximum load 40 t.', false],
  ['What is the crane called?', 'The maximum load of the crane is 40 t.', false],
])('one side is not the other: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isOfOpposite(asked, candidates[0]!)).toBe(expected);
});

it('reads what stands over a sentence', () => {
  const ask = (headings: readonly string[]): boolean => {
    const text = 'The last keeper was Per Nygaard.';
    const { asked, candidates } = analysed('Who was the first keeper?', text, { headings });
    return isOfOpposite(asked, candidates[0]!);
  };
  expect(ask(['Keepers'])).toBe(true);
  expect(ask(['The first and the last keeper'])).toBe(false);
});

it('is no plain answer', () => {
  const text = 'The last keeper of the light was Per Nygaard. He kept a cow.';
  expect(answered('Who was the last keeper of the light?', text).confidence).toBe('high');
  expect(answered('Who was the first keeper of the light?', text).confidence).toBe('low');
});

it('loses where another sentence is of the side that is asked for, unless a claim is checked', () => {
  const first = 'The first keeper of the light sold his cow.';
  const last = 'The last keeper of the light was Per Nygaard.';
  const losing = (question: string, text: string): boolean[] => {
    const { asked, candidates } = analysed(question, text);
    return candidates.map((candidate) => oppositeLosses(asked, candidates)(candidate) < 0);
  };
  expect(losing('Who was the first keeper of the light?', `${first} ${last}`)).toEqual([false, true]);
  expect(losing('Who was the first keeper of the light?', last)).toEqual([false]);
  expect(losing('The first keeper of the light was Per Nygaard.', `${first} ${last}`)).toEqual([false, false]);
});

it('the entry of the option for the opposite says nothing of what is asked', () => {
  const options =
    '--limit-upload KBS\n       Send at most KBS a second. 0 means no limit, which is the default.\n\n--limit-files N\n       Read N files. The default is 9.';
  const others = (question: string): string[] => {
    const { asked, candidates } = analysed(question, options, { format: 'text' });
    return candidates
      .filter((one) => isOfOpposite(asked, one))
      .map(({ unit }) => options.slice(unit.start, unit.start + 14));
  };
  expect(others('What is the default download limit?')).toEqual(['--limit-upload', '0 means no lim']);
  expect(others('What is the default upload limit?')).toEqual([]);
});
