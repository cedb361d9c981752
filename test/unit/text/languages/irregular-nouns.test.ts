import { expect, it } from 'vitest';
import { irregularNoun } from '../../../../src/text/languages/irregular-nouns.ts';

it.each([
  ['child', 'children'],
  ['women', 'woman'],
  ['appendices', 'appendix'],
])('%s and %s are of one noun', (one, other) => {
  expect(irregularNoun(one)).toBeDefined();
  expect(irregularNoun(one)).toBe(irregularNoun(other));
});

it.each(['lives', 'leaves', 'lamp', 'childhood'])('%s is of none of them', (word) => {
  expect(irregularNoun(word)).toBeUndefined();
});
