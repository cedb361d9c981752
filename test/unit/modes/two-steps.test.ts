import { describe, expect, it } from 'vitest';
import { answerInSteps, answerOfPerson } from '../../../src/modes/two-steps.ts';
import { roleAsked, withPerson } from '../../../src/text/languages/roles.ts';
import { type Asker, askerOf } from './asker.ts';

const staff =
  'name | role | manager | room | phone\nOmar Said | Mate | Ruth Lind | B 12 | 4410\nRuth Lind | Captain | Ann Moor | B 14 | 4425\nIvo Kern | Cook | Ruth Lind | A 3 | 4431\n';
const texts = [
  { text: '# Tide survey\n\nOwner: Omar Said. Budget: 900 euros.\n', uri: 'survey.md', title: 'Tide survey' },
  { text: staff, uri: 'staff.csv', title: 'Staff', format: 'csv' },
  { text: '# Ropes\n\nRopes lie on the quay until noon. Nobody may swim there.\n', uri: 'ropes.md', title: 'Ropes' },
];

const asker = (): Asker => askerOf(texts);

describe('a person who is called by a role', () => {
  it('is asked for first, and cited behind the answer', async () => {
    const { ask, asked } = asker();
    const answer = await answerInSteps('Who is the manager of the owner of the tide survey?', ask);
    expect(asked).toEqual(['Who is the owner of the tide survey?', 'Who is the manager of Omar Said?']);
    expect(answer?.citations.map(({ n, quote }) => [n, quote])).toEqual([
      [1, 'Omar Said | Mate | Ruth Lind | B 12 | 4410'],
      [2, 'Owner: Omar Said.'],
    ]);
    for (const { n, answerSpan, highlight, quote, span } of answer!.citations) {
      expect(answer!.answer.slice(answerSpan.end)).toMatch(new RegExp(`^ \\[${n}\\]`));
      const mark = highlight![0]!;
      expect(quote.slice(mark.start - span.start, mark.end - span.start)).toBe(n === 1 ? 'Ruth Lind' : 'Omar Said');
    }
    expect(answer!.citations.every(({ uri }) => answer!.hits.some(({ chunk }) => chunk.uri === uri))).toBe(true);
  });

  it('may be three steps away, each cited as far as there may be sentences', async () => {
    const question = 'What is the phone of the manager of the owner of the tide survey?';
    const answer = await answerInSteps(question, asker().ask);
    expect(answer?.citations.map(({ quote }) => quote.slice(0, 9))).toEqual(['Ruth Lind', 'Omar Said', 'Owner: Om']);
    expect(answer?.answer).toMatch(/^Ruth Lind – .*phone: 4425 \[1\]/);
    expect((await answerInSteps(question, asker().ask, 1))?.citations).toHaveLength(1);
  });

  it.each([
    'Who is the owner of the tide survey?', // one step
    'Who is the manager of the owner of the rope plan?', // nobody knows
  ])('leaves others to one step: %s', async (question) => {
    expect(await answerInSteps(question, asker().ask)).toBeUndefined();
  });

  it('may be a thing with a name of one word', async () => {
    const pages = [
      { title: 'Pumps', uri: 'pumps.md', text: 'The pumps are made by Kernwerk. Each pump has two valves.' },
      { title: 'Kernwerk', uri: 'kernwerk.md', text: 'Kernwerk closed in 1990. It had ninety workers.' },
    ];
    const { ask, asked } = askerOf(pages);
    const answer = await answerInSteps('When did the firm that makes the pumps close?', ask);
    expect(asked.slice(0, 2)).toEqual(['Which firm makes the pumps?', 'When did Kernwerk close?']);
    expect(answer?.citations.map(({ title }) => title)).toEqual(['Kernwerk', 'Pumps']);
  });

  it('is no plain answer to what is asked of the person', async () => {
    const question = 'What is the shoe size of the owner of the tide survey?';
    const { ask } = asker();
    expect((await ask(question)).citations[0]!.quote).toBe('Owner: Omar Said.');
    expect((await answerInSteps(question, ask))?.confidence).not.toBe('high');
  });

  it('is the one whom `he` means in a follow-up', async () => {
    const before = ['Who is the manager of Omar Said?'];
    const answer = await answerOfPerson('Which room does she have?', before, asker().ask);
    expect(answer?.answer).toMatch(/^Ruth Lind – .*room: B 14/);
    expect(await answerOfPerson('Which room does she have?', ['Where is the survey?'], asker().ask)).toBeUndefined();
    expect(await answerOfPerson('Which room is free?', before, asker().ask)).toBeUndefined();
  });
});

