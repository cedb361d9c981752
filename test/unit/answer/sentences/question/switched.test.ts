import { expect, it } from 'vitest';
import { analyseQuestion, matchTerms } from '../../../../../src/answer/sentences/question/question.ts';
import { analyseWords } from '../../../../../src/text/analysis/words.ts';
import { actsAlike } from '../../../../../src/text/languages/ways-told.ts';
import { statisticsOf } from '../../hits.ts';

it.each([
  ['How do I turn on the lamps?', 'Enabling lamps', true],
  ['How do I switch the lamps on?', 'Activate the lamps', true],
  ['How do I turn on the lamps?', 'Disabling lamps', false],
  ['How do I turn the lamps off?', 'Disabling lamps', true],
  ['How do I turn the lamps?', 'Enabling lamps', false],
])('%s – %s', (question, heading, isHeld) => {
  const asked = analyseQuestion(question, statisticsOf([heading]));
  const held = matchTerms(asked, analyseWords(heading));
  expect(asked.terms.every((_, j) => held[j]! > 0)).toBe(isHeld);
});

it('an act is named by its phrase', () => {
  expect(actsAlike('enable')!.test('Turning the deck lamps on')).toBe(true);
  expect(actsAlike('enable')!.test('Turning the deck lamps off')).toBe(false);
  expect(actsAlike('disable')!.test('Switch off lamps')).toBe(true);
});
