import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/answer/contract.ts';
import { dateOf } from '../../../../src/answer/extractive/contradiction.ts';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { isRounded, valuesOf } from '../../../../src/answer/sentences/structure/values.ts';
import { phrasesFor } from '../../../../src/answer/set-phrases.ts';
import type { Metadata } from '../../../../src/core/types.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

interface Text {
  readonly text: string;
  readonly title?: string;
  readonly uri?: string;
  readonly metadata?: Metadata;
}

const filler = 'The canteen serves soup. Bicycles stand behind the hall. Nobody feeds the ducks.';

function ask(question: string, ...texts: (string | Text)[]): Answer {
  const hits = texts.map((one, i) => {
    const {
      text,
      title = 'Staff handbook',
      uri = `${i}.md`,
      metadata = {},
    } = typeof one === 'string' ? { text: one } : one;
    return hitOf({ ...chunkOf(`${text} ${filler}`, { uri, title }), metadata }, 1 - i / 20);
  });
  const statistics = statisticsOf([...hits.map(({ chunk }) => `${chunk.title} ${chunk.text}`), filler, filler, filler]);
  return answerExtractive(question, hits, statistics, { refuseBelow: 0, answerFrom: 0 });
}

/** Question, what one document says, what another says. */
type Case = readonly [question: string, one: string | Text, other: string | Text];

const contradicting: readonly Case[] = [
  ['How long is the notice period?', 'The notice period is 30 days.', 'The notice period is 60 days.'],
  ['How long is the notice period?', 'The notice period is thirty days.', 'The notice period is 60 days.'],
  ['How many vacation days do employees get?', 'Employees get 25 vacation days.', 'Employees get 28 vacation days.'],
  ['How much is the deposit?', 'The deposit is $500.', 'The deposit is $750.'],
  ['How much is the deposit?', 'The deposit is 500 EUR.', 'The deposit is 650 EUR.'],
  [
    'What is the interest rate of the loan?',
    'The interest rate of the loan is 4 %.',
    'The interest rate of the loan is 4.5 %.',
  ],
  ['When was the bridge opened?', 'The bridge was opened in 1921.', 'The bridge was opened in 1923.'],
  ['When is the deadline?', 'The deadline is 5 May 2024.', 'The deadline is 12 May 2024.'],
  ['When is the deadline?', 'The deadline is May 5, 2024.', 'The deadline is 2024-06-01.'],
  ['When does the fair begin?', 'The fair begins on 3 July.', 'The fair begins on 10 July.'],
  [
    'Who is the head of the laboratory?',
    'The head of the laboratory is Anna Meyer.',
    'The head of the laboratory is Tom Berg.',
  ],
  ['Who wrote the report?', 'The report was written by Ada Byron.', 'The report was written by Carl Gauss.'],
  ['Where is the archive kept?', 'The archive is kept in Oslo.', 'The archive is kept in Bergen.'],
  ['Are dogs allowed in the office?', 'Dogs are allowed in the office.', 'Dogs are not allowed in the office.'],
  ['Can visitors park in the yard?', 'Visitors can park in the yard.', "Visitors can't park in the yard."],
  ['Does the warranty cover batteries?', 'The warranty covers batteries.', 'The warranty never covers batteries.'],
  [
    'How many people live in Springfield?',
    { text: '12,450 people live in Springfield.', title: 'Towns' },
    { text: '14,200 people live in Springfield.', title: 'Springfield' },
  ],
  [
    'What is the maximum size of a request?',
    'The size of a request is 4096 bytes.',
    'The size of a request is 8192 bytes.',
  ],
  ['How many seats does the hall have?', 'The hall has 120 seats.', 'The hall has 140 seats.'],
  ['How old must a driver be?', 'A driver must be 21 years old.', 'A driver must be 25 years old.'],
  ['How many hours may a driver work?', 'A driver may work 9 hours.', 'A driver may work 10 hours.'],
  ['What is the price of a ticket?', 'The price of a ticket is €12.', 'The price of a ticket is €15.'],
  ['How high is the tower?', 'The tower is 52 metres high.', 'The tower is 58 metres high.'],
  ['Wie lange dauert die Probezeit?', 'Die Probezeit dauert 3 Monate.', 'Die Probezeit dauert 6 Monate.'],
  ['Wann beginnt die Messe?', 'Die Messe beginnt am 3. Juli 2024.', 'Die Messe beginnt am 10. Juli 2024.'],
  ['Sind Hunde im Büro erlaubt?', 'Hunde sind im Büro erlaubt.', 'Hunde sind im Büro nicht erlaubt.'],
  ['How many copies does the library lend?', 'The library lends 1,500 copies.', 'The library lends 2,500 copies.'],
  ['How many turbines does the park have?', 'The park has twenty-one turbines.', 'The park has 24 turbines.'],
  [
    'What is the nightly limit for hotels?',
    'The nightly limit for hotels is 120 EUR.',
    'The nightly limit for hotels is 150 EUR.',
  ],
  ['What is the default port?', 'The default port is 8080.', 'The default port is 8443.'],
];

