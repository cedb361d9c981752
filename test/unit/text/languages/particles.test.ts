import { expect, it } from 'vitest';
import {
  beforeReason,
  counterBehind,
  leadingParticle,
  numberCut,
  trailingParticle,
  trailingVerb,
} from '../../../../src/text/languages/particles.ts';
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

it.each([
  ['は約50分', '約50分'],
  ['が毎週', '毎週'],
  ['由李工匠', '李工匠'],
  ['由于洪水', '由于洪水'],
  ['はさみ', 'はさみ'],
  ['とり肉', 'とり肉'],
])('a particle of the word before is no part of it: %s', (marked, words) => {
  expect(marked.replace(leadingParticle, '')).toBe(words);
});

it.each([
  ['木村さんが務める', '木村さん'],
  ['12店を予定している', '12店'],
  ['公園で開催', '公園'],
  ['300円である', '300円'],
  ['木村さん', '木村さん'],
])('a verb is no part of a name or a number: %s', (marked, words) => {
  expect(marked.replace(trailingVerb, '')).toBe(words);
});

it.each([
  ['35万円とする', 3, '円'],
  ['長さ8米', 3, '米'],
  ['35万です', 3, undefined],
])('a number has its counter behind it: %s', (text, at, counter) => {
  counterBehind.lastIndex = at;
  expect(counterBehind.exec(text)?.[0]).toBe(counter);
});

it.each([
  ['da piscina, porque a água é fria', 'porque a água é fria'],
  ['大厅，因为线路老', '因为线路老'],
  ['w wodzie, ponieważ jest zimna', 'ponieważ jest zimna'],
  ['porque a água, o mar, é fria', 'porque a água, o mar, é fria'],
  ['of the pool, because it is cold', 'of the pool, because it is cold'],
])('a reason begins with its word: %s', (marked, words) => {
  expect(marked.replace(beforeReason, '')).toBe(words);
});

it.each(['ноябре', 'setembro', 'październiku', 'září', 'Οκτώβριος', 'elokuuta', 'március', 'грудень'])(
  'a month is part of a date in any case: %s',
  (word) => {
    expect(isDateWord(word.toLowerCase())).toBe(true);
  },
);

it.each([
  ['节日有三万', '二千名', 2],
  ['节日有', '二千名', 0],
  ['节日有三万', '游客', 0],
  ['三万', '', 0],
])('a number is not cut in two: %s|%s', (before, words, length) => {
  expect(numberCut(before, words)).toBe(length);
});
