import { describe, expect, it } from 'vitest';
import type { LexicalDocument, SegmentBlock, SegmentData, SegmentSource } from '../../../src/lexical/contract.ts';
import { DROPPED, mergeSegments } from '../../../src/lexical/merge.ts';
import { LexicalReader } from '../../../src/lexical/reader.ts';
import { buildSegment } from '../../../src/lexical/segment.ts';

/** Deterministic numbers in [0, 1). */
function random(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** Few words so that terms repeat, some of them not ASCII, one longer than a byte can count. */
const vocabulary = [...'abcdefghij', 'aa', 'ab', 'abc', 'abcd', 'größe', '漢字', '漢', '😀x', 'z'.repeat(300)];

function randomDocuments(seed: number, count: number): LexicalDocument[] {
  const next = random(seed);
  const words = (most: number): string[] =>
    Array.from(
      { length: Math.floor(next() * (most + 1)) },
      () => vocabulary[Math.floor(next() ** 2 * vocabulary.length)]!,
    );
  return Array.from({ length: count }, () => {
    const title = words(3);
    return Array.from({ length: 1 + Math.floor(next() * 9) }, () => ({ title, headings: words(2), text: words(40) }));
  });
}

function sourceOf(data: SegmentData, base: number, log: number[] = []): SegmentSource {
  return {
    base,
    header: data.header,
    readBlocks: async (indices) => {
      log.push(...indices);
      return indices.map((i) => data.blocks[i]!.bytes);
    },
  };
}

const rowCount = (documents: readonly LexicalDocument[]): number => documents.reduce((sum, d) => sum + d.length, 0);
const occurrences = (tokens: readonly string[], term: string): number => tokens.filter((t) => t === term).length;

/** What `terms` must say, by looking at every row. */
function bruteForce(documents: readonly LexicalDocument[], isLive: (row: number) => boolean, term: string) {
  const out = { ordinals: [] as number[], text: [] as number[], title: [] as number[], headings: [] as number[] };
  documents.flat().forEach((row, i) => {
    const counts = [
      occurrences(row.text, term),
      occurrences(row.title, term),
      occurrences(row.headings, term),
    ] as const;
    if (!isLive(i) || counts.every((c) => c === 0)) return;
    out.ordinals.push(i);
    out.text.push(counts[0]);
    out.title.push(counts[1]);
    out.headings.push(counts[2]);
  });
  return out;
}

async function postingsOf(reader: LexicalReader, term: string) {
  const [found] = await reader.terms([term]);
  return {
    ordinals: [...found!.ordinals],
    text: [...found!.text],
    title: [...found!.title],
    headings: [...found!.headings],
  };
}

const everything = (): boolean => true;

describe('buildSegment and LexicalReader', () => {
  it.each([1, 2, 3, 4, 5])('give every posting that a look at every row gives (seed %i)', async (seed) => {
    const documents = randomDocuments(seed, 40);
    const reader = LexicalReader.open([sourceOf(buildSegment(documents), 0)], everything);
    for (const term of [...vocabulary, 'nowhere', '']) {
      expect(await postingsOf(reader, term), term).toEqual(bruteForce(documents, everything, term));
    }
    expect(reader.rows).toBe(rowCount(documents));
    let ordinal = 0;
    for (const document of documents) {
      const range = [ordinal, ordinal + document.length];
      for (const row of document) {
        expect(reader.documentRange(ordinal)).toEqual(range);
        expect(reader.textLengths[ordinal]).toBe(row.text.length);
        expect(reader.titleLengths[ordinal]).toBe(row.title.length);
        expect(reader.headingLengths[ordinal]).toBe(row.headings.length);
        ordinal++;
      }
    }
  });

  it('lists the terms that begin so, with the rows that hold them', async () => {
    const documents = randomDocuments(3, 60);
    const sources = [documents.slice(0, 25), documents.slice(25)];
    const second = rowCount(sources[0]!);
    const reader = LexicalReader.open(
      sources.map((some, i) => sourceOf(buildSegment(some), i === 0 ? 0 : second)),
      everything,
    );
    const counted = vocabulary.map((term) => [term, bruteForce(documents, everything, term).ordinals.length] as const);
    for (const start of ['a', 'ab', 'abc', 'z', '漢', '漢字', 'gr', '😀', 'q', '']) {
      const expected = counted.filter(([term, count]) => count > 0 && term.startsWith(start));
      expect(await reader.termsFrom(start, 1000), start).toEqual(new Map(expected));
    }
    expect(await reader.termsFrom('a', 0)).toBeUndefined();
    expect(await reader.termsFrom('ab', 1000)).toBe(await reader.termsFrom('ab', 1000)); // decoded once
  });

  it('says the same however rows are spread over segments, with deleted documents left out', async () => {
    const documents = randomDocuments(11, 60);
    const dead = new Set<number>();
    let row = 0;
    documents.forEach((document, i) => {
      for (let n = 0; n < document.length; n++, row++) if (i % 3 === 1) dead.add(row);
    });
    const isLive = (ordinal: number): boolean => !dead.has(ordinal);
    const parts = [documents.slice(0, 7), documents.slice(7, 8), documents.slice(8, 50), documents.slice(50)];
    let base = 0;
    const sources = parts.map((part) => {
      const source = sourceOf(buildSegment(part), base);
      base += rowCount(part);
      return source;
    });
    const spread = LexicalReader.open(sources, isLive);
    const whole = LexicalReader.open([sourceOf(buildSegment(documents), 0)], isLive);
    expect(spread.liveRows).toBe(row - dead.size);
    const liveText = documents
      .flat()
      .filter((_, i) => isLive(i))
      .reduce((sum, r) => sum + r.text.length, 0);
    expect(spread.averageTextLength).toBeCloseTo(liveText / (row - dead.size), 10);
    for (const term of vocabulary) {
      const expected = bruteForce(documents, isLive, term);
      expect(await postingsOf(spread, term)).toEqual(expected);
      expect(await postingsOf(whole, term)).toEqual(expected);
    }
  });

  it('hands out postings that hold no more memory than they show', async () => {
    const documents = randomDocuments(12, 60);
    const source = sourceOf(buildSegment(documents), 0);
    for (const isLive of [everything, (ordinal: number): boolean => ordinal % 4 !== 1]) {
      const reader = LexicalReader.open([source], isLive);
      for (const { ordinals, text, title, headings } of await reader.terms(vocabulary)) {
        expect(ordinals.buffer.byteLength).toBe(4 * ordinals.length);
        for (const counts of [text, title, headings]) expect(counts.buffer.byteLength).toBe(2 * ordinals.length);
      }
    }
  });

  it('merges to the bytes that building the live documents at once gives', async () => {
    const documents = randomDocuments(21, 50);
    const parts = [documents.slice(0, 20), documents.slice(20, 21), documents.slice(21)];
    const dead = new Set([0, 5, 20, 21, 49]);
    let first = 0;
    const sources = parts.map((part) => {
      const rowsLive = part.flatMap((document, i) => document.map(() => !dead.has(first + i)));
      first += part.length;
      return { segment: sourceOf(buildSegment(part), 0), isLive: (row: number) => rowsLive[row]! };
    });
    const merged = await mergeSegments(sources);
    expect(merged.data).toEqual(buildSegment(documents.filter((_, i) => !dead.has(i))));
    const kept = merged.rows.flatMap((map) => [...map]).filter((row) => row !== DROPPED);
    expect(kept).toEqual(kept.map((_, i) => i)); // live rows keep their order and have no holes
    expect(merged.rows[1]!.every((row) => row === DROPPED)).toBe(true);
  });

  it('hands blocks over as they are made: the same ones, numbered through', async () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `term${String(i).padStart(6, '0')}`);
    const sources = [text.slice(0, 12_000), text.slice(8_000)].map((words) => ({
      segment: sourceOf(buildSegment([[{ title: [], headings: [], text: words }]]), 0),
    }));
    const whole = (await mergeSegments(sources)).data;
    const handed: SegmentBlock[] = [];
    const sizes: number[] = [];
    const merged = await mergeSegments(
      sources,
      async (blocks, first) => {
        expect(first).toBe(handed.length);
        handed.push(...blocks);
        sizes.push(blocks.length);
      },
      500,
    );
    expect({ header: merged.data.header, blocks: handed }).toEqual(whole);
    expect(merged.data.blocks).toEqual([]);
    expect(sizes.length).toBeGreaterThan(1);
  });

  it('reads only the blocks of its terms, and each once', async () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `term${String(i).padStart(6, '0')}`);
    const data = buildSegment([[{ title: [], headings: [], text }]]);
    expect(data.blocks.length).toBeGreaterThan(5);
    const log: number[] = [];
    const reader = LexicalReader.open([sourceOf(data, 0, log)], everything);
    await reader.terms(['term000000', 'term019999', 'term019998', 'before', 'term000000']);
    expect(log).toEqual([0, data.blocks.length - 1]);
    await reader.terms(['term000001', 'term019997']);
    expect(log).toHaveLength(2);
    for (const i of [0, 1, 9_999, 10_000, 19_999])
      expect((await reader.terms([text[i]!]))[0]!.ordinals).toHaveLength(1);
  });

  it('counts up to 65,535 and no further', async () => {
    const data = buildSegment([[{ title: [], headings: [], text: new Array<string>(70_000).fill('x') }]]);
    const reader = LexicalReader.open([sourceOf(data, 0)], everything);
    expect((await reader.terms(['x']))[0]!.text[0]).toBe(65_535);
    expect(reader.textLengths[0]).toBe(70_000);
  });

  it('serves nothing from nothing', async () => {
    const reader = LexicalReader.open([], everything);
    expect(reader.rows).toBe(0);
    expect((await reader.terms(['x']))[0]!.ordinals).toHaveLength(0);
    const empty = LexicalReader.open([sourceOf(buildSegment([]), 0)], everything);
    expect(empty.liveRows).toBe(0);
    expect((await mergeSegments([])).data).toEqual(buildSegment([]));
  });

  it('names damage instead of answering from it', async () => {
    const data = buildSegment(randomDocuments(5, 20));
    const header = data.header.slice(0, -3);
    expect(() => LexicalReader.open([sourceOf({ ...data, header }, 0)], everything)).toThrow(
      expect.objectContaining({ code: 'INDEX_DAMAGED' }),
    );
    const bytes = data.blocks[0]!.bytes.slice();
    bytes[10]! ^= 1;
    const reader = LexicalReader.open(
      [sourceOf({ header: data.header, blocks: [{ firstTerm: '', bytes }] }, 0)],
      everything,
    );
    await expect(reader.terms(['a'])).rejects.toMatchObject({ code: 'INDEX_DAMAGED' });
  });

  it('stops at an abort before reading', async () => {
    const log: number[] = [];
    const reader = LexicalReader.open([sourceOf(buildSegment(randomDocuments(5, 5)), 0, log)], everything);
    await expect(reader.terms(['a'], { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    expect(log).toEqual([]);
  });
});
