import { expect, it } from 'vitest';
import { hasNoWord, lacksPerson } from '../../../../../src/answer/sentences/rules/lacks-person.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['Who was excused on 1 June?', 'The price rises to 5 EUR on 1 June.', true],
  ['Who was excused on 1 June?', 'Carl Voss missed the meeting on 1 June.', false],
  ['Who leads the work?', 'The architect leads the work.', false], // by an office
  ['Who leads the work in Lindau?', 'The architect leads the work.', false],
  ['Who leads the hard work?', 'He leads the work.', false], // who was named before
  ['When was the price raised on 1 June?', 'The price rises to 5 EUR on 1 June.', false],
  ['Who paid for the trial?', 'Sleep began earlier in the trial. It rose, as did total sleep.', true], // no name: `total sleep`
  ['Who paid for the trial?', 'Sleeper began the trial. It rose, as did total sleep.', false],
  ['庭の班長は誰ですか？', '班長は木村が務める。', false], // no script shows names without capitals
  ['庭の主任は誰ですか？', '庭の班長は木村が務める。', true],
  ['谁管理花园？', '花匠管理树木。', false],
  ['谁修理花园？', '花匠管理花园。', true],
  ['من أسس النادي القديم؟', 'أسسه الصياد علي.', false],
  ['من أسس النادي القديم؟', 'يدير النادي الصياد علي.', true],
  ['من يدير النادي القديم؟', 'يدير المكان الصياد علي.', false],
])('names nobody: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(lacksPerson(asked, candidates[0]!)).toBe(expected);
});

it('has no word of the question', () => {
  const of = (question: string, text: string): boolean => {
    const { asked, candidates } = analysed(question, text);
    return hasNoWord(asked, candidates.at(-1)!);
  };
  expect(of('Who leads the choir?', 'The choir sings. It begins at noon.')).toBe(true);
  expect(of('When does the choir sing?', 'When does the choir sing? At noon.')).toBe(false); // its passage has all
  expect(of('Who leads the choir?', 'The choir begins at noon.')).toBe(false);
});

it('is no plain answer', () => {
  const text = 'The price of a lunch rises to 5 EUR on 1 June. The canteen is on floor 3.';
  expect(answered('What rises on 1 June?', text).confidence).toBe('high');
  expect(answered('Who was absent on 1 June?', text).confidence).toBe('low');
  const event = 'Start: 2026-11-05 17:00 UTC\nEnd: 2026-11-05 19:00 UTC\nPlace: St Mary Hall';
  expect(answered('Who leads the choir rehearsal?', event, { title: 'Choir rehearsal' }).confidence).not.toBe('high');
});
