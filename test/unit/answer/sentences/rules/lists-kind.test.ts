import { expect, it } from 'vitest';
import { listsKindGain } from '../../../../../src/answer/sentences/rules/lists-kind.ts';
import { gaining } from './gaining.ts';

const text =
  'In that case a permit is a document accepted as proof of age. Accepted forms of proof of age include: a passport, a card of the club, and a letter. Accepted proof of age is: none. Proof of age, accepted or not, is kept.';

it('is for a sentence that names things one by one, whatever it calls their kind', () => {
  expect(gaining(listsKindGain, 'Which documents are accepted as proof of age?', text)).toEqual([
    'Accepted forms of pr',
  ]);
  expect(gaining(listsKindGain, 'Which documents are accepted as proof of address?', text)).toEqual([]);
  expect(gaining(listsKindGain, 'Who accepted the proof of age?', text)).toEqual([]);
});
