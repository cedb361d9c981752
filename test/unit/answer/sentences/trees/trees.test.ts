import { expect, test } from 'vitest';
import { packTrees, scoresOf, type Trees, unpackTrees } from '../../../../../src/answer/sentences/trees/trees.ts';
import { firstTrees, nextTrees } from '../../../../../src/answer/sentences/trees/weights.ts';
import { leaf, seededRandom } from '../../../../../src/internal.ts';

/** From the root of each tree to a leaf, as `Trees` says. */
function walked({ bias, roots, columns, steps, values }: Trees, row: ArrayLike<number>): number {
  return roots.reduce((sum, root) => {
    let node = root;
    while (columns[node] !== leaf) node += row[columns[node]!]! <= values[node]! ? 1 : steps[node]!;
    return sum + values[node]!;
  }, bias);
}

/** Trees with so many leaves each, over values from 0 to 3 in four columns. */
function grown(leavesOfEach: readonly number[], seed: number): Trees {
  const random = seededRandom(seed);
  const [roots, columns, steps, values]: number[][] = [[], [], [], []];
  const add = (leaves: number): number => {
    const at = columns!.length;
    columns!.push(leaves === 1 ? leaf : Math.floor(4 * random()));
    values!.push(leaves === 1 ? random() - 0.5 : Math.floor(4 * random()));
    steps!.push(0);
    if (leaves === 1) return 1;
    const left = 1 + Math.floor((leaves - 1) * random());
    const width = 1 + add(left);
    steps![at] = width;
    return width + add(leaves - left);
  };
  for (const leaves of leavesOfEach) {
    roots!.push(columns!.length);
    add(leaves);
  }
  return {
    bias: 0.25,
    roots: roots!,
    columns: Uint8Array.from(columns!),
    steps: Uint8Array.from(steps!),
    values: Float32Array.from(values!),
  };
}

test('sums are those of a walk from each root, and a value that is compared with itself goes left', () => {
  const random = seededRandom(7);
  for (let seed = 0; seed < 60; seed++) {
    const trees = grown([1, 2, 5, 1 + (seed % 31), 32], seed);
    const rows = Array.from({ length: 40 }, () => Float64Array.from({ length: 4 }, () => Math.floor(6 * random()) - 1));
    const expected = rows.map((row) => walked(trees, row));
    expect([...scoresOf(trees, rows)]).toEqual(expected);
    expect([...scoresOf(unpackTrees(packTrees(trees)), rows)]).toEqual(expected);
  }
});

test('the trees that ship give the sums of a walk', () => {
  const random = seededRandom(3);
  for (const trees of [firstTrees, nextTrees]) {
    const inner = [...trees.columns.keys()].filter((node) => trees.columns[node] !== leaf);
    const width = 1 + Math.max(...inner.map((node) => trees.columns[node]!));
    const rows = Array.from({ length: 50 }, () => {
      const row = new Float32Array(width);
      for (const node of inner) if (random() < 0.05) row[trees.columns[node]!] = trees.values[node]!;
      return row;
    });
    expect([...scoresOf(trees, rows)]).toEqual(rows.map((row) => walked(trees, row)));
  }
});

test('a tree of more than 32 leaves is refused', () => {
  expect(() => scoresOf(grown([33], 1), [[0, 0, 0, 0]])).toThrow(RangeError);
});
