import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { driftOf, shouldRetrain } from '../../../../src/embed/local/drift.ts';
import { decodeModel, encodeModel, modelInfo } from '../../../../src/embed/local/model.ts';
import { type CodeBits, packedBytes } from '../../../../src/embed/local/quantise.ts';
import { termKey } from '../../../../src/embed/local/term-table.ts';

const header = { dimensions: 32, seed: 3, chunksSeen: 10, trainedOnChunks: 8, maxChunks: 8, unknownShare: 0.25 };

function model(words: readonly string[]): Uint8Array<ArrayBuffer> {
  const keys = Uint32Array.from(new Set(words.map(termKey))).sort();
  const bits = Array.from(keys, (_, i): CodeBits => (i % 3 === 0 ? 1 : i % 3 === 1 ? 2 : 4));
  const codes = new Uint8Array(bits.reduce((sum, b) => sum + packedBytes(header.dimensions, b), 0)).map((_, i) => i);
  return encodeModel(
    header,
    keys,
    Float32Array.from(keys, (_, i) => 1 / (i + 1)),
    bits,
    codes,
  );
}

describe('a stored model', () => {
  it('comes back as it was written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ maxLength: 30 }), { maxLength: 40 }), (words) => {
        const opened = decodeModel(model(words));
        const numbers = words.map((word) => opened.table.get(termKey(word)));
        expect(numbers.toSorted((a, b) => a! - b!)).toEqual([...words.keys()]);
        expect(opened.table.get(termKey('a word of more than thirty letters'))).toBeUndefined();
        words.forEach((_, i) => {
          expect(Math.abs(opened.factor[i]! * (i + 1) - 1)).toBeLessThanOrEqual(1 / 64);
          expect(opened.bits[i]).toBe([1, 2, 4][i % 3]);
          expect(opened.codes[opened.codeAt[i]!]).toBe(opened.codeAt[i]! & 255);
        });
        expect(opened.info).toMatchObject({ ...header, vocabulary: words.length });
      }),
      { numRuns: 50 },
    );
  });

  it('with any byte changed, cut or added, is refused', () => {
    const good = model(['alpha', 'beta', 'gamma']);
    for (let i = 0; i < good.length; i++) {
      const bad = good.slice();
      bad[i]! ^= 0x10;
      expect(() => decodeModel(bad), `byte ${i}`).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^INDEX_(DAMAGED|SCHEMA)$/) }),
      );
    }
    for (const bad of [good.slice(0, -1), Uint8Array.from([...good, 0]), new Uint8Array(0)]) {
      expect(() => modelInfo(bad)).toThrow(expect.objectContaining({ code: 'INDEX_DAMAGED' }));
    }
  });

  it('of another format version says so', () => {
    const other = model(['alpha']);
    other['ibid local model\n'.length] = 99;
    expect(() => modelInfo(other)).toThrow(expect.objectContaining({ code: 'INDEX_SCHEMA' }));
  });

  it('is named after its content', () => {
    expect(modelInfo(model(['a'])).id).toBe(modelInfo(model(['a'])).id);
    expect(modelInfo(model(['a'])).id).not.toBe(modelInfo(model(['b'])).id);
    expect(modelInfo(model(['a'])).id).toMatch(/^local-lsa-\d+-32-[0-9a-f]{16}$/);
  });
});

describe('drift', () => {
  const info = { chunksSeen: 100, trainedOnChunks: 100, maxChunks: 20_000, unknownShare: 0.1 };
  const added = (tokens: number, unknown: number): { chunks: number; tokens: number; unknown: number } => ({
    chunks: 10,
    tokens,
    unknown,
  });

  it('asks for training when the corpus has doubled and more of it can be seen', () => {
    expect(shouldRetrain(driftOf(info, 199, added(0, 0)))).toBeUndefined();
    expect(shouldRetrain(driftOf(info, 200, added(0, 0)))).toBe('growth');
    const full = { ...info, chunksSeen: 50_000, trainedOnChunks: 20_000 };
    expect(shouldRetrain(driftOf(full, 500_000, added(0, 0)))).toBeUndefined();
  });

  it('asks for training when the words of what is added are not those of the model', () => {
    const threshold = 1.5 * 0.1 + 0.05;
    expect(shouldRetrain(driftOf(info, 110, added(10_000, 10_000 * threshold)))).toBeUndefined();
    expect(shouldRetrain(driftOf(info, 110, added(10_000, 10_000 * threshold + 1)))).toBe('vocabulary');
    expect(shouldRetrain(driftOf(info, 110, added(1_999, 1_999)))).toBeUndefined();
    const large = { ...info, chunksSeen: 101 };
    expect(shouldRetrain(driftOf(large, 111, added(10_000, 10_000)))).toBeUndefined();
  });

  it('of an empty corpus is none, until there is one', () => {
    const empty = { ...info, chunksSeen: 0, trainedOnChunks: 0 };
    expect(shouldRetrain(driftOf(empty, 0, added(0, 0)))).toBeUndefined();
    expect(shouldRetrain(driftOf(empty, 1, added(5, 5)))).toBe('growth');
  });
});
