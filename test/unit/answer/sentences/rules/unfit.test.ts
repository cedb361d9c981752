import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { unfitLoss } from '../../../../../src/answer/sentences/rules/unfit.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const answered = (question: string, texts: readonly string[], title = 'Harbour'): string[] => {
  const hits = texts.map((text, i) => hitOf(chunkOf(text, { uri: `doc-${i}`, title, position: 0 })));
  const { citations, related = [] } = answerExtractive(question, hits, statisticsOf([...texts]), { refuseBelow: 0 });
  return [...citations, ...related].map(({ quote }) => quote);
};

it.each([
  ['This is an old revision of this page, as edited by Tor at 18:31.', 'Who keeps the harbour lights?', true],
  ['The present address may differ significantly from the current revision.', 'Who keeps the lights?', true],
  ['From Wikipedia, the free encyclopedia.', 'What is the harbour?', true],
  ['Harbour lights redirects here.', 'What are harbour lights?', true],
  ['Diese Seite wurde zuletzt am 3. Mai bearbeitet.', 'Wer hütet die Lichter?', true],
  ['To find out more on who keeps the harbour lights, ask the office.', 'Who keeps the harbour lights?', true],
  ['For more information about the lights, see the book of Tor.', 'Who keeps the harbour lights?', true],
  ['This is an old harbour of this coast, as painted by Tor.', 'Who painted the harbour?', false],
  ['The keepers of the harbour lights are these:', 'Who keeps the harbour lights?', true],
  ['Keepers of the lights: Tor and Ines.', 'Who keeps the harbour lights?', false],
  ['Examples of lights for this harbour:', 'What do the lights do?', true],
  ['| harbour/src/lantern.ts | harbour 2.1::src/lantern.ts | MIT |', 'What does the lantern do?', true],
  ['| harbour/src/lantern.ts | harbour 2.1::src/lantern.ts | MIT |', 'Where is the lantern?', false],
  ['lantern_size - lights.html#lantern_size', 'What does the lantern_size light do?', true],
  ['SHOW quay.lantern_size;', 'What does the lantern_size light do?', true],
  ['@deprecated Replaced with a lamp.', 'What does the lantern do?', true],
  ['Equation 12.1.', 'How is the light reckoned?', true],
  ['Abbildung A-3:', 'Was zeigt die Lampe?', true],
  ['Table 3 lists the lights.', 'What lists the lights?', false],
  ['Deprecated since version 3.1: Use a lamp in place of the lantern.', 'What does the lantern do?', true],
  ['@deprecated Replaced with a lamp.', 'When was the lantern replaced?', false],
  ['"Harbour lights die at 90; loved by keepers" (http s://a.example/lights-die).', 'How old are the lights?', true],
  ['"Harbour lights die at 90; loved by keepers" (https://a.example/lights).', 'Where is a link on lights?', false],
  ['"The lights die at 90" (so the keeper) is a book of Tor.', 'How old are the lights?', false],
  ['This page was last edited on 3 May.', 'When was this page edited?', false],
  ['1.7 How are the old lights lit? . . . . . . . . . . – 3', 'How are the lights lit?', true],
  ['Kann ich die Lichter löschen?, 2.7.', 'Kann ich die Lichter löschen?', true],
  ['Can I put out the lights? Yes, at 2.', 'Can I put out the lights?', false],
  ['Zu den Farben siehe Abschnitt 4.1, „Welche Lichter hat der Hafen?“.', 'Welche Lichter hat der Hafen?', true],
  ['Per i colori si veda Sezione 4.1, «Quali luci ha il porto?»', 'Quali luci ha il porto?', true],
  ['(参见第 4.1 节 “港口有哪些灯？”)', '港口有哪些灯？', true],
  ['Tor fragte: „Welche Lichter hat der Hafen?“', 'Welche Lichter hat der Hafen?', false],
  ['Lighting the lights.......... 12', 'How are the lights lit?', true],
  ['Oil for the lights.......... 12', 'How much is the oil for the lights?', false],
  ['The lights are lit by hand ... 3 times.', 'How are the lights lit?', false],
  ['Lantern  2.17 m  38\nOil lamp  1.40 m  12', 'What is a lantern?', true],
  ['Laterne  2.17 m  38\nLampe  1.40 m  12', 'Was ist eine Laterne?', true],
  ['Lantern  2.17 m  38\nOil lamp  1.40 m  12', 'How high is the lantern?', false],
  ['Lantern | A light that is carried | 3\nOar | A pole with a blade | 2', 'What is a lantern?', false],
  ["import { light, lantern } from 'harbour';", 'What does the lantern do?', true],
  ['@see {@link lantern} @see {@link light}', 'What is the difference between lantern and light?', true],
  ['SYNOPSIS\n    lantern [general options]', 'What does the lantern do?', true],
  ['[lantern]: https://harbour.example/lantern_2.png', 'What is the lantern?', true],
  ["import { light, lantern } from 'harbour';", 'How do I import the lantern?', false],
  ["import { light, lantern } from 'harbour';", 'What is an example of a lantern?', false],
  ['lantern = { colour: "red", watts: 40 }', 'How many watts has the lantern?', false],
  ['The `lantern` option of `harbour.light()` turns the lantern on.', 'What does the lantern do?', false],
  ['$ lantern light --now', 'What does lantern light do?', true],
  ['```js\nconst lamp = await lantern.light(oil, wick);\n```', 'What does lantern.light do?', true],
  ['CREATE TABLE lanterns (\n  keeper text REFERENCES keepers ON DELETE CASCADE\n);', 'What does CASCADE do?', true],
  [
    '- Safety fix for [L-21](https://a.example/record?id=L-21) ([b7](https://a.example/wicks/b7))',
    'Which fix does the lantern have?',
    false,
  ],
  ['- [lantern](https://a.example/#a_b=1) | [oil](https://a.example/#c_d=2)', 'What does the lantern do?', true],
  ['SELECT the lantern. It is lit.', 'What is the lantern?', false],
  ['Light the lantern with chmod 0600 and a match.', 'How long is a password of the lantern?', true],
  ['The lantern has the code 0600.', 'What number has the lantern?', false],
  ['Syntax: | lantern light [-s]\nStatus: | Core', 'What does the lantern do?', true],
  ['Usage: lantern light [-s]', 'What does the lantern do?', true],
  ['Usage: lantern light [-s]', 'What is the syntax of lantern?', false],
  ['$ lantern light --now', 'Which command puts the lantern on?', false],
  ['On 12 Oct 2025, Tor Vale wrote:\nHow long does the lantern burn?', 'How long does the lantern burn?', true],
  ['> Am 3. Mai 2024 schrieb Ines:', 'Wie lange brennt die Laterne?', true],
  ['On 12 Oct 2025, Tor Vale wrote: The lantern burns.', 'Who wrote about the lantern?', false],
  ['The lantern is lit in week 3.', 'How many hours does the lantern burn?', true],
  ['The lantern is lit in week 3 for 9 hours.', 'How many hours does the lantern burn?', false],
  ['Data: doi 10.5555/lantern.2023.', 'How bright is a lantern?', true],
  ['https://harbour.example/lantern', 'How bright is a lantern?', true],
  ['Data: doi 10.5555/lantern.2023.', 'Where are the data of the lantern?', false],
  ['The lantern of https://harbour.example burns for nine hours.', 'How long does the lantern burn?', false],
])('is no answer, of its page or of what follows: %s (asked: %s) %s', (sentence, asked, isUnfit) => {
  const question = analyseQuestion(asked, statisticsOf([sentence]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(sentence))]);
  expect(unfitLoss(question, candidate!) < 0).toBe(isUnfit);
});