const agreeing: readonly Case[] = [
  [
    'How long is the guarantee of the KB-25?',
    { title: 'Kettle KB-25', text: 'The guarantee is five years.' },
    { title: 'Kettle KB-20', text: 'The guarantee is three years.' },
  ],
  // the same in other words
  ['How long is the notice period?', 'The notice period is 30 days.', 'The notice period is thirty days.'],
  ['How many copies are there?', 'There are 1,500 copies.', 'There are 1500 copies.'],
  ['How many copies are there?', 'There are 1.5 million copies.', 'There are 1,500,000 copies.'],
  ['When is the deadline?', 'The deadline is 5 May 2019.', 'The deadline is 2019-05-05.'],
  ['When is the deadline?', 'The deadline is May 5, 2019.', 'The deadline is 5th May 2019.'],
  ['What is the share?', 'The share is 12 %.', 'The share is 12 percent.'],
  [
    'Who is the head of the laboratory?',
    'The head of the laboratory is Anna Meyer.',
    'The head of the laboratory is A. Meyer.',
  ],
  ['How many turbines does the park have?', 'The park has twenty-one turbines.', 'The park has 21 turbines.'],
  ['How far is it?', 'The road is 1.5 km long.', 'The road is 1,500 m long.'],
  ['How long is the notice period?', 'The notice period is 1 month.', 'The notice period is 30 days.'],
  [
    'How many people live in Springfield?',
    '1.5 million people live in Springfield.',
    '1,512,345 people live in Springfield.',
  ],
  // bounds and estimates
  [
    'Combien de jours dure le congé annuel des marins du port ?',
    'Pour chaque équipage, le congé annuel des marins du port dure 25 jours ouvrables.',
    'Pour chaque équipage, le congé annuel des marins du port dure jusqu’à 28 jours ouvrables.',
  ],
  [
    'How many vacation days do employees get?',
    'Employees get at least 25 vacation days.',
    'Employees get 28 vacation days.',
  ],
  ['How many guests came?', 'About 200 guests came.', '215 guests came.'],
  ['How long is the notice period?', 'The notice period is 60 days.', 'The notice period was previously 30 days.'],
  ['How many seats does the hall have?', 'The hall has up to 140 seats.', 'The hall has 120 seats.'],
  // another year, another subject, another unit
  ['How much revenue was there?', 'In 2019 the revenue was 5 million.', 'In 2020 the revenue was 6 million.'],
  ['How many seats does the office have?', 'The Berlin office has 30 seats.', 'The Munich office has 50 seats.'],
  [
    'How many seats does the office have?',
    { text: 'The office has 30 seats.', title: 'Berlin branch' },
    { text: 'The office has 50 seats.', title: 'Munich subsidiary' },
  ],
  [
    'How many employees does the company have?',
    { text: 'The company has 500 employees.', title: 'Acme' },
    { text: 'The company has 800 employees.', title: 'Globex' },
  ],
  ['How long is the warranty?', 'The warranty of the pump is 2 years.', 'The warranty of the battery is 1 years.'],
  [
    'How long is the notice period?',
    'The notice period is 30 days.',
    'The notice period for managers in their first year of probation is 60 days.',
  ],
  ['How many people live in Springfield?', '12,450 people live in Springfield.', '14,200 people live in Shelbyville.'],
  ['How much is the deposit?', 'The deposit is $500.', 'The deposit is €500.'],
  ['What is the size of a request?', 'The size of a request is 4096 bytes.', 'The size of a response is 8192 bytes.'],
  ['When was the bridge opened?', 'The bridge was opened in 1921.', 'The bridge was closed in 1923.'],
  ['When was the bridge opened?', 'The bridge was opened in 1921.', 'The tunnel was opened in 1923.'],
  ['When does the fair begin?', 'The fair begins on 3 July 2023.', 'In Hamburg the fair begins on 10 July 2023.'],
  ['Who wrote the report?', 'The report was written by Ada Byron.', 'The preface was written by Carl Gauss.'],
  [
    'Who wrote the report?',
    'The report was written by Ada Byron.',
    'The report was written by Ada Byron and printed by Carl Gauss in Hanover.',
  ],
  ['Where is the archive kept?', 'The archive is kept in Oslo.', 'The museum is kept in Bergen.'],
  ['Where is the archive kept?', 'The archive is kept in Oslo, Norway.', 'The archive is kept in Oslo.'],
  ['Are dogs allowed in the office?', 'Dogs are allowed in the office.', 'Cats are not allowed in the office.'],
  [
    'Are dogs allowed in the office?',
    'Dogs are allowed in the office.',
    'Dogs are not allowed in the kitchen of the office on the third floor.',
  ],
  ['Are dogs allowed in the office?', 'Dogs are allowed in the office.', 'Dogs are allowed in the office.'],
  [
    'Can visitors park in the yard?',
    'Visitors can park in the yard on 2 days.',
    "Visitors can't park in the yard on 3 days.",
  ],
  ['How high is the tower?', 'The tower is 52 metres high.', 'The tower is 52 metres high and has 14 floors.'],
  ['How many seats does the hall have?', 'The hall has 120 seats.', 'The hall has no seats for 140 people.'],
  ['What is the price of a ticket?', 'The price of a ticket is €12.', 'The price of a ticket for children is €6.'],
  ['How many goals were scored?', 'In the first half 2 goals were scored.', 'In the second half 3 goals were scored.'],
  [
    'How many chapters does the book have?',
    'The book has 12 chapters and 3 maps.',
    'The book has 12 chapters and 5 maps on 200 pages.',
  ],
  ['Why is the gate closed?', 'The gate is closed because of 3 storms.', 'The gate is closed because of 4 storms.'],
  ['What does the warranty cover?', 'The warranty covers batteries.', 'The warranty does not cover batteries.'],
];

