import { describe, expect, it } from 'vitest';
import { otherIdentifierLoss } from '../../../../../src/answer/sentences/manuals/identifiers.ts';
import type { Candidate } from '../../../../../src/answer/sentences/question/candidate.ts';
import { analyseQuestion, type Question } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { isOfOtherDate } from '../../../../../src/answer/sentences/rules/other-date.ts';
import { lacksNumber } from '../../../../../src/answer/sentences/rules/other-number.ts';
import { isOfOtherColumn } from '../../../../../src/answer/sentences/rules/row-asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

/** Rows that go on with a table of the chunk before are judged as under the header itself. */
describe('a row of a table that was cut in two', () => {
  const judged = (asked: string, header: string, rows: string, test: (q: Question, c: Candidate) => boolean) =>
    [chunkOf(`${header}\n${rows}`), chunkOf(rows, { context: header })].map((chunk) => {
      const question = analyseQuestion(asked, statisticsOf([`${header}\n${rows}`]));
      return test(question, candidatesOf(question, [hitOf(chunk)]).at(-1)!);
    });
  const loads = 'Lift | Block A | Block C\n--- | --- | ---';

  it('has the numbers of its columns', () => {
    const rows = 'Cargo | 300 | 450\nGuests | 150 | 200';
    expect(judged('What is the load of the guests lift in Block C?', loads, rows, lacksNumber)).toEqual([false, false]);
    expect(judged('What is the load of the guests lift in Block D?', loads, rows, lacksNumber)).toEqual([true, true]);
  });

  it('has the years and the months of its columns', () => {
    const years = 'Fee | 2018 | 2019\n--- | --- | ---';
    const rows = 'Moor | 30 | 32\nQuay | 40 | 44';
    expect(judged('How high was the quay fee in 2019?', years, rows, isOfOtherDate)).toEqual([false, false]);
    expect(judged('How high was the quay fee in 2023?', years, rows, isOfOtherDate)).toEqual([true, true]);
    const months = 'Fee | March | June\n--- | --- | ---';
    expect(judged('How high was the quay fee in June?', months, rows, isOfOtherDate)).toEqual([false, false]);
  });

  it('is of another column where it has nothing in the one that is asked for', () => {
    const scales = '| Grade | Brinell | Rockwell |\n| --- | --- | --- |';
    const rows = '| KX5 | 200 | 30 |\n| KX7 | 293 | |';
    expect(judged('What is the Rockwell hardness of KX7?', scales, rows, isOfOtherColumn)).toEqual([true, true]);
  });

  it('has the identifiers of its columns', () => {
    const rules = 'Lamp | no-light | strict\n--- | --- | ---';
    const rows = 'oil-lamp | 0 | 1\none-light | 1 | 1';
    const loses = (_: Question, candidate: Candidate): boolean => otherIdentifierLoss(['no-light'], candidate) < 0;
    expect(judged('Is one lamp of no-light strict?', rules, rows, loses)).toEqual([false, false]);
  });
});
