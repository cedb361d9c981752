/**
 * What is lost when the vectors of a model, which are floats, become int8: of the ten nearest by the floats' own cosine,
 * the share that are the ten nearest by the stored vectors. As they come, and spread as `ibid/models` does.
 *
 *     node bench/ann/floats.ts 96 384 1024 [--write]
 *
 * Each number is one of dimensions to measure. `--write` keeps the figures in bench/results/floats.json.
 */
import { toInt8 } from '../../src/index.ts';
import { Spread } from '../../src/internal.ts';
import { readFlags, wrongUse } from '../support/flags.ts';
import { writeResults } from '../support/report.ts';
import { generateFloats, vectorKinds } from './vectors.ts';

const ROWS = 3000;
const QUERIES = 200;
const K = 10;
const SEED = 11;

function unit(vector: ArrayLike<number>): Float32Array {
  const length = Math.hypot(...Array.from(vector));
  return Float32Array.from(vector, (x) => x / length);
}

/** The rows with the highest product, best first. */
function nearest(rows: readonly Float32Array[], query: Float32Array): number[] {
  const scores = Float64Array.from(rows, (row) => {
    let dot = 0;
    for (let i = 0; i < query.length; i++) dot += row[i]! * query[i]!;
    return dot;
  });
  return Array.from(scores.keys())
    .sort((a, b) => scores[b]! - scores[a]!)
    .slice(0, K);
}

const { positionals, values } = readFlags(import.meta.filename, {
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const wrong = positionals.find((text) => !/^[1-9]\d*$/.test(text));
if (wrong !== undefined) wrongUse(import.meta.filename, `dimensions are a whole number, not "${wrong}"`);
if (positionals.length === 0) wrongUse(import.meta.filename, 'say which dimensions to measure');
const results: { dimensions: number; kind: string; plain: number; spread: number }[] = [];
for (const dimensions of positionals.map(Number)) {
  const spread = new Spread(dimensions);
  for (const kind of Object.keys(vectorKinds)) {
    const source = generateFloats(kind, dimensions, SEED);
    const floats = Array.from({ length: ROWS + QUERIES }, () => Float32Array.from(source.next().value));
    const units = floats.map(unit);
    const truth = units.slice(0, QUERIES).map((query) => new Set(nearest(units.slice(QUERIES), query)));
    const recall = (stored: (vector: Float32Array) => Int8Array): number => {
      const all = floats.map((vector) => unit(stored(vector)));
      const rows = all.slice(QUERIES);
      const found = truth.map((wanted, q) => nearest(rows, all[q]!).filter((row) => wanted.has(row)).length);
      return found.reduce((sum, count) => sum + count, 0) / (K * QUERIES);
    };
    const plain = recall(toInt8);
    const turned = recall((vector) => toInt8(spread.apply(vector)));
    results.push({ dimensions, kind, plain, spread: turned });
    console.log(
      `${dimensions} dimensions, ${kind}: recall@10 ${plain.toFixed(4)} as they come, ${turned.toFixed(4)} spread`,
    );
  }
}
if (values.write) writeResults('floats', `node bench/ann/floats.ts ${positionals.join(' ')} --write`, results);