describe('documents that contradict each other', () => {
  it.each(contradicting)('are answers apart: %s', (question, one, other) => {
    const { answer, citations, contradiction } = ask(question, one, other, 'A third text about lamps.');
    expect(contradiction?.map(({ n }) => n)).toEqual([1, 2]);
    expect(new Set(citations.map(({ uri }) => uri))).toEqual(new Set(['0.md', '1.md']));
    for (const { n, answerSpan, quote } of citations) {
      expect(answer.slice(answerSpan.start, answerSpan.end)).toBe(quote);
      expect(answer.slice(answerSpan.end)).toMatch(new RegExp(`^ \\[${n}\\]`));
    }
  });

  it.each(agreeing)('are not those that say the same, or speak of something else: %s', (question, one, other) => {
    expect(ask(question, one, other, 'A third text about lamps.').contradiction).toBeUndefined();
    expect(ask(question, other, one, 'A third text about lamps.').contradiction).toBeUndefined();
  });

  it('come newest first, each with the date of its document and where that stands', () => {
    const { answer, contradiction, citations } = ask(
      'How long is the notice period?',
      { text: 'The notice period is 30 days.', metadata: { date: '2021-03-02' } },
      { text: 'The notice period is 60 days.', metadata: { modified: '2024-05-01T10:00:00.000Z' } },
      { text: 'The notice period is 14 days.', uri: 'handbook.md' },
    );
    expect(answer).toBe(
      'The notice period is 60 days. [1] (2024-05-01) Another document says otherwise: The notice period is 30 days. [2] (2021-03-02) Another document says otherwise: The notice period is 14 days. [3]',
    );
    expect(citations.map(({ uri }) => uri)).toEqual(['1.md', '0.md', 'handbook.md']);
    expect(contradiction).toEqual([
      { n: 1, date: '2024-05-01', dateFrom: 'modified' },
      { n: 2, date: '2021-03-02', dateFrom: 'date' },
      { n: 3 },
    ]);
  });

  it('stand beside an answer that is in doubt', () => {
    const hits = ['The notice period is 30 days.', 'The notice period is 60 days.'].map((text, i) =>
      hitOf(chunkOf(text, { uri: `${i}.md` })),
    );
    const statistics = statisticsOf(hits.map(({ chunk }) => chunk.text));
    const answer = answerExtractive('How long is the notice period?', hits, statistics, {
      refuseBelow: 0,
      answerFrom: 1,
    });
    expect(answer.confidence).toBe('low');
    expect(answer.contradiction).toBeUndefined();
    expect(answer.citations.map(({ uri }) => uri)).toEqual(['0.md']);
    expect(answer.related?.map(({ uri }) => uri)).toEqual(['1.md']);
  });
});

