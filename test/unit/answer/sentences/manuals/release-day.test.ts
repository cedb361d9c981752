import { expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const log = (open: string, close: string): string =>
  `# Lamps\n\n## 2.1.0${open}2026-04-02${close}\n\n- New lamps.\n- Old lamps left.\n\n## 2.0.0${open}2026-01-15${close}\n\n- Lamps are green.\n`;
const said = (question: string, text: string) =>
  ask(question, [hitOf(chunkOf(text, { title: 'Lamps', headings: ['Lamps'] }))]);

it.each([
  ['When was 2.0.0 released?', ' (', ')'],
  ['When did version 2.0.0 come out?', ' - ', ''],
  ['What is the date of release 2.0.0?', ' (', ')'],
])('the day of a release is that of its heading: %s', (question, open, close) => {
  const { answer, confidence } = said(question, log(open, close));
  expect(answer).toBe(`2.0.0${open}2026-01-15${close} [1]`);
  expect(confidence).toBe('high');
});

it('a heading without a day, or of another version, tells none', () => {
  expect(said('When was 2.0.0 released?', log('', '').replaceAll(/20\d\d-\d\d-\d\d/g, '')).confidence).not.toBe('high');
  expect(said('When was 2.2.0 released?', log(' (', ')')).confidence).not.toBe('high');
});
