import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { isOfOtherDate } from '../../../../../src/answer/sentences/rules/other-date.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

it.each([
  ['Who kept the light on 14 March 2026?', 'Ines kept the light on 28 March.', true],
  ['Who kept the light on 14 March 2026?', 'Ines kept the light on 14 March.', false],
  ['Who kept the light on March 14?', 'Ines kept the light on 2026-03-14.', false],
  ['Who kept the light on 14 March 2026?', 'Ines kept the light on 14 March 2025.', true],
  ['Who kept the light on 14 March 2026?', 'Ines kept the light that night.', false],
  ['Who was told on 14 March?', 'On 14 March Ines was told to leave by 28 March.', false],
  ['When was the light lit that failed on 14 March?', 'It was lit on 16 March.', false],
  ['How much oil was burnt in 2024?', 'In 2022 the keepers burnt 40 litres of oil.', true],
  ['How much oil was burnt in 2021?', 'From 2020 to 2022 the keepers burnt 40 litres of oil.', false],
  ['How much oil was burnt in 2021?', 'From May 2020 until April 2022 the keepers burnt 40 litres of oil.', false],
  ['How much oil was burnt in 2024?', 'From May 2020 until April 2022 the keepers burnt 40 litres of oil.', true],
  ['How much oil was burnt in 2021?', 'The keepers burnt 40 litres of oil in 2020–2022.', false],
  ['How much oil was burnt in 2024?', 'The keepers burnt 40 litres of oil. It was 31 in 2024.', false],
  ['How much oil was burnt in 2024?', 'In 2022 the keepers burnt 40 litres of oil. It was 31 in 2024.', true],
  ['How much oil was burnt in 2024?', 'The keepers burnt 40 litres of oil.', false],
  ['When is the tower open on Sunday?', 'It is open Monday to Friday from 9 to 16, Saturdays from 10.', true],
  ['When is the tower open on Wednesday?', 'It is open Monday to Friday from 9 to 16.', false],
  ['When is the tower open on Sundays?', 'It is open Saturday and Sunday.', false],
  ['When is the tower open on Sunday?', 'It is open from 9 to 16.', false],
  ['Wann ist der Turm sonntags offen?', 'Er ist von Montag bis Samstag offen.', true],
  ['Wann ist der Turm am Dienstag offen?', 'Er ist von Montag bis Samstag offen.', false],
  ['Wer hielt das Licht am 14.3.2026?', 'Ines hielt das Licht am 28.03.2026.', true],
  ['Wer hielt das Licht am 14. März 2026?', 'Ines hielt das Licht am 14.03.2026.', false],
  ['Who keeps the light in August?', 'Ines keeps the light in April.', true],
  ['Who keeps the light in August?', 'Ines keeps the light until 3 April.', true],
  ['Who keeps the light in August?', 'Ines keeps the light from 3 April to 9 September.', false],
  ['Who keeps the light in August?', 'Ines keeps the light in April. In August it is Tor.', false],
  ['Who keeps the light in august?', 'Ines keeps the light and may march on.', false],
  ['Who keeps the light in May?', 'Ines keeps the light in April.', true],
  ['May Ines keep the light?', 'Ines keeps the light in April.', false],
  ['When in August is the light out?', 'The light is out on 3 April.', false],
  ['What is the fine on 20 June?', 'The fine is 4 crowns after 15 June.', false],
  ['What is the fine on 10 June?', 'The fine is 4 crowns after 15 June.', true],
  ['What is the fine on 10 June?', 'The fine is 4 crowns until 15 June.', false],
  ['What is the fine on 20 June?', 'The fine is 4 crowns until 15 June.', true],
  ['What is the fine on 20 December?', 'The fine is 4 crowns from 3 April to 9 September.', true],
  ['What is the fine on 20 June?', 'The fine is 4 crowns from 3 April to 9 September.', false],
  ['What is the fine on 2 March?', 'The fine is 4 crowns from 3 April until 9 September.', true],
  ['What is the fine on 20 June?', 'It is 4 crowns after 15 June, 9 crowns after 5 July.', false],
  ['Wie hoch ist die Buße am 20. Juni?', 'Ab dem 15. Juni kostet es 4 Kronen.', false],
  ['How much oil was burnt?', 'In 2022 the keepers burnt 40 litres of oil.', false],
])('%s — %s', (asked, text, expected) => {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(text, { title: 'Light' }))]);
  expect(isOfOtherDate(question, candidate!)).toBe(expected);
});

