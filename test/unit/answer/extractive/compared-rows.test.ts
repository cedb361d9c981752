import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

const other = chunkOf('The tide was low, and nobody came to the harbour. Ropes lay on the quay.', { uri: 'tide.md' });

/** Of one document, which may go on in other passages, beside one that has nothing of it. */
function askIn(text: string, question: string, { format = 'xlsx', whole = false } = {}): Answer {
  const hit = hitOf(chunkOf(text, { title: 'Harbour list', uri: `list.${format}`, format }));
  const statistics = statisticsOf([`Harbour list ${text}`, other.text]);
  const options = { sentences: 1, refuseBelow: 0, answerFrom: 0.3 };
  return answerExtractive(
    question,
    [hit, hitOf(other, 0.5)],
    statistics,
    options,
    new Set(whole ? [`list.${format}`] : []),
  );
}

const crews = `Ship | Position | Name | Since
MS Skua | Captain | Arvid Holm | 2011
| First mate | Celia Doyle | 2018
| Engineer | Bogdan Ilic | 2015
MS Puffin | Captain | Ruth Lind | 2009
| First mate | Omar Said | 2020
| Engineer | Kerstin Vogt | 2013
`;

describe('cells that are empty since they are as above', () => {
  it.each([
    ['Who is the first mate of the MS Puffin?', 'MS Puffin – Position: First mate, Name: Omar Said, Since: 2020 [1]'],
    ['Who is the first mate of the MS Skua?', 'MS Skua – Position: First mate, Name: Celia Doyle, Since: 2018 [1]'],
    ['Who is the captain of the MS Puffin?', 'MS Puffin – Position: Captain, Name: Ruth Lind, Since: 2009 [1]'],
    ['On which ship does Kerstin Vogt work?', 'MS Puffin – Position: Engineer, Name: Kerstin Vogt, Since: 2013 [1]'],
  ])('%s', (question, answer) => {
    const found = askIn(crews, question);
    expect([found.answer, found.confidence]).toEqual([answer, 'high']);
    expect(crews).toContain(found.citations[0]!.quote);
  });

  it('are just empty where one row alone is so, or a row sums up', () => {
    const alone = 'Id | Name | Phone\nE1 | Ann Moor | 555 01\n | Ove Lind | 555 02\nE3 | Eva Berg | 555 03\n';
    expect(askIn(alone, "What is Ove Lind's phone?").answer).toContain('Name: Ove Lind, Phone: 555 02');
    expect(askIn(alone, "What is Ove Lind's phone?").answer).not.toContain('E1');
    const sums = `${crews}| Total | 6 | 2011\n`;
    expect(askIn(sums, 'What is the total of positions?').answer).not.toContain('MS Puffin – Position: Total');
  });
});

it('says the name of the group that stands in a line of its own', () => {
  const seeds =
    'Variety | Sowing | Price\nCarrots\nNantes | March | £1.90\nEarly Market | May | £1.80\nPeas\nSugar Snap | June | £2.60\nOnward | July | £2.20\n';
  expect(askIn(seeds, 'What is the price of Nantes?', { format: 'html' }).answer).toBe(
    'Carrots: Nantes – Sowing: March, Price: £1.90 [1]',
  );
  expect(askIn(seeds, 'What is the price of Sugar Snap?', { format: 'html' }).answer).toMatch(/^Peas: Sugar Snap/);
});

const shirts = `Article | Size | Colour | Price (EUR) | Stock
Polo shirt | S | Red | 24.90 | 7
Polo shirt | S | Navy | 25.30 | 14
Polo shirt | L | Red | 27.90 | 8
Polo shirt | L | Navy | 28.30 | 15
`;

