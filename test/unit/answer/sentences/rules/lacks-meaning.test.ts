import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

it.each([
  ['What does "lock day" mean in the charter?', 'The toll is due before the third lock day of each month.', 'low'],
  ['What does "lock day" mean in the charter?', 'A lock day means a day on which the lock works.', 'high'],
  ['What does "lock day" mean?', 'Masters call it a lock day if the lock works.', 'high'],
  ['What is the definition of a lock day?', 'The toll is due before the third lock day of each month.', 'low'],
  ['What is a lock day?', 'The toll is due before the third lock day of each month.', 'low'],
  ['What is a lock day?', 'Masters who refer back to a lock day pay no toll.', 'low'],
  ['What is a lock day?', 'Masters refer to a day with an open lock as a lock day.', 'high'],
  ['What is a lock day?', 'A normal lock day is long.', 'high'],
  ['What is a lock day?', 'Lock days are often kept by the masters.', 'low'],
  ['What is a lock day?', 'A lock day is a day on which the lock works.', 'high'],
  ['What is a lock day?', ':lock day: n. The day on which the lock works.', 'high'],
  ['What is a lock day?', 'Masters keep it.\n\n:lock day: n.', 'low'], // cut behind the word
  ['What is TernFS?', 'Note: This feature requires a disk of TernFS.', 'low'],
  ['What is TernFS?', 'The lock works on TernFS.', 'low'],
  ['What is TernFS?', 'TernFS keeps the tolls of all locks.', 'high'],
  ['What is TernFS?', 'Tolls are kept in TernFS (a file system).', 'high'],
  ['When is the toll due?', 'The toll is due before the third lock day of each month.', 'high'],
  ['Was bedeutet Schleusentag?', 'Am Schleusentag zahlt niemand Zoll.', 'low'],
  ['Was bedeutet Schleusentag?', 'Schleusentag bedeutet: Die Schleuse arbeitet.', 'high'],
])('%s — %s', (asked, text, confidence) => {
  const all = { refuseBelow: 0, answerFrom: 0 };
  expect(answerExtractive(asked, [hitOf(chunkOf(text))], statisticsOf([text]), all).confidence).toBe(confidence);
});

it('a comment over the name explains it', () => {
  const options = { refuseBelow: 0, answerFrom: 0 };
  const say = (text: string) =>
    answerExtractive(
      'What does pulse_l mean?',
      [hitOf(chunkOf(text, { format: 'code' }))],
      statisticsOf([text]),
      options,
    );
  expect(say('-- litres per pulse\npulse_l REAL NOT NULL DEFAULT 2.5').confidence).toBe('high');
  expect(say('pulse_l REAL NOT NULL DEFAULT 2.5').confidence).toBe('low');
});

it.each([
  ['What is a winch in pilot language?', 'high'],
  ['What is a capstan in pilot language?', 'low'],
])('the term of a glossary is explained below it: %s', (asked, confidence) => {
  const glossary =
    'Language of pilots\n==================\n\nWinch\n   A drum with known ropes that is turned to lift the hook.\n\nLamp\n   A glass with oil that is lit at dusk.\n';
  const hits = [hitOf(chunkOf(glossary, { format: 'rst', title: 'Language of pilots' }))];
  const options = { refuseBelow: 0, answerFrom: 0 };
  expect(answerExtractive(asked, hits, statisticsOf([glossary]), options).confidence).toBe(confidence);
});
