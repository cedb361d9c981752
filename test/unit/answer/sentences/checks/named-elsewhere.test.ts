import { expect, it } from 'vitest';
import { isNamedElsewhere } from '../../../../../src/answer/sentences/checks/named-elsewhere.ts';
import { analysed, answered } from '../rules/gaining.ts';

const later = ' The chair was sold in May. Varga wrote to the owner.';

it.each([
  ['What did Varga buy?', `In April a table was bought.${later}`, true],
  ['What did Varga buy?', `In April Varga bought a table.${later}`, false],
  ['What did Varga buy?', `In April he bought a table.${later}`, false], // of whom is told before
  ['What did Varga buy?', `In April his table was bought.${later}`, false],
  ['What did Varga buy?', 'In April a table was bought.', false], // the passage has no Varga
  ['What was bought in May?', `In April a table was bought.${later}`, false], // a date
])('the name is further on: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isNamedElsewhere(asked, candidates[0]!)).toBe(expected);
});

it('knows what stands before a sentence, and over it', () => {
  const question = 'What did Varga buy?';
  const far = 'The house is old. '.repeat(25);
  const last = (text: string, headings: readonly string[] = []): boolean => {
    const { asked, candidates } = analysed(question, text, { headings });
    return isNamedElsewhere(asked, candidates.at(-1)!);
  };
  expect(last('Varga came in April. A table was bought.')).toBe(false);
  expect(last(`Varga came in April. ${far}A table was bought.`)).toBe(true);
  expect(last(`Varga came in April. ${far}A table was bought.`, ['Varga'])).toBe(false);
});

it('is no plain answer', () => {
  const text = 'The Lindau mill was built in 1871. The Tarnow mill has two wheels.';
  expect(answered('When was the Lindau mill built?', text).confidence).toBe('high');
  expect(answered('When was the mill of Tarnow built?', text).confidence).not.toBe('high');
});