it('takes a row of figures for an answer where a value of what the row names is asked for', () => {
  const text = 'The daily oil, in litres:\n\nOil lamp  1.40  12\nBeacon  2.17  38';
  const loss = (asked: string): number => {
    const question = analyseQuestion(asked, statisticsOf([text]));
    return unfitLoss(question, candidatesOf(question, [hitOf(chunkOf(text))]).at(-1)!);
  };
  expect(loss('What is the daily oil for the beacon?')).toBe(0);
  expect(loss('What is the daily oil for the buoy?')).toBeLessThan(0);
  expect(loss('What is a beacon?')).toBeLessThan(0);
});

it('gives a reason where there is one, though the rows of a table say more of the question', () => {
  const rows = Array.from({ length: 20 }, (_, i) => `Ines Halloran, table of pay | 20${i + 10} | ${i}1,200`).join('\n');
  const reason = 'Ines Halloran is not in this table, as she receives no pay for her services.';
  const quotes = answered('Why is Ines Halloran not in the table of pay?', [rows, `Notes. ${reason}`]);
  expect(quotes[0]).toBe(reason);
});

it('cites the header with the row, where the date that is asked for stands there alone', () => {
  const others = Array.from({ length: 12 }, (_, i) => `Rent of shed ${i} | ${i}00 | 9${i}`).join('\n');
  const table = `(in thousands) | 2019 | 2018\n${others}\nLegal fees | 242 | 545`;
  const dated = answered('In which year were legal fees less than 300 thousand?', [table]);
  expect(dated).toEqual(expect.arrayContaining([expect.stringContaining('Legal fees | 242 | 545')]));
  expect(dated).toContain('(in thousands) | 2019 | 2018');
  expect(answered('How high were the legal fees?', [table]).join('\n')).not.toContain('in thousands');
});

