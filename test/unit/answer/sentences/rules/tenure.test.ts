import { expect, it } from 'vitest';
import { tenureGain } from '../../../../../src/answer/sentences/rules/tenure.ts';
import { answered, gaining } from './gaining.ts';

it.each([
  ['Who was leader of the club in 1997?', 'Ann Moor led the club from May 1996 until April 1998.', true],
  ['Who led the Haven Club in 1998?', 'Ann Moor was head of the Haven Club between 1996 and 1998.', true],
  ['Who led The Haven Club in 1998?', 'Ann Moor was head of The Haven Club between 1996 and 1998.', true],
  ['Who led the Haven Club in 1997?', 'Ann Moor was head of the Wick Society from 1996 to 1998.', false],
  ['Who was leader of the club in 1999?', 'Ann Moor led the club from May 1996 until April 1998.', false],
  ['Who was leader of the club in 1997?', 'Ann Moor rowed for the club from 1996 until 1998.', false],
  ['Who was leader of the club?', 'Ann Moor led the club from 1996 until 1998.', false],
  ['Who was leader of the club in 1997?', 'Ann Moor led the club in 1996.', false],
])('says who had an office in a year: %s – %s', (question, text, expected) => {
  expect(gaining(tenureGain, question, text)).toHaveLength(expected ? 1 : 0);
});

it('answers with whose time the year lies in', () => {
  const text = [
    'Jon Reed led the club from May 1993 until April 1996.',
    'Ann Moor led the club from May 1996 until April 1998.',
    'Lee Voss led the club from May 1998 until April 2001.',
  ].join(' ');
  const { citations, confidence } = answered('Who was leader of the club in 2000?', text);
  expect(citations[0]!.quote).toContain('Lee Voss');
  expect(confidence).toBe('high');
});
