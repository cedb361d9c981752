/** Two small linear learners and a calibration error. Adam with full batches: results do not depend on an order. */
import { mean } from '../../src/internal.ts';

export interface LearnOptions {
  readonly l2?: number;
  readonly epochs?: number;
  readonly rate?: number;
}

export interface ListItem {
  readonly weight: number;
  readonly rows: readonly ArrayLike<number>[];
  readonly gold: readonly boolean[];
}

/** Minimises −log of the softmax mass on gold rows, averaged by weight. */
export function learnRanking(
  items: readonly ListItem[],
  dimensions: number,
  { l2 = 1e-4, epochs = 150, rate = 0.1 }: LearnOptions = {},
): Float64Array {
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  return adam(dimensions, epochs, rate, (w, gradient) => {
    for (const { weight, rows, gold } of items) {
      const scores = rows.map((row) => dot(w, row));
      const top = Math.max(...scores);
      let all = 0;
      let good = 0;
      const mass = scores.map((score, i) => {
        const e = Math.exp(score - top);
        all += e;
        if (gold[i]) good += e;
        return e;
      });
      rows.forEach((row, i) => {
        const k = (weight / total) * (mass[i]! / all - (gold[i] ? mass[i]! / good : 0));
        if (Math.abs(k) > 1e-12) for (let d = 0; d < dimensions; d++) gradient[d]! += k * row[d]!;
      });
    }
    for (let d = 0; d < dimensions; d++) gradient[d]! += l2 * w[d]!;
  });
}

export interface BinaryRow {
  readonly weight: number;
  readonly row: ArrayLike<number>;
  readonly positive: boolean;
}

/** Logistic regression on standardised columns. @returns one coefficient per column, then the bias */
export function learnLogistic(
  rows: readonly BinaryRow[],
  dimensions: number,
  { l2 = 3e-3, epochs = 250, rate = 0.05 }: LearnOptions = {},
): Float64Array {
  const columns = Array.from({ length: dimensions }, (_, d) => rows.map(({ row }) => row[d]!));
  const means = columns.map(mean);
  const deviations = columns.map(
    (column, d) => Math.sqrt(column.reduce((sum, x) => sum + (x - means[d]!) ** 2, 0) / rows.length) || 1,
  );
  const standard = rows.map(({ row }) => Float64Array.from(means, (mean, d) => (row[d]! - mean) / deviations[d]!));
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const w = adam(dimensions + 1, epochs, rate, (current, gradient) => {
    rows.forEach(({ weight, positive }, i) => {
      const row = standard[i]!;
      const k = (weight / total) * (1 / (1 + Math.exp(-dot(current, row) - current[dimensions]!)) - (positive ? 1 : 0));
      for (let d = 0; d < dimensions; d++) gradient[d]! += k * row[d]!;
      gradient[dimensions]! += k;
    });
    for (let d = 0; d < dimensions; d++) gradient[d]! += l2 * current[d]!;
  });
  const out = Float64Array.from(w, (x, d) => (d < dimensions ? x / deviations[d]! : x));
  for (let d = 0; d < dimensions; d++) out[dimensions]! -= out[d]! * means[d]!;
  return out;
}

function adam(
  size: number,
  epochs: number,
  rate: number,
  addGradient: (w: Float64Array, gradient: Float64Array) => void,
): Float64Array {
  const w = new Float64Array(size);
  const m = new Float64Array(size);
  const v = new Float64Array(size);
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const gradient = new Float64Array(size);
    addGradient(w, gradient);
    for (let d = 0; d < size; d++) {
      m[d] = 0.9 * m[d]! + 0.1 * gradient[d]!;
      v[d] = 0.999 * v[d]! + 0.001 * gradient[d]! ** 2;
      w[d]! -= (rate * (m[d]! / (1 - 0.9 ** epoch))) / (Math.sqrt(v[d]! / (1 - 0.999 ** epoch)) + 1e-8);
    }
  }
  return w;
}

/** Over the row's columns only; a bias behind them is left out. */
function dot(w: Float64Array, row: ArrayLike<number>): number {
  let sum = 0;
  for (let d = 0; d < row.length; d++) sum += w[d]! * row[d]!;
  return sum;
}

/** Expected calibration error in `bins` equal bins. */
export function calibrationError(
  pairs: readonly { readonly p: number; readonly positive: boolean }[],
  bins = 5,
): number {
  let error = 0;
  for (let bin = 0; bin < bins; bin++) {
    const inside = pairs.filter(({ p }) => Math.min(bins - 1, Math.floor(p * bins)) === bin);
    error += Math.abs(inside.reduce((sum, { p, positive }) => sum + p - (positive ? 1 : 0), 0));
  }
  return pairs.length === 0 ? Number.NaN : error / pairs.length;
}
