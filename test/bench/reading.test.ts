import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MeasuredFormat, measuredFormats, type Reading } from '../../bench/quality/reading/formats.ts';
import { htmlText } from '../../bench/quality/reading/html.ts';
import { docxText } from '../../bench/quality/reading/office.ts';
import { compareOrder } from '../../bench/quality/reading/order.ts';
import { compareWords, countsOf, sum, wordsOf } from '../../bench/quality/reading/words.ts';
import { figuresOf, measureReading } from '../../bench/quality/reading.ts';
import { IbidError } from '../../src/index.ts';
import { at, column, makePdf, makeZip } from '../unit/read/formats-make.ts';

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
      [['running header', wordsOf('Harbour 12 13')]],
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

describe('compareOrder', () => {
  const sentence = (word: string): string => `The ${word} stood by the ${word} tower.`;
  const text = (...words: string[]): string => words.map(sentence).join(' ');

  it('is 1 for the same order, -1 for the opposite one, in between for a column that was read too early', () => {
    const words = ['old', 'new', 'red', 'tall'];
    expect(compareOrder(text(...words), text(...words))).toEqual({ ends: 4, tau: 1 });
    expect(compareOrder(text(...words), text(...words.reverse()))).toEqual({ ends: 4, tau: -1 });
    expect(compareOrder(text('old', 'new', 'red', 'tall'), text('red', 'tall', 'old', 'new'))?.tau).toBeCloseTo(-1 / 3);
    expect(compareOrder('No end.', text('old', 'new'))).toBeUndefined();
  });
});

describe('walks over markup', () => {
  it('HTML: text of the page, and apart what no page shows', () => {
    const { pages, apart } = htmlText(
      '<title>No</title><nav>Home</nav><p title="a > b">One &amp; two<script>if (a<b) {"</p>"}</script><ul><li>three<li hidden>four<br>five</ul>six',
    );
    expect(wordsOf(pages.join(' '))).toEqual(['one', 'two', 'three', 'six']);
    expect([...apart].map(([reason, part]) => [reason, wordsOf(part)])).toEqual([
      ['navigation, footer or banner', ['home']],
      ['hidden', ['four', 'five']],
    ]);
  });

  it('DOCX: paragraphs and boxes once, what was deleted apart', () => {
    const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
    const { pages, apart } = docxText(
      Buffer.from(
        makeZip({
          'word/document.xml': `<w:document><w:p>${run('Claim')}<w:moveFrom>${run('gone')}</w:moveFrom></w:p><mc:Choice><w:p>${run('box')}</w:p></mc:Choice><mc:Fallback><w:p>${run('box')}</w:p></mc:Fallback></w:document>`,
          'word/footer1.xml': `<w:ftr><w:p>${run('Page 4')}</w:p></w:ftr>`,
        }),
      ),
    );
    expect(wordsOf(pages.join(' '))).toEqual(['claim', 'box']);
    expect([...apart].map(([reason, part]) => [reason, wordsOf(part)])).toEqual([
      ['deleted or moved', ['gone']],
      ['second copy of a drawing', ['box']],
      ['header or footer that is there already, page number', ['page', '4']],
    ]);
  });
});

describe('measureReading', () => {
  const reading = (text: string, pages: number[]): Reading => ({ text, pages: new Set(pages), leftOut: [] });
  const format: MeasuredFormat = {
    name: 'made',
    extensions: ['.made'],
    read: async (path) => {
      if (path === 'locked.made') throw new IbidError('FILE_ENCRYPTED', 'it needs a password');
      return path === 'lossy.made' ? reading('one two', [1]) : reading('one two three', [1, 2]);
    },
    extract: (path) =>
      path === 'odd.made'
        ? undefined
        : [
            { pages: ['one two', 'three', ''], apart: new Map([['hidden', 'four']]) },
            { pages: ['two one', 'three', ''], apart: new Map([['hidden', 'four']]) },
          ],
  };

  it('notices a word that is lost and a page that comes out empty, and names what is not read', async () => {
    const result = await measureReading(format, ['whole.made', 'lossy.made', 'locked.made', 'odd.made']);
    expect(result.files.map(({ file, missing, emptyPages }) => [file, [...missing.keys()], emptyPages])).toEqual([
      ['whole.made', [], []],
      ['lossy.made', ['three'], [2]],
    ]);
    expect(figuresOf(result)).toEqual({
      ...{ words: 6, missing: 1 / 6, meant: 2 / 6, invented: 0 },
      ...{ emptyPages: 1, order: 0, misplaced: 0 },
    });
    expect(result.unread).toEqual([
      { file: 'locked.made', reason: 'FILE_ENCRYPTED', words: 3 },
      { file: 'odd.made', reason: 'the other program does not read it', words: 0 },
    ]);
  });

  const pdf = measuredFormats.find(({ name }) => name === 'pdf')!;
  const reason = pdf.missing?.();
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
      expect([...result.files[0]!.meant]).toEqual([['running header, footer, number of a page or line', 4 * 2 + 5]]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
