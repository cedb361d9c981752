import { expect, it } from 'vitest';
import { hasReasonBehind } from '../../../../../src/answer/sentences/rules/reason-behind.ts';
import { analysed, answered } from './gaining.ts';

const never = 'You should never close the valve with the hand wheel sent along.';
const then = 'If you do so, the pump will run dry.';

it.each([
  ['Why should I not close the valve with the wheel?', then, true],
  ['Why should I not close the valve with the wheel?', 'Otherwise the pump runs dry.', true],
  ['Why should I not close the valve with the wheel?', 'If you do not, the pump runs.', false],
  ['Why should I not close the valve with the wheel?', 'The wheel is red.', false],
  ['Why should I close the valve with the wheel?', then, false],
  ['When should I not close the valve with the wheel?', then, false],
  ['Why should I not close the valve with the wheel?', 'This is to keep the pump wet.', true],
  ['Why should I not close the valve with the wheel?', 'This is a red wheel.', false],
  ['Why should I not paint the boat house?', then, false],
])('gives the reason behind: %s %s', (question, next, expected) => {
  const { asked, candidates } = analysed(question, `${never} ${next}`);
  expect(hasReasonBehind(asked, candidates[0]!)).toBe(expected);
});

it('goes on with the reason in Japanese', () => {
  const text = 'ポンプを手で止めないでください。故障のおそれがあるためです。床は青い。';
  const { answer, citations } = answered('なぜポンプを手で止めてはいけないのですか？', text);
  expect(answer).toContain('ないでください。故障のおそれがあるためです。');
  expect(answer).not.toContain('床');
  expect(citations[0]!.highlight).toBeUndefined();
});

it('goes on with what would happen', () => {
  const { answer, confidence } = answered('Why should I not close the valve with the wheel?', `${never} ${then}`);
  expect(answer).toContain(then);
  expect(confidence).toBe('high');
});
