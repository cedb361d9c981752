import { describe, expect, it, test } from 'vitest';
import { lettersOfBitmap, lettersOfGlyph } from '../../../src/read/pdf/glyph-names.ts';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

const textOfPdf = async (parts: Parameters<typeof makePdf>[0]): Promise<string> =>
  (await parsePdf(makePdf(parts), context('file.pdf'))).text;

/** Widths of Helvetica, in thousandths of the size (Adobe's metrics of the standard fonts). */
const WIDTHS: Readonly<Record<string, number>> = {
  ' ': 278,
  l: 222,
  '¨': 333,
  '`': 333,
  '´': 333,
  U: 722,
  e: 556,
  E: 667,
  r: 333,
  i: 222,
  s: 500,
  t: 278,
  w: 722,
  T: 611,
};
const width = (text: string, size: number): number =>
  [...text].reduce((sum, letter) => sum + (WIDTHS[letter] ?? 556) * (size / 1000), 0);

/** As TeX sets an accent: in the middle above its letter, raised for a capital, then back to where the letter begins. */
function accented(x: number, y: number, before: string, accent: string, rest: string, raise = 0): string {
  const start = x + width(before, 10);
  const letter = rest[0]!;
  const middle = start + width(letter, 10) / 2 - width(accent, 10) / 2;
  if (raise === 0) {
    // one string moves to the accent, and the next begins with the letter
    const shift = (-(middle - start) / 10) * 1000;
    return `BT /F1 10 Tf ${x} ${y} Td [(${before}) ${shift} (${accent})] TJ ET ${at(start, y, rest)}`;
  }
  return [before === '' ? '' : at(x, y, before), at(middle, y + raise, accent), at(start, y, rest)].join('\n');
}

describe('accents that are drawn beside their letters', () => {
  it('stand on the letter below them: a raised one on its capital, and one at the end of a string on the next', async () => {
    const page = [
      accented(72, 700, 'neue ', '¨', 'Ubersicht', 2.5),
      accented(72, 680, '', '¨', 'uber die Sache'),
      accented(72, 660, 'ogni luned', '`', 'i mattina'),
      accented(72, 640, '', '´', 'Etude', 2.5),
    ].join('\n');
    expect(await textOfPdf({ pages: [page] })).toBe('neue Übersicht\n\nüber die Sache\n\nogni lunedì mattina\n\nÉtude');
  });

  it('on a page that is turned too', async () => {
    const turn = (x: number, y: number, text: string): string => `BT /F1 10 Tf 0 1 -1 0 ${x} ${y} Tm (${text}) Tj ET`;
    // up the page goes the text, to the left goes what is raised
    const start = 72;
    const middle = start + width('U', 10) / 2 - width('¨', 10) / 2;
    const page = `${turn(200 - 2.5, middle, '¨')}\n${turn(200, start, 'Ubersicht der Orte')}`;
    expect(await textOfPdf({ pages: [page] })).toBe('Übersicht der Orte');
  });

  it('a quotation mark before a word, and an accent far from the next letter, stay what they are', async () => {
    const quoted = `${at(72, 700, '`')}\n${at(72 + width('`', 10), 700, 'oak')}`;
    const apart = `${at(72, 680, 'the sign ¨')}\n${at(130, 680, 'over a letter')}`;
    const below = `${at(72, 660, '´')}\n${at(72, 640, 'eine Zeile')}`;
    const text = await textOfPdf({ pages: [[quoted, apart, below].join('\n')] });
    expect(text).toContain('`oak');
    expect(text).toContain('¨ over a letter');
    expect(text).toContain('eine Zeile');
  });
});

describe('letters beside their line', () => {
  it('a letter set lower between two of its word stays in the word, and in its sentence', async () => {
    // as TeX sets its name: the E half a small letter lower, drawn back over both neighbours
    const page = `BT /F1 10 Tf 72 700 Td (written in T) Tj ET
${at(72 + width('written in T', 10) - 1.67, 697.4, 'E')}
${at(72 + width('written in TE', 10) - 2.9, 700, 'X by the author')}
${at(72, 688, 'and printed in one night.')}`;
    expect(await textOfPdf({ pages: [page] })).toBe('written in TEX by the author and printed in one night.');
  });

  it('a letter below a gap, or beside one letter only, stays apart', async () => {
    const page = `${at(72, 700, 'the base')}\n${at(140, 697.5, 'E')}\n${at(200, 700, 'and the top')}`;
    expect(await textOfPdf({ pages: [page] })).not.toMatch(/baseE|Eand/);
  });
});

