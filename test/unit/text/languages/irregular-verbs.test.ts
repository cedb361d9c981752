import { expect, it } from 'vitest';
import { germanParticiple, irregularVerb } from '../../../../src/text/languages/irregular-verbs.ts';

it.each([
  ['stuck', 'sticks'],
  ['broken', 'breaking'],
  ['paid', 'pays'],
  ['chose', 'choosing'],
  ['went', 'goes'],
  ['swum', 'swimming'],
  ['sown', 'sowing'],
  ['overridden', 'overrides'],
])('%s and %s are of one verb', (one, other) => {
  expect(irregularVerb(one)).toBeDefined();
  expect(irregularVerb(one)).toBe(irregularVerb(other));
});

it.each(['founded', 'led', 'bit', 'ground', 'walked', 'lantern'])('%s is of none of them', (word) => {
  expect(irregularVerb(word)).toBeUndefined();
});

it.each([
  ['gegründet', 'gründet'],
  ['aufgerufen', 'aufrufen'],
  ['anzumelden', 'anmelden'],
  ['zuzumachen', 'zumachen'],
  ['zumachen', 'zumachen'],
  ['zuletzt', 'zuletzt'],
])('%s has the stem of %s', (word, stem) => {
  expect(word.replace(germanParticiple, '$1$2')).toBe(stem);
});
