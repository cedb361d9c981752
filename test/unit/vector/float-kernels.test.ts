import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomWords, unit } from '../../../src/embed/local/random.ts';
import { Kernels, lane, packColumns, packRows } from '../../../src/vector/float-kernels.ts';
import { signed, unsigned } from '../../../src/vector/wasm.ts';

const f = Math.fround;

function fill(array: Float32Array, seed: number): Float32Array {
  const next = randomWords(seed);
  return array.map(() => f(unit(next) - 0.5));
}

describe('kernels', () => {
  it('sparse × dense gives, bit for bit, the float32 sums in entry order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(6), { maxLength: 9 }), { maxLength: 9 }), fc.nat(1000), (rows, seed) => {
        const k = new Kernels();
        k.reserve(1 << 17);
        const width = 2 * lane;
        const x = k.floats(7 * width);
        x.set(fill(x, seed));
        const bags = rows.map((terms, i) => ({
          terms: Uint32Array.from(terms),
          values: fill(new Float32Array(terms.length), seed + i),
        }));
        const a = k.matrix(bags, 7);
        const y = k.floats(rows.length * width);
        k.sparse(a, x, y, width);
        bags.forEach(({ terms, values }, row) => {
          for (let j = 0; j < width; j++) {
            let sum = 0;
            terms.forEach((term, i) => {
              sum = f(sum + f(values[i]! * x[term * width + j]!));
            });
            expect(y[row * width + j]).toBe(sum);
          }
        });
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    [4, 1, 8],
    [8, 5, 16],
    [12, 33, 64],
  ])('dense × dense of %i × %i × %i agrees with the triple loop, also when it adds', (rows, inner, width) => {
    const k = new Kernels();
    k.reserve(1 << 17);
    const x = k.floats(rows * inner);
    const b = k.floats(inner * width);
    x.set(fill(x, 1));
    b.set(fill(b, 2));
    const packed = k.floats(inner * width);
    const y = k.floats(rows * width);
    packColumns(b, packed, inner, width);
    k.dense(x, packed, y, rows, inner, width);
    k.addDense(x, packed, y, rows, inner, width);
    const transposed = new Float32Array(inner * width);
    for (let l = 0; l < inner; l++) for (let j = 0; j < width; j++) transposed[j * inner + l] = b[l * width + j]!;
    const again = new Float32Array(inner * width);
    packRows(transposed, again, inner, width);
    expect(again).toEqual(packed.slice());
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < width; j++) {
        let sum = 0;
        for (let l = 0; l < inner; l++) sum += x[i * inner + l]! * b[l * width + j]!;
        expect(Math.abs(y[i * width + j]! - 2 * sum)).toBeLessThan(1e-5);
      }
    }
  });

  it('dense × triangular has the bits of dense × the same matrix with its zeros', () => {
    const [rows, width] = [8, 64];
    const k = new Kernels();
    k.reserve(1 << 17);
    const x = k.floats(rows * width);
    const b = new Float32Array(width * width);
    b.set(fill(b, 3));
    x.set(fill(x, 4));
    for (let i = 0; i < width; i++) b.fill(0, i * width, i * width + i);
    const packed = k.floats(width * width);
    packColumns(b, packed, width, width);
    const whole = k.floats(rows * width);
    const triangular = k.floats(rows * width).fill(7);
    k.dense(x, packed, whole, rows, width, width);
    k.dense(x, packed, triangular, rows, width, width, { triangular: true });
    expect(triangular).toEqual(whole);
  });

  it('adds to the first columns alone, where the others are not wanted', () => {
    const [rows, inner, width, columns] = [4, 5, 32, 16];
    const k = new Kernels();
    k.reserve(1 << 17);
    const x = k.floats(rows * inner);
    const b = k.floats(inner * width);
    x.set(fill(x, 5));
    b.set(fill(b, 6));
    const packed = k.floats(inner * width);
    packColumns(b, packed, inner, width);
    const all = k.floats(rows * width).fill(1);
    const some = k.floats(rows * width).fill(1);
    k.addDense(x, packed, all, rows, inner, width);
    k.addDense(x, packed, some, rows, inner, width, columns);
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < width; j++) expect(some[i * width + j]).toBe(j < columns ? all[i * width + j] : 1);
  });

  it('scatter adds to a row as often as it is named', () => {
    const k = new Kernels();
    const x = k.floats(3 * lane);
    const g = k.floats(lane).fill(2);
    const column = k.words(3);
    const value = k.floats(3);
    column.set([1, 2, 1]);
    value.set([1, 10, 0.5]);
    k.scatter(column, value, g, x, lane);
    expect([x[0], x[lane], x[3 * lane - 1]]).toEqual([0, 2 * (1 + 0.5), 2 * 10]);
  });

  it('sums packed rows, bit for bit, as it sums the same rows unpacked, also after the memory has grown', () => {
    const width = 3 * lane;
    const levels = fill(new Float32Array(31), 9);
    const tiers = [1, 2, 4] as const;
    const component = (bits: 1 | 2 | 4, byte: number, i: number): number =>
      levels[2 ** bits - 1 + ((byte >> (bits * i)) & (2 ** bits - 1))]!;
    const tables = Float32Array.from(
      tiers.flatMap((bits) =>
        Array.from({ length: 256 * (8 / bits) }, (_, i) => component(bits, Math.floor(i / (8 / bits)), i % (8 / bits))),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...tiers), { minLength: 1, maxLength: 7 }),
        fc.array(fc.array(fc.nat(6), { maxLength: 9 }), { maxLength: 9 }),
        fc.nat(1000),
        (bits, rows, seed) => {
          const codeAt = Uint32Array.of(1, ...bits.map(() => 0));
          bits.forEach((b, i) => {
            codeAt[i + 1] = codeAt[i]! + (width * b) / 8;
          });
          const next = randomWords(seed);
          const codes = Uint8Array.from({ length: codeAt.at(-1)! }, () => next());
          const bags = rows.map((terms, i) => ({
            terms: Uint32Array.from(terms, (term) => term % bits.length),
            values: fill(new Float32Array(terms.length), seed + i),
          }));
          const k = new Kernels();
          const packed = k.packedRows(codes, codeAt, tables);
          k.reserve(1 << 20);
          const x = k.floats(bits.length * width);
          bits.forEach((b, row) => {
            for (let i = 0; i < width; i++) {
              const byte = codes[codeAt[row]! + Math.floor((i * b) / 8)]!;
              x[row * width + i] = component(b, byte, i % (8 / b));
            }
          });
          const a = k.matrix(bags, bits.length);
          const y = k.floats(rows.length * width);
          const expected = k.floats(rows.length * width);
          k.sparse(a, x, expected, width);
          k.addPacked(a, packed, y, width);
          expect(y).toEqual(expected);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('refuses to hand out memory that was not reserved', () => {
    expect(() => new Kernels().floats(1 << 20)).toThrow(RangeError);
  });
});

describe('LEB128', () => {
  const decode = (bytes: number[]): bigint =>
    bytes.reduce((sum, b, i) => sum + (BigInt(b & 0x7f) << BigInt(7 * i)), 0n);

  it('round-trips any 32-bit integer', () => {
    fc.assert(
      fc.property(fc.integer(), (n) => {
        expect(decode(unsigned(n))).toBe(BigInt(n >>> 0));
        const bytes = signed(n);
        expect(BigInt.asIntN(7 * bytes.length, decode(bytes))).toBe(BigInt(n));
      }),
    );
  });
});
