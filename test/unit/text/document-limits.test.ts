import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import type { Chunk, Document } from '../../../src/core/types.ts';
import { chunkDocument, chunkWithin } from '../../../src/text/chunk/chunk.ts';
import { boundChunks, boundDocument, cutLabel, documentLimits } from '../../../src/text/document-limits.ts';

const plain: Document = {
  uri: 'a.md',
  title: 'A title',
  text: 'One paragraph.',
  format: 'markdown',
  blocks: [],
  locators: [],
  metadata: { author: 'A', year: 2026, draft: false, none: null },
  warnings: [],
};

function chunk(position: number, fields: Partial<Chunk> = {}): Chunk {
  return { position, span: { start: 0, end: 1 }, text: 'a', headings: [], tokens: 1, locators: [], ...fields };
}

const codes = ({ warnings }: Document): string[] => warnings.map(({ code }) => code);

describe('cutLabel', () => {
  it('keeps what fits', () => {
    expect(cutLabel('abc', 3)).toBe('abc');
  });

  it('cuts between visible characters', () => {
    expect(cutLabel('abcd', 3)).toBe('ab…');
    expect(cutLabel('a👩‍👩‍👧b', 5)).toBe('a…');
    expect(cutLabel(`e${'\u0301'.repeat(900)}`, 500)).toHaveLength(500);
    expect(cutLabel('👩\u200d'.repeat(500), 500).isWellFormed()).toBe(true);
  });
});

describe('boundDocument', () => {
  it('leaves an ordinary document as it is', () => {
    expect(boundDocument(plain)).toBe(plain);
  });

  it('a title of megabytes is cut, and the document says so', () => {
    const bounded = boundDocument({ ...plain, title: 'endless '.repeat(500_000) });
    expect(bounded.title).toHaveLength(documentLimits.titleChars);
    expect(codes(bounded)).toEqual(['TITLE_CUT']);
    expect(boundDocument(bounded)).toBe(bounded);
  });

  it('metadata keeps its first keys and the beginning of long values', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, i]));
    const metadata = { long: 'x'.repeat(1e6), ['k'.repeat(1e6)]: 1, ...many };
    const bounded = boundDocument({ ...plain, metadata });
    expect(JSON.stringify(bounded.metadata).length).toBeLessThan(2 * documentLimits.metadataChars);
    expect(Object.keys(bounded.metadata)).toHaveLength(documentLimits.metadataKeys);
    expect(bounded.metadata).toMatchObject({ key0: 0, long: expect.stringMatching(/^x{1999}…$/) });
    expect(codes(bounded)).toEqual(['METADATA_CUT']);
    expect(boundDocument(bounded)).toBe(bounded);
  });

  it('many values of some length together stay within the limit', () => {
    const metadata = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key${i}`, 'y'.repeat(1500)]));
    const bounded = boundDocument({ ...plain, metadata });
    const chars = Object.entries(bounded.metadata).flat().join('').length;
    expect(chars).toBeLessThanOrEqual(documentLimits.metadataChars);
    expect(chars).toBeGreaterThan(documentLimits.metadataChars / 2);
  });

  it('names of parts are cut in every locator', () => {
    const part = 'p'.repeat(1e6);
    const bounded = boundDocument({
      ...plain,
      locators: [
        { start: 0, end: 3, part },
        { start: 3, end: 5, page: 2 },
      ],
    });
    expect(bounded.locators).toEqual([
      { start: 0, end: 3, part: expect.stringMatching(/^p{199}…$/) },
      { start: 3, end: 5, page: 2 },
    ]);
    expect(codes(bounded)).toEqual(['PLACE_CUT']);
  });

  it('warnings of a reader stay within the limits', () => {
    const warnings = Array.from({ length: 1000 }, () => ({ code: 'X', message: 'm'.repeat(1e5) }));
    const bounded = boundDocument({ ...plain, warnings });
    expect(bounded.warnings).toHaveLength(documentLimits.warnings);
    expect(bounded.warnings[0]!.message).toHaveLength(documentLimits.warningChars);
  });

  it('too many blocks are refused', () => {
    const blocks = new Array(documentLimits.blocks + 1).fill({ start: 0, end: 1, kind: 'paragraph' });
    expect(() => boundDocument({ ...plain, blocks })).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE' }));
  });
});

describe('boundChunks', () => {
  it('leaves ordinary chunks as they are', () => {
    const chunks = [chunk(0, { headings: ['A', 'B'], context: 'c' })];
    const bounded = boundChunks(plain, chunks);
    expect(bounded.document).toBe(plain);
    expect(bounded.chunks[0]).toBe(chunks[0]);
  });

  it('paths and contexts of given chunks are cut', () => {
    const headings = Array.from({ length: 100 }, () => 'h'.repeat(1e5));
    const { document, chunks } = boundChunks(plain, [chunk(0, { headings, context: 'c'.repeat(1e5) }), chunk(1)]);
    expect(chunks[0]!.headings.length).toBe(documentLimits.pathHeadings);
    expect(chunks[0]!.headings.join('').length).toBeLessThanOrEqual(documentLimits.pathChars);
    expect(chunks[0]!.context).toHaveLength(documentLimits.contextChars);
    expect(codes(document)).toEqual(['HEADING_CUT']);
  });

  it('a document of many chunks keeps less metadata for each', () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key${i}`, 'y'.repeat(700)]));
    const chunks = Array.from({ length: 20_000 }, (_, i) => chunk(i));
    const bounded = boundChunks({ ...plain, metadata }, chunks);
    expect(JSON.stringify(bounded.document.metadata).length * chunks.length).toBeLessThan(documentLimits.repeatedChars);
    expect(codes(bounded.document)).toEqual(['METADATA_CUT']);
  });

  it('too many chunks are refused, with a hint', () => {
    const chunks = Array.from({ length: documentLimits.chunks + 1 }, (_, i) => chunk(i));
    const refused = (): unknown => boundChunks(plain, chunks);
    expect(refused).toThrow(IbidError);
    expect(refused).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE', hint: expect.any(String) }));
  });
});

