import { expect, it } from 'vitest';
import type { Answer } from '../../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { documentsAsked } from '../../../../../src/text/languages/documents-asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const texts: Readonly<Record<string, readonly [title: string, text: string]>> = {
  'berth.md': ['Berths', 'A berth costs 40 euros. The deposit is 100 euros. It is paid back in May.'],
  'deposit.md': ['Deposit', 'It is kept in an account of its own. Nobody pays it twice.'],
  'crane.md': ['Crane', 'The crane lifts two tons. Ann Moor keeps its key.'],
  'hire.md': ['Hire', 'Boats are hired by the day. Guests leave a deposit at the desk.'],
};

function ask(question: string, sentences?: number): Answer {
  const hits = Object.entries(texts).map(([uri, [title, text]], i) => hitOf(chunkOf(text, { title, uri }), 1 - i / 10));
  const options = { sentences, refuseBelow: 0, answerFrom: 1 };
  return answerExtractive(question, hits, statisticsOf(Object.values(texts).map((one) => one.join(' '))), options);
}

const cited = ({ confidence, citations }: Answer): string[] =>
  confidence === 'high' ? citations.map(({ uri }) => uri) : [];

it('takes a sentence of each document, those that are titled so first', () => {
  const answer = ask('Which documents mention the deposit?');
  expect(cited(answer)).toEqual(['deposit.md', 'berth.md', 'hire.md']);
  expect(answer.answer).toContain('Berths: The deposit is 100 euros.');
  expect(answer.answer).toContain('Hire: Guests leave a deposit at the desk.');
});

it('takes one where one is asked for, and says its title', () => {
  const answer = ask('In which document is the crane described?');
  expect(cited(answer)).toEqual(['crane.md']);
  expect(ask('Which file mentions the key?').answer).toContain('Crane: Ann Moor keeps its key.');
});

it('takes no document that lacks a word', () => {
  expect(cited(ask('Which documents mention the deposit of Ann Moor?'))).toEqual([]);
  expect(cited(ask('Which documents mention dogs?'))).toEqual([]);
});

const post: Readonly<Record<string, string>> = {
  'letters/may.txt':
    'Dear Mr Hale,\n\nthe lamp of the quay is out, and the deposit is paid.\n\nKind regards,\nAnn Moor\n',
  'letters/june.txt': 'Dear Ann Moor,\n\nthank you for your letter of May.\n\nYours sincerely,\nPeter Hale\n',
  'lease.md': 'The deposit is 100 euros. Ann Moor pays it.',
  'mail/lamp.eml': 'From: Ann Moor <ann@quay.example>\n\nThe lamp is lit again.',
};

/** The documents of a plain answer. */
function citedOf(question: string): string[] {
  const hits = Object.entries(post).map(([uri, text], i) => {
    const format = uri.endsWith('.eml') ? 'eml' : 'text';
    return hitOf({ ...chunkOf(text, { title: 'Post', uri }), format }, 1 - i / 10);
  });
  const options = { refuseBelow: 0, answerFrom: 1 };
  return cited(answerExtractive(question, hits, statisticsOf(Object.values(post)), options));
}

it('takes documents of the kind that is asked for', () => {
  expect(citedOf('Which documents mention the deposit?')).toEqual(['letters/may.txt', 'lease.md']);
  expect(citedOf('Which letters mention the deposit?')).toEqual(['letters/may.txt']);
  expect(citedOf('Which emails mention the lamp?')).toEqual(['mail/lamp.eml']);
  expect(citedOf('Which emails mention the deposit?')).toEqual([]);
  expect(citedOf('Which reports mention the deposit?')).toEqual(['letters/may.txt', 'lease.md']); // none is called so
});

it('takes those of an author by who signed or sent them', () => {
  expect(citedOf('Which letters are from Ms Ann Moor?')).toEqual(['letters/may.txt']);
  expect(citedOf('Which letters did Peter Hale write?')).toEqual(['letters/june.txt']);
  expect(citedOf('Which mails are from Ann Moor?')).toEqual(['mail/lamp.eml']);
  expect(citedOf('Which letters are from Rosa Quill?')).toEqual([]);
});

it.each([
  ['Which of the files describe the crane?', 'the crane', true],
  ['What letters talk about the roof?', 'the roof', true],
  ['Which report deals with the roof?', 'the roof', false],
  ['Where is the roof described?', 'the roof', false],
  ['Welche Dokumente erwähnen die Kaution?', 'die Kaution', true],
  ['In welcher Datei wird der Kran beschrieben?', 'der Kran', false],
  ['Quels documents parlent de la caution ?', 'la caution', true],
  ['¿Qué archivos mencionan la fianza?', 'la fianza', true],
  ['Which documents do I need?', undefined, undefined],
  ['Where is the roof?', undefined, undefined],
  ['Which documents do we have about the roof?', 'the roof', true],
  ['List all files that contain the word roof.', 'roof', true],
  ['Are there any reports about the roof?', 'the roof', true],
  ['Do any documents mention the roof?', 'the roof', true],
  ['In welchem Dokument steht etwas über das Dach?', 'das Dach', false],
  ['Dans quel document est mentionné le toit ?', 'le toit', false],
  ['¿En qué documento se menciona el techo?', 'el techo', false],
  ['Which letters are from Ms Ann Moor?', 'Ann Moor', true],
  ['Which letter did Ann Moor write?', 'Ann Moor', false],
  ['Which documents do not mention the roof?', undefined, undefined],
  ['Which contract did Ann Moor sign?', undefined, undefined],
  ['List all berths that are free.', undefined, undefined],
])('%s', (question, subject, isForAll) => {
  const asked = documentsAsked(question);
  expect([asked?.subject, asked?.isForAll]).toEqual([subject, isForAll]);
});
