import { letteredWords, numberedWords } from '../../../text/languages/counting.ts';
import { isFunctionWord } from '../../../text/languages/function-words.ts';
import { calendarName, isYear } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, namesOver, textOf } from '../structure/unit-text.ts';
import { valuesOf } from '../structure/values.ts';
import { isClaim } from './findings.ts';
import { measuresIn } from './out-of-bounds.ts';

/** A word and its number or letter: `Debian 10`, `RFC 2616`, `section 4.2`, `Bylaw No. 9`, `Block C`. */
const numbered =
  /(?<![\p{L}\p{M}\p{N}])([\p{L}][\p{L}\p{M}-]*)[ \u00a0](?:(?:[Nn]o|[Nn]r)\.[ \u00a0]?|№ ?|# ?|[Nn]° ?)?(\p{Nd}+(?:\.\p{Nd}+)*\p{Ll}?|[IVX]{2,5}|\p{Lu})(?![\p{L}\p{N}%])/gu;

/** One word of a few large letters and a number: `K2`, `X-200`. */
const fused = /(?<![\p{L}\p{M}\p{N}-])(\p{Lu}{1,5})-?(\p{Nd}{1,4})(?![\p{L}\p{N}]|[.,-]\p{N})/gu;

/** `three-year`, `5-star`: the number before a word that it is joined to. */
const joined = /(?<![\p{L}\p{M}\p{N}-])(\p{Nd}+|\p{L}{2,})-(\p{Ll}{3,})(?![\p{L}\p{N}])/gu;

const currency = /^(?:CAD|CHF|EUR|GBP|JPY|USD)$/;

const aNumber = /(?<![\p{L}\p{N}.])(?:\p{Nd}+(?:\.\p{Nd}+)*\p{Ll}?|[IVX]{2,5}|\p{Lu})(?![\p{L}\p{N}])/gu;

const romans = ' I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX'.split(' ');
/** `Class II` for `Class 2`, `4.0.0` for `4.0` */
const isSameNumber = (asked: string, said: string): boolean =>
  asked === said || romans[Number(asked)] === said || (asked.includes('.') && said === `${asked}.0`);

interface Numbered {
  readonly name: string;
  readonly number: string;
  /** Another one of its name is asked for: `Which memo does memo 17 replace?` */
  readonly isBeside?: boolean;
}

const numberedIn = (text: string): Numbered[] =>
  Array.from(text.matchAll(numbered), ([, name = '', number = '']) => ({ name, number }));

/** On the scale of the trees. */
const loss = -2;

const fusedIn = (text: string): Numbered[] =>
  Array.from(text.matchAll(fused), ([, name = '', number = '']) => ({ name, number }));

const joinedIn = (text: string): Numbered[] =>
  Array.from(text.matchAll(joined)).flatMap(([, number = '', name = '']) => {
    const [value] = valuesOf(number);
    return value?.kind === 'number' ? [{ name, number: String(value.amount) }] : [];
  });

/**
 * The numbers that a word of a question has, whatever the word: `quarter 7`, `K2`, `three-year`, but no year and nothing
 * behind `of`.
 */
const givenIn = once(({ text }): Numbered[] =>
  [
    ...numberedIn(text).filter(
      ({ name, number }) =>
        /^\p{Nd}/u.test(number) &&
        !isYear(number) &&
        !isFunctionWord(name.toLowerCase(), false) &&
        calendarName(name.toLowerCase()) === undefined,
    ),
    ...fusedIn(text),
    ...joinedIn(text),
  ].map((one) => ({ ...one, isBeside: asksWhichOf(text, one.name) })),
);

const asksWhichOf = (text: string, name: string): boolean =>
  new RegExp(
    `(?<!\\p{L})(?:which|what|welche[rsmn]?|quel(?:le)?s?|qué|quale)\\s+${name}(?!\\p{L})(?!\\s\\p{Nd})`,
    'iu',
  ).test(text);

/**
 * Whether a sentence is about the one of the question's number; undefined where nothing numbers it. What stands nearest
 * decides: the sentence, the header of the row, the headings from the innermost on, the title.
 */
function isOfNumber({ name, number, isBeside }: Numbered, candidate: Candidate): boolean | undefined {
  const sentence = textOf(candidate);
  const own = isBeside ? [candidate.passage.hit.chunk.title] : [sentence, headerTextOf(candidate)];
  for (const said of [...own, ...candidate.headings.toReversed(), candidate.passage.hit.chunk.title]) {
    const isNamed = said.toLowerCase().includes(name.toLowerCase()); // most say nothing of it
    const all = isNamed ? [...numberedIn(said), ...fusedIn(said), ...joinedIn(said)] : [];
    const own = all.filter((one) => one.name.toLowerCase() === name.toLowerCase());
    if (own.length > 0) return own.some((one) => isSameNumber(number, one.number));
    // `B1`, asked of `A4`, which the passage has too
    if (
      said === sentence &&
      isShort({ name, number }) &&
      fusedIn(said).some(isShort) &&
      passageHas(candidate, name, number)
    )
      return false;
  }
  return undefined;
}

const passageHas = ({ passage }: Candidate, name: string, number: string): boolean =>
  fusedIn(passage.hit.chunk.text).some((one) => one.name === name && one.number === number);

/** `A4`, as samples, berths and seats are called. */
const isShort = ({ name, number }: Numbered): boolean => name.length === 1 && number.length <= 2;

/** What a sentence loses that is about another number than the question, where one is about that. */
export function otherNumberLosses(
  question: Question,
  candidates: readonly Candidate[],
): (candidate: Candidate) => number {
  const held = givenIn(question).filter((given) => candidates.some((one) => isOfNumber(given, one) === true));
  return (candidate) => (isOfOthers(held, candidate) ? loss : 0);
}

/** Whether a sentence is about others alone than those that are given of one name: `K4`, where `K2` and `K3` are. */
const isOfOthers = (given: readonly Numbered[], candidate: Candidate): boolean =>
  isAnyNameLost(given, (one) => isOfNumber(one, candidate) === false);

/** Whether there is a name whose numbers are all lost. */
function isAnyNameLost(given: readonly Numbered[], isLost: (one: Numbered) => boolean): boolean {
  return [...Map.groupBy(given, ({ name }) => name).values()].some((ones) => ones.every(isLost));
}

function isAsked({ name, number }: Numbered): boolean {
  if (isYear(number) || calendarName(name.toLowerCase()) !== undefined || currency.test(name)) return false;
  if (/^[IVX]{2}/.test(number)) return false; // `World War II` is the second one in words
  if (/^\p{Lu}$/u.test(number)) return letteredWords.test(name);
  return numberedWords.test(name) || (/^\p{Lu}/u.test(name) && !isFunctionWord(name.toLowerCase(), false));
}

/**
 * Whether a sentence speaks of another one than the question numbers: neither the sentence, nor its headings and title,
 * nor its passage behind a name has the number or letter.
 */
export function lacksNumber(question: Question, candidate: Candidate): boolean {
  if (isOfOthers(givenIn(question), candidate)) return true;
  const { text } = question;
  const asked = numberedIn(text).filter(isAsked);
  if (asked.length === 0) return false;
  const { chunk } = candidate.passage.hit;
  const own = [textOf(candidate), headerTextOf(candidate), ...namesOver(candidate), chunk.uri];
  const held = own.join('\n').match(aNumber) ?? [];
  const near = numberedIn(chunk.text)
    .filter(isAsked)
    .map((one) => one.number);
  return isAnyNameLost(asked, ({ number }) => ![...held, ...near].some((said) => isSameNumber(number, said)));
}

const letters =
  '(mg|µg|mcg|kg|ml|mL|mm|cm|km|[KMGT]i?B|[kMG]?Hz|kW|mA|kPa|MPa|ppm|dpi|fps|°C|°F|bit)(?![\\p{L}\\p{N}])';
/** `30 mg`, `2.5 GB`: an amount with its unit in letters that stand for it. */
const measured = new RegExp(String.raw`(?<![\p{L}\p{N}.,-])(\p{Nd}+(?:\.\p{Nd}+)?)[ \u00a0]?${letters}`, 'gu');
/** `30 to 60 mg`, `30–60 mg`, `between 30 mg and 60 mg` */
const range = new RegExp(
  String.raw`\p{Nd}(?: to | bis | ?[–-] ?)\p{Nd}+(?:\.\p{Nd}+)?[ \u00a0]?${letters}|\b(?:between|zwischen|entre|tra)\b`,
  'u',
);

interface Amount {
  readonly amount: number;
  readonly unit: string;
}

const amountsIn = (text: string): Amount[] =>
  Array.from(text.matchAll(measured), ([, amount, unit = '']) => ({
    amount: Number(amount),
    unit: unit.toLowerCase(),
  }));

const amountsAsked = once((question): readonly Amount[] => (isClaim(question) ? [] : amountsIn(question.text)));

/**
 * Whether the question is about an amount that the passage does not have, and the sentence tells others of its unit: 30 mg
 * and 60 mg, where 90 mg are asked about. Bounds and ranges may hold it.
 */
export function lacksMeasure(question: Question, candidate: Candidate): boolean {
  const asked = amountsAsked(question);
  if (asked.length === 0) return false;
  const own = textOf(candidate);
  const said = amountsIn([own, headerTextOf(candidate)].join('\n'));
  if (range.test(own)) return false;
  const bounded = measuresIn(own).flatMap(({ bound, unit }) => (bound === undefined ? [] : unit));
  const near = [...said, ...amountsIn([candidate.passage.hit.chunk.text, ...namesOver(candidate)].join('\n'))];
  return asked.some(
    ({ amount, unit }) =>
      !bounded.includes(unit) &&
      said.some((one) => one.unit === unit) &&
      !near.some((one) => one.unit === unit && one.amount === amount),
  );
}
