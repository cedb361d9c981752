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

export const leaf = 255;

/** The sum of the leaves that a row of features reaches: a logit. */
export function scoreOf(trees: Trees, row: ArrayLike<number>): number {
  return scoresOf(trees, [row])[0]!;
}

/** The same of several rows. A tree is walked by all of them before the next one, while it is near the processor. */
export function scoresOf(
  { bias, roots, columns, steps, values }: Trees,
  rows: readonly ArrayLike<number>[],
): Float64Array {
  const sums = new Float64Array(rows.length).fill(bias);
  for (const root of roots) {
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      let node = root;
      while (columns[node] !== leaf) node += row[columns[node]!]! <= values[node]! ? 1 : steps[node]!;
      sums[i]! += values[node]!;
    }
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