describe('an ogonek', () => {
  const font = '/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding 101 0 R';
  const objects = { 100: `<< ${font} >>`, 101: '<< /Type /Encoding /Differences [28 /ogonek /lslash] >>' };

  it('makes one letter with the one above it, without the room of that letter before it', async () => {
    // `stosowaną`: the sign ends with the wide letter (5.56 points; it has 3.33), then back to where the letter begins
    const before = 72 + width('stosowan', 10);
    const line = `BT /F3 10 Tf 72 700 Td [(stosowan) ${-(5.56 - 3.33) * 100 - 60} (\x1c)] TJ ET`;
    const page = `${line}\n${at(before, 700, 'a praca', { font: 'F3' })}`;
    expect(await textOfPdf({ pages: [page], fonts: '/F3 100 0 R', objects })).toBe('stosowaną praca');
  });
});

describe('fonts', () => {
  it('whose letters all have one width are of fixed pitch, whatever their name: their lines stay lines', async () => {
    const font =
      '/Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Quill /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126';
    const fixed = `<< ${font} /Widths [${'525 '.repeat(95)}] >>`;
    const text = ['let harbour = open();', 'for (const ship of harbour)', 'ship.moor();'];
    const code = text.map((line, i) => at(72, 640 - 12 * i, line, { font: 'F3' })).join('\n');
    const prose = [
      'The program below moors each ship',
      'that the harbour holds, in the order',
      'of arrival, and tells the master of it.',
    ];
    const page = `${prose.map((line, i) => at(72, 700 - 12 * i, line)).join('\n')}\n${code}\n${at(72, 580, 'It runs once a day, before the tide.')}`;
    const read = (widths: string): Promise<string> =>
      textOfPdf({ pages: [page], fonts: '/F3 100 0 R', objects: { 100: widths } });
    expect(await read(fixed)).toContain(text.join('\n'));
    const proportional = fixed.replace('525 525', '278 333');
    expect(await read(proportional)).not.toContain(text.join('\n'));
    // ideographs are as wide as they are high, and no code
    expect(await read(fixed.replaceAll('525', '1000'))).not.toContain(text.join('\n'));
  });
});

