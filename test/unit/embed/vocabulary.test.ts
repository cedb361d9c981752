import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mix } from '../../../src/embed/random.ts';
import { ChunkSampler, TrainingSet } from '../../../src/embed/training-set.ts';
import { absent, buildVocabulary, numbersOf, weighBag } from '../../../src/embed/vocabulary.ts';

const analyse = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
const usable = (): boolean => true;

function sampleOf(texts: readonly string[], maxChunks = 1000, seed = 1): ReturnType<TrainingSet['finish']> {
  const set = new TrainingSet({ analyse, seed, maxChunks });
  for (const text of texts) set.add({ title: '', chunks: [{ text, headings: [] }] });
  return set.finish();
}

describe('the sample', () => {
  it('is the chunks of smallest hash, in order, whatever the length of the stream', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 30 }), fc.integer(), (n, max, seed) => {
        const texts = Array.from({ length: n }, (_, i) => `w${i}`);
        const { chunks, terms } = sampleOf(texts, max, seed);
        const expected = texts
          .map((text, i) => ({ text, i, hash: mix(mix(i) ^ seed) }))
          .sort((a, b) => a.hash - b.hash || a.i - b.i)
          .slice(0, max)
          .sort((a, b) => a.i - b.i);
        expect(chunks.map((chunk) => terms[chunk.text[0]!])).toEqual(expected.map((e) => e.text));
      }),
    );
  });

  it('is the same when a sampler ahead of it leaves out what it will not take', () => {
    const texts = Array.from({ length: 500 }, (_, i) => `w${i} x`);
    const ahead = new ChunkSampler(7, 20);
    const set = new TrainingSet({ analyse, seed: 7, maxChunks: 20 });
    let sent = 0;
    texts.forEach((text, i) => {
      if (!ahead.accepts(i)) return;
      sent++;
      set.add({ title: '', chunks: [{ text, headings: [] }] }, [i]);
    });
    expect(sent).toBeLessThan(200);
    const words = ({ chunks, terms }: ReturnType<TrainingSet['finish']>): string[][] =>
      chunks.map((c) => Array.from(c.text, (t) => terms[t]!));
    expect(words(set.finish())).toEqual(words(sampleOf(texts, 20, 7)));
  });

  it('knows where sentences end', () => {
    const { chunks } = sampleOf(['one two. three\n\nfour! ... five']);
    expect([...chunks[0]!.sentenceEnds]).toEqual([2, 3, 4, 5, 6]);
  });
});

describe('the vocabulary', () => {
  it('holds the terms of two to half of the chunks, in code unit order', () => {
    const { chunks, terms } = sampleOf(['b c all', 'c a all', 'a once all', 'a b all', 'all', 'all']);
    expect(buildVocabulary(chunks, terms, { minChunks: 2, maxTerms: 10, usable }).terms).toEqual(['a', 'b', 'c']);
    expect(buildVocabulary(chunks, terms, { minChunks: 2, maxTerms: 2, usable }).terms).toEqual(['a', 'b']);
    expect(buildVocabulary(chunks, terms, { minChunks: 2, maxTerms: 9, usable: (t) => t !== 'b' }).terms).toEqual([
      'a',
      'c',
    ]);
  });

  it('weighs by log-entropy', () => {
    // Six chunks; a: 3 + 1 occurrences, b: 1 + 1.
    const { chunks, terms } = sampleOf(['a a a', 'a b', 'b', 'x', 'y', 'z']);
    const { weight } = buildVocabulary(chunks, terms, { minChunks: 2, maxTerms: 10, usable });
    const a = 1 + ((3 / 4) * Math.log(3 / 4) + (1 / 4) * Math.log(1 / 4)) / Math.log(6);
    const b = 1 + (2 * (1 / 2) * Math.log(1 / 2)) / Math.log(6);
    expect(weight[0]).toBeCloseTo(a, 6);
    expect(weight[1]).toBeCloseTo(b, 6);
  });

  it('expects as unknown what would be left out if its own chunk were away', () => {
    // a stands in three chunks: known. b in two: alone in one of them, it would be in the other only, hence unknown.
    const { chunks, terms } = sampleOf(['a b', 'a b', 'a c', 'd', 'e', 'f']);
    const { unknownShare } = buildVocabulary(chunks, terms, { minChunks: 2, maxTerms: 10, usable });
    expect(unknownShare).toBeCloseTo((2 + 1 + 3) / 9, 10);
  });

  it('numbers the tokens of all parts of a chunk', () => {
    const set = new TrainingSet({ analyse, seed: 1, maxChunks: 10 });
    for (let i = 0; i < 2; i++) set.add({ title: 't', chunks: [{ text: 'x', headings: ['h'], context: 'c' }] });
    for (let i = 0; i < 2; i++) set.add({ title: '', chunks: [{ text: `other${i}`, headings: [] }] });
    const { chunks, terms } = set.finish();
    const vocabulary = buildVocabulary(chunks, terms, { minChunks: 2, maxTerms: 10, usable });
    expect(Array.from(numbersOf(chunks[0]!, vocabulary), (n) => vocabulary.terms[n])).toEqual(['t', 'h', 'c', 'x']);
    expect([...numbersOf(chunks[2]!, vocabulary)]).toEqual([absent]);
  });
});

describe('a bag', () => {
  it('weighs each distinct term by 1 + ln frequency, scaled to length 1', () => {
    const { terms, values } = weighBag(Uint32Array.of(2, 0, 2, absent, 2), Float32Array.of(0.5, 9, 0.25));
    const raw = [0.5, (1 + Math.log(3)) * 0.25];
    const norm = Math.hypot(...raw);
    expect([...terms]).toEqual([0, 2]);
    expect(values[0]).toBeCloseTo(raw[0]! / norm, 6);
    expect(values[1]).toBeCloseTo(raw[1]! / norm, 6);
  });

  it('of unknown terms is empty', () => {
    expect(weighBag(Uint32Array.of(absent, absent), new Float32Array(0)).terms).toHaveLength(0);
  });
});
