import { slipsFrom } from '../retrieve/edit-distance.ts';
import { isCommonWord } from '../text/languages/common-words.ts';

/** Shorter words have others beside them by chance: `counts` and `county`. */
const leastLetters = 6;
/** One letter for another is often no slip, above all at the beginning: `leisten` and `leistet`, `abwesend` and `anwesend`. */
const leastOfChanged = 9;
const alike = 3;
const marks = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/**
 * A question with the words that the search put in the place of misspelt ones. A word that is unlikely to be misspelt
 * stays as it is, and so does a name, if it has its capital: another name is somebody else.
 * @param searched the question as it was searched, in as many words
 */
export function spelledAs(question: string, searched: string | undefined): string {
  if (searched === undefined) return question;
  const others = searched.split(/\s+/u);
  const own = question.split(/\s+/u);
  if (own.length !== others.length) return question;
  return own.map((word, i) => (isMisspelt(word, others[i]!) ? others[i]! : word)).join(' ');
}

function isMisspelt(word: string, other: string): boolean {
  const [a, b] = [word.replace(marks, ''), other.replace(marks, '').toLowerCase()];
  if (withoutMarks(a) === withoutMarks(b)) return true; // `fonde` for `fondé`
  if (a.length < leastLetters || /\p{Lu}/u.test(a) || isCommonWord(a)) return false;
  const isChanged = a.length === b.length && [...a].sort().join('') !== [...b].sort().join('');
  if (isChanged && (a.length < leastOfChanged || !b.startsWith(a.slice(0, alike)))) return false;
  const slips = slipsFrom(a, 1);
  // the index holds another form: `commissions` for `comission`
  return [b, ...[0, 1].map((more) => b.slice(0, a.length + more))].some((one) => slips(one) !== undefined);
}

function withoutMarks(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}