it('a line of fixed pitch within a sentence, and a sentence that goes on behind it, are one paragraph', async () => {
  const objects = { 100: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>' };
  const page = [
    at(72, 700, 'The tables of the tides are kept by the harbour office, see also'),
    at(72, 688, 'https://tides.example/of/the/northern/coast/and/its/islands', { font: 'F3' }),
    at(72, 676, 'where they are corrected each year by the master of the pier.'),
    at(72, 640, 'moor(ship)', { font: 'F3' }),
    at(72, 628, 'leave()', { font: 'F3' }),
    at(72, 604, 'That is what the program says of it, and no more than that now.'),
  ].join('\n');
  expect(await textOfPdf({ pages: [page], fonts: '/F3 100 0 R', objects })).toBe(
    'The tables of the tides are kept by the harbour office, see also https://tides.example/of/the/northern/coast/and/its/islands where they are corrected each year by the master of the pier.\n\nmoor(ship)\nleave()\n\nThat is what the program says of it, and no more than that now.',
  );
});

it('a bold line whose sentence goes on below it is no heading', async () => {
  const page = [
    at(72, 700, 'The keeper shall write down each ship that passes the light.'),
    at(72, 688, 'The book must be handed in by the first day of May to the', { font: 'F2' }),
    at(72, 676, 'harbour office. A book that comes late is not read by them.'),
  ].join('\n');
  const document = await parsePdf(makePdf({ pages: [page] }), context('light.pdf'));
  expect(document.text).toContain('by the first day of May to the harbour office. A book');
  expect(document.blocks.map(({ kind }) => kind)).not.toContain('heading');
});

describe('glyphs that a font names by their letters', () => {
  it('a ligature without a character is read as its letters', async () => {
    const font = '/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding 101 0 R /Widths 102 0 R';
    const encoding = '<< /Type /Encoding /Differences [28 /T_h /t_t.alt /Q_u /uni0066_uni006A] >>';
    const objects = {
      100: `<< ${font} /FirstChar 0 /LastChar 127 >>`,
      101: encoding,
      102: `[${'556 '.repeat(128)}]`,
    };
    const page = at(72, 700, '\x1cis is the le\x1der with a \x1eotation, and a \x1ford', { font: 'F3' });
    expect(await textOfPdf({ pages: [page], fonts: '/F3 100 0 R', objects })).toBe(
      'This is the letter with a Quotation, and a fjord',
    );
  });

  it('figures of a variant, in a second font of the same name', async () => {
    const font = '/Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 0 /LastChar 127 /Widths 102 0 R';
    const objects = {
      100: `<< ${font} /Encoding /WinAnsiEncoding >>`,
      101: `<< ${font} /Encoding << /Type /Encoding /Differences [0 /zero.prop /one.prop /two.prop] >> >>`,
      102: `[${'556 '.repeat(128)}]`,
    };
    const page = `BT /F3 10 Tf 72 700 Td (Sheet ) Tj /F4 10 Tf (\\001\\002) Tj /F3 10 Tf ( of ) Tj /F4 10 Tf (\\002\\000) Tj ET`;
    const alone = 'BT /F4 10 Tf 72 650 Td (\\002) Tj ET';
    expect(await textOfPdf({ pages: [`${page}\n${alone}`], fonts: '/F3 100 0 R /F4 101 0 R', objects })).toBe(
      'Sheet 12 of 20\n\n2',
    );
  });

  test.each([
    ['Q_u', 'Qu'],
    ['f_f_i', 'ffi'],
    ['t_t.alt', 'tt'],
    ['uni0066_uni006A', 'fj'],
    ['uni00660069_j', 'fij'],
    ['zero.oldstyle', '0'],
    ['nine.prop', '9'],
    ['question.sc', '?'],
    ['f_f_i.alt', 'ffi'],
    ['A', undefined], // pdf.js knows these
    ['Aacute', undefined],
    ['.notdef', undefined],
    ['germandbls_x', undefined],
    ['uniD800_a', undefined],
    ['_', undefined],
    ['', undefined],
  ])('%s is %s', (name, letters) => {
    expect(lettersOfGlyph(name)).toBe(letters);
  });
});

it.each(['LinLibertineTB', 'LinBiolinumOZ', 'ABCDEF+LinLibertineTBI'])('%s is a bold font', async (name) => {
  const font = `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const page = [
    at(72, 700, '2 Rigging', { font: 'F3' }),
    at(72, 680, 'Ropes of hemp hold the mast, and those of flax hold the sail.'),
    at(72, 668, 'Both are tarred before the first frost, and again in the spring.'),
  ].join('\n');
  const bytes = makePdf({ pages: [page], fonts: '/F3 100 0 R', objects: { 100: font } });
  expect((await parsePdf(bytes, context('rig.pdf'))).blocks[0]?.kind).toBe('heading');
});

describe('bitmap fonts by dvips, which name glyphs by their codes', () => {
  const coded = (codes: readonly number[]): unknown[] => {
    const glyphs: unknown[] = [];
    for (const code of codes) glyphs[code] = `a${code}`;
    return glyphs;
  };
  const text = [44, 46, ...Array.from({ length: 26 }, (_, i) => 97 + i)];

  it('a text in the encoding T1 keeps its ligatures, dashes and letters', () => {
    const codes = [16, 21, 27, 30, 138, 171, 233, 255];
    const glyphs = coded([...text, ...codes]);
    expect(codes.map((code) => lettersOfBitmap(code, glyphs))).toEqual([
      '“',
      '–',
      'ff',
      'ffi',
      'Ł',
      'ń',
      undefined,
      'ß',
    ]);
  });

  it('nothing is made up for the older encoding, for formulas and for other names', () => {
    expect(lettersOfBitmap(27, coded([...text, 12, 27]))).toBeUndefined();
    expect(lettersOfBitmap(27, coded([27, 97, 98, 99, 120]))).toBeUndefined();
    expect(lettersOfBitmap(27, [...coded(text), 'ff'])).toBeUndefined();
  });
});
