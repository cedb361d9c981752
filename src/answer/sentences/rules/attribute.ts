import { itemName } from '../manuals/entry.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { attributeOf } from '../structure/attribute-line.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: such a line has one word of the question at most. */
const gain = 5;
const loss = -6;
/** `lazy` of `opts.lazy`, of `lazy?` and of `lazy (optional)` */
const lastName = /(?<![\p{L}\p{N}_$-])([\p{L}\p{N}_$-]+)\W*(?:\([^)]*\)\W*)?$/u;

/** How a line like `Type: number` bears on a question; undefined for other lines, below no heading, and in an item. */
function bearing(question: Question, candidate: Candidate): 'own' | 'other' | undefined {
  const { unit, headings } = candidate;
  const heading = headings.at(-1);
  if (heading === undefined || unit.kind === 'row') return undefined;
  const kind = attributeOf(textOf(candidate));
  if (kind === undefined) return undefined;
  const item = itemName(candidate.passage.hit.chunk.text, unit.start);
  if (item !== undefined && attributeOf(`${item}: …`) === undefined) return undefined; // of the item, not of the section
  const name = lastName.exec(heading)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const asked = question.text.toLowerCase();
  return isWord(asked, kind) && isWord(asked, name) ? 'own' : 'other';
}

/** Whether a question asks for what a line under a label says of a setting: its type, its default. */
export function asksForAttribute({ text }: Question): boolean {
  const asked = text.toLowerCase();
  return isWord(asked, 'type') || isWord(asked, 'default');
}

/** Whether a text has a word alone, or its plural: not `type` in `file-type`. */
function isWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!nameMark.test(text[at - 1] ?? '') && !/^s?[\p{L}\p{N}_$-]/u.test(text.slice(at + word.length))) return true;
  return false;
}
const nameMark = /[\p{L}\p{N}_$-]/u;

/**
 * How much a line that says one thing of a setting gains since the question asks for that, and the heading over it is the
 * setting: `Type: number` below `size`, asked which type size has; else 0.
 */
export function attributeGain(question: Question, candidate: Candidate): number {
  return bearing(question, candidate) === 'own' ? gain : 0;
}

/** How much it loses since it says it of another setting, or something else of this one; else 0. */
export function attributeLoss(question: Question, candidate: Candidate): number {
  return isOtherAttribute(question, candidate) ? loss : 0;
}

/** Whether such a line says it of another setting, or something else of this one. */
export function isOtherAttribute(question: Question, candidate: Candidate): boolean {
  return bearing(question, candidate) === 'other';
}
