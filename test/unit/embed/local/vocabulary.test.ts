import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EmbedDocument } from '../../../../src/embed/contract.ts';
import { mix } from '../../../../src/embed/local/random.ts';
import { TermTable, termKey } from '../../../../src/embed/local/term-table.ts';
import { ChunkSampler, TrainingSet } from '../../../../src/embed/local/training-set.ts';
import { absent, BagMemory, buildVocabulary, numbersOf, weighBag } from '../../../../src/embed/local/vocabulary.ts';

const analyse = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
/** The words of some keys, in the order of the keys. */
const wordsOf = (keys: Iterable<number>, candidates: readonly string[]): (string | undefined)[] => {
  const names = new Map(candidates.map((word) => [termKey(word), word]));
  return Array.from(keys, (key) => names.get(key));
};

function sampleOf(texts: readonly string[], maxChunks = 1000, seed = 1): ReturnType<TrainingSet['finish']> {
  const set = new TrainingSet({ keysOf: (text) => analyse(text).map(termKey), seed, maxChunks });
  for (const text of texts) set.add({ title: '', chunks: [{ text, headings: [] }] });
  return set.finish();
}

describe('the sample', () => {
  it('is the chunks of smallest hash, whatever the length of the stream', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 30 }), fc.integer(), (n, max, seed) => {
        const texts = Array.from({ length: n }, (_, i) => `w${i}`);
        const { chunks, keys } = sampleOf(texts, max, seed);
        const expected = texts
          .map((text, i) => ({ text, i, hash: mix(mix(i) ^ seed) }))
          .sort((a, b) => a.hash - b.hash || a.i - b.i)
          .slice(0, max);
        expect(
          wordsOf(
            chunks.map((chunk) => keys[chunk.tokens[0]!]!),
            texts,
          ).sort(),
        ).toEqual(expected.map((e) => e.text).sort());
      }),
    );
  });

  it('stands in one order however its documents came, chunks of a document as they were', () => {
    const document = fc.array(fc.constantFrom('a', 'b', 'c', 'a b', 'b a', ''), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(document, { maxLength: 12 }), fc.integer(), (documents, shift) => {
        const sample = (order: readonly string[][]) => {
          const set = new TrainingSet({ keysOf: (text) => analyse(text).map(termKey), seed: 1, maxChunks: 100 });
          for (const chunks of order) set.add({ title: '', chunks: chunks.map((text) => ({ text, headings: [] })) });
          const { chunks, keys } = set.finish();
          const byDocument = Map.groupBy(chunks, (chunk) => chunk.document);
          return [...byDocument.values()].map((own) => own.map(({ tokens }) => Array.from(tokens, (t) => keys[t])));
        };
        const at = documents.length === 0 ? 0 : Math.abs(shift) % documents.length;
        const moved = [...documents.slice(at), ...documents.slice(0, at)].reverse();
        const found = sample(documents);
        expect(sample(moved)).toEqual(found);
        const given = documents.map((chunks) => chunks.map((text) => analyse(text).map(termKey)));
        expect(found.map((d) => JSON.stringify(d)).sort()).toEqual(given.map((d) => JSON.stringify(d)).sort());
      }),
    );
  });

  it('is the same when a sampler ahead of it leaves out what it will not take', () => {
    const texts = Array.from({ length: 500 }, (_, i) => `w${i} x`);
    const ahead = new ChunkSampler(7, 20);
    const set = new TrainingSet({ keysOf: (text) => analyse(text).map(termKey), seed: 7, maxChunks: 20 });
    let sent = 0;
    texts.forEach((text, i) => {
      if (!ahead.accepts(i)) return;
      sent++;
      set.add({ title: '', chunks: [{ text, headings: [] }] }, [i]);
    });
    expect(sent).toBeLessThan(200);
    // The numbers of documents differ, for the set has seen fewer; everything else is the same.
    const plain = ({ chunks, keys }: ReturnType<TrainingSet['finish']>): unknown => ({
      chunks: chunks.map((c) => ({ ...c, document: 0 })),
      keys,
    });
    expect(plain(set.finish())).toEqual(plain(sampleOf(texts, 20, 7)));
  });

  it('knows where sentences end', () => {
    const { chunks } = sampleOf(['one two. three\n\nfour! ... five']);
    expect([...chunks[0]!.sentenceEnds]).toEqual([2, 3, 4, 5, 6]);
  });
});

