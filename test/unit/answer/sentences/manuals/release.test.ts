import { expect, it } from 'vitest';
import { releaseGain } from '../../../../../src/answer/sentences/manuals/release.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const text = `## [1.2.0](https://a.example/1.2.0) (2024-05-01)

- The crane turns faster.

## 1.2 (2024-01-01)

- The crane is blue.

## 11.2.0

- The quay is longer.`;

it.each([
  ['What changed in version 1.2.0?', ['- The crane turns faster.']],
  ['What is new in Crane v1.2?', ['- The crane is blue.']],
  ['What was fixed in 11.2.0.', ['- The quay is longer.']],
  ['What changed in 2.0?', []],
  ['Which version is 1.2.0 built with?', []],
])('%s', (asked, expected) => {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const hits = [hitOf(chunkOf(text, { title: 'Crane', headings: ['1.2.0 (2024-05-01)'] }))];
  const gaining = candidatesOf(question, hits)
    .filter((one) => releaseGain(question, one) > 0)
    .map(({ unit }) => text.slice(unit.start, unit.end))
    .filter((unit) => !unit.startsWith('#'));
  expect(gaining).toEqual(expected);
});

it('gains less with a change of another kind than is asked for', () => {
  const log = '## 2.0.0\n\n- Use new ropes.\n- Safety fix for the crane.\n- Paint the quay.';
  const question = analyseQuestion('Which safety error was fixed in Crane 2.0.0?', statisticsOf([log]));
  const gains = candidatesOf(question, [hitOf(chunkOf(log, { title: 'Crane' }))])
    .filter(({ unit }) => log[unit.start] === '-')
    .map((one) => releaseGain(question, one));
  expect(gains[1]).toBeGreaterThan(gains[0]!);
  expect(gains[1]).toBeGreaterThan(gains[2]!);
});

it.each([
  [['3.1. Welcher Kran passt?'], false],
  [['3 Krane', '3.1 Namen der Krane'], false],
  [['Kapitel 3. Krane', '3.1 Namen der Krane'], false],
  [['3.1 Namen der Krane'], true],
  [['Version 3', '3.1'], true],
  [['Version 3 der Krane', '3.1 Der neue Kran'], true],
  [['3.1: der neue Kran'], true],
])('is told by a version over it, not by the number of a section: %s', (headings, isGaining) => {
  const text = 'Der Kran ist blau.';
  const question = analyseQuestion('Welcher Kran ist neu in Release 3.1?', statisticsOf([text]));
  const [one] = candidatesOf(question, [hitOf(chunkOf(text, { title: 'Kran', headings }))]);
  expect(releaseGain(question, one!) > 0).toBe(isGaining);
});
