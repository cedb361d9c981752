/** Sums of decision trees, as `bench/quality/train-answers.ts` learns them. */
export interface Trees {
  readonly bias: number;
  /** Where each tree begins among the nodes. */
  readonly roots: readonly number[];
  /** Of each node: the column that it compares, or `leaf`. Its left child follows it. */
  readonly columns: Uint8Array;
  /** From the node to its right child. */
  readonly steps: Uint8Array;
  /** Up to this value the way goes left; of a leaf: what it adds. */
  readonly values: Float32Array;
}

/** Stands in the place of a column where the node is a leaf. */
export const leaf = 255;

/** The sum of the leaves that a row of features reaches: a logit. */
export function scoreOf(trees: Trees, row: ArrayLike<number>): number {
  return scoresOf(trees, [row])[0]!;
}

/** One bit for each leaf of a tree. */
const mostLeaves = 32;

/**
 * Trees as they are summed: all comparisons of a column in one list, the smallest value first, so that a row goes through
 * a list as long as its value is greater. Such a comparison closes the leaves on its left. Of those that stay open, the
 * first is the one that a walk from the root would reach (QuickScorer, Lucchese et al. 2015).
 */
interface Comparisons {
  /** Where the list of each column ends; that of the next column begins there. */
  readonly ends: Int32Array;
  readonly values: Float32Array;
  readonly trees: Uint16Array;
  /** A 0 for each leaf that is closed. */
  readonly masks: Int32Array;
  /** Of each tree, its first one among the values of all leaves. */
  readonly firstLeaf: Int32Array;
  readonly leaves: Float32Array;
}

interface Comparison {
  readonly column: number;
  readonly value: number;
  readonly tree: number;
  readonly mask: number;
}

const prepared = new WeakMap<Trees, Comparisons>();

/** @throws RangeError for a tree of more than 32 leaves */
function comparisonsOf(trees: Trees): Comparisons {
  const known = prepared.get(trees);
  if (known) return known;
  const { roots, columns, steps, values } = trees;
  const list: Comparison[] = [];
  const leaves: number[] = [];
  const firstLeaf = new Int32Array(roots.length);
  const visit = (node: number, tree: number): void => {
    if (columns[node] === leaf) {
      leaves.push(values[node]!);
      return;
    }
    const before = leaves.length - firstLeaf[tree]!;
    visit(node + 1, tree);
    const behind = leaves.length - firstLeaf[tree]!;
    if (behind >= mostLeaves) throw new RangeError(`a tree has more than ${mostLeaves} leaves`);
    list.push({ column: columns[node]!, value: values[node]!, tree, mask: ~((1 << behind) - (1 << before)) });
    visit(node + steps[node]!, tree);
  };
  roots.forEach((root, tree) => {
    firstLeaf[tree] = leaves.length;
    visit(root, tree);
  });
  list.sort((a, b) => a.column - b.column || a.value - b.value);
  const ends = new Int32Array((list.at(-1)?.column ?? -1) + 1);
  for (const { column } of list) ends[column]!++;
  for (let column = 1; column < ends.length; column++) ends[column]! += ends[column - 1]!;
  const made: Comparisons = {
    ends,
    values: Float32Array.from(list, ({ value }) => value),
    trees: Uint16Array.from(list, ({ tree }) => tree),
    masks: Int32Array.from(list, ({ mask }) => mask),
    firstLeaf,
    leaves: Float32Array.from(leaves),
  };
  prepared.set(trees, made);
  return made;
}

/** The same of several rows. */
export function scoresOf(trees: Trees, rows: readonly ArrayLike<number>[]): Float64Array {
  const { ends, values, trees: treeAt, masks, firstLeaf, leaves } = comparisonsOf(trees);
  const open = new Int32Array(firstLeaf.length);
  const sums = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    open.fill(-1);
    let at = 0;
    for (let column = 0; column < ends.length; column++) {
      const value = row[column]!;
      for (const end = ends[column]!; at < end && value > values[at]!; at++) open[treeAt[at]!]! &= masks[at]!;
      at = ends[column]!;
    }
    let sum = trees.bias;
    for (let tree = 0; tree < open.length; tree++) {
      const left = open[tree]!;
      sum += leaves[firstLeaf[tree]! + 31 - Math.clz32(left & -left)]!;
    }
    sums[i] = sum;
  }
  return sums;
}

/** Trees as text, to be kept in a source file: bias, number of trees, then columns, steps and values of all nodes. */
export function packTrees({ bias, roots, columns, steps, values }: Trees): string {
  const nodes = columns.length;
  const bytes = new Uint8Array(12 + 4 * roots.length + 6 * nodes);
  const view = new DataView(bytes.buffer);
  view.setFloat32(0, bias, true);
  view.setUint32(4, roots.length, true);
  view.setUint32(8, nodes, true);
  roots.forEach((root, i) => {
    view.setUint32(12 + 4 * i, root, true);
  });
  const at = 12 + 4 * roots.length;
  bytes.set(columns, at);
  bytes.set(steps, at + nodes);
  values.forEach((value, i) => {
    view.setFloat32(at + 2 * nodes + 4 * i, value, true);
  });
  return Buffer.from(bytes).toString('base64');
}

export function unpackTrees(text: string): Trees {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  const view = new DataView(bytes.buffer);
  const count = view.getUint32(4, true);
  const nodes = view.getUint32(8, true);
  const at = 12 + 4 * count;
  return {
    bias: view.getFloat32(0, true),
    roots: Array.from({ length: count }, (_, i) => view.getUint32(12 + 4 * i, true)),
    columns: bytes.subarray(at, at + nodes),
    steps: bytes.subarray(at + nodes, at + 2 * nodes),
    values: Float32Array.from({ length: nodes }, (_, i) => view.getFloat32(at + 2 * nodes + 4 * i, true)),
  };
}
