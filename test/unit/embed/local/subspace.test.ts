import { describe, expect, it } from 'vitest';
import { randomWords, unit } from '../../../../src/embed/local/random.ts';
import { dominantRows, spreadColumns, subspaceBytes, transpose } from '../../../../src/embed/local/subspace.ts';
import { Kernels, type SparseRow } from '../../../../src/vector/float-kernels.ts';

const rows = 60;
const columns = 40;
const width = 32;

/** Right singular vectors by one-sided Jacobi rotations of the columns: largest singular value first. */
function jacobi(matrix: readonly (readonly number[])[]): { readonly sigma: number[]; readonly v: number[][] } {
  const n = matrix[0]!.length;
  const a = matrix.map((row) => [...row]);
  const v = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => +(i === j)));
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        let [alpha, beta, gamma] = [0, 0, 0];
        for (const row of a) {
          alpha += row[p]! ** 2;
          beta += row[q]! ** 2;
          gamma += row[p]! * row[q]!;
        }
        off = Math.max(off, Math.abs(gamma));
        if (gamma === 0) continue;
        const zeta = (beta - alpha) / (2 * gamma);
        const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
        const c = 1 / Math.sqrt(1 + t * t);
        for (const row of [...a, ...v]) {
          const x = row[p]!;
          row[p] = c * (x - t * row[q]!);
          row[q] = c * (t * x + row[q]!);
        }
      }
    }
    if (off < 1e-13) break;
  }
  const sigma = Array.from({ length: n }, (_, j) => Math.sqrt(a.reduce((sum, row) => sum + row[j]! ** 2, 0)));
  const order = sigma.map((_, j) => j).sort((x, y) => sigma[y]! - sigma[x]!);
  return { sigma: order.map((j) => sigma[j]!), v: order.map((j) => v.map((row) => row[j]!)) };
}

/** Singular values that shrink by `decay`: `rank` of them. */
function lowRank(rank: number, seed: number, decay = 0.5): number[][] {
  const next = randomWords(seed);
  const vector = (n: number): number[] => Array.from({ length: n }, () => unit(next) - 0.5);
  const out = Array.from({ length: rows }, () => new Array<number>(columns).fill(0));
  for (let r = 0; r < rank; r++) {
    const left = vector(rows);
    const right = vector(columns);
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) out[i]![j]! += left[i]! * right[j]! * decay ** r;
  }
  return out;
}

function basis(matrix: readonly (readonly number[])[], rank: number, iterations: number, seed = 1): Float32Array {
  const k = new Kernels();
  k.reserve(subspaceBytes(rows, columns, rows * columns, width));
  const terms = Uint32Array.from({ length: columns }, (_, j) => j);
  const bags: SparseRow[] = matrix.map((row) => ({ terms, values: Float32Array.from(row) }));
  return dominantRows(k, k.matrix(bags, columns), { width, rank, iterations, seed }).slice(0, columns * width);
}

const column = (v: Float32Array, j: number): number[] => Array.from({ length: columns }, (_, i) => v[i * width + j]!);
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

describe('dominant rows', () => {
  it('span the leading right singular vectors of a dense Jacobi SVD', () => {
    const matrix = lowRank(30, 5);
    const { sigma, v } = jacobi(matrix);
    const found = basis(matrix, 12, 2);
    // The part of singular vector j outside the subspace is of the order (σ₁₃ / σⱼ)^(2 · iterations + 1).
    for (let j = 0; j < 8; j++) {
      const inside = Array.from({ length: 12 }, (_, c) => dot(column(found, c), v[j]!) ** 2).reduce((a, b) => a + b);
      const bound = (sigma[12]! / sigma[j]!) ** 5;
      expect(1 - inside, `singular vector ${j}`).toBeLessThan(Math.max(1e-5, 100 * bound ** 2));
    }
  });

  it('are orthonormal, and zero beyond the rank asked for', () => {
    const found = basis(lowRank(30, 6, 0.9), 20, 1);
    for (let a = 0; a < width; a++) {
      for (let b = 0; b <= a; b++) {
        expect(dot(column(found, a), column(found, b))).toBeCloseTo(a === b && a < 20 ? 1 : 0, 4);
      }
    }
  });

  it('are zero where the matrix has no more directions', () => {
    const found = basis(lowRank(3, 7, 0.9), 20, 1);
    const lengths = Array.from({ length: width }, (_, j) => dot(column(found, j), column(found, j)));
    expect(lengths.filter((x) => x > 0.5)).toHaveLength(3);
    expect(lengths.filter((x) => x !== 0)).toHaveLength(3);
    expect(basis(lowRank(0, 8), 20, 1).every((x) => x === 0)).toBe(true);
  });

  it('are the same bits for the same seed, others for another', () => {
    const matrix = lowRank(30, 9);
    expect(basis(matrix, 16, 1)).toEqual(basis(matrix, 16, 1));
    expect(basis(matrix, 16, 1)).not.toEqual(basis(matrix, 16, 1, 2));
  });

  it('spreading columns keeps all products of rows and leaves no column empty', () => {
    const k = new Kernels();
    k.reserve(1 << 20);
    const count = 5;
    const x = k.floats(256 * width);
    const next = randomWords(3);
    for (let i = 0; i < count; i++) for (let j = 0; j < 3; j++) x[i * width + j] = unit(next) - 0.5;
    const rowsOf = (): number[][] =>
      Array.from({ length: count }, (_, i) => Array.from(x.subarray(i * width, (i + 1) * width)));
    const before = rowsOf();
    spreadColumns(k, x, count, width, 1);
    const after = rowsOf();
    for (const [i, a] of after.entries()) {
      for (const [j, b] of after.entries()) expect(dot(a, b)).toBeCloseTo(dot(before[i]!, before[j]!), 5);
    }
    for (let j = 0; j < width; j++) expect(after.some((row) => Math.abs(row[j]!) > 1e-3)).toBe(true);
  });

  it('transposing twice gives the matrix back', () => {
    const k = new Kernels();
    const bags: SparseRow[] = [
      { terms: Uint32Array.of(0, 3), values: Float32Array.of(1, 2) },
      { terms: new Uint32Array(0), values: new Float32Array(0) },
      { terms: Uint32Array.of(1, 3), values: Float32Array.of(3, 4) },
    ];
    const a = k.matrix(bags, 5);
    const back = transpose(k, transpose(k, a));
    expect([back.rows, back.columns, ...back.start, ...back.column, ...back.value]).toEqual([
      3,
      5,
      ...[0, 2, 2, 4],
      ...[0, 3, 1, 3],
      ...[1, 2, 3, 4],
    ]);
  });
});
