import { expect, it } from 'vitest';
import { irregularVerb } from '../../../../src/text/languages/irregular-verbs.ts';

it.each([
  ['stuck', 'sticks'],
  ['broken', 'breaking'],
  ['paid', 'pays'],
  ['chose', 'choosing'],
  ['went', 'goes'],
  ['swum', 'swimming'],
])('%s and %s are of one verb', (one, other) => {
  expect(irregularVerb(one)).toBeDefined();
  expect(irregularVerb(one)).toBe(irregularVerb(other));
});

it.each(['founded', 'led', 'bit', 'ground', 'walked', 'lantern'])('%s is of none of them', (word) => {
  expect(irregularVerb(word)).toBeUndefined();
});
