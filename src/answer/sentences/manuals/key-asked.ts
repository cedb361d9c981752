import { analyseWords, fullWords } from '../../../text/analysis/words.ts';
import { asksForKey, keyColumn, keyWord } from '../../../text/languages/key-names.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import { holdsKeys, keyLine, keysIn } from '../structure/keys.ts';
import { headerTextOf, namesOver, rowCells, textOf, wholeText } from '../structure/unit-text.ts';

/** On the scale of the trees: the entry of the key, or of the command; a sentence that says which keys to press for it. */
const gainOfEntry = 6;
const gainOfSentence = 3;
/** More, for the entry of the program that is named. */
const gainOfPlace = 1.5;
const lossOfOther = -6;
/** An address may have the name of a program with a letter before it: `scalc`. */
const leastOfName = 4;

/** Whether a question asks which keys to press. */
export const asksForKeys: (question: Question) => boolean = once(({ text }) => asksForKey.test(text));

/** The one combination that a question names, and positions of its other terms. */
const keyNamed = once(({ text, tokens, terms }): { name: string; others: number[] } | undefined => {
  const [key, ...more] = keysIn(text);
  if (key === undefined || more.length > 0) return undefined;
  const outside = tokens.filter(({ start, end }) => end <= key.start || start >= key.end);
  const others = [...terms.keys()].filter((j) => outside.some(({ term }) => term === terms[j]!.term));
  return { name: key.name, others };
});

/** A line of a reference: `Ctrl + I: Invert selection`, `Add Wire | W | Add a wire` below `Action | Hotkey | …`. */
interface Entry {
  readonly keys: string;
  readonly cells: readonly string[];
}

function entryOf(candidate: Candidate): Entry | undefined {
  const own = textOf(candidate);
  if (candidate.unit.kind !== 'row') {
    const entry = keyLine(own);
    return entry && { keys: entry.keys, cells: [entry.says] };
  }
  const cells = rowCells(own);
  const columns = rowCells(headerTextOf(candidate).split('\n')[0]!).flatMap((name, i) =>
    keyColumn.test(name) ? [i] : [],
  );
  const at = columns.length === 1 ? columns[0]! : cells.findIndex((cell) => keysIn(cell)[0]?.start === 0);
  const keys = cells[at];
  return keys ? { keys, cells: cells.filter((_, i) => i !== at) } : undefined;
}

/** How well a place, its title and address, holds the other terms of a question. */
function isPlaced(question: Question, { passage, titleMatch }: Candidate, terms: readonly number[]): boolean {
  const parts = passage.hit.chunk.uri.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const isInAddress = (word: string): boolean =>
    parts.some(
      (part) => part === word || (word.length >= leastOfName && part.length === word.length + 1 && part.endsWith(word)),
    );
  return terms.every((j) => titleMatch[j]! >= sameWord || isInAddress(question.terms[j]!.word));
}

/** Terms of what the keys are asked for. */
const subjectOf = ({ terms }: Question): number[] => [...terms.keys()].filter((j) => !keyWord.test(terms[j]!.word));

/** Whether an entry is of what is asked for: its words have it all, but for the name of the program. */
function isOfSubject(question: Question, candidate: Candidate, { cells }: Entry): boolean {
  const match = matchTerms(question, analyseWords(cells.join(' ')));
  const subject = subjectOf(question);
  const open = subject.filter((j) => match[j]! < sameWord);
  return open.length * 2 <= subject.length && open.length < subject.length && isPlaced(question, candidate, open);
}

/** How much a sentence gains since it is the entry of the keys that are asked about, or has those that are asked for. */
export function keyGain(question: Question, candidate: Candidate): number {
  const asked = keyNamed(question);
  if (asked !== undefined) {
    const entry = entryOf(candidate);
    if (entry === undefined || !keysIn(entry.keys).some(({ name }) => name === asked.name)) return 0;
    const isThere = asked.others.length > 0 && isPlaced(question, candidate, asked.others);
    return gainOfEntry + (isThere ? gainOfPlace : 0);
  }
  if (!asksForKeys(question)) return 0;
  const entry = entryOf(candidate);
  if (entry !== undefined) return isOfSubject(question, candidate, entry) ? gainOfEntry : 0;
  const { match, unit } = candidate;
  if (unit.kind === 'row' || !holdsKeys(textOf(candidate)) || !says.test(textOf(candidate))) return 0;
  const subject = subjectOf(question);
  // two names of which each has a part of it are of something else
  const names = namesOver(candidate).map((name) => matchTerms(question, analyseWords(name)));
  const isNamed = [match, ...names].some((held) => subject.every((j) => held[j]! >= sameWord));
  return subject.length > 0 && isNamed ? gainOfSentence : 0;
}
const says = /(?<!\p{L})(?:press(?:ing|es)?|short-?cuts?|hot ?keys?|keys?)(?!\p{L})/iu;

/** The keys, or what they do, where an entry says nothing else than what is asked. */
export function keyValue(question: Question, candidate: Candidate): string | undefined {
  const asked = keyNamed(question);
  if (asked === undefined && !asksForKeys(question)) return undefined;
  const entry = entryOf(candidate);
  if (entry === undefined) return undefined;
  if (asked !== undefined) {
    const keys = keysIn(entry.keys);
    const isIt = keys.length === 1 && keys[0]!.name === asked.name && isPlaced(question, candidate, asked.others);
    return isIt ? entry.cells.join(' ').toLowerCase() : undefined;
  }
  const isWhole = entry.cells.some((cell) => {
    const words = fullWords(cell);
    return words.length > 0 && words.every((word) => matchTerms(question, [word]).some((one) => one >= sameWord));
  });
  const key = keysIn(entry.keys)[0]?.name ?? entry.keys.toLowerCase();
  return isWhole && isOfSubject(question, candidate, entry) ? key : undefined;
}

/** Whether a sentence is of other keys than those that are asked about, or they stand nowhere in its passage. */
export function isOfOtherKeys(question: Question, candidate: Candidate): boolean {
  const asked = keyNamed(question);
  if (asked === undefined) return false;
  const holds = (text: string): boolean => keysIn(text).some(({ name }) => name === asked.name);
  const own = textOf(candidate);
  return keysIn(own).length > 0 ? !holds(own) : !holds(wholeText(candidate.passage));
}

/** What a sentence loses that is of other keys. */
export function otherKeysLoss(question: Question, candidate: Candidate): number {
  const asked = keyNamed(question);
  if (asked === undefined) return 0;
  const own = keysIn(textOf(candidate));
  return own.length > 0 && own.every(({ name }) => name !== asked.name) ? lossOfOther : 0;
}

/** Whether keys are asked for, and a sentence has none. */
export function lacksKeys(question: Question, candidate: Candidate): boolean {
  return asksForKeys(question) && entryOf(candidate) === undefined && !holdsKeys(textOf(candidate));
}