it.each([
  ['Where does the owner of the boat live?', 'Who is the owner of the boat?', 'Where does Ann Moor live?'],
  [
    'What is the phone number of the head of sales?',
    'Who is the head of sales?',
    'What is the phone number of Ann Moor?',
  ],
  ['Wer ist der Chef der Autorin der Studie?', 'Wer ist Autorin der Studie?', 'Wer ist der Chef von Ann Moor?'],
  ['Where was the director of the play born?', 'Who is the director of the play?', 'Where was Ann Moor born?'],
  ["Where was the play's director born?", 'Who is the director of the play?', 'Where was Ann Moor born?'],
  ['Which prize did the star of the play win?', 'Who is the star of the play?', 'Which prize did Ann Moor win?'],
  ['How old is the mayor of Tarn?', 'Who is the mayor of Tarn?', 'How old is Ann Moor?'],
  ['Who was the wife of the owner of the inn?', 'Who is the owner of the inn?', 'Who was the wife of Ann Moor?'],
  [
    'Where did the son of the owner of the inn live after the war?',
    'Who is the owner of the inn?',
    'Where did the son of Ann Moor live after the war?',
  ],
  ['When was the cook who ran the inn born?', 'Who ran the inn?', 'When was Ann Moor born?'],
  ['When did the firm that made the pumps close?', 'Which firm made the pumps?', 'When did Ann Moor close?'],
  ['When did the firm founded by Lee Voss close?', 'Which firm was founded by Lee Voss?', 'When did Ann Moor close?'],
  ['Wo wurde der Mann von Ida Voss geboren?', 'Wer ist Mann von Ida Voss?', 'Wo wurde Ann Moor geboren?'],
  ['Où est né le mari de Ida Voss ?', 'Qui est mari de Ida Voss ?', 'Où est né Ann Moor?'],
  ['¿Dónde nació la autora del libro?', '¿Quién es autora del libro?', 'Dónde nació Ann Moor?'],
  ['Qui est le chef du responsable du projet ?', 'Qui est responsable du projet ?', 'Qui est le chef de Ann Moor?'],
  ['¿Quién es el jefe del autor del informe?', '¿Quién es autor del informe?', 'Quién es el jefe de Ann Moor?'],
])('%s', (question, who, then) => {
  const role = roleAsked(question);
  expect([role?.who, role?.with('Ann Moor')]).toEqual([who, then]);
});

it.each([
  'Who is the head of sales?',
  'What is the price of the lid of the pan?',
  'When does the lease of hall 2 end?',
  'Who is the captain of the ship of the year?',
  'What is the name of the director of the play?',
  "Who is the play's director?",
  'What is the length of the river that the road crosses?', // which river: the clause has a subject of its own
])('asks for nobody else first: %s', (question) => {
  expect(roleAsked(question)).toBeUndefined();
});

it.each([
  ['What is his phone?', "What is Ann Moor's phone?"],
  ['Where does he work?', 'Where does Ann Moor work?'],
  ['Who hired her in May?', 'Who hired Ann Moor in May?'],
])('says a name for a pronoun: %s', (question, said) => {
  expect(withPerson(question)?.('Ann Moor')).toBe(said);
});
