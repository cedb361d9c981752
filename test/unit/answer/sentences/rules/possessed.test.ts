import { expect, it } from 'vitest';
import { possessedLosses } from '../../../../../src/answer/sentences/rules/possessed.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { analysed } from './gaining.ts';

function losing(question: string, text: string): readonly string[] {
  const { asked, candidates } = analysed(question, text);
  const loss = possessedLosses(asked, candidates);
  return candidates.filter((one) => loss(one) < 0).map(({ unit }) => text.slice(unit.start, unit.end));
}

it.each([
  [
    "What is Nora Pell's extension?",
    'Call me: extension 118. Nora Pell keeps the keys.',
    ['Nora Pell keeps the keys.'],
  ],
  ["What is Nora Pell's extension?", 'Nora Pell has extension 118. She keeps the keys.', ['She keeps the keys.']],
  ["What is Nora Pell's extension?", 'Nora Pell keeps the keys. She likes tea.', []], // nobody has one
  [
    'When was Nora Pell discharged?',
    'Nora Pell came by boat. They were discharged on 9 May.',
    ['Nora Pell came by boat.'],
  ],
  [
    'When was Nora Pell discharged?',
    'Nora Pell came by boat. Nora Pell was discharged late.',
    ['Nora Pell came by boat.'],
  ],
  ['When was Nora Pell discharged?', 'Nora Pell came by boat. She likes tea.', []], // nothing else is told
  ['When did Nora Pell meet Tor Ask?', 'Nora Pell came by boat. They meet on 9 May.', []], // two are named
  ['What does X do in the tower?', 'X opens a door. The tower is old.', []],
  ['When does the tower open on Sundays?', 'Sundays from 9. On feasts the tower will open at 10.', []],
  ["Who has Nora Pell's extension?", 'Call me: extension 118. Nora Pell keeps the keys.', []],
])('%s – %s', (question, text, expected) => {
  expect(losing(question, text)).toEqual(expected);
});

it('takes less from a sentence that has a thing of the kind that is asked for', () => {
  const text = 'Nora Pell (1812 – 1870) wrote books. Nora Pell liked tea. They live on.';
  const { asked, candidates } = analysed('When did Nora Pell live?', text);
  const [dates, tea] = candidates.map(possessedLosses(asked, candidates));
  expect(tea).toBeLessThan(dates!);
  expect(dates).toBeLessThan(0);
});

it('does not answer with a name what somebody has', () => {
  const hit = hitOf(chunkOf('Questions? Call me: extension 118.\n\nNora Pell\nHead of Keys', { title: 'Mail' }));
  expect(ask("What is Nora Pell's extension?", [hit]).citations[0]!.quote).toContain('118');
});
