import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { mayList } from '../../../../src/answer/sentences/rules/listed-rows.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

const table =
  'Project | Owner | Status | Budget\nWren | Omar Said | running | 600\nStork | Ruth Lind | running | 350\nTeal | Omar Said | planned | 480\nDove | Ivo Kern | closed | 220\n';
const plan = '# Project Teal\n\nProject lead: Omar Said. The new quay is built in spring.\n';

function ask(question: string, { sentences = 3, isWhole = true } = {}): Answer {
  const hits = [
    hitOf(chunkOf(plan, { title: 'Project Teal', uri: 'teal.md' })),
    hitOf(chunkOf(table, { title: 'Plans', uri: 'plans.csv', format: 'csv' }), 0.8),
  ];
  const statistics = statisticsOf([`Project Teal ${plan}`, `Plans ${table}`]);
  const options = { sentences, refuseBelow: 0.1, answerFrom: 0.4 };
  return answerExtractive(question, hits, statistics, options, new Set(isWhole ? ['plans.csv'] : []));
}

describe('rows of which a question asks for all', () => {
  it.each([
    ['Which projects does Omar Said own?', ['Wren', 'Teal']],
    ['Which projects are running?', ['Wren', 'Stork']],
    ['Which project is closed?', ['Dove']],
  ])('are the answer together: %s', (question, names) => {
    const { answer, confidence } = ask(question);
    expect(confidence).toBe('high');
    const said = ['Wren', 'Stork', 'Teal', 'Dove'].filter((name) => answer.includes(`${name} – Owner`));
    expect(said).toEqual(names);
  });

  it.each([
    ['Which projects does Omar Said own?', { sentences: 1 }], // no place for both
    ['Which projects does Omar Said own?', { isWhole: false }], // the table may go on
    ['Which projects does Omar Said fear?', {}], // no column of that
    ['Which boats does Omar Said own?', {}], // no table of that
  ])('are not told as all: %s %j', (question, options) => {
    const { answer } = ask(question, options);
    expect(answer.includes('Wren – ') && answer.includes('Teal – ')).toBe(false);
  });

  const staff =
    'name,department,room\nAnn Moor,Sales,B12\nBo Tarn,Sales,B14\nCy Lund,Support,C01\nDi Voss,Finance,A07\n'.replaceAll(
      ',',
      ' | ',
    );
  const askStaff = (question: string, text = staff): Answer =>
    answerExtractive(
      question,
      [hitOf(chunkOf(text, { title: 'Staff', uri: 'staff.csv', format: 'csv' }))],
      statisticsOf([text]),
      { refuseBelow: 0, answerFrom: 0.4 },
      new Set(['staff.csv']),
    );

  it.each(['Who works in Sales?', 'Which people are in Sales?', 'Wer arbeitet in Sales?'])(
    'are people: %s',
    (question) => {
      const { answer, confidence } = askStaff(question);
      expect(confidence).toBe('high');
      expect(['Ann Moor', 'Bo Tarn', 'Cy Lund', 'Di Voss'].filter((name) => answer.includes(name))).toEqual([
        'Ann Moor',
        'Bo Tarn',
      ]);
      expect(mayList(question, staff)).toBe(true);
      expect(mayList(question, staff.replace('name', 'room'))).toBe(false);
    },
  );

  it('are no people where the first column names other things, or one word of the question is in no row', () => {
    const said = (question: string, text?: string): string => askStaff(question, text).answer;
    expect(said('Who works in Sales?', staff.replace('name', 'boat'))).not.toMatch(/Ann Moor.*Bo Tarn/);
    expect(said('Who sleeps in Sales?')).not.toMatch(/Ann Moor.*Bo Tarn/);
  });

  it('are looked for where the first column is called so', () => {
    expect(mayList('Which projects are running?', table)).toBe(true);
    expect(mayList('Which owners are new?', table)).toBe(false);
    expect(mayList('Where are the projects?', table)).toBe(false);
    expect(mayList('Which projects are running?', plan)).toBe(false);
  });
});

describe('rows that have a property, or lack it', () => {
  const boats = 'Boat | Motor | Heated cabin\nSkua | no | yes\nPuffin | yes | yes\nTeal | yes | no\nWren | no | no\n';
  it.each([
    ['Which boats have a motor?', ['Puffin', 'Teal']],
    ['Which boats have no motor?', ['Skua', 'Wren']],
    ['Which boats have a heated cabin?', ['Skua', 'Puffin']],
  ])('%s', (question, names) => {
    const hits = [hitOf(chunkOf(boats, { title: 'Boats', uri: 'boats.csv', format: 'csv' }))];
    const options = { sentences: 4, refuseBelow: 0.1, answerFrom: 0.4 };
    const { answer } = answerExtractive(question, hits, statisticsOf([boats]), options, new Set(['boats.csv']));
    expect(['Skua', 'Puffin', 'Teal', 'Wren'].filter((name) => answer.includes(`${name} – `))).toEqual(names);
  });
});
