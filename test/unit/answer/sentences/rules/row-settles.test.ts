import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const people = `| name | role | phone | address |
| --- | --- | --- | --- |
| Runa Holt | team lead | 555 0110 | Gate Road 8 |
| Ann Berg | database | 555 0111 | Mill Lane 3 |
| Ann Moor | mobile app | 555 0112 | Quay 19 |
| Ove Lind | human resources | 555 0120 | |
`;
const mail = chunkOf('Runa moved to the harbour. The number of boats there is small.', { uri: 'mail.md' });

function confidenceOf(question: string): string {
  const hits = [hitOf(chunkOf(people, { title: 'Contacts', uri: 'contacts.md' })), hitOf(mail, 0.6)];
  const statistics = statisticsOf(hits.map(({ chunk }) => `${chunk.title} ${chunk.text}`));
  // a threshold that no support reaches
  return answerExtractive(question, hits, statistics, { refuseBelow: 0, answerFrom: 0.999 }).confidence;
}

it.each([
  ["What is Runa's phone number?", 'high'],
  ['What is the address of Runa Holt?', 'high'],
  ['Where does Runa live?', 'high'],
  ['Where does Ove live?', 'low'],
  ["What is Ann's phone number?", 'low'], // there are two
  ["What is Ove's address?", 'low'], // the cell is empty
  ["What is Runa's private phone number?", 'low'], // no column says so
  ["What is Pelle's phone number?", 'low'],
])('a row of who is asked for, with a value in the column that is asked for: %s %s', (question, confidence) => {
  expect(confidenceOf(question)).toBe(confidence);
});

it.each([
  ['Wann läuft das Becken leer?', 'low'], // two words are left
  ['Wann läuft die Pumpe?', 'high'],
  ['Wann läuft die Winde?', 'low'],
  ['Wo läuft die Pumpe?', 'low'],
  ['Wie lange ist die Dauer der Pumpe?', 'high'],
])('a row with a column that is called as the question begins: %s %s', (question, confidence) => {
  const text = '| Was | Wann | Dauer |\n| --- | --- | --- |\n| Pumpe | sonntags | 2 h |\n| Becken | werktags | 3 h |\n';
  const hits = [hitOf(chunkOf(text, { title: 'Plan', uri: 'plan.md' })), hitOf(mail, 0.6)];
  const statistics = statisticsOf(hits.map(({ chunk }) => `${chunk.title} ${chunk.text}`));
  expect(answerExtractive(question, hits, statistics, { refuseBelow: 0, answerFrom: 0.999 }).confidence).toBe(
    confidence,
  );
});

it('a row of what is needed, with the column of how much', () => {
  const text =
    '| Part | Amount per boat | Place |\n| --- | --- | --- |\n| Tar TX-7 | 4 kg | shed |\n| Rope | 9 m | loft |\n';
  const hits = [hitOf(chunkOf(text, { title: 'Plan', uri: 'plan.md' })), hitOf(mail, 0.6)];
  const statistics = statisticsOf(hits.map(({ chunk }) => `${chunk.title} ${chunk.text}`));
  const options = { refuseBelow: 0, answerFrom: 0.999 };
  expect(answerExtractive('How much tar is needed per boat?', hits, statistics, options).confidence).toBe('high');
  expect(answerExtractive('How much tar is needed per barge?', hits, statistics, options).confidence).toBe('low');
});

const staff = `id,name,email,department,phone,city
E1093,Jorn Dunmore,j.dunmore@quay.example,Legal,555-4441,Graz
E1094,Jorn Eskild,j.eskild@quay.example,Marketing,555-4478,Turku
E1095,Kaya Dunmore,k.dunmore@quay.example,Legal,555-4811,
`.replaceAll(',', ' | ');

it.each([
  ['Which department does Jorn Dunmore work in?', 'high'],
  ["What is Kaya Dunmore's email?", 'high'],
  ['Who has the phone number 555-4441?', 'high'],
  ['Which department is E1094 in?', 'high'],
  ['Which city is Kaya Dunmore in?', 'low'], // the cell is empty
  ['Which department does Jorn work in?', 'low'], // there are two
  ['Which department does Pelle Dunmore work in?', 'low'],
  ['Who has the phone number 555-9999?', 'low'],
  ['Who works in Legal?', 'low'], // there may be more
  ['Which project does Jorn Dunmore work in?', 'low'],
])('a row whose subject stands in any column: %s %s', (question, confidence) => {
  const hit = hitOf(chunkOf(staff, { title: 'staff', uri: 'staff.csv', format: 'csv' }));
  const statistics = statisticsOf([staff, mail.text]);
  const found = answerExtractive(question, [hit, hitOf(mail, 0.6)], statistics, { refuseBelow: 0, answerFrom: 0.999 });
  expect(found.confidence).toBe(confidence);
});
