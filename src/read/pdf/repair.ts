/** Joins the lines of a paragraph: with blanks, or without the hyphens of line breaks. */

export type WordCounts = ReadonlyMap<string, number>;

const WORDS = /[\p{L}\p{M}]+(?:[-\u2010][\p{L}\p{M}]+)*/gu;

/**
 * Counts the words of lines in lower case; compounds keep their hyphens. A word broken at the end of a line is not
 * counted, because its halves prove nothing.
 */
export function countWords(lines: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const whole = line.replace(/[\p{L}\p{M}-]+[-\u2010\u00ad]\s*$/u, '');
    for (const match of whole.matchAll(WORDS)) {
      const word = match[0].toLowerCase().replaceAll('\u2010', '-');
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}

const BREAK = /([\p{L}\p{M}]+)[-\u2010]$/u;
const NO_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u;
/** Prefixes that usually keep their hyphen; used when the document has no example. */
const PREFIX = /^(?:self|non|well|ex|quasi|all|half|cross|semi|e|x|so|state|end|real|long|short|high|low|year|co)$/u;

/**
 * The separator between two lines of one paragraph, and the number of characters to drop from the end of the first.
 * @param vocabulary words of the whole document, from `countWords`
 */
export function lineJoint(before: string, after: string, vocabulary: WordCounts): { drop: number; glue: string } {
  const last = before.at(-1) ?? '';
  if (last === '\u00ad') return { drop: 1, glue: '' };
  // Only the end matters: a paragraph becomes long while its lines are joined.
  const end = before.slice(-80);
  const address = addressJoint(end, after);
  if (address) return address;
  const head = last === '-' || last === '\u2010' ? BREAK.exec(end)?.[1] : undefined;
  const tail = /^[\p{L}\p{M}]+/u.exec(after)?.[0];
  if (head !== undefined && tail !== undefined) {
    if (!/^\p{Ll}/u.test(tail)) return { drop: 0, glue: '' };
    return keepsHyphen(end, head.toLowerCase(), tail, after, vocabulary)
      ? { drop: 0, glue: '' }
      : { drop: 1, glue: '' };
  }
  // A number range or an identifier broken at its hyphen: 2019-|2020, GPT-|2.
  if (/[\p{L}\p{N}][-\u2010\u2013]$/u.test(end) && /^\p{N}/u.test(after)) return { drop: 0, glue: '' };
  if (NO_BLANKS.test(last) && NO_BLANKS.test(after[0] ?? '')) return { drop: 0, glue: '' };
  return { drop: 0, glue: ' ' };
}

/** An address keeps each of its signs, and so do alternatives and paths that go on: `and/|or`, `/var/|log/news`. */
function addressJoint(end: string, after: string): { drop: number; glue: string } | undefined {
  const [token = ''] = /\S+$/u.exec(end) ?? [];
  const [next = ''] = /^\S+/u.exec(after) ?? [];
  if (!/^[\p{L}\p{N}]/u.test(next)) return undefined;
  if (/(?::\/\/|\bwww\.)/u.test(token)) {
    // Some programs set a hyphen behind the slash at which they break an address.
    if (/[^/]\/-$/u.test(token)) return { drop: 1, glue: '' };
    return /[-/_?=&#%]$/u.test(token) && !token.endsWith('=#') ? { drop: 0, glue: '' } : undefined;
  }
  if (!/[\p{L}\p{N}]\/$/u.test(token)) return undefined;
  const [first] = /^[^/]*\//u.exec(token) ?? [];
  // Else the next of several paths, or a word behind one.
  const goesOn = token === first ? !next.startsWith(token) : /[/.]\S/u.test(next) && !next.startsWith(first ?? '');
  return goesOn ? { drop: 0, glue: '' } : undefined;
}

function keepsHyphen(before: string, head: string, tail: string, after: string, vocabulary: WordCounts): boolean {
  const joined = vocabulary.get(head + tail) ?? 0;
  const hyphened = vocabulary.get(`${head}-${tail}`) ?? 0;
  if (joined !== hyphened) return hyphened > joined;
  const chain = /([\p{L}\p{M}-]+)-$/u.exec(before)?.[1] ?? head;
  if (chain.includes('-') || after.startsWith(`${tail}-`)) return true;
  if (PREFIX.test(head)) return true;
  // Two separate words, such as cost-|effective: a syllable is rarely a word of the document.
  return head.length > 3 && tail.length > 3 && vocabulary.has(head) && vocabulary.has(tail);
}

/** Joins lines with the separators of `lineJoint`. */
export function joinLines(lines: readonly string[], vocabulary: WordCounts): string {
  let text = '';
  for (const line of lines) {
    if (text === '') {
      text = line;
      continue;
    }
    const { drop, glue } = lineJoint(text, line, vocabulary);
    text = (drop > 0 ? text.slice(0, -drop) : text) + glue + line;
  }
  return text;
}
