import { type DenseOptions, type Kernels, lane, packColumns, type SparseRows } from '../../vector/float-kernels.ts';
import { randomWords, unit } from './random.ts';

const blockRows = 256;
/** Floats that are written one after the other when a block is turned over. */
const cacheLine = 16;
/**
 * Least ratio of a column's squared length after to before orthogonalisation; below it only rounding errors are left.
 */
const dependent = 1e-6;

const roundUp = (n: number, step: number): number => Math.ceil(n / step) * step;

/** Bytes of kernel memory that `dominantRows`, then `spreadColumns`, need for a matrix of this shape. */
export function subspaceBytes(rows: number, columns: number, entries: number, width: number): number {
  const dense = (roundUp(rows, blockRows) + 2 * roundUp(columns, blockRows)) * width;
  return 4 * (dense + 4 * entries + rows + columns + 10 * width * width + 8 * blockRows * width) + 64 * 32;
}

/** The transposed matrix; entries of a row in ascending column order. */
export function transpose(k: Kernels, a: SparseRows): SparseRows {
  const start = k.words(a.columns + 1);
  const column = k.words(a.column.length);
  const value = k.floats(a.column.length);
  for (const c of a.column) start[c + 1]!++;
  for (let c = 0; c < a.columns; c++) start[c + 1]! += start[c]!;
  const next = start.slice();
  for (let r = 0; r < a.rows; r++) {
    for (let e = a.start[r]!; e < a.start[r + 1]!; e++) {
      const at = next[a.column[e]!]!++;
      column[at] = r;
      value[at] = a.value[e]!;
    }
  }
  return { rows: a.columns, columns: a.rows, start, column, value };
}

interface SubspaceOptions {
  /** Columns of the result, a multiple of 32. */
  readonly width: number;
  /** Number of columns to compute; the others are zero. More than the smaller side of the matrix is no use. */
  readonly rank: number;
  readonly iterations: number;
  readonly seed: number;
}

/**
 * An orthonormal basis of the subspace of the row space that carries most of `a`: the span of its leading right
 * singular vectors, found by randomised subspace iteration. The basis is not rotated to the singular vectors: a
 * rotation does not change cosines, and the mixture spreads over all components, which suits int8 and sign bits.
 * @returns `a.columns × width` floats in kernel memory (row-major, padding rows at the end); columns are orthonormal or
 * zero
 * @see Halko, Martinsson & Tropp 2011, doi:10.1137/090771806 (algorithm 4.4)
 */
export function dominantRows(k: Kernels, a: SparseRows, options: SubspaceOptions): Float32Array {
  const { width, rank, iterations, seed } = options;
  if (width % lane !== 0) throw new RangeError(`width ${width} is not a multiple of ${lane}`);
  const at = transpose(k, a);
  const onRows = k.floats(roundUp(a.rows, blockRows) * width);
  const onColumns = k.floats(roundUp(a.columns, blockRows) * width);
  const next = randomWords(seed);
  for (let c = 0; c < a.columns; c++) {
    for (let j = 0, bits = 0; j < rank; j++, bits >>>= 1) {
      if (j % 32 === 0) bits = next();
      onColumns[c * width + j] = bits & 1 ? 1 : -1;
    }
  }
  const work = orthonormaliser(k, width);
  for (let pass = 0; pass <= iterations; pass++) {
    k.sparse(a, onColumns, onRows, width);
    work(onRows, a.rows, 1); // between products only the span counts
    k.sparse(at, onRows, onColumns, width);
  }
  work(onColumns, a.columns);
  return onColumns;
}

/**
 * Multiplies the rows of `x` by a random orthonormal matrix, in place. Lengths and cosines stay; values from few
 * columns are spread over all columns.
 */
export function spreadColumns(k: Kernels, x: Float32Array, rows: number, width: number, seed: number): void {
  const mark = k.mark();
  const rotation = k.floats(roundUp(width, blockRows) * width);
  const next = randomWords(seed);
  for (let i = 0; i < width * width; i++) rotation[i] = unit(next) - 0.5;
  orthonormaliser(k, width)(rotation, width);
  const packed = k.floats(width * width);
  packColumns(rotation, packed, width, width);
  multiplyRows(k, x, rows, packed, width);
  k.release(mark);
}

