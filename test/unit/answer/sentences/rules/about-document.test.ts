import { expect, it } from 'vitest';
import type { Answer } from '../../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { aboutAsked } from '../../../../../src/text/languages/about-documents.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

interface Document {
  readonly title: string;
  readonly uri: string;
  readonly text: string;
}

const berth: Document = {
  title: 'Berth agreement',
  uri: 'contracts/berth-2024.md',
  text: '# Berth agreement\n\nAuthor: Ann Moor\n\nBoth sides have read it with care. This agreement is made between the harbour and the owner of a boat.\n\n## Fee\n\nThe fee is 40 euros a month. It is paid in May.\n\n## End\n\nEither side may end it in October.\n',
};
const report: Document = {
  title: 'Crane report',
  uri: 'crane.md',
  text: '# Crane report\n\nThe crane was built long ago by hand.\n\n## Summary\n\nThe crane needs a new rope. Its motor runs well.\n\n## Rope\n\nThe rope is worn at both ends.\n',
};
const notes: Document = {
  title: 'notes',
  uri: 'quay/notes.txt',
  text: 'The quay was measured on Monday. It is 92 metres long.\n\nThe lamps on the quay were counted. Four do not burn.\n',
};

function ask(
  question: string,
  documents: readonly Document[] = [berth, report, notes],
  position = 0,
  answerFrom = 1,
): Answer {
  const hits = documents.map(({ text, ...of }, i) => hitOf({ ...chunkOf(text, of), position }, 1 - i / 10));
  const options = { refuseBelow: 0, answerFrom };
  return answerExtractive(question, hits, statisticsOf(documents.map(({ text }) => text)), options);
}

const said = (answer: Answer): string =>
  answer.confidence === 'high' ? answer.answer.replaceAll(/ \[\d+\]|Berth agreement: /gu, '') : '';

const agreement = 'This agreement is made between the harbour and the owner of a boat.';

it.each([
  ['What is the berth agreement about?', agreement],
  ['What is berth-2024.md about?', agreement],
  ['Worum geht es in berth-2024.md?', agreement],
  ['What does the berth agreement say?', agreement],
  ['What is the report on the crane about?', 'The crane needs a new rope.'],
  ['What is in the crane?', ''],
  ['What is notes.txt about?', 'The quay was measured on Monday.'],
])('%s', (question, answer) => {
  expect(said(ask(question))).toBe(answer);
});

it('gives the main points by sections, by the summary, or by paragraphs', () => {
  const points = (name: string): string => said(ask(`What are the main points of ${name}?`));
  expect(points('the berth agreement')).toBe(
    `${agreement} The fee is 40 euros a month. Either side may end it in October.`,
  );
  expect(points('the crane report')).toBe('The crane needs a new rope. Its motor runs well.');
  expect(points('the quay notes')).toBe(''); // called so by its folder alone
  expect(said(ask('Summarize notes.txt.'))).toBe(
    'The quay was measured on Monday. The lamps on the quay were counted.',
  );
});

it('says nothing plain where several documents are called so, or its beginning is not there', () => {
  const other = { ...berth, uri: 'contracts/berth-2025.md' };
  expect(said(ask('What is the berth agreement about?', [berth, other]))).toBe('');
  expect(said(ask('What is berth-2025.md about?', [berth, other]))).toBe(agreement);
  const log = { ...notes, title: 'Notes', uri: 'log.txt' };
  expect(said(ask('What is notes.txt about?', [notes, log]))).toBe('The quay was measured on Monday.');
  expect(said(ask('What is the berth agreement about?', [berth], 3))).toBe('');
});

it.each([
  ['Please summarize the leave policy.', 'the leave policy', true],
  ['Give me a short overview of the lease', 'the lease', true],
  ['Fasse den Mietvertrag zusammen.', 'den Mietvertrag', true],
  ['Wovon handelt der Bericht?', 'der Bericht', false],
  ['De quoi parle le rapport ?', 'le rapport', false],
  ['Quels sont les points principaux du rapport ?', 'rapport', true],
  ['¿De qué trata el informe?', 'el informe', false],
  ['¿Cuáles son los puntos principales del informe?', 'informe', true],
  ['What does the lease say about dogs?', undefined, undefined],
  ['What about the dogs?', undefined, undefined],
  ['What are the main parts of the crane?', undefined, undefined],
])('%s', (question, subject, asksPoints) => {
  const asked = aboutAsked(question);
  expect([asked?.subject, asked?.asksPoints]).toEqual([subject, asksPoints]);
});

it('begins with the sentence that says what a work is about', () => {
  const film = 'The Lamp is a film of 1971. The film is about a diver who finds a bell.\n';
  const documents = [{ title: 'The Lamp', uri: 'film.md', text: `# The Lamp\n\n${film}` }];
  expect(said(ask('What is the film about?', documents))).toContain('The film is about a diver who finds a bell.');
});

it('gives no author of another document', () => {
  const policy = (title: string, author: string, text: string): Document => ({
    title: `${title} policy`,
    uri: `policies/${title.toLowerCase()}-policy.md`,
    text: `# ${title} policy\n\nAuthor: ${author}\n\n${text}\n`,
  });
  const travel = policy('Travel', 'Ann Moor', 'Trips by train come first.');
  const remote = policy('Remote work', 'Ben Hill', 'Staff may work from home on three days.');
  expect(said(ask('Who is the author of the travel policy?', [travel, remote, notes]))).toBe('Author: Ann Moor');
  expect(said(ask('Who is the author of the hiring policy?', [travel, remote, notes], 0, 0))).toBe('');
});
