import { describe, expect, it } from 'vitest';
import { clusterBoundaryAfter, clusterBoundaryAtOrBefore } from '../../../src/text/graphemes.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

const samples = [
  'plain text',
  'e\u0301e\u0301\u0302 a',
  '👩‍👩‍👧‍👦👍🏽🇩🇪🇫🇷🇮',
  'क्षत्रिय हिन्दी',
  'ภาษาไทยกำลัง',
  '한국어 각각 \u1100\u1161\u11A8\uAC00\u11A8',
  'a\r\nb\n\u0301c\r\r\n',
  '\u0600١٢ \u200D\u200Dx ©\uFE0F®',
  '日本か\u3099は\u309A𠮷野家',
  '\uD83D\uD83D\uDE00\uDE00',
];

describe('cluster boundaries', () => {
  it.each(samples)('agree with a whole segmentation of %j at every offset', (text) => {
    const starts = [...segmenter.segment(text)].map(({ index }) => index);
    starts.push(text.length);
    for (let at = 0; at <= text.length; at++) {
      const before = starts.findLast((start) => start <= at)!;
      for (const from of starts.filter((start) => start <= before)) {
        expect(clusterBoundaryAtOrBefore(text, from, at), `from ${from} at ${at}`).toBe(before);
      }
      if (starts.includes(at) && at < text.length)
        expect(clusterBoundaryAfter(text, at)).toBe(starts.find((start) => start > at));
    }
  });

  it('a cluster that ends in a surrogate pair is not cut at the end of a window', () => {
    const text = `${'👩\u200d'.repeat(200)}x`;
    expect(clusterBoundaryAfter(text, 0)).toBe(600);
  });

  it.each(['👩\u200d', '\u0301'])('an endless run of %j is cut between code points, and each cut is cheap', (unit) => {
    const text = `e${unit.repeat(500_000)}`;
    const started = performance.now();
    let from = 0;
    for (let at = 600; at < text.length; at += 600) {
      const cut = clusterBoundaryAtOrBefore(text, from, at);
      expect(cut).toBeGreaterThanOrEqual(from);
      expect(cut).toBeLessThanOrEqual(at);
      expect(text.slice(from, cut).isWellFormed()).toBe(true);
      from = cut;
    }
    expect(text.length - from).toBeLessThan(20_000);
    expect(clusterBoundaryAfter(text, from)).toBeGreaterThan(from);
    expect(performance.now() - started).toBeLessThan(30_000); // a minute and more where each cut reads from the start
  });

  it('a cluster longer than any window ends where it ends', () => {
    const text = `e${'\u0301'.repeat(5_000)}x`;
    expect(clusterBoundaryAfter(text, 0)).toBe(5_001);
    expect(clusterBoundaryAtOrBefore(text, 0, 4_000)).toBe(0);
  });
});
