import { expect, it } from 'vitest';
import { trailingParticle } from '../../../../src/text/languages/particles.ts';
import { isDateWord } from '../../../../src/text/languages/question-words.ts';

it.each([
  ['512MB보다', '512MB'],
  ['Bruce Perens가', 'Bruce Perens'],
  ['2008년에', '2008년'],
  ['서울에서', '서울'],
  ['고양이', '고양이'],
  ['국가', '국가'],
  ['10배', '10배'],
  ['토이 스토리', '토이 스토리'],
])('a Korean particle is no part of what is marked: %s', (marked, words) => {
  expect(marked.replace(trailingParticle, '')).toBe(words);
});

it.each(['ноябре', 'setembro', 'październiku', 'září', 'Οκτώβριος', 'elokuuta', 'március', 'грудень'])(
  'a month is part of a date in any case: %s',
  (word) => {
    expect(isDateWord(word.toLowerCase())).toBe(true);
  },
);