describe('the vocabulary', () => {
  it('holds the terms of two to half of the chunks, by ascending key; the most common when there are too many', () => {
    const { chunks, keys } = sampleOf(['b c all', 'c a all', 'a once all', 'a b all', 'all', 'all']);
    const known = (maxTerms: number): (string | undefined)[] => {
      const vocabulary = buildVocabulary(chunks, keys, { minChunks: 2, maxTerms });
      expect(vocabulary.keys).toEqual(vocabulary.keys.toSorted());
      return wordsOf(vocabulary.keys, ['a', 'b', 'c', 'once', 'all']).sort();
    };
    expect(known(10)).toEqual(['a', 'b', 'c']);
    expect(known(1)).toEqual(['a']);
    expect(known(2)).toContain('a');
    expect(known(2)).toHaveLength(2);
  });

  it('weighs by log-entropy', () => {
    // Six chunks; a: 3 + 1 occurrences, b: 1 + 1.
    const { chunks, keys } = sampleOf(['a a a', 'a b', 'b', 'x', 'y', 'z']);
    const { weight, keys: order } = buildVocabulary(chunks, keys, { minChunks: 2, maxTerms: 10 });
    const a = 1 + ((3 / 4) * Math.log(3 / 4) + (1 / 4) * Math.log(1 / 4)) / Math.log(6);
    const b = 1 + (2 * (1 / 2) * Math.log(1 / 2)) / Math.log(6);
    expect(weight[order.indexOf(termKey('a'))]).toBeCloseTo(a, 6);
    expect(weight[order.indexOf(termKey('b'))]).toBeCloseTo(b, 6);
  });

  it('expects as unknown what would be left out if its own document were away', () => {
    // a stands in three chunks: known. b in two: alone in one of them, it would be in the other only, hence unknown.
    const { chunks, keys } = sampleOf(['a b', 'a b', 'a c', 'd', 'e', 'f']);
    const { unknownShare } = buildVocabulary(chunks, keys, { minChunks: 2, maxTerms: 10 });
    expect(unknownShare).toBeCloseTo((2 + 1 + 3) / 9, 10);

    // Three chunks hold p, all of one document: known now, unknown in a document that would say it first.
    const set = new TrainingSet({ keysOf: (text) => analyse(text).map(termKey), seed: 1, maxChunks: 10 });
    const chunk = (text: string): EmbedDocument['chunks'][number] => ({ text, headings: [] });
    set.add({ title: '', chunks: [chunk('p'), chunk('p q'), chunk('p q')] });
    for (let i = 0; i < 3; i++) set.add({ title: '', chunks: [chunk('q')] });
    const sample = set.finish();
    const { unknownShare: share, keys: known } = buildVocabulary(sample.chunks, sample.keys, {
      minChunks: 2,
      maxTerms: 10,
    });
    expect(wordsOf(known, ['p', 'q'])).toEqual(['p']); // q stands in five of six chunks: too common
    expect(share).toBeCloseTo((3 + 5) / 8, 10);
  });

  it('numbers the tokens of all parts of a chunk', () => {
    const set = new TrainingSet({ keysOf: (text) => analyse(text).map(termKey), seed: 1, maxChunks: 10 });
    for (let i = 0; i < 2; i++) set.add({ title: 't', chunks: [{ text: 'x', headings: ['h', 'c'] }] });
    for (let i = 0; i < 2; i++) set.add({ title: '', chunks: [{ text: `other${i}`, headings: [] }] });
    const { chunks, keys } = set.finish();
    const vocabulary = buildVocabulary(chunks, keys, { minChunks: 2, maxTerms: 10 });
    const full = chunks.find((chunk) => chunk.titleEnd === 1)!; // documents are sorted by content
    const other = chunks.find((chunk) => chunk.titleEnd === 0)!;
    const first = numbersOf(full, vocabulary);
    expect(
      wordsOf(
        Array.from(first, (n) => vocabulary.keys[n]!),
        ['t', 'h', 'c', 'x'],
      ),
    ).toEqual(['t', 'h', 'c', 'x']);
    expect([full.titleEnd, full.headingsEnd, ...full.sentenceEnds]).toEqual([1, 3, 4]);
    expect([...numbersOf(other, vocabulary)]).toEqual([absent]);
  });
});

describe('a bag', () => {
  it('weighs each distinct term by 1 + ln frequency, scaled to length 1', () => {
    const { terms, values } = weighBag(
      Uint32Array.of(2, 0, 2, absent, 2),
      Float32Array.of(0.5, 9, 0.25),
      new BagMemory(),
    );
    const raw = [0.5, (1 + Math.log(3)) * 0.25];
    const norm = Math.hypot(...raw);
    expect([...terms]).toEqual([0, 2]);
    expect(values[0]).toBeCloseTo(raw[0]! / norm, 6);
    expect(values[1]).toBeCloseTo(raw[1]! / norm, 6);
  });

  it('is the same in memory of its own and in memory of many, which keeps them all until it is cleared', () => {
    const weight = Float32Array.from({ length: 500 }, (_, i) => 1 / (i + 1));
    const numbers = Array.from({ length: 2000 }, (_, i) =>
      Uint32Array.from({ length: 1 + (mix(i) % 90) }, (_, j) => mix(i * 1000 + j) % weight.length),
    );
    const memory = new BagMemory();
    for (const _ of [1, 2]) {
      memory.clear();
      const together = numbers.map((bag) => weighBag(bag, weight, memory));
      expect(together).toEqual(numbers.map((bag) => weighBag(bag, weight, new BagMemory())));
    }
  });

  it('of unknown terms is empty', () => {
    expect(weighBag(Uint32Array.of(absent, absent), new Float32Array(0), new BagMemory()).terms).toHaveLength(0);
  });
});

describe('the term table', () => {
  it('numbers keys like a map, in order of their first coming', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(50), fc.integer({ min: 0, max: 0xffffffff }))), (keys) => {
        const table = new TermTable(1);
        const map = new Map<number, number>();
        for (const key of keys) {
          if (!map.has(key)) map.set(key, map.size);
          expect(table.add(key)).toBe(map.get(key));
        }
        expect([...table.keys()]).toEqual([...map.keys()]);
        for (const key of [...keys, 51, 0xffffffff, 0]) expect(table.get(key)).toBe(map.get(key));
      }),
    );
  });

  it('spreads 200,000 similar terms over the keys as chance would', () => {
    const keys = Uint32Array.from({ length: 200_000 }, (_, i) => termKey(`term${i.toString(36)}`)).sort();
    let collisions = 0;
    for (let i = 1; i < keys.length; i++) collisions += +(keys[i] === keys[i - 1]);
    // n² / 2³³ = 4.7 pairs are expected.
    expect(collisions).toBeLessThan(16);
    const perBucket = new Uint32Array(256);
    for (const key of keys) perBucket[key & 255]!++;
    const expected = keys.length / 256;
    const chiSquare = perBucket.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    expect(chiSquare).toBeLessThan(255 + 5 * Math.sqrt(2 * 255));
  });
});