it('looks at the header of a row and at the title', () => {
  const table = '| keeper | oil 2021 | oil 2022 |\n| --- | --- | --- |\n| Ines | 31 | 40 |';
  const rowFor = (asked: string, title: string): boolean => {
    const question = analyseQuestion(asked, statisticsOf([table]));
    const row = candidatesOf(question, [hitOf(chunkOf(table, { title }))]).find(({ unit }) => unit.header);
    return isOfOtherDate(question, row!);
  };
  expect(rowFor('How much oil did Ines burn in 2024?', 'Oil')).toBe(true);
  expect(rowFor('How much oil did Ines burn in 2022?', 'Oil')).toBe(false);
  expect(rowFor('How much oil did Ines burn in 2024?', 'Oil until 2024')).toBe(false);
});

it('looks at the month of a row, its header and its headings', () => {
  const table = '| keeper | from | rope |\n| --- | --- | --- |\n| Ines | 2026-04-03 | 31 |\n| Tor | 2026-08-03 | 40 |';
  const rows = (asked: string, title: string): boolean[] => {
    const question = analyseQuestion(asked, statisticsOf([table]));
    return candidatesOf(question, [hitOf(chunkOf(table, { title }))])
      .filter(({ unit }) => unit.header)
      .map((row) => isOfOtherDate(question, row));
  };
  expect(rows('How much rope is there in August?', 'Rope')).toEqual([true, false]);
  expect(rows('How much rope is there in August?', 'Rope for August')).toEqual([false, false]);
});

it('looks at the month of the title, where the row and its header name none', () => {
  const table = '| keeper | rope |\n| --- | --- |\n| Ines | 31 |';
  const isOther = (title: string): boolean => {
    const question = analyseQuestion('How much rope did Ines use in December 2015?', statisticsOf([table]));
    const row = candidatesOf(question, [hitOf(chunkOf(table, { title }))]).find(({ unit }) => unit.header);
    return isOfOtherDate(question, row!);
  };
  expect(isOther('Rope, November 2015')).toBe(true);
  expect(isOther('Rope, December 2015')).toBe(false);
  expect(isOther('Rope, October to December 2015')).toBe(false);
  expect(isOther('Rope')).toBe(false);
});

it('a row of columns for months has none for another month', () => {
  const oil = '| keeper | oil April | oil May |\n| --- | --- | --- |\n| Ines | 31 | 40 |';
  const rota = '| keeper | from | to |\n| --- | --- | --- |\n| Ines | April | June |';
  const isOther = (asked: string, table: string, title = 'Light'): boolean => {
    const question = analyseQuestion(asked, statisticsOf([table]));
    const row = candidatesOf(question, [hitOf(chunkOf(table, { title }))]).find(({ unit }) => unit.header);
    return isOfOtherDate(question, row!);
  };
  expect(isOther('How much oil did Ines burn in June?', oil)).toBe(true);
  expect(isOther('How much oil did Ines burn in May?', oil)).toBe(false);
  expect(isOther('How much oil did Ines burn in June?', oil, 'Light in June')).toBe(false);
  expect(isOther('Who keeps the light in May?', rota)).toBe(false);
});

it('looks at the year that a document is called by', () => {
  const text = 'The meal allowance is 45 crowns abroad.';
  const isOther = (asked: string, title: string, uri: string): boolean => {
    const question = analyseQuestion(asked, statisticsOf([text]));
    const [candidate] = candidatesOf(question, [hitOf(chunkOf(text, { title, uri }))]);
    return isOfOtherDate(question, candidate!);
  };
  const asked = 'What was the meal allowance of 2019?';
  expect(isOther(asked, 'Travel policy (2025)', 'a.md')).toBe(true);
  expect(isOther(asked, 'Travel policy', 'policies/travel-2025.md')).toBe(true);
  expect(isOther(asked, 'Travel policy (2019)', 'a.md')).toBe(false);
  expect(isOther(asked, 'Travel policy 2018 to 2020', 'a.md')).toBe(false);
  expect(isOther(asked, 'Travel policy', '2025/a.md')).toBe(false);
  expect(isOther('When does the allowance of 2019 end?', 'Travel policy (2025)', 'a.md')).toBe(true);
  expect(isOther('When does the allowance end?', 'Travel policy (2025)', 'a.md')).toBe(false);
});
