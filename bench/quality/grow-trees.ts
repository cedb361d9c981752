/** Gradient-boosted trees on histograms, grown leaf by leaf. The same rows and seed give the same trees. */
import { leaf, seededRandom, type Trees } from '../../src/internal.ts';

export interface Rows {
  /** One row after the other. */
  readonly values: Float32Array;
  readonly columns: number;
}

/** Writes first and second derivatives of the loss at the scores. */
export type Derivatives = (scores: Float64Array, gradient: Float64Array, hessian: Float64Array) => void;

export interface GrowOptions {
  readonly trees: number;
  readonly seed: number;
  readonly rate?: number;
  readonly leaves?: number;
  /** The least sum of second derivatives in a leaf. */
  readonly least?: number;
  readonly l2?: number;
  /** Of the rows and of the columns that a tree looks at. */
  readonly rowShare?: number;
  readonly columnShare?: number;
  readonly bias?: number;
}

const bins = 64;

interface Leaf {
  readonly rows: Int32Array;
  readonly histogram: Float64Array;
  readonly best: Split | undefined;
  readonly node: Node;
}
interface Split {
  readonly column: number;
  readonly bin: number;
  readonly gain: number;
}
interface Node {
  value: number;
  column?: number;
  threshold?: number;
  left?: Node;
  right?: Node;
}

export function growTrees(
  { values, columns }: Rows,
  derivatives: Derivatives,
  {
    trees,
    seed,
    rate = 0.08,
    leaves = 16,
    least = 20,
    l2 = 5,
    rowShare = 0.7,
    columnShare = 0.6,
    bias = 0,
  }: GrowOptions,
): Trees {
  const count = values.length / columns;
  const random = seededRandom(seed);
  const edges = Array.from({ length: columns }, (_, c) => edgesOf(values, columns, c, count));
  const binned = new Uint8Array(count * columns);
  for (let c = 0; c < columns; c++) {
    for (let r = 0; r < count; r++) binned[r * columns + c] = binOf(edges[c]!, values[r * columns + c]!);
  }
  const scores = new Float64Array(count).fill(bias);
  const gradient = new Float64Array(count);
  const hessian = new Float64Array(count);
  const grown: Node[] = [];
  const leafValue = (g: number, h: number): number => (-rate * g) / (h + l2);

  const histogramOf = (rows: Int32Array, used: readonly number[]): Float64Array => {
    const out = new Float64Array(columns * bins * 2);
    for (const r of rows) {
      const g = gradient[r]!;
      const h = hessian[r]!;
      const at = r * columns;
      for (const c of used) {
        const k = (c * bins + binned[at + c]!) * 2;
        out[k]! += g;
        out[k + 1]! += h;
      }
    }
    return out;
  };
  const bestOf = (histogram: Float64Array, used: readonly number[]): Split | undefined => {
    let best: Split | undefined;
    const first = used[0]! * bins * 2;
    let allG = 0;
    let allH = 0;
    for (let b = 0; b < bins; b++) {
      allG += histogram[first + 2 * b]!;
      allH += histogram[first + 2 * b + 1]!;
    }
    const whole = (allG * allG) / (allH + l2);
    for (const c of used) {
      let g = 0;
      let h = 0;
      for (let b = 0; b + 1 < edges[c]!.length + 1; b++) {
        g += histogram[(c * bins + b) * 2]!;
        h += histogram[(c * bins + b) * 2 + 1]!;
        if (h < least) continue;
        if (allH - h < least) break;
        const gain = (g * g) / (h + l2) + ((allG - g) * (allG - g)) / (allH - h + l2) - whole;
        if (gain > 1e-6 && gain > (best?.gain ?? 0)) best = { column: c, bin: b, gain };
      }
    }
    return best;
  };
  const leafOf = (rows: Int32Array, histogram: Float64Array, used: readonly number[]): Leaf => {
    let g = 0;
    let h = 0;
    for (const r of rows) {
      g += gradient[r]!;
      h += hessian[r]!;
    }
    return { rows, histogram, best: bestOf(histogram, used), node: { value: leafValue(g, h) } };
  };

  for (let t = 0; t < trees; t++) {
    derivatives(scores, gradient, hessian);
    const used = Array.from({ length: columns }, (_, c) => c).filter(() => random() < columnShare);
    if (used.length === 0) used.push(t % columns);
    const rows = Int32Array.from(Array.from({ length: count }, (_, r) => r).filter(() => random() < rowShare));
    const open: Leaf[] = [leafOf(rows, histogramOf(rows, used), used)];
    const root = open[0]!.node;
    for (let size = 1; size < leaves; size++) {
      let at = -1;
      open.forEach(({ best }, i) => {
        if (best && (at < 0 || best.gain > open[at]!.best!.gain)) at = i;
      });
      if (at < 0) break;
      const [parent] = open.splice(at, 1) as [Leaf];
      const { column, bin } = parent.best!;
      const goesLeft = (r: number): boolean => binned[r * columns + column]! <= bin;
      const left = parent.rows.filter(goesLeft);
      const right = parent.rows.filter((r) => !goesLeft(r));
      const small = histogramOf(left.length < right.length ? left : right, used);
      const large = parent.histogram;
      for (let k = 0; k < large.length; k++) large[k]! -= small[k]!;
      const [l, r] = left.length < right.length ? [small, large] : [large, small];
      const two = [leafOf(left, l, used), leafOf(right, r, used)] as const;
      Object.assign(parent.node, { column, threshold: edges[column]![bin]!, left: two[0].node, right: two[1].node });
      open.push(...two);
    }
    grown.push(root);
    for (let r = 0; r < count; r++) {
      let node = root;
      while (node.left) node = values[r * columns + node.column!]! <= node.threshold! ? node.left : node.right!;
      scores[r]! += node.value;
    }
  }
  return flat(grown, bias);
}

/** Values between which a column is cut, ascending: the bin of a value is how many of them it is above. */
function edgesOf(values: Float32Array, columns: number, column: number, count: number): Float32Array {
  const step = Math.max(1, Math.floor(count / 20_000));
  const sample: number[] = [];
  for (let r = 0; r < count; r += step) sample.push(values[r * columns + column]!);
  const sorted = Float32Array.from(sample).sort();
  const distinct = [...new Set(sorted)];
  if (distinct.length <= bins) return Float32Array.from(distinct.slice(0, -1));
  const out = new Set<number>();
  for (let b = 1; b < bins; b++) out.add(sorted[Math.floor((b * sorted.length) / bins)]!);
  const last = distinct.at(-1)!;
  return Float32Array.from([...out].filter((x) => x < last)).sort();
}

function binOf(edges: Float32Array, value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= edges[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

function flat(grown: readonly Node[], bias: number): Trees {
  const roots: number[] = [];
  const columns: number[] = [];
  const steps: number[] = [];
  const values: number[] = [];
  const add = (node: Node): void => {
    const at = columns.length;
    columns.push(node.left ? node.column! : leaf);
    steps.push(0);
    values.push(node.left ? node.threshold! : node.value);
    if (!node.left) return;
    add(node.left);
    steps[at] = columns.length - at;
    add(node.right!);
  };
  for (const root of grown) {
    roots.push(columns.length);
    add(root);
  }
  return {
    bias,
    roots,
    columns: Uint8Array.from(columns),
    steps: Uint8Array.from(steps),
    values: Float32Array.from(values),
  };
}
