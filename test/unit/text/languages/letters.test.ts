import { expect, it } from 'vitest';
import { closesLetter, letterSideAsked, opensLetter } from '../../../../src/text/languages/letters.ts';

it.each([
  'Yours sincerely,',
  'Kind regards',
  'Mit freundlichen Grüßen',
  'Veuillez agréer, Madame, nos salutations distinguées.',
  'Atentamente,',
  'Cordiali saluti,',
  'Met vriendelijke groet,',
  'Com os melhores cumprimentos,',
  'Z poważaniem,',
  'С уважением,',
])('closes a letter: %s', (line) => {
  expect(closesLetter(line)).toBe(true);
});

it.each([
  'Dear Mr Moor,',
  'Sehr geehrte Frau Dr. Moor,',
  'À l’attention de Monsieur Paul Moor',
  'Estimado señor Moor:',
  'Gentile signora Moor,',
  'Geachte heer Moor,',
  'Exmo. senhor Moor,',
  'Szanowny Panie Moor,',
  'Уважаемая Анна Сергеевна!',
])('opens a letter: %s', (line) => {
  expect(opensLetter(line)).toBe(true);
});

it('takes no other line for one', () => {
  for (const line of ['The boats are best moored here.', 'An offer was made.', 'Dearborn', 'To the quay', 'Saludable'])
    expect([line, closesLetter(line), opensLetter(line)]).toEqual([line, false, false]);
});

it.each([
  ['Who wrote the letter about the quay?', 'writer'],
  ['Wer hat das Angebot unterschrieben?', 'writer'],
  ['Kto podpisał pismo?', 'writer'],
  ['To whom is the letter addressed?', 'addressee'],
  ['À qui est adressée la lettre ?', 'addressee'],
  ['Who moored the boat?', undefined],
  ['To whom does the quay belong?', undefined],
])('%s %s', (question, side) => {
  expect(letterSideAsked(question)).toBe(side);
});
