import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxOf } from '../../src/serve/page/pdf.js';
import { quoteOnPage } from '../../src/serve/page/pdf-marks.js';

const page = [
  'Annual ',
  'report',
  'In 2024 the sta',
  'tion deliv-',
  'ered 2,804 MWh.',
  'The ﬁrst turn.',
  'In 2024 again.',
];
const found = (items: readonly string[], quote: string, before?: string): string[] =>
  quoteOnPage(items, quote, before).ranges.map(({ item, start, end }) => items[item]!.slice(start, end));

describe('a quote on a page of a PDF', () => {
  it('is found across items, hyphens and ligatures', () => {
    expect(found(page, 'the station delivered 2,804 MWh')).toEqual(['the sta', 'tion deliv', 'ered 2,804 MWh']);
    expect(found(page, 'first turn')).toEqual(['ﬁrst turn']);
  });

  it('is taken where the text before is the same', () => {
    expect(quoteOnPage(page, 'In 2024', 'Annual report\n\n').ranges).toEqual([{ item: 2, start: 0, end: 7 }]);
    expect(quoteOnPage(page, 'In 2024', 'The first turn.\n\n').ranges).toEqual([{ item: 6, start: 0, end: 7 }]);
  });

  it('is found cell by cell where the page has another order', () => {
    const table = ['Part', 'Shelf', 'seal', 'motor', 'A-03', 'A-14'];
    expect(found(table, 'motor | A-14\nseal | A-03').sort()).toEqual(['A-03', 'A-14', 'motor', 'seal']);
    expect(quoteOnPage(table, 'nothing of this kind').share).toBe(0);
  });

  it('is found in part when a word was read in another way', () => {
    const { ranges, share } = quoteOnPage(['the quick brown fox jumps'], 'the quick brown dog jumps');
    expect(ranges.length).toBeGreaterThan(0);
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(1);
  });

  it('that is on the page is found whole, wherever the items are cut', () => {
    const text = 'Gannet contributed 1,308.1 MWh and Petrel 1,495.9 MWh. Petrel made its first turn on 14 March.';
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, fc.nat(60), fc.integer({ min: 5, max: 30 }), (at, start, length) => {
        const edges = [0, ...at.sort((a, b) => a - b), text.length];
        const items = edges.slice(0, -1).map((edge, i) => text.slice(edge, edges[i + 1]));
        const quote = text.slice(start, start + length);
        const letters = (one: string): string => one.replace(/[^\p{L}\p{N}]+/gu, '');
        const { ranges, share } = quoteOnPage(items, quote, text.slice(0, start));
        const marked = ranges.map((range) => items[range.item]!.slice(range.start, range.end)).join('');
        expect(letters(marked)).toBe(letters(quote));
        expect(share).toBe(1);
      }),
    );
  });

  it('is found however a page writes its accents', () => {
    for (const text of ['Résumés à la carte', 'Größe über Äcker', '한국어 문서', 'ΟΔΟΣ ΑΘΗΝΑΣ 7', 'İSTANBUL ẞ'])
      for (const [items, quote] of [
        [[text.normalize('NFD')], text],
        [[text], text.normalize('NFD')],
        [[...text.normalize('NFD')], text],
      ] as const)
        expect(quoteOnPage(items, quote).share, text).toBe(1);
    expect(found(['ΟΔΟΣ ΑΘΗΝΑΣ'], 'ΑΘΗΝΑ')).toEqual(['ΑΘΗΝΑ']);
  });

  it('without letters marks nothing', () => {
    expect(quoteOnPage(page, ' | — ')).toEqual({ ranges: [], share: 0 });
  });
});

describe('the box of a part of a text item', () => {
  /** A page of 100 by 100, its origin at the lower left. */
  const viewport = { width: 100, height: 100, convertToViewportPoint: (x: number, y: number) => [x, 100 - y] };
  const item = { str: 'abcd', dir: 'ltr', transform: [10, 0, 0, 10, 20, 50], width: 40, height: 10 };

  it('stands where the words are read from', () => {
    const [left, , right] = boxOf(item, 0, 1, viewport);
    expect([left, right]).toEqual([0.2, 0.3]);
    // the first of four Hebrew letters is the one on the right
    const [from, , to] = boxOf({ ...item, str: 'אבגד', dir: 'rtl' }, 0, 1, viewport);
    expect([from, to]).toEqual([0.5, 0.6]);
  });
});
