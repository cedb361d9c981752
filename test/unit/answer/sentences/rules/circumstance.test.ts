import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import type { Candidate } from '../../../../../src/answer/sentences/question/candidate.ts';
import { analyseQuestion, type Question } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { isForOther, isOfItsTime } from '../../../../../src/answer/sentences/rules/circumstance.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

/** What a rule says of the first sentence of a passage. */
function says(
  rule: (question: Question, candidate: Candidate) => boolean,
  asked: string,
  text: string,
  headings: readonly string[] = [],
): boolean {
  const question = analyseQuestion(asked, statisticsOf([text]));
  return rule(question, candidatesOf(question, [hitOf(chunkOf(text, { headings }))])[0]!);
}

it.each([
  ['How long is the trial period?', 'During the trial period the crew may leave with two weeks’ notice.', true],
  ['How long is the trial period?', 'The crew has ten days after the trial period.', true],
  ['How long is the trial period?', 'After a trial period of ten days the crew may stay.', false],
  ['How long is the trial period?', 'After the ten days’ trial period the crew may stay.', false],
  ['How long is the trial period?', 'The first ten days are a trial period.', false],
  ['How long is the trial period?', 'The trial period is ten days; during the trial period the crew may leave.', false],
  ['How long may the crew leave?', 'During the trial period the crew may leave for ten days.', false],
  ['When does the trial period end?', 'During the trial period the crew may leave.', false],
  ['Wie lange dauert die Probefahrt?', 'Während der Probefahrt hat die Mannschaft zwei Pausen.', true],
  ['Wie lange dauert die Probefahrt?', 'Die Probefahrt dauert zwei Tage.', false],
])('the time of something else: %s %s', (asked, text, expected) => {
  expect(says(isOfItsTime, asked, text)).toBe(expected);
});

it.each([
  ['What is the toll for coal barges?', 'The toll for grain barges is 40 crowns.', true],
  ['What is the toll for coal barges?', 'The toll for coal barges is 40 crowns.', false],
  ['What is the toll for coal barges?', 'The toll is 40 crowns. Barges with coal pay it twice.', false],
  ['What is the toll for barges of the northern company?', 'The toll for barges is 40 crowns.', false],
  ['Where is the toll for coal barges paid?', 'The toll for grain barges is paid at the gate.', false],
  ['What is the toll for barges before dawn?', 'The toll for barges is 40 crowns.', false],
  ['How long is the period for apprentices?', 'The period is three months.', true],
  ['How long is the period for apprentices?', 'The period for apprentices is three months.', false],
  ['What is the reason for shunning barges?', 'The reason is their toll.', false], // of no thing
  ['Wie hoch ist der Zoll für Kohle?', 'Der Zoll für Getreide beträgt 40 Kronen.', true],
  ['Wie hoch ist der Zoll für Kohle?', 'Der Zoll für Kohle beträgt 40 Kronen.', false],
])('a value for something else: %s %s', (asked, text, expected) => {
  expect(says(isForOther, asked, text)).toBe(expected);
});

it('reads what stands over a sentence', () => {
  const toll = 'The toll is 40 crowns.';
  expect(says(isForOther, 'What is the toll for coal barges?', toll)).toBe(true);
  expect(says(isForOther, 'What is the toll for coal barges?', toll, ['Coal barges'])).toBe(false);
});

/** Where all that an answer needs is support. */
const answered = (asked: string, text: string) =>
  answerExtractive(asked, [hitOf(chunkOf(text))], statisticsOf([text]), { refuseBelow: 0, answerFrom: 0 });

it('answers with what says how long it is, in place of what is so during it', () => {
  const own = 'The first ten weeks are a trial period.';
  const during = 'During the trial period either side may leave with two weeks of notice.';
  expect(answered('How long is the trial period?', `${during} ${own}`).citations[0]!.quote).toBe(own);
  expect(answered('How long is the trial period?', during).confidence).toBe('low');
});

it('doubts a value for something else', () => {
  const toll = 'For grain barges the toll is 40 crowns.';
  expect(answered('What is the toll for grain barges?', toll).confidence).toBe('high');
  expect(answered('What is the toll for coal barges?', toll).confidence).toBe('low');
});
