import type { Candidate } from '../question/candidate.ts';
import { isCommentOver } from '../structure/comment-over.ts';
import { rowsBelow } from '../structure/list-below.ts';

/**
 * Whether a sentence stands over a value that has a figure: `# Jobs at once` over `batch = 20`, `The fees are:` over a
 * table.
 */
export function hasFigureBelow({ passage, unit, index }: Candidate): boolean {
  const below = passage.units[index + 1];
  const { chunk } = passage.hit;
  if (below === undefined) return false;
  const rows = rowsBelow(chunk.text, passage.units, index);
  const values = isCommentOver(chunk, unit, below) ? [below] : rows;
  return values.some(({ start, end }) => /\p{N}/u.test(chunk.text.slice(start, end)));
}