describe('a row is plain only where no other row of its table holds as much', () => {
  it.each([
    ['What is the price of the red polo shirt in size L?', 'high', '27.90'],
    ['What is the price of the navy polo shirt in size S?', 'high', '25.30'],
    ['What is the price of the white polo shirt in size S?', 'low', ''], // red or navy
    ['What is the price of the navy polo shirt in size XXL?', 'low', ''],
  ])('%s %s', (question, confidence, price) => {
    const found = askIn(shirts, question, { format: 'csv' });
    expect(found.confidence).toBe(confidence);
    expect(found.answer).toContain(price);
  });

  it.each([
    ['Who is the purser of the MS Skua?', 'low'],
    ['Who is the captain of the MS Fulmar?', 'low'],
  ])('%s %s', (question, confidence) => {
    expect(askIn(crews, question).confidence).toBe(confidence);
  });

  it('takes the label without more words than the question', () => {
    const sums =
      'Item | 2007 | 2006\nNet income (loss) per berth | 29 | 18\nNet income (loss) | 17388 | 9957\nRent | 854 | 103\n';
    const found = askIn(sums, 'What was the net income for the year 2007?');
    expect([found.answer, found.confidence]).toEqual(['Net income (loss) – 2007: 17388, 2006: 9957 [1]', 'high']);
  });

  it('says nothing of rows with the same value', () => {
    const lines = 'Boat | Deck | Quay\nSkua | upper | 4\nSkua | lower | 4\nTern | upper | 9\nTern | lower | 9\n';
    expect(askIn(lines, 'What is the quay of the boat Tern?').confidence).toBe('high');
    expect(askIn(lines.replace('lower | 9', 'lower | 8'), 'What is the quay of the boat Tern?').confidence).toBe('low');
  });
});

it.each([
  ['What is the unit price of the brass hinges?', 'high'],
  ['What is the unit price of the steel hinges?', 'low'],
])('brass hinges are no steel hinges: %s', (question, confidence) => {
  const items = 'Item | Quantity | Unit price\nOak boards | 14 | £38.50\nBrass hinges | 60 | £2.20\n';
  expect(askIn(items, question).confidence).toBe(confidence);
});

it('what something supports is no kind of it', () => {
  const parts = 'Part | Notes\nCranes | No plans to build a brake\nRopes | Of hemp\n';
  expect(askIn(parts, 'Do cranes offer a brake?').confidence).toBe('high');
});

it.each([
  ['Which crane in the list is the oldest?', 'Gull'],
  ['Which crane in the list is the newest?', 'Tern'],
  ['Welcher Kran der Liste ist der älteste?', 'Gull'],
])('the older, the smaller the year: %s', (question, name) => {
  const cranes =
    'Crane | Kran | Built | Load\nSkua | ja | 1931 | 40 t\nGull | ja | 1904 | 12 t\nTern | ja | 1977 | 9 t\n';
  const found = askIn(cranes, question, { whole: true });
  expect([found.confidence, found.answer.split(' ')[0]]).toEqual(['high', name]);
});

it('an age is compared as it is', () => {
  const keepers = 'Keeper | Age\nAnn | 31\nOve | 64\nEva | 22\n';
  expect(askIn(keepers, 'Which keeper is the oldest?', { whole: true }).answer).toMatch(/^Ove/);
});

const huts = `Hut | Beds | Altitude | Warden
Raven Hut | 24 | 1,840 m | Greta Moll
Marmot Hut | 40 | 2,310 m | Sepp Auer
Ibex Hut | 16 | 955 m | Vera Tusk
Total | 80 | 5,105 m |

Open in summer.
`;

