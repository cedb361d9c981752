import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

const read = async (content: string): Promise<string> =>
  (await parsePdf(makePdf({ pages: [content] }), context('spaced.pdf'))).text;

/** `Tc` adds a gap behind each glyph, blanks included. */
const spaced = (y: number, text: string, gap: number): string =>
  `BT /F2 18 Tf ${gap} Tc 72 ${y} Td (${text}) Tj 0 Tc ET`;

it('letters that are set wide apart are words', async () => {
  const text = await read(
    [spaced(700, 'SPACED TITLE OF IT', 7), at(72, 660, 'A plain sentence follows below.')].join('\n'),
  );
  expect(text).toBe('SPACED TITLE OF IT\n\nA plain sentence follows below.');
  expect(await read(spaced(700, 'Gesperrt', 6))).toBe('Gesperrt');
});

it('single letters with blanks between them stay so', async () => {
  expect(await read(at(72, 700, 'Choose A B C D or E F G H'))).toBe('Choose A B C D or E F G H');
  expect(await read(at(72, 700, 'A B C D E'))).toBe('A B C D E');
});

it('letters of a program in columns of one width are words, also behind signs and beside whole words', async () => {
  const cells = (y: number, parts: readonly string[]): string =>
    `BT /F1 10 Tf 72 ${y} Td [${parts.map((part) => `(${part})`).join(' -250 ')}] TJ ET`;
  const program = [[...'/api/store'], [...'m,seek;'], ['m_0', ...'forall', 'yP'], [...'catch[e]']];
  expect(await read(program.map((parts, i) => cells(700 - 40 * i, parts)).join('\n'))).toBe(
    '/api/store\n\nm,seek;\n\nm_0 forall yP\n\ncatch[e]',
  );
  expect(await read(cells(700, ['size', ...'dpqabc']))).toBe('size d p q a b c');
  expect(await read(at(72, 700, 'm_0 f o r a l l yP'))).toBe('m_0 f o r a l l yP');
});
