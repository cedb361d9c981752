/** Numbers of lines in the margin go; numbers of rows and items stay. */
import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../../src/read/contract.ts';
import { readPdf } from '../../support/read-pdf.ts';
import { at } from './formats-make.ts';

const digitWidth = 5.56; // of Helvetica at 10 points
const numbered = (first: number, lines: readonly string[], x = 60, gap = 24): string =>
  lines
    .map((line, i) => {
      const [number, y] = [String(first + i), 740 - gap * i];
      return `${at(x - number.length * digitWidth, y, number)}\n${line === '' ? '' : at(90, y, line)}`;
    })
    .join('\n');

const hearing = [
  'THE COURT OF QUAYPORT',
  'Tuesday, 13 January 2009',
  '',
  'The harbour master came before the court and said that',
  'the light had failed on 14 March, and that nobody on the',
  'pier had seen the ship before it struck the wall.',
  'COUNSEL: Who kept the light on that night?',
  'THE WITNESS: It was kept by Ines, whose father kept it',
  'before her for 31 years.',
  'COUNSEL: No further questions.',
  '',
  '',
];

const read = (pages: readonly string[]): Promise<ParsedDocument> => readPdf({ pages });

describe('numbers of lines', () => {
  it('do not stand between the words of a sentence, and are counted', async () => {
    const { text, warnings, metadata } = await read([numbered(1, hearing), numbered(1, hearing.toReversed())]);
    expect(text).toContain('said that the light had failed on 14 March, and that nobody on the pier had seen the ship');
    expect(text).toContain('kept by Ines, whose father kept it before her for 31 years.');
    expect(text).not.toMatch(/\b(?:5|6|7|12)\b/);
    expect(warnings).toEqual([
      { code: 'PDF_LINE_NUMBERS', leftOut: 24, message: 'left out the numbers of 24 lines on 2 pages' },
    ]);
    expect(metadata.linesLeftOut).toBe(24);
  });

  it('go from one page alone, where lines without text have them', async () => {
    expect((await read([numbered(1, hearing)])).text).not.toMatch(/\b(?:5|6|7|12)\b/);
  });

  it('go on from page to page in a manuscript, and stand to the right too', async () => {
    const prose = Array.from(
      { length: 14 },
      (_, i) => `${i % 5 === 0 ? 'The' : 'and the'} keepers of the northern light burnt oil in that long winter`,
    );
    for (const x of [60, 560]) {
      const { text } = await read([numbered(101, prose, x, 14), numbered(115, prose, x, 14)]);
      expect(text).not.toMatch(/\d/);
    }
  });
});

describe('numbers stay', () => {
  const all = (first: number, count: number): string[] => Array.from({ length: count }, (_, i) => String(first + i));
  it.each<[string, string[], number]>([
    ['of names', ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jule', 'Kai', 'Lea'], 1],
    [
      'of tasks that fill no line alike',
      ['oil', 'wicks and glass', 'rope', 'the big lens', 'salt', 'paint', 'a flag', 'tar', 'nails', 'wax', 'chalk'],
      1,
    ],
    ['of a column of figures alone', Array.from({ length: 12 }, () => ''), 1],
    ['of a few lines', hearing.slice(3, 9), 4],
  ])('%s', async (_, lines, first) => {
    const { text, warnings } = await read([numbered(first, lines)]);
    expect(text.match(/\d+/g) ?? []).toEqual(expect.arrayContaining(all(first, lines.length)));
    expect(warnings).toEqual([]);
  });

  it('of the rows of a table', async () => {
    const rows = hearing.map(
      (_, i) =>
        `${at(60, 740 - 14 * i, `${i + 1}`)}\n${at(120, 740 - 14 * i, 'rope')}\n${at(240, 740 - 14 * i, `${i + 40}`)}`,
    );
    const { text } = await read([rows.join('\n'), rows.join('\n')]);
    expect(text.match(/\b12\b/g)).toHaveLength(2);
  });

  const small = (first: number, lines: readonly string[]): string => {
    let y = 740;
    return lines
      .map((line, i) => {
        y -= line.startsWith('3.') || i % 4 === 3 ? 23 : 13; // headings and items are further apart than lines
        return `${at(60, y, String(first + i), { size: 5 })}\n${at(90, y, line)}`;
      })
      .join('\n');
  };

  it('go where they are smaller than the text, however far its lines are apart, from the last page too', async () => {
    const manuscript = [
      '3. The light of the north',
      'The keepers of the northern light burnt oil in that long',
      'winter, and the ships that passed it came home in good',
      'order, as the book of the harbour says. In spring there',
      'was no oil, and the keepers burnt wood in place of it, so',
      'that the light was seen from no more than four miles.',
      '3.1. What burns',
      'Oil burns for a night in a lamp of the usual size, where',
      'wood has to be laid on each hour, and smokes in the rain.',
    ];
    const { text } = await read([small(17, manuscript), small(26, manuscript), small(35, manuscript.slice(1, 6))]);
    expect(text).toContain('in that long winter, and the ships that passed it came home in good order, as');
    expect(text.match(/\b\d\d\b/g)).toBeNull();
  });

  it('small numbers of items stay', async () => {
    const items = ['Ropes of hemp', 'Lamp oil, 12 barrels', 'Wicks', 'A bell', 'Paint, white', 'Glass for the lamp'];
    expect((await read([small(31, items)])).text).toMatch(/31.*Ropes.*36.*Glass/s);
  });
});
