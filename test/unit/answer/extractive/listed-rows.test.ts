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

describe('rows beyond a bound', () => {
  const trips =
    'Trip | Guide | Price | Places | Begins\nFen | Ida Rowe | €40 | 8 | 2024-04-06\nMoor | Ole Falk | €65 | 12 | 2024-05-18\nWeir | Ida Rowe | €90 | 6 | 2024-05-25\nTarn | Ole Falk | €120 | 20 | 2025-03-01\nTotal | | €315 | 46 | \n';
  const names = ['Fen', 'Moor', 'Weir', 'Tarn', 'Total'];
  const askTrips = (question: string, { text = trips, format = 'csv' } = {}): Answer =>
    answerExtractive(
      question,
      [hitOf(chunkOf(text, { title: 'Trips', uri: 'trips.csv', format }))],
      statisticsOf([text]),
      { sentences: 4, refuseBelow: 0, answerFrom: 1 },
      new Set(['trips.csv']),
    );
  const told = (answer: Answer): string[] =>
    answer.confidence === 'high' ? names.filter((name) => answer.answer.includes(`${name} – Guide`)) : [];

  it.each([
    ['Which trips cost less than €90?', ['Fen', 'Moor']],
    ['Which trips cost more than 65 euros?', ['Weir', 'Tarn']],
    ['Which trips cost between 60 and 100 euros?', ['Moor', 'Weir']],
    ['Which trips have at least 12 places?', ['Moor', 'Tarn']],
    ['Which trips have not more than 8 places?', ['Fen', 'Weir']],
    ['Which trips are for more than 10 people?', ['Moor', 'Tarn']],
    ['Which trips begin in May?', ['Moor', 'Weir']],
    ['Which trips begin after 20 May 2024?', ['Weir', 'Tarn']],
    ['Which trips begin in 2025?', ['Tarn']],
    ['List the trips of Ida Rowe.', ['Fen', 'Weir']],
    ['Which trips of Ida Rowe cost more than €50?', ['Weir']],
    ['Which guides have trips before 2025?', ['Fen', 'Moor', 'Weir']],
  ])('%s', (question, found) => {
    expect(told(askTrips(question))).toEqual(found);
  });

  it.each([
    'Which trips cost less than $90?', // another currency
    'Which trips cost less than €20?', // none
    'Which trips last more than 3 hours?', // no column of that
    'Which trips end before 2025?', // the other end
    'Which trips are more than 10?', // of what
    'Which trips begin before 2026 in Wales?', // more than the table says
    'Which trips are not guided by Ida Rowe?',
  ])('are not told as all: %s', (question) => {
    expect(told(askTrips(question))).toEqual([]);
  });

  it('may be one or not where a cell says less than the question', () => {
    const years = trips.replaceAll(/-\d\d-\d\d/g, '');
    expect(told(askTrips('Which trips begin before June 2024?', { text: years }))).toEqual([]);
    expect(told(askTrips('Which trips begin before 2025?', { text: years }))).toEqual(['Fen', 'Moor', 'Weir']);
  });

  it('are counted, unless a sentence says how many there are', () => {
    expect(askTrips('How many trips does Ida Rowe guide?').answer).toMatch(/^2: Fen – .*Weir – /su);
    const text = `Ida Rowe guides four trips of ours.\n\n${trips}`;
    expect(askTrips('How many trips does Ida Rowe guide?', { text, format: 'html' }).answer).not.toMatch(/^\d: /u);
  });

  it('are up to twelve, unless a number of sentences is given', () => {
    const many = `Boat | Owner\n${Array.from({ length: 14 }, (_, i) => `Hull ${i} | ${i < 12 ? 'Ida Rowe' : 'Bo Lund'}`).join('\n')}\n`;
    const askMany = (question: string, sentences?: number): number =>
      answerExtractive(
        question,
        [hitOf(chunkOf(many, { title: 'Boats', uri: 'boats.csv', format: 'csv' }))],
        statisticsOf([many]),
        { sentences, refuseBelow: 0, answerFrom: 0 },
        new Set(['boats.csv']),
      ).answer.match(/Ida Rowe/gu)?.length ?? 0;
    expect(askMany('Which boats does Ida Rowe own?')).toBe(12);
    expect(askMany('Which boats does Ida Rowe own?', 5)).toBeLessThanOrEqual(5);
  });

  it('are those of several tables with the same columns', () => {
    const parts = trips.split(/(?<=\n)(?=Weir)/u);
    const hits = [parts[0]!, `Trip | Guide | Price | Places | Begins\n${parts[1]}`].map((text, i) =>
      hitOf(chunkOf(text, { title: 'Trips', uri: `trips-${i}.csv`, format: 'csv' })),
    );
    const whole = new Set(['trips-0.csv', 'trips-1.csv']);
    const options = { sentences: 4, refuseBelow: 0, answerFrom: 1 };
    const answer = answerExtractive('Which trips does Ida Rowe guide?', hits, statisticsOf([trips]), options, whole);
    expect(told(answer)).toEqual(['Fen', 'Weir']);
  });
});

