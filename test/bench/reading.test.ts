import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MeasuredFormat, measuredFormats, type Reading } from '../../bench/quality/reading/formats.ts';
import { compareWords, countsOf, sum, wordsOf } from '../../bench/quality/reading/words.ts';
import { figuresOf, measureReading } from '../../bench/quality/reading.ts';
import { IbidError } from '../../src/index.ts';
import { at, column, makePdf } from '../unit/read/formats-make.ts';

describe('compareWords', () => {
  const compare = (ours: string, ...others: string[]) => compareWords(wordsOf(ours), others.map(wordsOf));

  it('finds nothing in the same words in another order, case and form', () => {
    const { missing, invented } = compare('The EFFICIENT lamp ﬂickers, 日本', 'lamp flickers the', 'x');
    expect(sum(missing)).toBe(0);
    expect([...invented.keys()]).toEqual(['efficient', '日', '本']);
  });

  it('counts a word that is there less often than in every extraction', () => {
    const { missing } = compare('lamp lamp', 'lamp lamp lamp oil', 'lamp lamp lamp lamp');
    expect([...missing]).toEqual([['lamp', 1]]);
  });

  it('takes a word broken at a line end for the whole word, either way', () => {
    for (const [ours, other] of [
      ['all components of it', 'all compo- nents of it'],
      ['all compo-nents of it', 'all components of it'],
    ] as const) {
      const { missing, invented } = compare(ours, other, other);
      expect([sum(missing), sum(invented)]).toEqual([0, 0]);
    }
  });

  it('gives the reason of what is left out on purpose, once a word', () => {
    const { missing, meant } = compareWords(
      wordsOf('text'),
      [wordsOf('Harbour text 12 Harbour')],
      new Map([['running header', wordsOf('Harbour 12 13')]]),
    );
    expect([...missing]).toEqual([['harbour', 1]]);
    expect([...meant]).toEqual([['running header', 2]]);
  });

  it('counts words', () => {
    expect(countsOf(wordsOf('Oil, oil and 3 lamps'))).toEqual(
      new Map([
        ['oil', 2],
        ['and', 1],
        ['3', 1],
        ['lamps', 1],
      ]),
    );
  });
});

describe('measureReading', () => {
  const reading = (text: string, pages: number[]): Reading => ({ text, pages: new Set(pages), leftOut: new Map() });
  const format: MeasuredFormat = {
    name: 'made',
    extensions: ['.made'],
    missing: () => undefined,
    read: async (path) => {
      if (path === 'locked.made') throw new IbidError('FILE_ENCRYPTED', 'it needs a password');
      return path === 'lossy.made' ? reading('one two', [1]) : reading('one two three', [1, 2]);
    },
    extract: (path) =>
      path === 'odd.made'
        ? undefined
        : [
            ['one two', 'three', ''],
            ['two one', 'three', ''],
          ],
  };

  it('notices a word that is lost and a page that comes out empty, and names what is not read', async () => {
    const result = await measureReading(format, ['whole.made', 'lossy.made', 'locked.made', 'odd.made']);
    expect(result.files.map(({ file, missing, emptyPages }) => [file, [...missing.keys()], emptyPages])).toEqual([
      ['whole.made', [], []],
      ['lossy.made', ['three'], [2]],
    ]);
    expect(figuresOf(result)).toEqual({ words: 6, missing: 1 / 6, meant: 0, invented: 0, emptyPages: 1 });
    expect(result.unread).toEqual([
      { file: 'locked.made', reason: 'FILE_ENCRYPTED', words: 3 },
      { file: 'odd.made', reason: 'the other program does not read it', words: 0 },
    ]);
  });

  const pdf = measuredFormats.find(({ name }) => name === 'pdf')!;
  const reason = pdf.missing();
  it.skipIf(reason !== undefined)(`finds every word of a PDF${reason ? ` (skipped: ${reason})` : ''}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ibid-reading-'));
    try {
      const file = join(folder, 'log.pdf');
      const pages = ['calm', 'foggy', 'stormy', 'clear', 'windy'].map((weather, i) =>
        [
          at(72, 760, 'Harbour Record'),
          column(72, 500, [`The ${weather} morning was spent on the roof of`, 'the tower, and nobody came.']),
          at(300, 40, `${i + 1}`),
        ].join('\n'),
      );
      writeFileSync(file, makePdf({ pages }));
      const result = await measureReading(pdf, [file]);
      expect(result.files[0]).toMatchObject({ missing: new Map(), invented: new Map(), emptyPages: [] });
      expect([...result.files[0]!.meant]).toEqual([['running header, footer or page number', 4 * 2 + 5]]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
