import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../../src/eval/statistics.ts';
import { openBlock } from '../../../src/lexical/blocks.ts';
import type { LexicalDocument, SegmentSource } from '../../../src/lexical/contract.ts';
import { decodeHeader } from '../../../src/lexical/header.ts';
import { PostingsCursor } from '../../../src/lexical/postings.ts';
import { LexicalReader } from '../../../src/lexical/reader.ts';
import { buildSegment } from '../../../src/lexical/segment.ts';
import { countOf, SkippedPostings, sizeOf } from '../../../src/lexical/skipped-postings.ts';
import { bestRows, scoresAt } from '../../../src/retrieve/best-rows.ts';
import { queryTerm, scoreRows, scoreWindows, termCounts } from '../../../src/retrieve/lexical-scores.ts';
import { skipFileReader, writeSkipFile } from '../../../src/store/skip-files.ts';
import { tempFolder } from '../../support/temp.ts';

const words = [...'abcdefghijkl', 'é', '猫'];
/** Postings from which a term of these small segments is common. */
const FROM = 100;

function randomDocuments(random: () => number, count: number): LexicalDocument[] {
  const some = (most: number): string[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, () => words[Math.floor(random() ** 3 * words.length)]!);
  return Array.from({ length: count }, () => {
    const title = random() < 0.3 ? some(3) : [];
    const rows = random() < 0.02 ? 700 : 1 + Math.floor(random() * 10);
    return Array.from({ length: rows }, () => ({ title, headings: random() < 0.2 ? some(2) : [], text: some(9) }));
  });
}

interface Kept {
  readonly source: Omit<SegmentSource, 'base'>;
  readonly rows: number;
  readonly path: string;
}

/** A segment with a file of its skip tables. */
async function segmentOf(documents: readonly LexicalDocument[], from = FROM): Promise<Kept> {
  const { header, blocks } = buildSegment(documents);
  const { directory } = decodeHeader(header);
  const path = join(tempFolder(), 'segment.skips');
  const inflated = async (indices: readonly number[]) => indices.map((i) => openBlock(blocks[i]!.bytes, directory[i]!));
  await writeSkipFile(path, header, inflated, from);
  const readBlocks = async (indices: readonly number[]) => indices.map((i) => blocks[i]!.bytes);
  return { source: { header, readBlocks }, rows: documents.flat().length, path };
}

function open(
  segments: readonly Kept[],
  isLive: (ordinal: number) => boolean,
  { kept, commonFrom = FROM }: { readonly kept: boolean; readonly commonFrom?: number },
): LexicalReader {
  let base = 0;
  const sources = segments.map(({ source, rows, path }) => {
    base += rows;
    return { ...source, base: base - rows, readSkipTables: kept ? skipFileReader(path, () => {}) : undefined };
  });
  return LexicalReader.open(sources, isLive, { commonFrom });
}

/** All that a reader says of where the words stand. */
async function postingsOf(reader: LexicalReader) {
  const all = await reader.terms([...words, 'unknown']);
  const sizes = all.map(sizeOf);
  const places: number[] = [];
  for (const postings of all) {
    if (!(postings instanceof SkippedPostings)) continue;
    for (let i = 0; i < 60; i++) {
      const from = (i * 7919) % reader.rows; // in any order
      postings.between(from, from + 5);
      places.push(...postings.found.rows.subarray(0, postings.found.length));
    }
  }
  const terms = all.map((postings) => {
    const { containing, anywhere, windows } = termCounts(reader, postings);
    const { ordinals, text, title, headings } = postings;
    return { containing, anywhere, windows, count: countOf(postings), ordinals, text, title, headings };
  });
  return { sizes, places, terms, counts: await reader.counts(words) };
}

/** What ranking makes of these, to the last bit. */
async function scoresOf(reader: LexicalReader) {
  const all = await reader.terms(words);
  return words.slice(3).map((_, q) => {
    const terms = all.slice(q, q + 4).map((postings) => queryTerm(reader, postings, 1));
    const [body, window] = [new Float32Array(reader.rows), new Float32Array(reader.rows)];
    scoreRows(reader, terms, body);
    scoreWindows(reader, terms, window);
    const some = Array.from({ length: 100 }, (_, i) => i * 7).filter((row) => row < reader.rows);
    const at = [scoresAt(reader, terms, 'body', some), scoresAt(reader, terms, 'window', some)];
    const best = [bestRows(reader, terms, 'body', 20), bestRows(reader, terms, 'window', 20)];
    return { body, window, at, best, rarity: terms.map(({ idf, windowIdf, rows }) => [idf, windowIdf, rows]) };
  });
}

/** How often a cursor went on to a posting meanwhile. */
async function steps(run: () => Promise<unknown>): Promise<number> {
  using spy = vi.spyOn(PostingsCursor.prototype, 'advance');
  await run();
  return spy.mock.calls.length;
}

interface Corpus {
  readonly segments: readonly Kept[];
  /** Has no common word. */
  readonly small: Kept;
  readonly random: () => number;
}

async function corpusOf(seed: number): Promise<Corpus> {
  const random = seededRandom(seed);
  const segments: Kept[] = [];
  for (let i = 0; i < seed; i++) segments.push(await segmentOf(randomDocuments(random, 120)));
  return { segments, small: await segmentOf(randomDocuments(random, 3)), random };
}

type IsLive = (ordinal: number) => boolean;

const everyRow: IsLive = () => true;
const allButFirst: IsLive = (ordinal) => ordinal !== 0;

