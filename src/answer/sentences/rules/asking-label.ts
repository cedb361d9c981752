import { askingLabel } from '../../../text/languages/asking-labels.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';

/** On the scale of the trees: what stands behind `Where:` has no word of the question. */
const gain = 9;

/**
 * How much a sentence gains that stands behind the asking word of the question as a label, in a document that its title
 * or headings say is about the rest of the question: `Where: the meadow below the castle`.
 */
export function askingLabelGain(question: Question, { passage, unit, titleMatch, match }: Candidate): number {
  const { text } = passage.hit.chunk;
  const from = text.lastIndexOf('\n', unit.start - 1) + 1;
  const end = askingLabel(text.slice(from, unit.end), question.text);
  // another sentence may stand between
  if (end === 0 || from + end >= unit.end || text.slice(from + end, unit.start).includes('.')) return 0;
  const isHeld = question.terms.every(
    ({ word }, j) => isCommonWord(word) || Math.max(titleMatch[j]!, match[j]!) >= sameWord,
  );
  return isHeld ? gain : 0;
}
