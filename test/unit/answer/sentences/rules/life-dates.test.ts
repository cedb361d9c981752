import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { isOnlyBirth, lifeGain, lifeLoss, lifeMark } from '../../../../../src/answer/sentences/rules/life-dates.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const anna = 'Anna Moor (4 May 1861 in Haven – 2 June 1938 in Skerry) was a diver.';

function gainOf(question: string, sentence: string, rule = lifeGain): number {
  const analysed = analyseQuestion(question, statisticsOf([sentence]));
  return rule(analysed, candidatesOf(analysed, [hitOf(chunkOf(sentence))])[0]!);
}

describe('lifeGain', () => {
  it.each([
    ['When did Anna Moor die?', anna],
    ['When was Anna Moor born?', anna],
    ['In what year did Anna Moor die?', anna],
    ['Where was Anna Moor born?', anna],
    ['Wann starb Anna Moor?', anna],
    ['When did Anna Moor die?', 'Anna Moor (1861-05-04 – 1938-06-02) was a diver.'],
    ['Where was Anna Moor born?', 'Anna Moor (or Mohr) (1861-05-04 in Haven – 1938) was a diver.'],
    ['When was Anna Moor born?', 'Anna Moor (born 4 May 1961) is a diver.'],
    ['Wann starb Anna Moor?', 'Anna Moor (* 4. Mai 1861 in Haven; † 2. Juni 1938) tauchte.'],
    ['Where was Anna Moor born?', 'Name Anna Moor Date of birth 4 May 1961 Place of birth Haven, Skerry'],
  ])('is for %s', (question, sentence) => {
    expect(gainOf(question, sentence)).toBeGreaterThan(0);
  });

  it.each([
    ['When did Jacob Moor die?', anna],
    ['When did Anna Moor dive?', anna],
    ['When did the husband of Anna Moor die?', anna],
    ["When was Anna Moor's mother born?", anna],
    ['Why did Anna Moor die?', anna],
    ['When did Anna Moor die?', 'Anna Moor (born 4 May 1961) is a diver.'],
    ['Where did Anna Moor die?', 'Anna Moor (1861–1938) was a diver.'],
    ['Where did Anna Moor die?', 'Anna Moor (1861 in Haven – 1938) was a diver.'],
    ['When did Anna Moor die?', 'The wreck (1861–1938) was found by Anna Moor.'],
  ])('is 0 for %s of %s', (question, sentence) => {
    expect(gainOf(question, sentence)).toBe(0);
  });
});

describe('an answer to when somebody died', () => {
  it('is what has the date, plainly, and not what has the verb', () => {
    const page = hitOf(chunkOf(`${anna} She dived for pearls.\n\nAnna Moor died of a cold.`));
    const answer = ask('When did Anna Moor die?', [page]);
    expect(answer.citations[0]!.quote).toBe(anna);
    expect(answer.confidence).toBe('high');
  });
});

describe('lifeMark', () => {
  it.each([
    ['When was Anna Moor born?', anna, '4 May 1861'],
    ['When did Anna Moor die?', anna, '2 June 1938'],
    ['When did Anna Moor die?', 'Anna Moor (1861–1938) was a diver.', '1938'],
    ['When was Anna Moor born?', 'Anna Moor (born 4 May 1961) is a diver.', '4 May 1961'],
    ['Wann wurde Anna Moor geboren?', 'Anna Moor (* 4. Mai 1861 in Haven; † 2. Juni 1938) tauchte.', '4. Mai 1861'],
    ['Wann starb Anna Moor?', 'Anna Moor (* 4. Mai 1861 in Haven; † 2. Juni 1938) tauchte.', '2. Juni 1938'],
    ['Where was Anna Moor born?', anna, undefined],
    ['When was Jacob Moor born?', anna, undefined],
    ['When was Anna Moor hired?', anna, undefined],
  ])('%s: %s', (question, sentence, marked) => {
    const asked = analyseQuestion(question, statisticsOf([sentence]));
    const span = lifeMark(asked, candidatesOf(asked, [hitOf(chunkOf(sentence))])[0]!);
    expect(span && sentence.slice(span.start, span.end)).toBe(marked);
  });
});

describe('lifeLoss', () => {
  it('is of a sentence with the day alone, where the place is asked for', () => {
    const day = 'Anna Moor (born 4 May 1961) is a diver from the Isles.';
    expect(gainOf('Where was Anna Moor born?', day, lifeLoss)).toBeLessThan(0);
    expect(gainOf('When was Anna Moor born?', day, lifeLoss)).toBe(0);
    expect(gainOf('Where was Anna Moor born?', 'Anna Moor (born 4 May 1961 in Haven) dives.', lifeLoss)).toBe(0);
  });
});

describe('isOnlyBirth', () => {
  const born = 'Anna Moor was born in Haven on 4 May 1961 and dived for Skerry.';
  it.each([
    ['When did Anna Moor dive for Skerry?', born, true],
    ['When did Anna Moor dive?', 'Anna Moor, née le 4 mai 1961, dives.', true],
    ['When was Anna Moor born?', born, false],
    ['When did Anna Moor dive?', 'Anna Moor (born 4 May 1961) dived in 1980.', false],
    ['Where did Anna Moor dive?', born, false],
  ])('%s %s: %s', (question, sentence, expected) => {
    const analysed = analyseQuestion(question, statisticsOf([sentence]));
    expect(isOnlyBirth(analysed, candidatesOf(analysed, [hitOf(chunkOf(sentence))])[0]!)).toBe(expected);
  });
});