describe('the row with most or least', () => {
  it.each([
    ['Which hut has the most beds?', 'high', 'Marmot Hut'],
    ['Which hut has the fewest beds?', 'high', 'Ibex Hut'],
    ['Which hut has the highest altitude?', 'high', 'Marmot Hut'],
    ['Which hut has the lowest altitude?', 'high', 'Ibex Hut'],
    ['Which hut has the most windows?', 'low', ''], // no such column
    ['Which hut has the nicest warden and the most beds in winter?', 'low', ''], // not what was compared
  ])('%s %s %s', (question, confidence, name) => {
    const found = askIn(huts, question, { format: 'html' });
    expect(found.confidence).toBe(confidence);
    expect(found.answer).toContain(name);
  });

  it('is doubted where two rows are alike, or a cell is no number', () => {
    const asked = 'Which hut has the most beds?';
    for (const beds of ['40', 'many', '400 kg'])
      expect(askIn(huts.replace('24 |', `${beds} |`), asked, { format: 'html' }).confidence).toBe('low');
  });

  it('the largest is so by its size, unless something else of it is asked for', () => {
    const plots = 'Plot | Size | Rent\nA1 | 120 m² | 60 EUR\nA2 | 200 m² | 45 EUR\nB7 | 85 m² | 95 EUR\n';
    const rowOf = (question: string): string => askIn(plots, question, { whole: true }).answer;
    expect(rowOf('Which plot is the largest?')).toMatch(/^A2 – /);
    expect(rowOf('What is the smallest plot?')).toMatch(/^B7 – /);
    expect(rowOf('Which plot has the largest rent?')).toMatch(/^B7 – /);
  });

  it('is sure where a blank line ends the table, but on a page', () => {
    const farms = 'Farm | Turbines\nHavøy | 16\nKvitfjell | 67\nRaggo | 15\n\n';
    const question = 'Which farm has the most turbines?';
    expect(askIn(farms, question, { format: 'html' })).toMatchObject({
      answer: 'Kvitfjell – Turbines: 67 [1]',
      confidence: 'high',
    });
    expect(askIn(farms.trimEnd(), question, { format: 'html' }).confidence).not.toBe('high');
    expect(askIn(farms, question, { format: 'pdf' }).confidence).not.toBe('high');
  });

  it('is doubted where the table may go on elsewhere', () => {
    const cut = huts.slice(0, huts.indexOf('Total'));
    const asked = 'Which hut has the most beds?';
    expect(askIn(cut, asked, { format: 'html' }).confidence).toBe('low');
    expect(askIn(cut, asked, { format: 'html', whole: true }).confidence).toBe('high');
  });

  it('is not asked for where a column is called so', () => {
    const grades = 'Grade | Lowest | Highest\nBosun | 31,000 | 44,000\nMate | 33,000 | 45,000\n\nPaid by the month.\n';
    const found = askIn(grades, 'What is the highest grade of the bosun?', { format: 'html' });
    expect([found.answer, found.confidence]).toEqual(['Bosun – Lowest: 31,000, Highest: 44,000 [1]', 'high']);
  });

  it('reads numbers as the language of the question writes them', () => {
    const towns = 'Comune | Abitanti\nValrossa | 3.412\nMontechiaro | 12.870\nPietralba | 890\n\nFine.\n';
    const found = askIn(towns, 'Quale comune ha più abitanti?', { format: 'html' });
    expect([found.answer, found.confidence]).toEqual(['Montechiaro – Abitanti: 12.870 [1]', 'high']);
  });
});

describe('a row of days', () => {
  const hours = `Day | Reading room | Lending desk
Mon–Thu | 09:00–20:00 | 10:00–18:00
Fri | 09:00–17:00 | 10:00–16:00
Sat | 10:00–14:00 | 10:00–13:00
Sun | closed | closed
`;
  it.each([
    ['What are the hours of the lending desk on Wednesday?', 'Mon–Thu – '],
    ['When is the reading room open on Tuesday?', 'Mon–Thu – '],
    ['When is the reading room open on Friday?', 'Fri – '],
    ['When is the lending desk open on Sunday?', 'Sun – '],
  ])('%s', (question, start) => {
    const found = askIn(hours, question, { format: 'html' });
    expect(found.answer.startsWith(start)).toBe(true);
    expect(found.confidence).toBe('high');
  });

  it('whose first row has words alone is no second header', () => {
    const pool =
      'Tag | Halle | Sauna\nMo | zu | zu\nDi–Fr | 06:30–21:00 | 14:00–22:00\nSa, So | 08:00–19:00 | 10:00–20:00\n';
    expect(askIn(pool, 'Wie sind die Zeiten der Sauna am Mittwoch?', { format: 'html' }).answer).toBe(
      'Di–Fr – Halle: 06:30–21:00, Sauna: 14:00–22:00 [1]',
    );
  });
});