describe('a doubtful answer', () => {
  const low = (...titles: string[]): readonly string[] => {
    const hits = titles.map((title, i) =>
      hitOf(chunkOf(`The notice period is ${30 * (i + 1)} days.`, { uri: `${i}.md`, title }), 1 - i / 20),
    );
    const statistics = statisticsOf(hits.map(({ chunk }) => chunk.text));
    const options = { refuseBelow: 0, answerFrom: 1 };
    const { citations, related = [] } = answerExtractive('How long is the notice period?', hits, statistics, options);
    return [...citations, ...related].map(({ uri }) => uri);
  };
  it('is that of the newest document, where both have a date', () => {
    expect(low('Handbook 2021', 'Handbook 2024')).toEqual(['1.md', '0.md']);
    expect(low('Handbook 2024', 'Handbook 2021')).toEqual(['0.md', '1.md']);
    expect(low('Handbook', 'Handbook 2021')).toEqual(['0.md', '1.md']);
  });
});

describe('what a newer document says has changed', () => {
  const plan = { text: 'The new crane will be delivered on 3 March.', title: 'Minutes, 15 January 2025' };
  const dated = (text: string, title = 'Letter, 19 March 2025'): Text => ({ text, title });
  const asked = 'When will the new crane be delivered?';

  it.each([
    [asked, plan, dated('The new crane came a week late, on 10 March.'), '10 March'],
    [asked, plan, dated('The crane is delivered on 10 April, not on 3 March.'), '10 April'],
    [
      'How much do we get back from Alto Lifts?',
      { text: 'We get £300 back from Alto Lifts.', title: 'Minutes, 15 January 2025' },
      dated('Alto Lifts has refunded £180 instead of that.'),
      '£180',
    ],
    [
      'Wann wird der neue Kran geliefert?',
      { text: 'Der neue Kran wird am 3. März geliefert.', title: 'Protokoll vom 15. Januar 2025' },
      dated('Der neue Kran wird verspätet geliefert, am 10. April.', 'Brief vom 19. März 2025'),
      '10. April',
    ],
  ])('comes first, with its date: %s', (question, older, newer, value) => {
    const { answer, contradiction } = ask(question, older, newer);
    expect(contradiction?.map(({ date }) => date)).toEqual(['2025-03-19', '2025-01-15']);
    expect(answer.indexOf(value)).toBeGreaterThanOrEqual(0);
    expect(answer.indexOf(value)).toBeLessThan(answer.indexOf(phrasesFor(question).otherwise));
  });

  it.each([
    ['an older document', dated('The new crane came a week late, on 10 March.', 'Letter, 19 March 2023')],
    ['a document of a year', dated('The new crane came a week late, on 10 March.', 'Letter of 2025')],
    ['no word for change', dated('The new crane was painted on 10 March.')],
    ['no other day', dated('The new crane was not late: it came on 3 March.')],
    ['no day', dated('The new crane came late, as ever.')],
    ['another subject', dated('The party was moved to 10 March.')],
  ])('is not said by %s', (_, other) => {
    const { answer, contradiction } = ask(asked, plan, other);
    expect(contradiction).toBeUndefined();
    expect(answer).toContain('3 March');
  });

  it('is not said of what has another name, nor by the year of the question', () => {
    const fees = { text: 'The fees of the audit in 2024 were £300.', title: 'Alto Lifts, 15 January 2025' };
    const changed = dated('The fees of the audit in 2024 are £180 instead of that.', 'Brio Cranes, 19 March 2025');
    const more = dated('In 2024 the fees of the audit were not those of 7 auditors.', 'Alto Lifts, 19 March 2025');
    for (const question of ['What were the audit fees of Alto in 2024?', 'audit fees of alto in 2024, how much?'])
      for (const other of [changed, more]) expect(ask(question, fees, other).contradiction).toBeUndefined();
    const same = { ...changed, title: 'Alto Lifts, 19 March 2025' };
    expect(ask('audit fees of alto in 2024, how much?', fees, same).contradiction).toHaveLength(2);
  });
});

