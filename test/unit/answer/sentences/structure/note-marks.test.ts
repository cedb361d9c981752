import { expect, it } from 'vitest';
import { labelLength, withoutNoteMark } from '../../../../../src/answer/sentences/structure/note-marks.ts';

it.each([
  ['Fees (1)', 'Fees'],
  ['Fees[a] *', 'Fees'],
  ['Growth %**', 'Growth %'],
  ['Fees', 'Fees'],
  [`Part 1${'*'.repeat(60)} x`, `Part 1${'*'.repeat(60)} x`], // a banner: its parts are not tried one by one
])('the label of %s is %s', (label, own) => {
  expect(label.slice(0, labelLength(label))).toBe(own);
});

it('a mark goes where its note is said', () => {
  expect(withoutNoteMark('Fees (1)', 'Fees (1): 900\n(1) without tax')).toBe('Fees');
  expect(withoutNoteMark('Fees (1)', 'Fees (1): 900\n(2) without tax')).toBe('Fees (1)');
});