it('answers with a row of a table and never with its header, unless columns are asked for', () => {
  const table = 'Team | Harbour | Lantern Cups\nSkarholm Swifts | Skarholm | 24\nNorth Terns | Vik | 13';
  for (const asked of ['Which team won the most Lantern Cups?', 'How many Lantern Cups has the team of the harbour?'])
    expect(answered(asked, [table])[0]).toContain('Skarholm Swifts');
  expect(answered('What are the columns of the table of the Lantern Cups?', [table])[0]).toContain('Team');
});

it('has no facts beside the answer that say nothing of the question', () => {
  const facts = 'Established | June 21, 1788\nLocation | Skarholm, Norway\nColours | red and white';
  const quotes = answered('Where is the harbour council located?', [facts], 'Harbour Council');
  expect(quotes).toEqual(['Location | Skarholm, Norway']);
});

it('does not take the date and the subject of a mail for what its text says', () => {
  const text =
    'From: Ines <ines@quay.example>\nDate: Thu, 20 Mar 2025 15:40:03 +0000\nSubject: Harbour party again\n\nDear all,\n\nthe harbour party is on Friday 27 June.\nDate: 27 June\n';
  const mail = hitOf({ ...chunkOf(text, { uri: 'a.eml', title: 'Harbour party', format: 'eml' }) });
  const losing = (asked: string): string[] => {
    const question = analyseQuestion(asked, statisticsOf([text]));
    return candidatesOf(question, [mail]).flatMap((one) =>
      unfitLoss(question, one) < 0 ? [text.slice(one.unit.start, one.unit.end)] : [],
    );
  };
  expect(losing('When is the party in the harbour?')).toEqual([
    'From: Ines <ines@quay.example>',
    'Date: Thu, 20 Mar 2025 15:40:03 +0000',
    'Subject: Harbour party again',
  ]);
  expect(losing('When was the mail on the party sent?')).toEqual([]);
  expect(losing('Who has a party in the harbour?')).not.toContain('From: Ines <ines@quay.example>');
  const { answer } = answerExtractive('When is the harbour party?', [mail], statisticsOf([text]), { refuseBelow: 0 });
  expect(answer).toContain('27 June');
});

it.each([
  ['What happens to a load when the Brake is off?', -4],
  ['What is the syntax of Brake?', 0],
  ['Which directive is for the load?', 0],
])('a row of syntax answers a question for it: %s', (asked, loss) => {
  const text = 'Syntax: | Brake tight|loose\nDefault: | Brake loose';
  const question = analyseQuestion(asked, statisticsOf([text]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(text, { title: 'Brake', format: 'html' }))]);
  expect(unfitLoss(question, candidate!)).toBe(loss);
});

it('takes what was typed for code, and marked letters not', () => {
  const loss = (text: string): number => {
    const question = analyseQuestion('Which exception does lift raise for a load?', statisticsOf([text]));
    return unfitLoss(question, candidatesOf(question, [hitOf(chunkOf(text, { title: 'Crane' }))])[0]!);
  };
  expect(loss(">>> crane.lift('load')")).toBeLessThan(0);
  expect(loss('**Load:** `heavy`.')).toBe(0);
});

it.each([
  ['toml', 'colours = ["red", "white", "green"]', false],
  ['javascript', 'colours = ["red", "white", "green"]', true],
  ['toml', '["red", "white", "green", "blue"]', true], // no name
])('takes a setting of %s for an answer: %s', (language, text, isUnfit) => {
  const question = analyseQuestion('Which colours does the lantern have?', statisticsOf([text]));
  const chunk = { ...chunkOf(text, { format: 'code' }), metadata: { language } };
  expect(unfitLoss(question, candidatesOf(question, [hitOf(chunk)])[0]!) < 0).toBe(isUnfit);
});

it('an entry of a list of sources is no answer, unless one is asked for', () => {
  const text =
    'There will be boat trips and a concert.\n\nSOURCES\n1. https://quay.example/family\n2. Family Day leaflet, 2024';
  const loss = (question: string): number => {
    const asked = analyseQuestion(question, statisticsOf([text]));
    const found = candidatesOf(asked, [hitOf(chunkOf(text, { format: 'text', title: 'Family Day' }))]);
    return unfitLoss(asked, found.at(-1)!);
  };
  expect(loss('When is the family day?')).toBe(-4);
  expect(loss('Which source tells of the family day?')).toBe(0);
});
