import { expect, it } from 'vitest';
import { isOfOtherItem } from '../../../../../src/answer/sentences/rules/other-item.ts';
import { analysed, answered } from './gaining.ts';

const timber = `Three kinds of timber were looked at.

1. **Oak.** It lasts for sixty years.
2. **Larch (from the north).** The price would be about 900 crowns.
   It must be ordered in May.
3. **Pine.** It rots within nine years, and oak does not.

The yard has 40 planks.
`;

const others = (question: string): string[] => {
  const { asked, candidates } = analysed(question, timber);
  return candidates.filter((one) => isOfOtherItem(asked, one)).map(({ unit }) => timber.slice(unit.start, unit.end));
};

it('sentences in the item of another name than the question has', () => {
  expect(others('How much would oak cost?')).toEqual([
    '2. **Larch (from the north).**',
    'The price would be about 900 crowns.',
    'It must be ordered in May.',
    '3. **Pine.**', // the sentence behind it names oak
  ]);
  expect(others('How much would larch cost?')).not.toContain('The price would be about 900 crowns.');
  expect(others('How much would a mast cost?')).toEqual([]);
});

it('gives no plain answer from the item of another name', () => {
  expect(answered('What would the price of larch be?', timber).confidence).toBe('high');
  expect(answered('What would the price of oak be?', timber).confidence).toBe('low');
});