describe('the time of cutting', () => {
  it('ends with FILE_TIMEOUT', () => {
    const text = 'abcdefgh'.repeat(100_000);
    const cut = (): unknown => chunkWithin({ ...plain, text }, { timeoutMs: 50 });
    expect(cut).toThrow(expect.objectContaining({ code: 'FILE_TIMEOUT' }));
    expect(chunkWithin(plain, { timeoutMs: 10_000, chunks: 1 })).toHaveLength(1);
  });

  it('a text of too many chunks is refused before it is cut to its end', () => {
    const text = 'Words of the day, and more of them. '.repeat(100_000);
    const wanted = chunkDocument({ ...plain, text }).length;
    const started = performance.now();
    const cut = (): unknown => chunkWithin({ ...plain, text }, { chunks: wanted / 10 });
    expect(cut).toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE' }));
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(chunkWithin({ ...plain, text }, { chunks: wanted })).toHaveLength(wanted);
  });

  it('lines without an end are counted in linear time', () => {
    const text = '港口的主人每天晚上写下水位有多高。'.repeat(200_000);
    const started = performance.now();
    expect(chunkDocument({ ...plain, text, firstLine: 1 }).at(-1)!.firstLine).toBe(1);
    expect(performance.now() - started).toBeLessThan(15_000); // a minute where each chunk searches the whole text
  });
});

describe('a heading of megabytes', () => {
  it('is whole in the text and short in the path', () => {
    const heading = 'endless '.repeat(20_000).trim();
    const text = `${heading}\n\n${'Words of the day. '.repeat(200)}`;
    const blocks = [{ start: 0, end: heading.length, kind: 'heading', level: 2 } as const];
    const document = boundDocument({ ...plain, text, blocks });
    const chunks = chunkDocument(document);
    expect(chunks.map((one) => one.text).join('')).toBe(text);
    expect(chunks.at(-1)!.headings).toEqual([expect.stringMatching(/^endless .*…$/)]);
    expect(chunks.at(-1)!.headings[0]!.length).toBeLessThanOrEqual(documentLimits.headingChars);
    expect(codes(document)).toEqual(['HEADING_CUT']);
  });
});
