import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { asksForName, asksForThings, asksOfAll, countedThings, partitive } from '../../../text/languages/counting.ts';
import { definitionCue } from '../../../text/languages/definitions.ts';
import { saysHowOften } from '../../../text/languages/how-often.ts';
import { oneUnitOfTime, rates, unitsSaid } from '../../../text/languages/measures.ts';
import { ordinal } from '../../../text/languages/ordinals.ts';
import {
  isDateWord,
  isFigureWord,
  isNumberWord,
  isYear,
  monthVerbs,
  placeCue,
  reasonCue,
} from '../../../text/languages/question-words.ts';
import {
  conditionWord,
  countedFrom,
  eraBefore,
  eraBehind,
  lastingYears,
  namedTime,
  recurrence,
  yearsWord,
} from '../../../text/languages/times.ts';
import { citedNotesIn } from '../structure/note-marks.ts';
import { countedTerms } from './counted-terms.ts';
import { once } from './once.ts';
import { isOfMoney, isOfOtherUnit } from './other-unit.ts';
import { holdsTerm, type Question } from './question.ts';

/** `2000`, `3.5`, `20th`, and not `sqlite3`, which is a name. */
const startsNumber = /^\p{N}/u;
/** `2021-2025` counts nothing; its years are tokens of their own. */
const yearRange = /^(?:1\d|20)\d\d[-–](?:1\d|20)\d\d$/u;

