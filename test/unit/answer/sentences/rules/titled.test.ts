import { expect, it } from 'vitest';
import { askedTerm } from '../../../../../src/answer/sentences/question/defined.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { titledGain } from '../../../../../src/answer/sentences/rules/titled.ts';
import { textOf } from '../../../../../src/answer/sentences/structure/unit-text.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function gaining(asked: string, text: string, headings: string[], title = 'no-light'): string[] {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const hits = [hitOf(chunkOf(text, { title, headings, format: 'markdown' }))];
  const term = askedTerm(question);
  return candidatesOf(question, hits)
    .filter((one) => term !== undefined && titledGain(question, term, one) > 0)
    .map(textOf);
}

const text = 'Lamps burn oil. This rule disallows lamps in the hold. This rule warns of candles.';
const said = ['This rule disallows lamps in the hold.'];

it.each([
  ['What does the no-light rule do?', ['Rule Details'], said],
  ['What does no-light do?', ['Rule Details'], said],
  ['What does no-light disallow?', ['Rule Details'], said],
  ['What does the no-light rule check?', ['Rule Details'], said],
  ['What does the harbour disallow?', ['Rule Details'], []],
  ['What does no-lamp disallow?', ['Rule Details'], []],
  ['What is the purpose of the no-light rule?', ['no-light'], said],
  ['What does no-light do?', ['no-light', 'Description'], said],
  ['What does the no-lamp rule do?', ['Rule Details'], []],
  ['What does the no-light function do?', ['Rule Details'], []],
  ['What does no-light do?', ['Known Limits'], []],
  ['What does no-light do?', ['no-light — Lamps and candles'], said],
  ['What does no-light.Hold do?', ['no-light — Lamps and candles'], []],
  ['What is no-light?', ['Rule Details'], []],
])('%s below %j', (asked, headings, expected) => {
  expect(gaining(asked, text, headings)).toEqual(expected);
});

it('is for a method below its declaration, with the name of what it belongs to or without', () => {
  const said = 'This method lifts the load and tells its weight.';
  expect(gaining('What does liftLoad do?', said, ['◆ crane.liftLoad(load, weight)'], 'Cranes')).toEqual([said]);
  expect(gaining('What does dropLoad do?', said, ['◆ crane.liftLoad(load, weight)'], 'Cranes')).toEqual([]);
});

it.each([
  ['This command shows the lamps.', true],
  ['Overview: This command is used to show the lamps.', true],
  ['This command will also show the lamps.', true],
  ['This command aims to show the lamps.', true],
  ['This command has three lamps for you.', false],
  ['This command provides these lamps and the following oils:', false],
  ['This command requires a lamp of oil.', false],
  ['This command was written at sea by us.', false],
  ['This lamp shows the other lamps here.', false],
  ['The command of this lamp shows them.', false],
])('%s', (sentence, gains) => {
  expect(gaining('What does hang do?', sentence, ['hang'], 'Harbour')).toEqual(gains ? [sentence] : []);
});
