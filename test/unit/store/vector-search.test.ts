import { describe, expect, it } from 'vitest';
import { connectDatabase, openStore, openWriter } from '../../../src/store/index.ts';
import { calibrationKey } from '../../../src/store/store.ts';
import { chooseMethod, type ResidencyOptions } from '../../../src/store/vector-search.ts';
import { SignCode } from '../../../src/vector/sign-code.ts';
import { type RandomSource, randomSource } from '../vector/random.ts';
import { record } from './records.ts';

function cosine(a: Int8Array, b: Int8Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return aa * bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}

/** Vectors near one of a few centres. */
function near(random: RandomSource, centres: readonly Int8Array[]): Int8Array {
  const centre = centres[random.integer(0, centres.length - 1)]!;
  return centre.map((value) => Math.max(-127, Math.min(127, Math.round(value + 30 * random.normal()))));
}

const mib = 2 ** 20;
const calibration = { candidates: 300, recall: 1, rows: 2000 };

describe.each<{ name: string; dimensions: number; method: string; options: ResidencyOptions }>([
  { name: 'exact, resident', dimensions: 256, method: 'exact', options: {} },
  { name: 'exact behind a filter by signs, resident', dimensions: 240, method: 'exact', options: { exactBytes: 1000 } },
  { name: 'signs, resident', dimensions: 520, method: 'signs', options: { exactBytes: 1000 } },
  {
    name: 'signs resident, vectors on disk',
    dimensions: 512,
    method: 'signs-and-disk',
    options: { exactBytes: 0, residentBytes: 0 },
  },
  {
    name: 'rotated signs, vectors on disk',
    dimensions: 48,
    method: 'signs-and-disk',
    options: { exactBytes: 0, residentBytes: 0 },
  },
  { name: 'nothing resident', dimensions: 1024, method: 'disk', options: { residency: 'none' } },
  { name: 'signs in the database', dimensions: 512, method: 'disk', options: { residency: 'none', exactBytes: 0 } },
  { name: 'nothing resident, few dimensions', dimensions: 33, method: 'disk', options: { residency: 'none' } },
])('vector search: $name', ({ dimensions, options, method }) => {
  it('finds what brute force finds, filtered or not, after replacements too', async () => {
    const random = randomSource(dimensions);
    const centres = Array.from({ length: 12 }, () =>
      Int8Array.from({ length: dimensions }, () => Math.round(90 * random.normal()) % 128),
    );
    const database = await connectDatabase('memory://');
    const writer = await openWriter(database, { fingerprint: { embedder: 'e', dimensions } });
    const truth = new Map<string, Int8Array>();
    const put = async (from: number, to: number, seed: number): Promise<void> => {
      const records = Array.from({ length: to - from }, (_, i) => {
        const made = record(`d${from + i}`, ['a', 'b', 'c', 'd'], {
          dimensions,
          seed,
          format: (from + i) % 3 ? 'md' : 'pdf',
        });
        const vectors = made.chunks.map((chunk) => {
          const vector = from + i === 7 ? new Int8Array(dimensions) : near(random, centres);
          truth.set(`${made.uri} ${chunk.position}`, vector);
          return vector;
        });
        return { ...made, vectors };
      });
      await writer.current.replaceDocuments(records);
    };
    await put(0, 300, 1);
    await writer.putMeta(calibrationKey, calibration);
    const store = await openStore(database, options);
    const check = async (): Promise<void> => {
      const snapshot = await store.snapshot();
      expect(chooseMethod(snapshot.rows, new SignCode(dimensions), dimensions, calibration, options)).toBe(method);
      const pdf = await snapshot.filter("format = 'pdf'");
      const one = await snapshot.filter("uri = 'd9'");
      const several = Array.from({ length: 5 }, () => near(random, centres));
      const alone = await Promise.all(several.map((query) => snapshot.searchVectors(query, 10)));
      expect(await snapshot.searchEach(several, 10)).toEqual(alone);
      for (let q = 0; q < 5; q++) {
        const query = near(random, centres);
        for (const within of [undefined, pdf, one]) {
          const { ordinals, cosines } = await snapshot.searchVectors(query, 10, { within });
          const chunks = await snapshot.fetch(ordinals);
          const found = chunks.map(({ uri, position }) => `${uri} ${position}`);
          const scores = [...truth]
            .filter(
              ([key]) => !within || (within === one ? key.startsWith('d9 ') : Number(/\d+/.exec(key)![0]) % 3 === 0),
            )
            .map(([key, vector]) => ({ key, score: cosine(query, vector) }))
            .sort((a, b) => b.score - a.score);
          const best = scores.slice(0, 10);
          expect(cosines.length).toBe(best.length);
          for (const [i, { score }] of best.entries()) expect(cosines[i]).toBeCloseTo(score, 5);
          expect(found.every((key, i) => Math.abs(cosine(query, truth.get(key)!) - cosines[i]!) < 1e-5)).toBe(true);
          const vectors = await snapshot.vectorsAt(ordinals);
          expect([...vectors.subarray(0, dimensions)]).toEqual([...truth.get(found[0]!)!]);
        }
      }
    };
    await check();
    await put(100, 160, 2);
    await put(300, 330, 2);
    for (let position = 0; position < 4; position++) truth.delete(`d5 ${position}`);
    await writer.current.removeDocuments(['d5']);
    await check();
    await writer.finish();
    await check();
  });
});

describe('the method', () => {
  const choose = (rows: number, dimensions: number, options: ResidencyOptions = {}, calibrated = rows): string =>
    chooseMethod(rows, new SignCode(dimensions), dimensions, { candidates: 200, recall: 1, rows: calibrated }, options);

  it('follows the bytes of the vectors', () => {
    expect(choose(16_000, 1024)).toBe('exact');
    expect(choose(17_000, 1024)).toBe('signs');
    expect(choose(256 * 1024, 1024)).toBe('signs');
    expect(choose(1_000_000, 1024)).toBe('signs-and-disk');
    expect(choose(1_000_000, 256)).toBe('exact');
    expect(choose(1_100_000, 256)).toBe('signs-and-disk');
    expect(choose(100, 256, { residency: 'none' })).toBe('disk');
    expect(choose(5000, 1024, { residentBytes: 4 * mib })).toBe('signs-and-disk');
  });

  it('does without signs while nothing is known of them, or only of half as many rows', () => {
    expect(chooseMethod(100_000, new SignCode(1024), 1024, undefined, {})).toBe('exact');
    expect(chooseMethod(100_000, new SignCode(1024), 1024, { candidates: 0, recall: 0, rows: 100_000 }, {})).toBe(
      'exact',
    );
    expect(choose(100_000, 1024, {}, 50_000)).toBe('exact');
    expect(choose(100_000, 1024, {}, 50_001)).toBe('signs');
    expect(chooseMethod(1_000_000, new SignCode(1024), 1024, undefined, {})).toBe('disk');
  });
});