describe('a sentence of a newer document without a sum', () => {
  it('does not supersede one', () => {
    const fees = { text: 'The fees of the audit were £300 in 2023.', title: 'Alto Lifts, 15 January 2025' };
    const other = (text: string) =>
      ask('What were the fees of the audit?', fees, { text, title: 'Alto Lifts, 19 March 2025' });
    expect(other('Fees of the audit of 7 lifts are not those of 2023.').contradiction).toBeUndefined();
    expect(other('The fees of the audit were £180 instead of that.').contradiction).toHaveLength(2);
  });
});

describe('the date of a document', () => {
  const of = (metadata: Metadata, title = 'Handbook', uri = 'docs/2020/handbook.md') =>
    dateOf({ metadata, title, uri });
  it.each([
    [{ date: '2024-05-01', modified: '2025-01-01' }, '2024-05-01', 'date'],
    [{ modified: '2025-01-01T08:00:00Z' }, '2025-01-01', 'modified'],
    [{ date: '2024' }, '2024', 'date'],
    [{ date: 'Tue, 3 Jul 2018 23:30:00 -0800' }, '2018-07-03', 'date'],
    [{ date: 'May 1, 2024' }, '2024-05-01', 'date'],
    [{ published: '3. Mai 2023', modified: '2025-01-01' }, '2023-05-03', 'published'],
    [{ date: '2024-13-99', updated: 'rev 3', modified: '2024-02-29' }, '2024-02-29', 'modified'],
  ])('stands in its metadata: %j', (metadata, date, dateFrom) => {
    expect(of(metadata)).toEqual({ date, dateFrom });
  });
  it('else in its title or the name of its file, and not in that of a folder', () => {
    expect(of({}, 'Handbook 2021-03')).toEqual({ date: '2021-03' });
    expect(of({}, 'Handbook', 'docs/handbook-2019-12-31.md')).toEqual({ date: '2019-12-31' });
    expect(of({}, 'Minutes, 19 March 2025', 'docs/minutes.md')).toEqual({ date: '2025-03-19' });
    expect(of({}, 'Minutes of 2025', 'docs/2025-03-19.md')).toEqual({ date: '2025-03-19' });
    expect(of({ date: 'soon', pages: 12 })).toBeUndefined();
    expect(of({}, 'Form 1040 of 12019')).toBeUndefined();
  });
});

describe('values of a sentence', () => {
  const keys = (text: string): string[] => valuesOf(text).map(({ key }) => key);
  it.each([
    ['1,500,000 people and 1.5 million people', ['1500000 ', '1500000 ']],
    ['1.500 Stück zu 2,50 EUR', ['1500 ', '2.5 EUR']],
    ['0.125 mm, 0,125 mm and 125 mm', ['0.125 ', '0.125 ', '125 ']],
    ['$3.2 billion, 12 % and 12 percent', ['3200000000 $', '12 %', '12 %']],
    ['5 May 2019, May 5, 2019, 2019-05-05, am 5. Mai 2019, le 5 mai 2019', Array.from({ length: 5 }, () => '2019-5-5')],
    ['May 2019 and 5 May', ['2019-5-0', '-5-5']],
    ['thirty-two, twelve and a hundred', ['32 ', '12 ', '100 ']],
    ['version 2.3.1 of sqlite3', []],
  ])('are read from %s', (text, expected) => {
    expect(keys(text)).toEqual(expected);
  });

  it('are rounded ones only from a thousand on', () => {
    const [a, b, c, d] = valuesOf('1.5 million, 1,512,345, 30, 28');
    expect(isRounded(a!, b!)).toBe(true);
    expect(isRounded(c!, d!)).toBe(false);
  });
});
