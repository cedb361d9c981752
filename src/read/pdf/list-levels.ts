import type { Draft } from './drafts.ts';

/** Numbers that are set flush right begin at other places, by less than so many font sizes. */
const APART = 1.2;
const DEEPEST = 8;

/**
 * Moves the items of inner lists in, two blanks for each level: a PDF without tags says levels by how far its lines are
 * moved in. What stands below an item, no further left, belongs to it.
 */
export function setListLevels(drafts: readonly Draft[]): void {
  /** Left edges of the lists that are open, each further right than the one before. */
  let edges: number[] = [];
  for (const { kind, left, size, top, running, pieces } of drafts) {
    if (running) continue;
    const apart = APART * size;
    if (left === undefined || (kind !== 'list' && (edges.length === 0 || left < edges[0]! + apart))) {
      edges = [];
      continue;
    }
    // Another column, or another width of the margin.
    if (top && !edges.some((edge) => Math.abs(edge - left) < apart)) edges = [];
    if (kind !== 'list') continue;
    while (edges.length > 0 && edges.at(-1)! > left + apart) edges.pop();
    if (edges.length === 0 || left > edges.at(-1)! + apart) edges.push(left);
    const [first] = pieces;
    if (first) first.text = '  '.repeat(Math.min(DEEPEST, edges.length - 1)) + first.text.trimStart();
  }
}
