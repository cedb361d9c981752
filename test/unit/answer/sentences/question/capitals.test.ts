import { expect, it } from 'vitest';
import { withCapitals } from '../../../../../src/answer/sentences/question/capitals.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const restored = (question: string, ...texts: string[]): string =>
  withCapitals(
    question,
    texts.map((text) => hitOf(chunkOf(text))),
  );

it.each([
  ['who was thomas becket?', 'In 1170 Thomas Becket was killed.', 'who was Thomas Becket?'],
  ["what was becket's office", 'In 1170 Thomas Becket was killed.', "what was Becket's office"],
  ['when did nasa land', 'The rocket of NASA can land.', 'when did NASA land'],
  ['where does lamontagne live', 'The singer Ray LaMontagne has two children.', 'where does Lamontagne live'],
  ['wann kam anna müller', 'Dann kam Anna Müller.', 'wann kam Anna Müller'],
  ['who left', 'Nobody LEFT. Ann STAYED.', 'who LEFT'], // short forms and stressed words look alike
  ['who stayed here', 'Then Ann SURRENDERED. Then Ann STAYED.', 'who Stayed here'],
  ['what is a mill', 'Mills are old. A mill has a wheel.', 'what is a mill'], // the first word of a sentence
  ['is the rent due', 'Flat to Rent\n\nThe Rent and the Flat', 'is the rent due'], // a title
  ['is the rent due', '| What | Rent |\n| --- | --- |\n| Monthly Rent | 900. |', 'is the rent due'], // a row
  ['who is the queen', 'Then Queen Ann came. The queen is old.', 'who is the queen'],
  ['who is the queen', 'The King. So Queen Ann came. So Queen Ann came. So Queen Ann came.', 'who is the Queen'],
  ['Who was thomas becket?', 'In 1170 Thomas Becket was killed.', 'Who was thomas becket?'], // its writer knows capitals
  ['who was it', 'In 1170 It was he.', 'who was it'],
  ['東京はどこ', '東京は日本。', '東京はどこ'],
  ['who', '', 'who'],
  ['', 'In 1170 Thomas Becket was killed.', ''],
])('%j after %j is %j', (question, text, expected) => {
  expect(restored(question, text)).toBe(expected);
});

it('counts small letters against capitals in all hits', () => {
  const capital = 'So the Bank lends.';
  expect(restored('who owns the bank', capital, capital, capital, 'By the bank of a river.')).toBe('who owns the bank');
  expect(restored('who owns the bank', capital, capital, capital, capital, 'By the bank.')).toBe('who owns the Bank');
});

it('answers a question in small letters as one with capitals', () => {
  const hits = [
    hitOf(chunkOf('The members present were Ewa Malik, Jan Kos and Lena Adler.', { position: 0 })),
    hitOf(chunkOf('For now Lena Adler takes over from Ewa Malik.', { position: 1, at: 100 })),
  ];
  const { question, answer, citations } = ask('who takes over from ewa malik', hits);
  expect(question).toBe('who takes over from ewa malik');
  expect({ answer, citations }).toEqual(
    (({ answer, citations }) => ({ answer, citations }))(ask('who takes over from Ewa Malik', hits)),
  );
});