it('a table that stands in two documents is told once', () => {
  const boats = 'Boat | Owner | Length\nSkua | Ida Rowe | 8\nTeal | Bo Lund | 11\nWren | Ida Rowe | 6\n';
  const hits = ['a.csv', 'b.csv'].map((uri) => hitOf(chunkOf(boats, { title: 'Boats', uri, format: 'csv' })));
  const asked = (question: string): Answer =>
    answerExtractive(
      question,
      hits,
      statisticsOf([boats]),
      { refuseBelow: 0, answerFrom: 1 },
      new Set(['a.csv', 'b.csv']),
    );
  expect(asked('Which boats does Ida Rowe own?').answer.match(/Owner/gu)).toHaveLength(2);
  const longest = asked('Which boat is the longest?');
  expect([longest.confidence, longest.answer.slice(0, 4)]).toEqual(['high', 'Teal']);
});

describe('the row of the latest or earliest time', () => {
  const crew = (birth = 'Joined'): string =>
    `Name | Post | Wage | ${birth}\nIda Rowe | mate | 2400 | 3 May 2019\nOle Falk | cook | 2100 | 12 June 2021\nBo Lund | master | 3900 | 1 March 2011\nTom Reed | cook | 2000 | 9 July 2016\n`;
  const askCrew = (question: string, text = crew()): string => {
    const { answer, confidence } = answerExtractive(
      question,
      [hitOf(chunkOf(text, { title: 'Crew', uri: 'crew.csv', format: 'csv' }))],
      statisticsOf([text]),
      { refuseBelow: 0, answerFrom: 1 },
      new Set(['crew.csv']),
    );
    return confidence === 'high' ? answer.split(' – ')[0]! : '';
  };

  it.each([
    ['Who joined most recently?', 'Ole Falk'],
    ['Who joined first?', 'Bo Lund'],
    ['Which cook joined first?', 'Tom Reed'],
    ['Who earns the most?', 'Bo Lund'],
    ['Which employee earns the least?', 'Tom Reed'],
    ['Wer ist zuletzt eingetreten?', 'Ole Falk'],
    ['Who left first?', ''],
    ['Who ate the most?', ''],
  ])('%s %s', (question, name) => {
    expect(askCrew(question)).toBe(name);
  });

  it('is not told where times are alike or missing', () => {
    expect(askCrew('Who joined most recently?', crew().replace('3 May 2019', '12 June 2021'))).toBe('');
    expect(askCrew('Who joined most recently?', crew().replace('3 May 2019', 'soon'))).toBe('');
    expect(askCrew('Who joined most recently?', crew('Left'))).toBe('');
  });
});

