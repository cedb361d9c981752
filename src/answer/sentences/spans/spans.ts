import type { Span } from '../../../core/types.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { type Atom, atomsOf } from './atoms.ts';
import { breaks } from './gaps.ts';
import { longestSpan } from './sentence-model-input.ts';
import type { SpanLexicon } from './span-lexicon.ts';
import { SpanRows, spanNames } from './span-rows.ts';

export interface SpanCandidate {
  /** Offsets of the chunk's text. */
  readonly span: Span;
  /** Its first atom, and how many follow. */
  readonly first: number;
  readonly more: number;
  /** Values in the order of `spanNames`. */
  readonly row: Float32Array;
}

/** The runs of words of a sentence that may be what is asked for: at most ten words, and no mark that parts them. */
export function spanCandidates(
  question: Question,
  candidate: Candidate,
  lexicon: SpanLexicon,
  atoms: readonly Atom[] = atomsOf(question, candidate),
): SpanCandidate[] {
  const count = atoms.length;
  const text = candidate.passage.hit.chunk.text;
  const tail = count === 0 ? '' : text.slice(atoms.at(-1)!.end, candidate.unit.end);
  const parts = atoms.map(({ gap }, i) => i > 0 && parting(gap));
  const rows = new SpanRows(question, atoms, tail, lexicon);
  const out: SpanCandidate[] = [];
  // One allocation for all rows: one for each would take longer than to fill them.
  const values = new Float32Array(count * longestSpan * spanNames.length);
  for (let i = 0; i < count; i++) {
    for (let j = i; j < count && j < i + longestSpan; j++) {
      if (j > i && parts[j]) break;
      const last = atoms[j]!;
      if (last.empty && !rows.unspaced) continue; // it ends with a word that says something
      const from = out.length * spanNames.length;
      rows.fill(values, from, i, j);
      const row = values.subarray(from, from + spanNames.length);
      out.push({ span: { start: atoms[i]!.start, end: last.end }, first: i, more: j - i, row });
    }
  }
  return out;
}

/** Whether a span cannot reach over what stands between two words. */
function parting(gap: string): boolean {
  return breaks.test(gap) || /[()（）«»“”「」『』《》"|]/.test(gap);
}
