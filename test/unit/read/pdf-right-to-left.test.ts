import { describe, expect, it, test } from 'vitest';
import { buildBlocks } from '../../../src/read/pdf/blocks.ts';
import { turnLamAlef } from '../../../src/read/pdf/lam-alef.ts';
import { toRows } from '../../../src/read/pdf/layout.ts';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { type DrawnText, pageLayers } from '../../../src/read/pdf/runs.ts';
import { context, makePdf } from './formats-make.ts';

const SIZE = 10;
const drawn = (str: string, x: number, width: number, dir = 'rtl', y = 700): DrawnText => ({
  str,
  transform: [SIZE, 0, 0, SIZE, x, y],
  width,
  height: SIZE,
  fontName: 'f',
  dir,
});
const lines = (items: readonly DrawnText[]): string[] =>
  pageLayers(items, new Map(), [0, 0, 600, 800])[0]!.segments.map(({ text }) => text);

/** Draws the pieces of a line from its left end, each 5 points a letter: `pieces` are in reading order, from the right. */
function fromTheLeft(pieces: readonly (readonly [text: string, dir: string])[], y = 700): DrawnText[] {
  let x = 100;
  return pieces.toReversed().map(([text, dir]) => {
    const item = drawn(text, x, 5 * text.length, dir, y);
    x += 5 * text.length;
    return item;
  });
}

/** Each letter a piece of its own, as browsers draw Arabic. */
const letters = (text: string): (readonly [string, string])[] =>
  [...text].map((letter) => [letter, letter === ' ' ? 'ltr' : 'rtl'] as const);

describe('a line from right to left', () => {
  test.each([
    ['drawn letter by letter keeps its words', 'من كل شهر'],
    ['of Hebrew too', 'שלום לכל העולם'],
  ])('%s', (_, text) => {
    // The gap of a blank alone, as fonts have it beside letters that reach over their box.
    const items = fromTheLeft(letters(text)).map((item) => ({ ...item, width: item.str === ' ' ? 5 : 5.1 }));
    expect(lines(items)).toEqual([text]);
  });

  const rtl = (text: string): readonly [string, string] => [text, 'rtl'];
  const ltr = (text: string): readonly [string, string] => [text, 'ltr'];
  test.each<[string, (readonly [string, string])[], string]>([
    ['ends with the point on the left of its last number', [rtl('סוף ב'), ltr('.28/02/2026')], 'סוף ב28/02/2026.'],
    [
      'of more digits and Latin letters than its own',
      [rtl('דואר:'), ltr(' '), ltr('info@example.co.il'), rtl(', טל'), ltr('03-5551234')],
      'דואר: info@example.co.il, טל03-5551234',
    ],
    [
      'has its brackets as they are written, where they are drawn as they look',
      [rtl('כל ליקוי '), ltr(')'), rtl('עד היום ה-'), ltr('(5'), rtl(' תוך')],
      'כל ליקוי (עד היום ה-5) תוך',
    ],
    ['keeps brackets that are right', [rtl('המערכת ('), ltr('AI'), rtl(') זמינה')], 'המערכת (AI) זמינה'],
    ['keeps the minus of a number', [rtl('היא '), ltr('-5'), rtl(' מעלות')], 'היא -5 מעלות'],
  ])('%s', (_, pieces, text) => {
    const other = fromTheLeft([rtl('שורה אחרת של אותיות בעמוד הזה')], 650);
    expect(lines([...fromTheLeft(pieces), ...other])[0]).toBe(text);
  });

  it('of a table says its numbers in the order of their titles, however many they are', () => {
    const row = (y: number, cells: readonly string[]): DrawnText[] =>
      cells.map((cell, i) => drawn(cell, 400 - 100 * i, 5 * cell.length, /\d/.test(cell) ? 'ltr' : 'rtl', y));
    const table = [
      ['שנה', 'ראשון', 'שני', 'שלישי'],
      ['הכנסות', '100', '200', '300'],
    ];
    const [layer] = pageLayers([...row(700, table[0]!), ...row(650, table[1]!)], new Map(), [0, 0, 600, 800]);
    expect(toRows(layer!.segments).map(({ segments }) => segments.map(({ text }) => text))).toEqual(table);
  });
});

it('two paragraphs of right-to-left text are two, where the first ends early on the left', () => {
  const line = (text: string, y: number, x1 = 500): DrawnText =>
    drawn(text, x1 - 5 * text.length, 5 * text.length, 'rtl', y);
  const long = 'השוכר ישלם את כל הסכומים שנקבעו בחוזה הזה עד היום החמישי בכל';
  const items = [line(long, 700), line('חודש בשנה.', 688), line(long, 676), line('שבוע אחר.', 664)];
  const [layer] = pageLayers(items, new Map(), [0, 0, 600, 800]);
  const pages = [{ page: 1, regions: [toRows(layer!.segments)], comments: [] }];
  expect(buildBlocks(pages, [], new Map()).blocks.map(({ pieces }) => pieces[0]!.text)).toEqual([
    `${long} חודש בשנה.`,
    `${long} שבוע אחר.`,
  ]);
});

describe('lam and alef in one glyph', () => {
  it('are read in their order, beside an article whose letters are two glyphs', async () => {
    const words = [
      ['ا', 'ل', 'أ', 'و', 'ل'],
      ['ا', 'لأ', 'و', 'ل'],
      ['خ', 'لا', 'ل'],
      ['م', 'ا', 'ل'],
    ];
    const glyphs = [...new Set(words.flat()), ' '];
    const hex = (text: string): string => [...text].map((c) => c.charCodeAt(0).toString(16).padStart(4, '0')).join('');
    const code = (glyph: string): string => (0x41 + glyphs.indexOf(glyph)).toString(16);
    const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${glyphs.length} beginbfchar ${glyphs.map((glyph) => `<${code(glyph)}> <${hex(glyph)}>`).join('\n')} endbfchar endcmap end end`;
    // A line of text is drawn from its left end, and read from its right one.
    const visual = words.flatMap((word, i) => (i === 0 ? word : [' ', ...word])).reverse();
    const bytes = makePdf({
      pages: [`BT /F3 10 Tf 100 700 Td <${visual.map(code).join('')}> Tj ET`],
      fonts: '/F3 100 0 R',
      objects: {
        100: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 101 0 R >>',
        101: `<< /Length ${map.length} >>\nstream\n${map}\nendstream`,
      },
    });
    const { text } = await parsePdf(bytes, context('a.pdf'));
    expect(text).toBe(words.map((word) => word.join('')).join(' '));
  });

  it('leaves the pieces as they are where the glyphs tell something else', () => {
    const items = [drawn('مال', 100, 20)];
    expect(turnLamAlef(items, ['ب', 'ت'])).toEqual(items);
    expect(turnLamAlef(items, [])).toEqual(items);
  });
});
