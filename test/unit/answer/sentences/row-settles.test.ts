import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

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