/** `x = x · b` in place; `x` has room for rows up to a multiple of 256. */
function multiplyRows(
  k: Kernels,
  x: Float32Array,
  rows: number,
  packed: Float32Array,
  width: number,
  options?: DenseOptions,
): void {
  const block = k.floats(blockRows * width);
  for (let from = 0; from < rows; from += blockRows) {
    const part = x.subarray(from * width, (from + blockRows) * width);
    block.set(part);
    k.dense(block, packed, part, blockRows, width, width, options);
  }
}

/**
 * Makes the columns of a tall matrix orthonormal in place by Cholesky QR, in two rounds if not told otherwise: the
 * second removes the rounding errors of the first. A column that depends on earlier ones becomes zero.
 * @see Yamamoto, Nakatsukasa, Yanagisawa & Fukaya 2015 (CholeskyQR2), etna vol. 44
 */
function orthonormaliser(k: Kernels, width: number): (x: Float32Array, rows: number, rounds?: number) => void {
  const gram = k.floats(width * width);
  const factor = k.floats(width * width);
  const packed = k.floats(width * width);
  const left = k.floats(blockRows * width);
  const right = k.floats(blockRows * width);

  /** The lower triangle is enough: the product is symmetric. */
  const addGram = (x: Float32Array, rows: number): void => {
    gram.fill(0);
    for (let from = 0; from < rows; from += blockRows) {
      const part = x.subarray(from * width, (from + blockRows) * width);
      for (let strip = 0; strip < blockRows; strip += cacheLine)
        for (let j = 0; j < width; j++)
          for (let i = strip; i < strip + cacheLine; i++) left[j * blockRows + i] = part[i * width + j]!;
      packColumns(part, right, blockRows, width);
      for (let row = 0; row < width; row += lane) {
        const rows = left.subarray(row * blockRows, (row + lane) * blockRows);
        k.addDense(rows, right, gram.subarray(row * width), lane, blockRows, width, row + lane);
      }
    }
  };

  return (x, rows, rounds = 2) => {
    for (let round = 0; round < rounds; round++) {
      addGram(x, rows);
      factor.set(inverseFactor(gram, width));
      packColumns(factor, packed, width, width);
      const mark = k.mark();
      multiplyRows(k, x, rows, packed, width, { triangular: true });
      k.release(mark);
    }
  };
}

/**
 * The upper triangular `R⁻¹` with `RᵀR = gram`; a dependent column is zero. The factor is kept with its transpose, so
 * that each sum reads two runs of memory.
 */
function inverseFactor(gram: Float32Array, n: number): Float64Array {
  const lower = new Float64Array(n * n);
  const upper = new Float64Array(n * n); // its transpose
  const alive = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j <= i; j++) {
      if (j < i && !alive[j]) continue;
      const other = j * n;
      let sum = gram[row + j]!;
      for (let c = 0; c < j; c++) sum -= lower[row + c]! * lower[other + c]!;
      if (j < i) {
        lower[row + j] = sum / lower[other + j]!;
        upper[other + i] = lower[row + j]!;
      } else if (sum > dependent * gram[row + i]!) {
        lower[row + i] = Math.sqrt(sum);
        upper[row + i] = lower[row + i]!;
        alive[i] = 1;
      }
    }
  }
  // Column j of the inverse by forward substitution on Lᵀ: rows 0 … j only.
  const inverse = new Float64Array(n * n);
  const column = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    if (!alive[j]) continue;
    column.fill(0);
    column[j] = 1 / lower[j * n + j]!;
    inverse[j * n + j] = column[j]!;
    for (let i = j - 1; i >= 0; i--) {
      if (!alive[i]) continue;
      const row = i * n;
      let sum = 0;
      for (let c = i + 1; c <= j; c++) sum += upper[row + c]! * column[c]!;
      column[i] = -sum / lower[row + i]!;
      inverse[row + j] = column[i]!;
    }
  }
  return inverse;
}
