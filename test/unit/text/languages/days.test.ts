import { describe, expect, it } from 'vitest';
import { dayNamed, daysOf } from '../../../../src/text/languages/days.ts';

describe('the days that a label stands for, from 0 for Monday', () => {
  it.each([
    ['Mon–Thu', [0, 1, 2, 3]],
    ['Fri', [4]],
    ['Monday to Friday', [0, 1, 2, 3, 4]],
    ['Fri–Mon', [0, 4, 5, 6]],
    ['Sa, So', [5, 6]],
    ['Mo. bis Fr.', [0, 1, 2, 3, 4]],
    ['Do–Sa', [3, 4, 5]],
    ['du lundi au mercredi', [0, 1, 2]],
    ['lunes a viernes', [0, 1, 2, 3, 4]],
    ['sabato e domenica', [5, 6]],
    ['maandag tot en met vrijdag', [0, 1, 2, 3, 4]],
    ['Segunda-feira a sexta-feira', [0, 1, 2, 3, 4]],
    ['pon.–pt.', [0, 1, 2, 3, 4]],
    ['пн–пт', [0, 1, 2, 3, 4]],
  ])('%s', (label, days) => {
    expect([...daysOf(label)].sort()).toEqual(days);
  });

  it.each(['Total', 'Mar–Jun', 'Sun cream', 'Friday market', 'Mon 3', 'Mon–', ''])('no day: %s', (label) => {
    expect(daysOf(label).size).toBe(0);
  });
});

it.each([
  ['wednesday', 2],
  ['mondays', 0],
  ['mittwochs', 2],
  ['среду', 2],
  ['sun', undefined],
  ['mar', undefined],
  ['harbour', undefined],
])('a word that names a day whole: %s', (word, day) => {
  expect(dayNamed(word)).toBe(day);
});
