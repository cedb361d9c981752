import { expect, it } from 'vitest';
import { lacksLife, onlyTellsLife } from '../../../../../src/answer/sentences/rules/lacks-life.ts';
import { analysed, answered } from './gaining.ts';

/** Of the last sentence. */
function lacks(question: string, text: string): boolean {
  const { asked, candidates } = analysed(question, text);
  return lacksLife(asked, candidates.at(-1)!);
}

it.each([
  ['How did Ann Moor die?', 'Ann Moor, who built the pier, died in May 1938.', true],
  ['How did Ann Moor die?', 'Ann Moor died in May 1938 of a fever.', false],
  ['How did Ann Moor die?', 'Ann Moor died in 1938 when her boat sank.', false],
  ['How did Ann Moor die?', 'Ann Moor drowned in May 1938.', false],
  ['How did the lamps die out?', 'The lamps went out of use in May 1938.', false],
  ['How many of the crew died?', 'Five of the crew were lost.', false],
  ['What did Ann Moor die of?', 'Ann Moor (1861–1938) was a builder.', true],
  ['Woran starb Ann Moor?', 'Ann Moor starb im Mai 1938.', true],
  ['Woran starb Ann Moor?', 'Ann Moor starb im Mai 1938 an Fieber.', false],
  ['Where was Ann Moor born?', 'Ann Moor lived in Haven and built the pier.', true],
  ['Where was Ann Moor born?', 'Ann Moor was a native of Haven.', false],
  ['When was Ann Moor born?', 'Ann Moor built the pier in 1921.', true],
  ['When was Ann Moor born?', 'Ann Moor (4 May 1861 – 2 June 1938) built the pier.', false],
  ['When was the school for those born deaf opened?', 'The school opened in 1921.', false],
  ['When did Ann Moor die?', 'Ann Moor built the pier in 1921.', true],
  ['When did Ann Moor die?', 'Ann Moor (4 May 1861 – 2 June 1938) built the pier.', false],
  ['When did Ann Moor die?', 'Ann Moor was drowned in 1938.', false],
  ['Wann starb Ann Moor?', 'Ann Moor baute 1921 den Steg.', true],
  ['Wann starb Ann Moor?', 'Ann Moor wurde 1938 ermordet.', false],
  ['Wann wurde Ann Moor geboren?', 'Ann Moor baute 1921 den Steg.', true],
  ['Wann wurde Ann Moor geboren?', 'Ann Moor, geboren 1861, baute den Steg.', false],
])('says nothing of the birth, or not how somebody died: %s %s', (question, text, expected) => {
  expect(lacks(question, text)).toBe(expected);
});

it('prefers what says how somebody died, and doubts what does not', () => {
  const when = 'Ann Moor, who built the pier of Haven, died in May 1938.';
  const how = 'Ann Moor was killed by a falling beam.';
  expect(answered('How did Ann Moor die?', when).confidence).toBe('low');
  expect(answered('How did Ann Moor die?', `${when} ${how}`).citations[0]!.quote).toContain(how);
});

it.each([
  ['What did Ann Moor do for the club?', 'Ann Moor (annm) died on 2 May 2015.', true],
  ['Which boats did Ann Moor own?', 'Ann Moor was born in Haven in 1861.', true],
  ['What did Ann Moor do for the club?', 'Ann Moor died on 2 May as its treasurer.', false],
  ['What happened to Ann Moor?', 'Ann Moor died on 2 May 2015.', false],
  ['Who was Ann Moor?', 'Ann Moor died on 2 May 2015.', false],
  ['What did Ann Moor do for the club?', 'Ann Moor, Treasurer of Haven.', false],
])('only tells that somebody was born or died: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(onlyTellsLife(asked, candidates.at(-1)!)).toBe(expected);
});

it('doubts what only tells that', () => {
  expect(answered('What did Ann Moor do for Haven?', 'Ann Moor of Haven died on 2 May.').confidence).toBe('low');
});
