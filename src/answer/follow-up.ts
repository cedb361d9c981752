import { analyseWords } from '../text/analysis/words.ts';
import { languageOf } from '../text/languages/detect.ts';
import {
  amountAsked,
  askingStart,
  askingWord,
  beingVerb,
  determiner,
  followUpLead,
  helpingVerb,
  linkingWord,
  ownVerb,
  personalSubject,
} from '../text/languages/follow-ups.ts';

/** A follow-up with more words is a question of its own. */
const mostWords = 7;

interface Word {
  readonly text: string;
  /** Without the marks around it. */
  readonly bare: string;
}

/**
 * The question before, with what a follow-up names in the place of its like: `And in 2022?`, `What about the oven?`, `And
 * who?`; what has no like there stands behind it.
 * @param before a question that stands alone
 * @returns undefined where the follow-up is a question with words of its own
 */
export function completedFollowUp(question: string, before: string): string | undefined {
  const lead = followUpLead.exec(question)?.[0] ?? '';
  const rest = question.slice(lead.length).replace(/[\s?？؟!.]+$/u, '');
  const asked = before.replace(/[\s?？؟!.]+$/u, '');
  const asks = askingStart.exec(rest)?.[0];
  if (asks !== undefined) {
    const isAll = asks.length === rest.length;
    return isAll ? `${rest}${asked.replace(askingWord, '').replace(/^(?!\s)/u, ' ')}?` : undefined;
  }
  const words = wordsOf(rest);
  if (lead === '' || words.length === 0 || words.length > mostWords || ownVerb.test(rest)) return undefined;
  if (analyseWords(rest).every(({ empty }) => empty) || wordsOf(asked).length < 3) return undefined;
  const german = languageOf(before) === 'de';
  let made = wordsOf(asked);
  for (const phrase of phrasesOf(words)) made = putIn(made, phrase, german);
  return `${made.map(({ text }) => text).join(' ')}?`;
}

