import { expect, it } from 'vitest';
import { hasOtherNameThere, leansOnOtherName } from '../../../../../src/answer/sentences/checks/other-name-there.ts';
import { rank } from '../../../../../src/answer/sentences/ranking/rank.ts';
import { analysed, answered } from '../rules/gaining.ts';

it.each([
  ['Who lost to Varga at Tarnow?', 'In May Orban lost to Varga at Lindau.', true], // behind the same word
  ['Who leads the Tarnow office?', 'The Lindau office is led by Ann Pell.', true], // before it
  ['Who leads the office in Tarnow?', 'Ann Pell leads the office in Lindau.', true],
  ['What did Varga write?', 'Orban wrote two books.', true], // before the verb
  ['Who leads the office in Tarnow?', 'Ann Pell leads the office in Tarnow, Per Lie the office in Lindau.', false],
  ['Who leads the office in Tarnow?', 'Ann Pell leads the office in Tarnów.', false], // written otherwise
  ['Who leads the office in Hildesheim?', 'Ann Pell leads the office in Hildseheim.', false], // misspelt
  ['Who leads the office in Tarnow?', 'Ann Pell leads the office of Lindau.', false], // another preposition
  ['What did Varga write?', 'President Varga wrote two books.', false],
  ['What did Varga write?', 'He wrote two books.', false],
  ['What did Varga write?', 'In 1950 two books were written.', false],
  ['Who leads the office in USA?', 'Ann Pell leads the office in Lindau.', false], // a short form may be written out
  ['Who leads the office in May?', 'Ann Pell leads the office in Lindau.', false], // a date
  ['Ruefully, the crew left what?', 'In Lindau, the crew left two boats.', false], // no name
  ['Post 2008 crews must have how many boats?', 'Since 2008, crews must have two boats.', false],
  ['Whom did Ann Pell hire as editor?', 'Pell hired her brother, Jon Pell, as editor.', false],
  ['Whom did Ann Pell hire as editor?', 'Jon Pell hired his brother as editor.', true],
  ['Wer leitet das Büro in Tarnow?', 'Ann Pell leitet das Büro in Lindau.', false], // German nouns have capitals
])('another name in its place: %s %s', (question, text, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(hasOtherNameThere(asked, candidates[0]!)).toBe(expected);
});

it('reads the headings, and is no plain answer', () => {
  const text = 'The Lindau office is led by Ann Pell. It has ten desks.';
  const { asked, candidates } = analysed('Who leads the Tarnow office?', text, { headings: ['Tarnow'] });
  expect(hasOtherNameThere(asked, candidates[0]!)).toBe(false);
  expect(answered('Who leads the Lindau office?', text).confidence).toBe('high');
  expect(answered('Who leads the Tarnow office?', text).confidence).not.toBe('high');
});

it('reads the sentence that says what `it` is', () => {
  const text = 'The club is called Tarnow Rowing Club and has its seat in Lindau. It was founded in 1921.';
  const leans = (question: string, own = text): boolean => {
    const { asked, candidates } = analysed(question, own);
    return leansOnOtherName(asked, [candidates[1]!], rank(candidates));
  };
  expect(leans('When was the Tarnow Sailing Club founded?')).toBe(true);
  expect(leans('When was the Tarnow Rowing Club founded?')).toBe(false);
  expect(leans('When was the Tarnow Sailing Club founded?', text.replace('It was', 'Another was'))).toBe(false);
  expect(answered('When was the Tarnow Rowing Club founded?', text).confidence).toBe('high');
  expect(answered('When was the Tarnow Sailing Club founded?', text).confidence).toBe('low');
});
