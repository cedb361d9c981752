import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { cellsOf } from '../structure/table-header.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: a letter says little in a search, and the row has no other word of the question. */
const gain = 8;

/** `%j`, `\d`, `^C`, `:wq`, `$1`: a sign and a few letters, whose case counts. */
const key = /(?<=^|[\s"'“‘«`(])(?:[%\\^:~&!@#$]+[\p{L}\p{N}]{1,3}|[%\\^:~&!@#$]{1,3})(?=[\s"'”’»`)?,.]|$)/u;

const keyAsked: (question: Question) => string | undefined = once(({ text }) => key.exec(text)?.[0]);

/** How much a row gains since its first cell is the key that a question writes: `What does %j mean?` */
export function signKeyGain(question: Question, candidate: Candidate): number {
  const asked = candidate.unit.kind === 'row' ? keyAsked(question) : undefined;
  if (asked === undefined) return 0;
  const text = textOf(candidate);
  if (!text.includes(asked)) return 0;
  const first = cellsOf(text).find((cell) => cell !== '');
  return first?.replace(/^[`*'"]+|[`*'"]+$/g, '') === asked ? gain : 0;
}
