import { expect, it } from 'vitest';
import { lacksYear } from '../../../../../src/answer/sentences/rules/unsaid-year.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['Кто был капитаном в 2015 году?', 'Капитаном избран Иван Лодкин.', true],
  ['Кто был капитаном в 2015 году?', 'Капитаном избран Иван Лодкин. Список за 2015 год.', false],
  ['Кто был капитаном в 2015 году?', 'Капитаном с 2012 года работает Иван Лодкин.', false], // has a year of its own
  ['Сколько стоил билет в прошлом году?', 'Билет стоит 300 руб.', true],
  ['Сколько стоил билет в прошлом году?', 'Билет в прошлом году стоил 300 руб.', false],
  ['昨年の会費はいくらでしたか？', '会費は月500円である。', true],
  ['2019年有多少游客？', '游客有三万人。', true],
  ['كم كان الإيجار في عام 2020؟', 'الإيجار السنوي 4800 دينار.', true],
  ['Quanto custava o bilhete em 2018?', 'O bilhete custa 8 euros.', true],
  ['Ile kosztował bilet w 2021 roku?', 'Bilet kosztuje 20 zł.', true],
  ['Сколько стоит билет?', 'Билет стоит 300 руб.', false],
  ['Когда в 2015 году избран капитан?', 'Капитаном избран Иван Лодкин.', false], // a day is asked for
  ['Who was captain in 2015?', 'Ann Moor was elected captain.', false], // in English
])('says nothing of the year: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(lacksYear(asked, candidates[0]!)).toBe(expected);
});

it('is no plain answer', () => {
  const text = 'Капитаном клуба избран Иван Лодкин.';
  expect(answered('Кто избран капитаном клуба?', text).confidence).toBe('high');
  expect(answered('Кто был избран капитаном клуба в 2015 году?', text).confidence).toBe('low');
});
