import { expect, it } from 'vitest';
import { passageText } from '../../../../../src/answer/sentences/structure/passage-text.ts';
import { unitsOf } from '../../../../../src/answer/sentences/structure/units.ts';
import { analyseWords } from '../../../../../src/text/analysis/words.ts';
import { languageOf } from '../../../../../src/text/languages/detect.ts';

const texts = [
  'The bridge opened in 1937. Joseph Strauss designed it.',
  'Die Brücke wurde 1937 eröffnet. Sie ist rot.',
  '这座桥于1937年开通。它是红色的。',
  'Year | Fee\n2019 | 242\n2020 | 545\n\nAll fees are in dollars.',
  '',
];

it('holds the words, units and language of a text, and the words of each unit', () => {
  for (const text of [...texts, ...texts]) {
    const { words, units, ranges, language } = passageText(text, 'text');
    expect(words).toEqual(analyseWords(text));
    expect(units).toEqual(unitsOf(text, 'text'));
    expect(language).toBe(languageOf(text));
    units.forEach(({ start, end }, i) => {
      const inside = analyseWords(text).filter((word) => word.start >= start && word.start < end);
      expect(words.slice(...ranges[i]!)).toEqual(inside);
    });
  }
});

it('keeps the last passages, apart by format, and lets the oldest go', () => {
  const code = '// The port is read from\n// the configuration file.\nconst port = 8080;';
  const asCode = passageText(code, 'code');
  expect(passageText(code, 'code')).toBe(asCode);
  const asText = passageText(code, 'text');
  expect(asText.units).toEqual(unitsOf(code, 'text'));
  expect(passageText(code, 'code').units).toEqual(unitsOf(code, 'code'));
  const kept = passageText(texts[0]!, 'text');
  for (let i = 0; i < 50; i++) passageText(`${i} ${'fee '.repeat(1000)}`, 'text');
  expect(passageText(texts[0]!, 'text')).not.toBe(kept);
  expect(passageText(texts[0]!, 'text')).toEqual(kept);
});

it('reads the same text anew where it goes on with a table', () => {
  const table = '| crl | String |\n| port | Number |\n| host | String |';
  for (const beginsInTable of [false, true, false])
    expect(passageText(table, 'markdown', beginsInTable).units).toEqual(unitsOf(table, 'markdown', beginsInTable));
});

it('keeps a passage that is asked for between others', () => {
  const kept = passageText(texts[1]!, 'text');
  for (let i = 0; i < 200; i++) {
    passageText(`${i} ${'rent '.repeat(1000)}`, 'text');
    expect(passageText(texts[1]!, 'text')).toBe(kept);
  }
});
