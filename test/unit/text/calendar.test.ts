import { expect, test } from 'vitest';
import { monthsByName, weekdaysByName } from '../../../src/text/languages/calendar.ts';

const languages = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl'];
const written = (date: number, language: string, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language, { ...parts, timeZone: 'UTC' }).format(date).toLowerCase().replace('.', '');

test.each(languages)('months and days of the week are those of the calendar: %s', (language) => {
  for (let month = 0; month < 12; month++) {
    for (const length of ['long', 'short'] as const)
      expect(monthsByName.get(written(Date.UTC(2020, month), language, { month: length }))).toBe(month + 1);
  }
  // 1 January 2024 was a Monday
  for (let day = 0; day < 7; day++)
    expect(weekdaysByName.get(written(Date.UTC(2024, 0, 1 + day), language, { weekday: 'long' }))).toBe(day);
});
