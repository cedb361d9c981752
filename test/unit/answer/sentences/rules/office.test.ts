import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { isBesideOffice, officeGain } from '../../../../../src/answer/sentences/rules/office.ts';
import { officeLettersGain } from '../../../../../src/answer/sentences/rules/office-letters.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';
import { gaining } from './gaining.ts';

function gains(question: string, sentence: string, title = 'Rowing Club'): boolean {
  const analysed = analyseQuestion(question, statisticsOf([sentence]));
  const [candidate] = candidatesOf(analysed, [hitOf(chunkOf(sentence, { title }))]);
  return officeGain(analysed, candidate!) > 0;
}

it.each([
  ['Who is the new treasurer?', 'Nora Pell replaces Amos Rudd as treasurer.', true],
  ['Who is the treasurer of the rowing club?', 'Nora Pell was elected treasurer without a vote against.', true],
  ['Who is the chair?', 'The chair is Nora Pell.', true],
  ['Who is the harbour master?', 'The master, Nora Pell, keeps the key.', false], // asks for a word of two
  ['Who is the harbour master?', 'The harbour master is Nora Pell.', true],
  ['Who is the harbour master?', 'Officers: Harbour Master Nora Pell and', true],
  ['Who is the harbour master?', 'Master Nora Pell keeps the key of the harbour.', false],
  ['Who is the vice president?', 'Nora Pell was elected vice president.', true],
  ['Who is the vice president?', 'Nora Pell was elected president.', false],
  ['Who was the first treasurer?', 'Nora Pell was not the first treasurer.', false],
  ['Who was treasurer in 1998?', 'Nora Pell was elected treasurer. The boat of 1998 was sold.', false],
  ['Who was treasurer in 1998?', 'Nora Pell was elected treasurer in 1998.', true],
  ['Wer ist der neue Kassenwart?', 'Nora Pell wurde zum Kassenwart gewählt.', true],
  ['Qui est le nouveau trésorier ?', 'Nora Pell devient trésorier du club.', true],
  ['¿Quién es el nuevo tesorero?', 'Nora Pell fue elegida, y Amos Rudd es tesorero.', true],
  ['Who is the treasurer?', 'Amos Rudd was the former treasurer.', false],
  ['Who is the treasurer?', 'Amos Rudd is deputy treasurer.', false],
  ['Who is the treasurer?', 'The treasurer thanked Amos Rudd.', false],
  ['Who is the treasurer of the choir?', 'Nora Pell was elected treasurer.', false], // of something else
  ['What does the treasurer do?', 'Nora Pell was elected treasurer.', false],
])('%s – %s', (question, sentence, expected) => {
  expect(gains(question, sentence)).toBe(expected);
});

it('answers with who takes the office, not with what the section of that office says', async () => {
  const minutes = `## Report of the treasurer

The new engine was dear. The books were checked by Lars Holt.

## Elections

Nora Pell replaces Amos Rudd as treasurer.`;
  const { answer } = await ask('Who is the new treasurer of the rowing club?', [
    hitOf(chunkOf(minutes, { title: 'Minutes of the rowing club' })),
  ]);
  expect(answer).toMatch(/^Nora Pell replaces/);
});

it.each([
  ['Nora Pell keeps the log. She reports to the harbour master.', true],
  ['Nora Pell keeps the log. She reports to the harbour master, Amos Rudd.', false],
  ['Nora Pell keeps the log. She reports to the harbour master. The harbour master is Amos Rudd.', false],
  ['Berths are let with the consent of the harbour master (currently Amos Rudd).', false],
  ['They keep the feast of their harbour master Amos.', false],
  ['Berths are let with the consent of the harbour master.', true],
  ['The harbour master lets berths to members.', true],
  ['The harbour master, Amos Rudd, lets berths.', false],
  ['Amos Rudd was chosen as the harbour master to keep the log.', false],
  ['The harbour master of the quay is Amos Rudd.', false],
  ['Amos Rudd has been harbour master since May.', false],
])('who it is, beside who has to do with it: %s', (text, isDoubted) => {
  const analysed = analyseQuestion('Who is the harbour master?', statisticsOf([text]));
  expect(isBesideOffice(analysed, candidatesOf(analysed, [hitOf(chunkOf(text))]))).toBe(isDoubted);
});

it.each([
  ['Who is the CEO of Tern Ltd?', 'The chief executive of Tern Ltd is Ann Moor.', true],
  ['Who is the CEO of Tern Ltd?', 'Ann Moor, chief executive officer, signed for Tern Ltd.', true],
  ['Who is the chief executive officer of Tern Ltd?', 'Ann Moor is the CEO of Tern Ltd.', true],
  ['Who is the CFO of Tern Ltd?', 'The chief executive of Tern Ltd is Ann Moor.', false],
  ['Who is the CEO of Tern Ltd?', 'Per Lie is the former chief executive of Tern Ltd.', false],
  ['Who is the CEO of Tern Ltd?', 'The chief executive of Tern Ltd opened the mill.', false],
  ['Who is the CEO of Skua Bank?', 'The chief executive of Tern Ltd is Ann Moor.', false],
])('an office by its letters: %s %s', (question, text, expected) => {
  expect(gaining(officeLettersGain, question, text).length > 0).toBe(expected);
});
