import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCitation, mediaFragment, parseCitation, verifyCitation } from '../../../src/answer/citation.ts';
import { IbidError } from '../../../src/core/errors.ts';

describe('citation references', () => {
  it('leaves ordinary names readable', () => {
    expect(formatCitation({ uri: 'guide/setup.md', span: { start: 120, end: 188 } })).toBe('guide/setup.md#120-188');
    expect(formatCitation({ uri: 'Größe/資料.md', span: { start: 0, end: 1 } })).toBe('Größe/資料.md#0-1');
    expect(formatCitation({ uri: 'a.md' })).toBe('a.md');
  });

  it.each([
    '100% #hash?.md',
    'a b.md',
    'tab\there',
    'it\'s "so".md',
    '%41.md',
    'a#1-2',
    'x#5-9#7',
    'nbsp\u00a0.md',
    '[draft].md',
    '%',
    '#',
  ])('round-trips %j as one word', (uri) => {
    const text = formatCitation({ uri, span: { start: 3, end: 17 } });
    expect(text).not.toMatch(/\s/);
    expect(parseCitation(text)).toEqual({ uri, span: { start: 3, end: 17 } });
    expect(parseCitation(formatCitation({ uri }))).toEqual({ uri });
  });

  it('round-trips every well-formed name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(), fc.nat(), (uri, start, length) => {
        const reference = { uri, span: { start, end: start + length } };
        expect(parseCitation(formatCitation(reference))).toEqual(reference);
      }),
      { seed: 5 },
    );
  });

  it('reads a name typed by hand whose % is no escape', () => {
    expect(parseCitation('100%.md#1-2').uri).toBe('100%.md');
    expect(parseCitation('50%FF.md#1-2').uri).toBe('50%FF.md'); // FF is no UTF-8
  });

  it.each(['', '  ', '#1-2', 'a.md#', 'a.md#1', 'a.md#2-1', 'a.md#x-y', 'a.md#1-2-3', 'a.md#-1-2'])(
    'refuses %j',
    (text) => {
      expect(() => parseCitation(text)).toThrow(IbidError);
      expect(() => parseCitation(text)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    },
  );
});

describe('verifyCitation', () => {
  const chunk = { text: 'One. Two. Three.', span: { start: 100, end: 116 } };

  it('accepts exactly what stands there', () => {
    expect(verifyCitation({ quote: 'Two.', span: { start: 105, end: 109 } }, chunk)).toBe(true);
  });

  it.each([
    ['another word', { quote: 'two.', span: { start: 105, end: 109 } }],
    ['another place', { quote: 'Two.', span: { start: 104, end: 108 } }],
    ['a span of another length', { quote: 'Two.', span: { start: 105, end: 110 } }],
    ['a span that begins before the chunk', { quote: 'One.', span: { start: 99, end: 103 } }],
    ['a span that ends after it', { quote: 'Three.', span: { start: 112, end: 118 } }],
    ['nothing', { quote: '', span: { start: 105, end: 105 } }],
  ])('refuses %s', (_, quoted) => {
    expect(verifyCitation(quoted, chunk)).toBe(false);
  });
});

describe('media fragments of recordings', () => {
  it('are written in seconds, and read again to the millisecond', () => {
    for (const timeMs of [
      [843_200, 851_000],
      [0, 1],
      [3_600_001, 7_200_999],
    ] as const) {
      const text = mediaFragment('a b/talk #1.mp3', { timeMs })!;
      expect(text).not.toMatch(/\s/);
      expect(parseCitation(text)).toEqual({ uri: 'a b/talk #1.mp3', timeMs });
    }
    expect(mediaFragment('talk.mp3', { timeMs: [843_200, 851_000] })).toBe('talk.mp3#t=843.2,851');
  });

  it('are not made of captions, pages, or files that no player knows', () => {
    expect(mediaFragment('talk.vtt', { timeMs: [0, 1000] })).toBeUndefined();
    expect(mediaFragment('talk.mp3', { page: 3 })).toBeUndefined();
  });

  it('may be typed: without an end, with npt; a wrong one is refused', () => {
    expect(parseCitation('talk.mp3#t=npt:12')).toEqual({ uri: 'talk.mp3', timeMs: [12_000, 22_000] });
    expect(() => parseCitation('talk.mp3#t=9,8')).toThrow(/ends before/);
    expect(() => parseCitation('talk.mp3#t=x')).toThrow(/neither start-end nor t=/);
  });
});
