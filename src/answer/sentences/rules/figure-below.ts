import type { Candidate } from '../question/candidate.ts';
import { isCommentOver } from '../structure/comment-over.ts';

/** Whether a sentence is a comment over a value that has a figure: `# Jobs at once` over `batch = 20`. */
export function hasFigureBelow({ passage, unit, index }: Candidate): boolean {
  const below = passage.units[index + 1];
  const { chunk } = passage.hit;
  if (below === undefined || !isCommentOver(chunk, unit, below)) return false;
  return /\p{N}/u.test(chunk.text.slice(below.start, below.end));
}