function wordsOf(text: string): Word[] {
  return text
    .split(/\s+/u)
    .filter((one) => one !== '')
    .map((one) => ({ text: one, bare: one.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') }));
}

/** A new phrase begins with each word that links. */
function phrasesOf(words: readonly Word[]): Word[][] {
  const out: Word[][] = [];
  for (const word of words) {
    if (out.length === 0 || linkingWord.test(word.bare)) out.push([word]);
    else out.at(-1)!.push(word);
  }
  return out;
}

function putIn(asked: readonly Word[], phrase: readonly Word[], german: boolean): Word[] {
  const place = placeOf(asked, phrase, german);
  return place === undefined
    ? [...asked, ...phrase]
    : [...asked.slice(0, place.from), ...(place.put ?? phrase), ...asked.slice(place.to)];
}

interface Place {
  readonly from: number;
  readonly to: number;
  readonly put?: readonly Word[];
}

function placeOf(asked: readonly Word[], phrase: readonly Word[], german: boolean): Place | undefined {
  return (
    placeOfValue(asked, phrase) ??
    (linkingWord.test(phrase[0]!.bare)
      ? placeOfLinked(asked, phrase)
      : (placeOfName(asked, phrase, german) ?? placeOfSubject(asked, phrase, german)))
  );
}

/** Of a year, a number, or a name with digits, that of the same kind: `LH-300` for `LH-200`. */
function placeOfValue(asked: readonly Word[], phrase: readonly Word[]): Place | undefined {
  const value = phrase.find(({ bare }) => /\p{N}/u.test(bare));
  if (value === undefined) return undefined;
  const at = asked.findLastIndex(({ bare }) => kindOf(bare) === kindOf(value.bare));
  if (at < 0) return undefined;
  // what else it says is new: `the oven in 2023` is two phrases, `March 2023` is one
  const known = new Set(asked.map(({ bare }) => bare.toLowerCase()));
  const others = phrase.filter((one) => one !== value && !known.has(one.bare.toLowerCase()) && !isEmpty(one));
  return { from: at, to: at + 1, put: [...others, value] };
}

const isEmpty = ({ bare }: Word): boolean => linkingWord.test(bare) || determiner.test(bare);

function kindOf(word: string): string | undefined {
  if (!/\p{N}/u.test(word)) return undefined;
  if (/^(?:1[89]|20)\d\d$/u.test(word)) return 'year';
  return /^\p{N}/u.test(word) ? 'number' : 'name';
}

/** Of a phrase with a word that links, the last one with the same word. */
function placeOfLinked(asked: readonly Word[], phrase: readonly Word[]): Place | undefined {
  const from = asked.findLastIndex(({ bare }, i) => i > 0 && bare.toLowerCase() === phrase[0]!.bare.toLowerCase());
  return from < 0 ? undefined : { from, to: endFrom(asked, from + 1) };
}

/** Where a part ends that begins at a word: before the next one that links. */
function endFrom(asked: readonly Word[], from: number): number {
  const end = asked.findIndex(({ bare }, i) => i >= from && linkingWord.test(bare));
  return end < 0 ? asked.length : end;
}

const isCapital = ({ bare }: Word): boolean => /^\p{Lu}/u.test(bare);

/** Of a name, the last name; with the small words that belong to it, where the new one has some too. */
function placeOfName(asked: readonly Word[], phrase: readonly Word[], german: boolean): Place | undefined {
  if (german || !phrase.some(isCapital)) return undefined;
  const last = asked.findLastIndex((word, i) => i > 0 && isCapital(word));
  if (last < 0) return undefined;
  let from = last;
  while (from > 1 && isCapital(asked[from - 1]!)) from--;
  if (!phrase.every(isCapital)) {
    const nearest = asked.slice(Math.max(1, from - 3), from).findLastIndex(({ bare }) => determiner.test(bare));
    if (nearest >= 0) from = Math.max(1, from - 3) + nearest;
  }
  return { from, to: last + 1 };
}

/** Of anything else, what the question is about. */
function placeOfSubject(asked: readonly Word[], phrase: readonly Word[], german: boolean): Place | undefined {
  const hasDeterminer = determiner.test(phrase[0]!.bare);
  const verb = asked.findIndex(({ bare }) => helpingVerb.test(bare) || beingVerb.test(bare));
  const next = asked[verb + 1];
  const hasSubject = verb >= 0 && next !== undefined && !linkingWord.test(next.bare);
  if (hasSubject && helpingVerb.test(asked[verb]!.bare) && !personalSubject.test(next.bare)) {
    const end = asked.findIndex(({ bare }, i) => i > verb + 1 && (linkingWord.test(bare) || determiner.test(bare)));
    const to = (end < 0 ? asked.length : end) - 1; // the verb stays
    // one word alone may be a noun without article, or say where: `And abroad?`
    if (to > verb + 1 && (hasDeterminer || to > verb + 2 || determiner.test(next.bare) || isPlural(phrase)))
      return { from: verb + 1, to };
  }
  if (german && !hasDeterminer && isCapital(phrase.at(-1)!)) {
    const isBare = (i: number): boolean => asked.slice(Math.max(0, i - 2), i).every((one) => !isEmpty(one));
    const noun = asked.findLastIndex((word, i) => i > 0 && isCapital(word) && isBare(i));
    if (noun >= 0) return { from: noun, to: noun + 1 };
  }
  if (!hasDeterminer) {
    const asks = amountAsked.exec(asked.map(({ text }) => text).join(' '))?.[0];
    const noun = asks === undefined ? 0 : wordsOf(asks).length;
    if (noun > 0 && noun < asked.length && !helpingVerb.test(asked[noun]!.bare) && !beingVerb.test(asked[noun]!.bare))
      return { from: noun, to: noun + 1 };
  }
  if (hasSubject && beingVerb.test(asked[verb]!.bare) && hasDeterminer && determiner.test(next.bare))
    return { from: verb + 1, to: endFrom(asked, verb + 1) };
  const from = asked.findLastIndex(
    ({ bare }, i) => i > 0 && determiner.test(bare) && !linkingWord.test(asked[i - 1]!.bare),
  );
  return from < 0 ? undefined : { from, to: endFrom(asked, from) };
}

const isPlural = (phrase: readonly Word[]): boolean => /[^s]s$/u.test(phrase.at(-1)!.bare);

/** What a question speaks of last, for a pronoun behind it: `the packing line` of `Who is the supplier of the packing line?` */
export function spokenOf(question: string): string {
  const words = wordsOf(question.replace(/[\s?？؟!.]+$/u, ''));
  const from = words.findLastIndex(({ bare }, i) => i > 0 && determiner.test(bare));
  const part = from < 0 ? [] : words.slice(from + 1, endFrom(words, from + 1));
  return part.map(({ text }) => text).join(' ');
}
