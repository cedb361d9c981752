import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toInt8 } from '../../../../src/embed/int8.ts';
import { type CodeBits, magnitude, packedBytes, packVector, unpacked } from '../../../../src/embed/local/quantise.ts';
import { randomWords, unit } from '../../../../src/embed/local/random.ts';
import { Kernels } from '../../../../src/vector/float-kernels.ts';

const bitWidths: CodeBits[] = [1, 2, 4];

function roundTrip(vector: Float32Array, bits: CodeBits): Float32Array {
  const codes = new Uint8Array(packedBytes(vector.length, bits) + 3);
  packVector(vector, magnitude(vector), bits, codes, 3);
  expect([...codes.subarray(0, 3)]).toEqual([0, 0, 0]);
  // rows of a kernel have a multiple of 32 components, and no other row follows this one
  const width = Math.ceil(vector.length / 32) * 32;
  const padded = new Uint8Array(3 + packedBytes(width, bits));
  padded.set(codes);
  const k = new Kernels();
  k.reserve(8 * width + 2 ** 17);
  const rows = k.packedRows(padded, Uint32Array.of(3, padded.length), unpacked);
  const out = k.floats(width);
  k.addPacked(k.matrix([{ terms: Uint32Array.of(0), values: Float32Array.of(1) }], 1), rows, out, width);
  return out.slice(0, vector.length);
}

describe('packed vectors', () => {
  // Mean squared error of the optimal quantiser of a unit Gaussian, from Max's table I.
  it.each([
    [1, 0.3634],
    [2, 0.1175],
    [4, 0.009497],
  ] as const)('at %i bits lose what the table says of a Gaussian', (bits, expected) => {
    const next = randomWords(3);
    const gauss = (): number => Math.sqrt(-2 * Math.log(1 - unit(next))) * Math.cos(2 * Math.PI * unit(next));
    const vector = Float32Array.from({ length: 80_000 }, () => 5 * gauss());
    const back = roundTrip(vector, bits);
    const scale = magnitude(vector);
    const error = vector.reduce((sum, x, i) => sum + (x / scale - back[i]!) ** 2, 0) / vector.length;
    expect(error / expected).toBeGreaterThan(0.96);
    expect(error / expected).toBeLessThan(1.04);
  });

  it.each(bitWidths)('at %i bits take the nearest level', (bits) => {
    // A cubic ramp reaches past the outermost threshold, so every level occurs.
    const ramp = Float32Array.from({ length: 512 }, (_, i) => ((i - 255.5) / 256) ** 3);
    const levels = [...new Set(roundTrip(ramp, bits))];
    expect(levels).toHaveLength(2 ** bits);
    fc.assert(
      fc.property(fc.array(fc.float({ min: -8, max: 8, noNaN: true }), { minLength: 8, maxLength: 8 }), (xs) => {
        const vector = Float32Array.from(xs);
        const scale = magnitude(vector) || 1;
        roundTrip(vector, bits).forEach((level, i) => {
          const x = vector[i]! / scale;
          const nearest = Math.min(...levels.map((l) => Math.abs(l - x)));
          expect(Math.abs(level - x)).toBeLessThanOrEqual(nearest + 1e-3); // thresholds are given to four digits
        });
      }),
    );
  });
});

describe('int8 vectors', () => {
  it('are off by at most half a step of 1/127 of the largest component', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 32 }), (xs) => {
        const vector = Float32Array.from(xs);
        const largest = Math.max(...vector.map(Math.abs));
        const out = toInt8(vector);
        out.forEach((q, i) => {
          expect(Math.abs((q * largest) / 127 - vector[i]!)).toBeLessThanOrEqual((largest / 254) * (1 + 1e-6));
        });
        if (largest > 0) expect(Math.max(...out.map(Math.abs))).toBe(127);
      }),
    );
  });

  it('zero stays zero', () => {
    expect([...toInt8(new Float32Array(4))]).toEqual([0, 0, 0, 0]);
  });
});