function openAll({ segments, small }: Corpus, kept: boolean, isLive: IsLive = everyRow): LexicalReader {
  return open([...segments, small], isLive, { kept });
}

function united({ segments, small }: Corpus, kept: boolean, isLive: IsLive = everyRow): LexicalReader {
  let base = 0;
  const parts = [...segments, small].map((segment) => {
    const reader = open([segment], isLive, { kept });
    base += reader.rows + 7; // rows between that are of no segment
    return { base: base - reader.rows, rows: reader.rows, reader };
  });
  return LexicalReader.united(parts, { commonFrom: FROM });
}

/** Some documents of a reader alone. */
function scoped(reader: LexicalReader): LexicalReader {
  const has: IsLive = (row) => reader.documentFirst[row]! % 3 !== 1;
  return reader.restricted({ has }, { commonFrom: FROM });
}

const extra = buildSegment(randomDocuments(seededRandom(77), 12));

function extended(reader: LexicalReader, decides: boolean): LexicalReader {
  const readBlocks = async (indices: readonly number[]) => indices.map((i) => extra.blocks[i]!.bytes);
  return reader.extended([{ header: extra.header, readBlocks, base: reader.rows }], { decides });
}

const readers: Readonly<Record<string, (corpus: Corpus, kept: boolean) => LexicalReader>> = {
  'with live rows alone': (corpus, kept) => openAll(corpus, kept),
  'with one dead row': (corpus, kept) => openAll(corpus, kept, allButFirst),
  'with dead rows': (corpus, kept) => openAll(corpus, kept, (ordinal) => ordinal % 701 !== 700),
  restricted: (corpus, kept) => scoped(openAll(corpus, kept)),
  'restricted to all rows': (corpus, kept) => openAll(corpus, kept).restricted({ has: everyRow }, { commonFrom: FROM }),
  united: (corpus, kept) => united(corpus, kept),
  'united, with dead rows': (corpus, kept) => united(corpus, kept, allButFirst),
  'united and restricted': (corpus, kept) => scoped(united(corpus, kept)),
  'extended by rows that count': (corpus, kept) => extended(openAll(corpus, kept), false),
  'extended by rows that do not count': (corpus, kept) => extended(openAll(corpus, kept), true),
  'restricted and extended': (corpus, kept) => extended(scoped(openAll(corpus, kept)), true),
  'to which all terms are common': ({ segments, small }, kept) =>
    open([...segments, small], everyRow, { kept, commonFrom: 1 }),
};

describe.each([1, 2, 3])('kept skip tables of %i segments', (seed) => {
  it.each(Object.keys(readers))('change nothing in a reader %s', async (name) => {
    const corpus = await corpusOf(seed);
    const [kept, made] = [true, false].map((which) => readers[name]!(corpus, which)) as [LexicalReader, LexicalReader];
    expect(await postingsOf(kept)).toEqual(await postingsOf(made));
    expect(await scoresOf(kept)).toEqual(await scoresOf(made));
  });

  it('spare the pass over all postings, but where rows are dead', async () => {
    const corpus = await corpusOf(seed);
    const { segments, small } = corpus;
    const pass = (reader: LexicalReader): Promise<number> => steps(() => reader.terms(['a']));
    const lengths: number[] = [];
    for (const one of segments) lengths.push(await pass(open([one], everyRow, { kept: false })));
    expect(Math.min(...lengths)).toBeGreaterThan(FROM);
    const ofSmall = await pass(open([small], everyRow, { kept: false, commonFrom: 1 })); // too few for a table
    expect(ofSmall).toBeLessThan(FROM);
    expect(await pass(openAll(corpus, false))).toBe(lengths.reduce((sum, length) => sum + length, ofSmall));
    expect(await pass(openAll(corpus, true))).toBe(ofSmall);
    expect(await pass(united(corpus, true))).toBe(ofSmall);
    expect(await pass(openAll(corpus, true, allButFirst))).toBe(lengths[0]! + ofSmall);
  });

  it('are not believed where they are cut off, zeros, or where a bit has changed', async () => {
    const corpus = await corpusOf(seed);
    const sound = await postingsOf(openAll(corpus, false));
    const { path } = corpus.segments[0]!;
    const bytes = readFileSync(path);
    const check = async (damaged: Uint8Array): Promise<void> => {
      writeFileSync(path, damaged);
      expect(await postingsOf(openAll(corpus, true))).toEqual(sound);
    };
    for (const length of [0, 3, 4, 7, 12, 16, 17, 40, bytes.length >> 1, bytes.length - 1]) {
      for (const zeros of [0, bytes.length - length])
        await check(Buffer.concat([bytes.subarray(0, length), Buffer.alloc(zeros)]));
    }
    for (let flip = 0; flip < 30; flip++) {
      const damaged = Buffer.from(bytes);
      const at = Math.floor(corpus.random() * (flip < 10 ? 16 : bytes.length));
      damaged[at]! ^= 1 << Math.floor(corpus.random() * 8);
      await check(damaged);
    }
    rmSync(path);
    expect(await postingsOf(openAll(corpus, true))).toEqual(sound);
  });
});

describe('skip tables', () => {
  it('are there for words of so many chunks alone, and small', async () => {
    const documents = Array.from({ length: 300 }, (_, i) => [
      { title: [], headings: [], text: i < 299 ? ['often', 'always'] : ['always'] },
    ]);
    const { path } = await segmentOf(documents, 300);
    const [header, list, place] = [12, 20, 14];
    expect(readFileSync(path)).toHaveLength(header + list + 16 + place * Math.ceil(300 / 128));
  });
});