describe('a letter', () => {
  const letter = `Whitby Lettings, 3 April 2025

Dear Mr Osei,

From 1 June 2025 the rent of Flat 4 will be £785 per month. Please return the form by 15 May.

Yours sincerely,

Priya Nair, lettings manager
`;
  it.each([
    ['Who signed the letter about the rent of Flat 4?', 'Priya Nair, lettings manager [1]'],
    ['To whom is the letter about the rent of Flat 4 addressed?', 'Dear Mr Osei, [1]'],
  ])('%s', (question, answer) => {
    const found = askIn(letter, question, { format: 'docx' });
    expect([found.answer, found.confidence]).toEqual([answer, 'high']);
  });

  it('is none of another subject', () => {
    expect(askIn(letter, 'Who signed the letter about the purchase of a boat?', { format: 'docx' }).confidence).toBe(
      'low',
    );
  });
});

const boats = `Boat | Length (m) | Weight (t) | Hire price (EUR) | Motor
Skua | 6.1 | 2.4 | 349 | no
Puffin | 7.3 | 1.9 | 499 | yes
Teal | 6.7 | 3.1 | 649 | yes
Wren | 5.5 | 1.2 | 199 | no
`;

describe('a row that is asked for by a word that says what is compared', () => {
  it.each([
    ['Which boat is the cheapest?', 'Wren'],
    ['Which boat is the most expensive?', 'Teal'],
    ['Which boat is the heaviest?', 'Teal'],
    ['What is the lightest boat?', 'Wren'],
    ['Which boat is the longest?', 'Puffin'],
    ['Which boat with a motor is the cheapest?', 'Puffin'],
    ['Which boat with a motor is the lightest?', 'Puffin'],
  ])('%s', (question, name) => {
    const { answer, confidence } = askIn(boats, question, { whole: true });
    expect([answer.split(' – ')[0], confidence]).toEqual([name, 'high']);
  });

  it('the things themselves are not compared, where one is asked for by something else', () => {
    const runs = 'Temperature | Growth | Time\n25 °C | 0.9 | 142 min\n30 °C | 1.8 | 91 min\n37 °C | 1.1 | 126 min\n';
    const rowOf = (question: string): string => askIn(runs, question, { whole: true }).answer;
    expect(rowOf('At which temperature was the time shortest?')).toMatch(/^30 °C/);
    expect(rowOf('Which temperature is the highest?')).toMatch(/^37 °C/);
    expect(rowOf('At which temperature was the yeast happiest?')).not.toMatch(/^37 °C/);
    expect(rowOf('At which temperature did it swim fastest?')).not.toMatch(/^37 °C/);
  });

  it.each(['Which boat is the fastest?', 'Which boat without a motor is the cheapest?', 'Which boat is the oldest?'])(
    'is not told plainly where no column has that, or it is denied: %s',
    (question) => {
      expect(askIn(boats, question, { whole: true }).confidence).not.toBe('high');
    },
  );
});

it.each([
  ['Welches Boot ist am billigsten?', 'Zander'],
  ['Welches Boot ist am schwersten?', 'Hecht'],
])('%s', (question, name) => {
  const boote = 'Boot | Gewicht (t) | Mietpreis (EUR)\nHecht | 2,4 | 349\nBarsch | 1,9 | 499\nZander | 1,2 | 199\n';
  expect(askIn(boote, question, { whole: true }).answer).toMatch(new RegExp(`^${name} –`));
});
