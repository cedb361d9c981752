import { expect, it } from 'vitest';
import { isOfOtherDimension } from '../../../../../src/answer/sentences/rules/other-dimension.ts';
import { analysed, answered } from './gaining.ts';

it.each([
  ['船有多高？', '船长12米，宽3米。', true],
  ['船有多高？', '船高12米，长30米。', false],
  ['Jaka jest długość łodzi?', 'Głębokość łodzi wynosi 2 m.', true],
  ['Jaka jest długość łodzi?', 'Długość łodzi wynosi 9 m.', false],
  ['Какова высота мачты?', 'Длина мачты 9 м.', true],
  ['Qual é a altura do mastro?', 'O comprimento do mastro é de 9 m.', true],
  ['كم ارتفاع السفينة؟', 'طول السفينة 9 أمتار.', true],
  ['船の高さはいくらですか？', '船の長さは9mです。', true],
  ['船の高さはいくらですか？', '船は9mです。', false],
  ['Jak długo trwa rejs?', 'Rejs po głębokości 9 m trwa godzinę.', false], // a time
  ['航行多长时间？', '船高12米，航行两小时。', false],
  ['Какова высота горки?', 'На площадке стоит горка, 3 м.', false], // a playground, no area
  ['How high is the mast?', 'The length of the mast is 9 m.', true],
  ['How deep is the lake?', 'The lake is 4 km long.', true],
  ['How deep is the lake?', 'The lake is 4 km long and 30 m deep.', false],
  ['How long is the lake?', 'The lake takes 3 hours.', false], // of no direction
  ['Wie tief ist der See?', 'Der See ist 4 km lang.', true],
  ['Wie tief ist der See?', 'Die größte Tiefe beträgt 30 m.', false],
])('gives another dimension: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(isOfOtherDimension(asked, candidates[0]!)).toBe(expected);
});

it('is no plain answer', () => {
  const text = 'Głębokość łodzi wynosi 2 m. Prom jest czerwony.';
  expect(answered('Jaka jest głębokość łodzi?', text).confidence).toBe('high');
  expect(answered('Jaka jest długość łodzi?', text).confidence).not.toBe('high');
});
