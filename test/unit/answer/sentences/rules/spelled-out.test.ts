import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { settlesLetters, spelledGain } from '../../../../../src/answer/sentences/rules/spelled-out.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function gainOf(question: string, sentence: string): number {
  const analysed = analyseQuestion(question, statisticsOf([sentence]));
  return spelledGain(analysed, candidatesOf(analysed, [hitOf(chunkOf(sentence))])[0]!);
}

describe('spelledGain', () => {
  it.each([
    ['What does HSL stand for?', 'The Harbour Signal Lamp (HSL) is lit at dusk.'],
    ['What does HSL stand for?', 'HSL, or harbour signal lamp, is what the pilots look for.'],
    ['What is the meaning of BOQ?', 'Ships of the Board of the Quay, BOQ for short, are green.'],
    ['What does the abbreviation XRL mean?', 'XRL: eXtended Rope Length in metres.'],
    ['What is TT?', 'The tide table (TT) hangs in the office.'],
    ['What does TT mean?', 'TT: Tide table of the office.'],
    ['Was bedeutet HSL?', 'Das Hafen-Signal-Licht (HSL) brennt nachts.'],
  ])('is for what spells out the letters of %s', (question, sentence) => {
    expect(gainOf(question, sentence)).toBeGreaterThan(0);
  });

  it.each([
    ['What does HSL stand for?', 'The HSL is lit at dusk by the keeper.', 'only uses it'],
    ['What does HSL stand for?', 'The Harbour Signal Lamp is lit at dusk.', 'does not have it'],
    ['What does HSL stand for?', 'The HSL lamp of the harbour has a signal.', 'has its words in another order'],
    ['What does HS stand for?', 'HSL is the Harbour Signal Lamp.', 'has a longer one'],
    ['What does TT mean?', 'The TT hangs where ten tall men can see it.', 'has such words elsewhere'],
    ['What does harbour mean?', 'A harbour is a place for ships.', 'is asked for no abbreviation'],
    ['これって何?', 'The HSL is lit at dusk by the keeper.', 'is asked for nothing that has a name'],
  ])('is 0 for %s of %s, which %s', (question, sentence) => {
    expect(gainOf(question, sentence)).toBe(0);
  });

  it('is more where the letters are asked for than where the thing is', () => {
    const sentence = 'The Harbour Signal Lamp (HSL) is lit at dusk.';
    expect(gainOf('What does HSL stand for?', sentence)).toBeGreaterThan(gainOf('What is HSL?', sentence));
  });
});

describe('an abbreviation that is asked for', () => {
  const glossary =
    'HSK\n       Harbour Staff Kitchen\n\nHSL\n       Harbour Signal Lamp (Sealights)\n\nHSM\n       Harbour Steam Museum\n';
  const list = hitOf(chunkOf(glossary, { uri: 'short.txt', format: 'text' }));
  const meant = hitOf(chunkOf('The meaning of the abbreviation is given in the book.', { uri: 'book.txt' }));

  it.each(['What does HSL stand for?', 'What is the meaning of HSL?', 'What does the abbreviation HSL mean?'])(
    'is answered plainly by its entry: %s',
    (question) => {
      const answer = ask(question, [meant, list]);
      expect(answer.answer).toMatch(/^HSL: Harbour Signal Lamp/);
      expect(answer.confidence).toBe('high');
    },
  );

  it('is not settled where it is only used', () => {
    const text = 'The HSL is lit at dusk by the keeper.';
    const question = analyseQuestion('What does HSL mean?', statisticsOf([text]));
    expect(settlesLetters(question, candidatesOf(question, [hitOf(chunkOf(text))])[0]!)).toBe(false);
    expect(ask('What does HSL mean?', [hitOf(chunkOf(text))]).confidence).not.toBe('high');
  });
});

it('takes what says what the letters stand for, below the name of the entry', () => {
  const glossary =
    'Hoist\n   A rope with a wheel.\n\nHSL\n   The lamp of the pilots. The name stands for Harbour Signal Lamp.';
  const gains = (question: string): boolean[] => {
    const analysed = analyseQuestion(question, statisticsOf([glossary]));
    return candidatesOf(analysed, [hitOf(chunkOf(glossary, { format: 'rst' }))]).map(
      (one) => spelledGain(analysed, one) > 0,
    );
  };
  expect(gains('What does HSL stand for?')).toEqual([false, false, true]);
  expect(gains('What does HTL stand for?')).toEqual([false, false, false]);
});
