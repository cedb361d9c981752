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

  it('a cluster longer than any window ends where it ends', () => {
    const text = `e${'\u0301'.repeat(5_000)}x`;
    expect(clusterBoundaryAfter(text, 0)).toBe(5_001);
    expect(clusterBoundaryAtOrBefore(text, 0, 4_000)).toBe(0);
  });
});