/** Of an item of a list, or of a clause (`4.2 The keeper`, `§ 7`): its number says nothing. */
const numbered =
  /^\s*(?:§+\s?\d{1,4}[a-z]?(?=\s)|[([]?\d{1,3}[.)\]](?=\s)|\d{1,2}(?:\.\d{1,2}){1,3}\.?(?=\s+["'“„«]?(?:\p{Lu}\p{Ll}|[AI]\s)))/u;

/** Behind `one` that counts nothing: `waits for one.`, `one of them` */
const standsForThing = /^\s*(?:$|[.,;:!?)])|^ (?:of (?:the|these|those|them|its|our)|by one|another)\b/iu;

/** What a sentence holds that the question does not have, as far as it can be the thing that is asked for. */
export interface Holdings {
  readonly numbers: number;
  /**
   * Of these, where a number is asked for: days of dates, numbers that name a thing, as in `week 3`, or belong to its
   * name, and numbers of another unit.
   */
  readonly idle: number;
  readonly years: number;
  readonly dates: number;
  /** A time of the day, a day of the week or of the month, or how often: `on the 26th of each month`. */
  readonly recurs: boolean;
  /** A time by what it is counted from: `after five days`. */
  readonly relative: boolean;
  /** A time or a condition in words: `until the war ended`. */
  readonly conditional: boolean;
  /** A time that has a name: `during the Second World War`. */
  readonly named: boolean;
  /** A time with a beginning or an end: `from 1915 to 1918`, `since 1960`. */
  readonly lasting: boolean;
  /** Words with a capital letter, the first of the sentence as half a word; and how many follow another one. */
  readonly names: number;
  readonly runs: number;
  readonly place: boolean;
  readonly reason: boolean;
  readonly definition: boolean;
  readonly steps: boolean;
  readonly code: boolean;
  /** A number with a unit of the kind that is asked for. */
  readonly unit: boolean;
  /** Items parted by commas or semicolons. */
  readonly items: number;
}

/** Before `one` that counts nothing, where no thing that it counts follows: `a new one for each of them`. */
const describesThing = /(?<!\p{L})(?:an?|the|this|that|another|no) (?!(?:only|single|sole)\s)\p{L}+ $/iu;

function isThing(tokens: readonly AnalysedWord[], i: number, text: string, from: number): boolean {
  const { start, end } = tokens[i]!;
  if (standsForThing.test(text.slice(end - from))) return true;
  return (
    (tokens[i + 1]?.empty ?? true) && describesThing.test(text.slice(Math.max(0, start - from - 40), start - from))
  );
}

const isCenturyWord =
  /^(?:centur(?:y|ies)|jahrhunderts?|siècles?|siglos?|secol[oi]|séculos?|eeuw(?:en)?|århundre\p{L}*)$/u;
const isOrdinal = new RegExp(`^(?:${ordinal}|\\p{L}+th|eleventh|twelfth)$`, 'u');
const isRoman = /^[ivxl]{1,6}(?:e|o)?$/u;

const stepCue =
  /^(?:[-*+•]|\d{1,2}[.)])\s|^(?:(?:to|for)\s[^,]{3,60},\s*)?(?:use|set|run|call|add|open|click|press|select|choose|install|create|enter|type|make|turn|remove|go|start|put|write|pass|first|then|next)\b|\b(?:you can|by \w+ing|must be|should)\b/i;
const codeCue = /`[^`]+`|\w\(\)|[a-z][A-Z]\w|\w_\w|--\w|[{};=]{1}\s*$|\w\.\w+\(|=>|\$\w/;

/**
 * @param unit that the question asks for
 * @param from offset of the text where the tokens count from
 */
export function holdingsOf(
  question: Question,
  tokens: readonly AnalysedWord[],
  text: string,
  unit: string | undefined,
  from = 0,
): Holdings {
  let numbers = 0;
  let idle = 0;
  let years = 0;
  let dates = 0;
  let names = 0;
  let runs = 0;
  const notes = citedNotesIn(text);
  const numberEnd = from + (numbered.exec(text)?.[0].length ?? 0);
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.start < numberEnd) continue;
    if (token.numeric && notes.some(({ start, end }) => token.start >= from + start && token.end <= from + end))
      continue;
    if (question.type === 'date' && isOfCentury(question, tokens, i)) dates++;
    if (!token.capital && !token.numeric && !isFigureWord(token.word)) continue;
    const isKnown = question.known.has(token.term) || question.known.has(token.word);
    if (isKnown && !countsAsked(question, tokens, i)) continue;
    if (token.word === 'one' && isThing(tokens, i, text, from)) continue;
    const date = isDateWord(token.word) && (token.capital || !monthVerbs.has(token.word));
    if (date) dates++;
    if (token.numeric && isYear(token.word) && !isOtherThanYear(text, token.start - from, token.end - from)) years++;
    else if (question.type === 'date' && token.numeric && isOfEra(text, token.start - from, token.end - from)) years++;
    else if (!yearRange.test(token.word) && (startsNumber.test(token.word) || isNumberWord(token.word))) {
      numbers++;
      if (
        question.type === 'number' &&
        ((countsNothing(question, tokens, i, text, from) &&
          !asksOfAll.test(question.text) &&
          !isShare.test(text.slice(token.end - from))) ||
          ((isCodeNumber.test(token.word) || isOfName(text, token.start - from)) && !asksForName.test(question.text)) ||
          isOfOtherUnit(question, tokens, i, text, from) ||
          (asksForThings.test(question.text) &&
            (isRaised(text, token.start - from) || isMarkOfNote(question, tokens, i, text))) ||
          (asksForThings.test(question.text) && isOfCode(text, token.start - from, token.end - from)))
      )
        idle++;
    }
    if (!token.capital || token.empty || (date && i > 0)) continue;
    names += i === 0 ? 0.5 : 1; // the first word of a sentence is capital anyway
    if (i > 0 && tokens[i - 1]!.capital) runs++;
  }
  if (unit === 'time' && numbers === idle && oneUnitOfTime.test(text)) numbers++;
  const place = names > 0 && placeCue.test(text);
  const isUnit = unit !== undefined && numbers + years > 0 && unitsSaid[unit]!.test(text);
  return new HeldIn(text, { numbers, idle, years, dates, names, runs, place, unit: isUnit });
}

type Counted = Pick<Holdings, 'numbers' | 'idle' | 'years' | 'dates' | 'names' | 'runs' | 'place' | 'unit'>;

/** Most sentences are never asked for what is found at its first use alone. */
class HeldIn implements Holdings {
  readonly numbers: number;
  readonly idle: number;
  readonly years: number;
  readonly dates: number;
  readonly names: number;
  readonly runs: number;
  readonly place: boolean;
  readonly unit: boolean;
  readonly #text: string;

  constructor(text: string, { numbers, idle, years, dates, names, runs, place, unit }: Counted) {
    this.#text = text;
    this.numbers = numbers;
    this.idle = idle;
    this.years = years;
    this.dates = dates;
    this.names = names;
    this.runs = runs;
    this.place = place;
    this.unit = unit;
  }

  get recurs(): boolean {
    const said = this.#text.replace(rates, '');
    return recurrence.test(said) || saysHowOften(said);
  }

  get relative(): boolean {
    return isRelative(this.#text);
  }

  get conditional(): boolean {
    return conditionWord.test(this.#text);
  }

  get named(): boolean {
    return namedTime.test(this.#text);
  }

  get lasting(): boolean {
    return lastingYears.test(this.#text);
  }

  get reason(): boolean {
    return reasonCue.test(this.#text);
  }

  get definition(): boolean {
    return definitionCue.test(this.#text);
  }

  get steps(): boolean {
    return stepCue.test(this.#text);
  }

  get code(): boolean {
    return codeCue.test(this.#text);
  }

  get items(): number {
    return Math.min(8, (this.#text.match(/[,;،、，；]/g) ?? []).length);
  }
}

/** `80% of the homes` is no part of counted homes. */
const isShare = /^\s?(?:%|per ?cent|prozent|pour ?cent|por ciento|por cento|per cento|процент)/iu;

/** Before a year of three figures, and behind it: `in 911 as a fief`, not `in 300 cases` */
const inYear = /(?<!\p{L})(?:[Ii]n|[Ss]ince|[Uu]ntil|[Ff]rom|year)\s$/u;
const behindYear =
  /^\s?(?:[.,;:)–]|$|(?:a|an|the|as|and|when|under|after|before|by|to|until|he|she|it|they|his|her)\s)/u;

/** `387 BC`, `AD 80`, `in 911` */
function isOfEra(text: string, start: number, end: number): boolean {
  if (/^[1-9]\d\d$/.test(text.slice(start, end)) && inYear.test(text.slice(Math.max(0, start - 6), start)))
    if (behindYear.test(text.slice(end, end + 8))) return true;
  return eraBehind.test(text.slice(end, end + 12)) || eraBefore.test(text.slice(Math.max(0, start - 5), start));
}

/** `two` of `two shots`, asked how many shots a two-point shot gives: the question has the number before another word. */
function countsAsked({ type, known, pairs }: Question, tokens: readonly AnalysedWord[], at: number): boolean {
  const [token, next] = [tokens[at]!, tokens[at + 1]];
  if (type !== 'number' || next === undefined || next.empty || next.capital || next.numeric) return false;
  return isNumberWord(token.word) && known.has(next.term) && pairs.places.get(token.term)?.has(next.term) !== true;
}

/** `0600`, `0151`: how much or how many is not written so. */
const isCodeNumber = /^0\p{N}{2,}$/u;

/** `2` of `quay-db-2` and of `COVID-19`: the number belongs to a name. */
function isOfName(text: string, start: number): boolean {
  return /\p{L}[-_]$/u.test(text.slice(Math.max(0, start - 2), start)) && startsNumber.test(text.slice(start));
}

/** `century` in `the first century` and `siglo` in `siglo I`, where the question has the word: `In what century …`. */
function isOfCentury({ known }: Question, tokens: readonly AnalysedWord[], at: number): boolean {
  const { word, term } = tokens[at]!;
  if (!known.has(term) || !isCenturyWord.test(word)) return false;
  const [before = '', behind = ''] = [tokens[at - 1]?.word, tokens[at + 1]?.word];
  const says = (one: string): boolean => !known.has(one) && (isOrdinal.test(one) || isRoman.test(one));
  return says(before) || says(behind);
}

/** Whether a number counts a part of something: `one of the two`. */
export function countsPart(tokens: readonly AnalysedWord[], at: number): boolean {
  const words = tokens.slice(at, at + 3).map(({ word }) => word);
  return partitive.test(words.join(' '));
}

/**
 * `737–9`, `2018-23-51` and `8:84` are names or times, and no number of things, as `5–10` is, where the smaller stands
 * first. Where no things are counted, they may be what is asked for: a score, the length of a song.
 * @param start of the number in the text, as `end`
 */
export function isOfCode(text: string, start: number, end: number): boolean {
  const from = start - (/[\p{N}–—:-]*$/u.exec(text.slice(Math.max(0, start - 16), start))?.[0].length ?? 0);
  const to = end + (/^[\p{N}–—:-]*/u.exec(text.slice(end, end + 16))?.[0].length ?? 0);
  const whole = text.slice(from, to);
  if (/\p{N}:\p{N}/u.test(whole)) return true;
  const parts = whole.split(/[-–—:]/).filter((part) => part !== '');
  return parts.length > 2 || (parts.length === 2 && Number(parts[0]) >= Number(parts[1]));
}

/** `4` in `Saturday 4 October` and in `4 de octubre`, `2025-10-04`, `3` in `week 3`, or a part: it counts nothing. */
function countsNothing(
  question: Question,
  tokens: readonly AnalysedWord[],
  at: number,
  text: string,
  from: number,
): boolean {
  if (countsPart(tokens, at)) return true;
  const before = tokens[at - 1];
  if (before !== undefined && countedThings.test(before.word) && !asksForName.test(question.text)) return true;
  if (before !== undefined && numberedNames(question).has(before.term)) return true;
  return isOfDate(tokens, at, text, from);
}

/** `Flight` of a question for `Flight 043`: another number behind it names another one. */
const numberedNames: (question: Question) => ReadonlySet<string> = once(({ tokens }) => {
  const isNamed = ({ capital, empty }: AnalysedWord, i: number): boolean =>
    capital && !empty && tokens[i + 1]?.numeric === true;
  return new Set(tokens.filter(isNamed).map(({ term }) => term));
});

/** `laws ^10 associated`: the mark of a note, and no power of a number. */
function isRaised(text: string, start: number): boolean {
  return /(?:^|[^\p{Nd}])\^$/u.test(text.slice(Math.max(0, start - 2), start));
}

/** `6 Flight data shows …`: the mark of a note at the foot of a page, unless it counts what is asked for. */
function isMarkOfNote(question: Question, tokens: readonly AnalysedWord[], at: number, text: string): boolean {
  if (at > 0 || question.language === 'de' || !markOfNote.test(text)) return false;
  const counted = countedTerms(question);
  return !tokens.slice(1, 1 + mostBeforeCounted).some((token) => counted.some((j) => holdsTerm(question, token, j)));
}
const markOfNote = /^\s*\p{Nd}{1,2}\s+(?:\p{Lu}\p{Ll}|\p{Lu}{2,} )/u;
const mostBeforeCounted = 3;

const beforeUnit =
  /^\s?(?:kilomet(?:er|re)s?|met(?:er|re)s?|miles|feet|yards|acres|hectares|km²?|kg|kilograms?|tons|tonnes|lit(?:er|re)s?|watts?|kW|euros?|pounds|dollars)(?![\p{L}\p{N}])/u;

const shortNumberBefore = /(?<!\p{N})\p{N}{1,3}[-–]$/u;
/** Before these years nobody writes the number of a month before a year. */
const firstOfMonth = 1800;

/** `USD 2000`, `2000 kilometres`, and `1315` of the file `07-1315`. */
function isOtherThanYear(text: string, start: number, end: number): boolean {
  if (isOfMoney(text, start, end) || beforeUnit.test(text.slice(end, end + 16))) return true;
  return Number.parseInt(text.slice(start, end), 10) < firstOfMonth && shortNumberBefore.test(text.slice(0, start));
}

const border = /[|\t]/;

/** `3 года` are three years, and `May | 11` is no day. */
function isOfDate(tokens: readonly AnalysedWord[], at: number, text: string, from: number): boolean {
  if (/^\d{4}-\d\d(?:-\d\d)?$/.test(tokens[at]!.word)) return true;
  const isMonth = (token: AnalysedWord | undefined): boolean =>
    token !== undefined &&
    isDateWord(token.word) &&
    !yearsWord.test(token.word) &&
    (token.capital || !monthVerbs.has(token.word));
  const [before, own, next] = [tokens[at - 1], tokens[at]!, tokens[at + 1]];
  const areTogether = (a: AnalysedWord, b: AnalysedWord): boolean =>
    !border.test(text.slice(a.end - from, b.start - from));
  // `4 de octubre`, and not `52, from January`
  const isJoined = next?.empty === true && next.start === own.end + 1;
  return (
    (isMonth(next) && areTogether(own, next!)) ||
    (isMonth(before) && areTogether(before!, own)) ||
    (isJoined && isMonth(tokens[at + 2])) ||
    isFirstDay(text.slice(own.end - from))
  );
}

/** `16` of `16 to 20 June`, by what stands behind it. */
function isFirstDay(behind: string): boolean {
  const month = toDay.exec(behind)?.groups?.month;
  return month !== undefined && /^\p{Lu}/u.test(month) && isDateWord(month.toLowerCase());
}
const toDay =
  /^\.?(?: (?:to|until|till|and|or|bis|und|oder|au|et|al|y|e) (?:the |le |el |il )?| ?[-–] ?)\p{Nd}{1,2}(?:st|nd|rd|th|\.)? (?:of |de )?(?<month>\p{L}+)/u;

function isRelative(text: string): boolean {
  for (const { groups: { after, before } = {} } of text.matchAll(countedFrom)) {
    const count = (after ?? before ?? '').toLowerCase();
    if (startsNumber.test(count) || isNumberWord(count)) return true;
  }
  return false;
}