describe('columns that say in other words what is asked', () => {
  const trees =
    'Tag | Name | Height (m) | Planted | Checked | Lamps 2023 | Lamps 2024 | Bench | Bin\nA1 | Elm | 12 | 1950 | 03/2021 | 4 | 9 | yes | no\nA2 | Oak | 21 | 1880 | 06/2024 | 7 | 2 | yes | yes\nA3 | Fir | 26 | 1990 | 05/2022 | 1 | 8 | no | yes\n';
  const names = ['Elm', 'Oak', 'Fir'];
  it.each([
    ['Which trees are taller than 20 m?', ['Oak', 'Fir']],
    ['Which trees have both a bench and a bin?', ['Oak']],
    ['Which bench trees are taller than 10 m?', ['Elm', 'Oak']],
    ['Which trees were planted before 1960?', ['Elm', 'Oak']],
    ['Which trees were checked before 2023?', ['Elm', 'Fir']],
    ['Which is the oldest tree?', ['Oak']],
    ['Which tree has the most lamps in 2024?', ['Elm']],
    ['Which trees have more than 5 lamps in 2024?', ['Elm', 'Fir']],
    ['Which trees have more than 5 lamps in 2022?', []], // no column of that year
    ['Which trees cost more than 20?', []],
  ])('%s', (question, found) => {
    const hits = [hitOf(chunkOf(trees, { title: 'Park', uri: 'trees.csv', format: 'csv' }))];
    const options = { refuseBelow: 0, answerFrom: 1 };
    const { answer, confidence } = answerExtractive(
      question,
      hits,
      statisticsOf([trees]),
      options,
      new Set(['trees.csv']),
    );
    expect(confidence === 'high' ? names.filter((name) => answer.includes(name)) : []).toEqual(found);
  });

  const helpers = 'Helper no | Name | Town | Since\n7 | Ida Rowe | Hull | 2019\n9 | Bo Lund | Hull | 2012\n';
  it.each([
    ['Who has been here the longest?', 'Bo Lund'],
    ['Which employees are in Hull?', 'Ida Rowe'], // names may stand in the second column
  ])('%s', (question, name) => {
    const hits = [hitOf(chunkOf(helpers, { title: 'Helpers', uri: 'helpers.csv', format: 'csv' }))];
    const options = { refuseBelow: 0, answerFrom: 1 };
    const { answer, confidence } = answerExtractive(
      question,
      hits,
      statisticsOf([helpers]),
      options,
      new Set(['helpers.csv']),
    );
    expect([confidence, answer.includes(name)]).toEqual(['high', true]);
  });

  const trips =
    'Trip | From | To | Begins | Length (min) | State\n11 | Hull | Goole | 17.03.2014 | 40 | done\n12 | Goole | Hull | 02.11.2013 | 90 | open\n13 | Hull | Selby | 11.01.2015 | 65 | done\n';
  it.each([
    ['Which trips go to Hull?', ['12']],
    ['Which trips go from Hull?', ['11', '13']],
    ['Which trips take more than 60 minutes?', ['12', '13']],
    ['Which trips are done?', ['11', '13']],
    ['Which trips are older than 2015?', ['11', '12']],
    ['What is the oldest trip?', ['12']], // a day is no number, and the number of a trip no age
  ])('%s', (question, found) => {
    const hits = [hitOf(chunkOf(trips, { title: 'Boats', uri: 'boats.csv', format: 'csv' }))];
    const options = { refuseBelow: 0, answerFrom: 1 };
    const { answer, confidence } = answerExtractive(
      question,
      hits,
      statisticsOf([trips]),
      options,
      new Set(['boats.csv']),
    );
    const said = ['11', '12', '13'].filter((name) => answer.includes(`${name} – From`));
    expect(confidence === 'high' ? said : []).toEqual(found);
  });

  it('are not of people of one kind where others are asked for', () => {
    const one = helpers.replace('Helper no | Name', 'Number | Volunteer');
    const hits = [hitOf(chunkOf(one, { title: 'Helpers', uri: 'helpers.csv', format: 'csv' }))];
    const confidence = (question: string): string =>
      answerExtractive(question, hits, statisticsOf([one]), { refuseBelow: 0, answerFrom: 1 }, new Set(['helpers.csv']))
        .confidence;
    expect(confidence('Which employees are in Hull?')).not.toBe('high');
    expect(confidence('Who is in Hull?')).toBe('high');
  });
});
