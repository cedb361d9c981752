import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { saidOfUnspaced, unspacedTerm } from '../../../text/languages/defined-unspaced.ts';
import {
  adverbOfDefinition,
  asksDefinition,
  asksHowDefined,
  asksMeaning,
  bareCopula,
  beginsCircumstance,
  copula,
  definesEntry,
  definiteArticle,
  deniesDefinition,
  determiner,
  elidedArticle,
  endsWithCopula,
  endsWithIndefinite,
  indefiniteArticle,
  isUsedVerb,
  kindOfThing,
  meansVerb,
  needsVerb,
  ofWhat,
  servesVerb,
} from '../../../text/languages/definitions.ts';
import { versionHeading } from '../structure/version-note.ts';
import type { Candidate } from './candidate.ts';
import { endsWithName } from './named-at-end.ts';
import { once } from './once.ts';
import { matchOf, positionOf, positionsOf, type Question, sameWord } from './question.ts';
import { lacksFigure, unitAsked } from './wanted.ts';

/** What a question wants explained: `partial index` in `What is a partial index in SQLite?` */
export interface AskedTerm {
  /** Positions of its words among the question's terms, in order. */
  readonly terms: readonly number[];
  /** Its last word says what kind of thing it is, which a definition may leave out: `the VACUUM command`. */
  readonly endsWithKind: boolean;
  /** Asks what a thing is for: `What does VACUUM do?` */
  readonly asksUse: boolean;
  /** Asks how it is defined, as by a formula. */
  readonly asksHow: boolean;
  /** Asks what any such thing is, `a source package`, or what a word means. */
  readonly asksKind: boolean;
  /** How far a sentence says what it is, in a script without blanks. */
  readonly unspaced?: (sentence: string) => number;
}

const longestCircumstance = 3;

const mostTerms = 4;

/** The term that a question wants explained; undefined where it asks for something else. */
export const askedTerm: (question: Question) => AskedTerm | undefined = once(termIn);

function termIn({ text, tokens, terms }: Question): AskedTerm | undefined {
  const unspaced = unspacedTerm(text);
  if (unspaced) {
    const { start, end, asksUse } = unspaced;
    const own = tokens.filter((token) => token.start >= start && token.end <= end);
    return {
      terms: positionsOf({ terms }, firstOfEach(own)),
      endsWithKind: false,
      asksUse,
      asksHow: false,
      asksKind: false,
      unspaced: saidOfUnspaced(text.slice(start, end), asksUse),
    };
  }
  for (const { pattern, asksUse } of asksDefinition) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [start] = match.indices![1]!;
    const named = match[1]!;
    const end = start + (beginsCircumstance.exec(named)?.index ?? named.length);
    const within = tokens.filter((token) => token.start >= start && token.end <= start + named.length);
    const isOfMany = endsWithIndefinite.test(text.slice(0, start)); // `a lock in the north`, not `the lock in the north`
    const rest = within.filter(
      ({ start: at, word }) => at >= end && !indefiniteArticle.test(word) && !(isOfMany && definiteArticle.test(word)),
    );
    // `in milk`, but `no-light`; `in the plaza called before`
    const first = within.findIndex(({ end, empty }) => !empty || !/[-_.]/.test(text[end] ?? ''));
    if (within[first]?.empty !== false || firstOfEach(rest).length > longestCircumstance) return undefined;
    const words = within.filter((token) => token.end <= end && !token.empty);
    const positions = firstOfEach(words).map((word) => positionOf({ terms }, word));
    if (positions.length === 0 || positions.length > mostTerms || positions.includes(-1)) return undefined;
    const endsWithKind = positions.length > 1 && kindOfThing.test(words.at(-1)!.word);
    const asksKind = !asksUse && (asksMeaning.test(text) || endsWithIndefinite.test(text.slice(0, start)));
    return { terms: positions, endsWithKind, asksUse, asksHow: asksHowDefined.test(text), asksKind };
  }
  return undefined;
}

/** Without the parts of identifiers, which follow the whole at the same place. */
function firstOfEach(words: readonly AnalysedWord[]): AnalysedWord[] {
  return words.filter(({ start }, i) => i === 0 || words[i - 1]!.start !== start);
}

/** On the scale of the trees. */
const gains = { defined: 5, used: 5, ofSeveral: 4, partly: 2, said: 1 } as const;
const fewestWords = 4;
const lead = 8;

/** `The harbour module has the following functions:` */
const announces = /[:：]\s*$/u;
/** `LISTEN registers the session …` */
const acts = /^(?!(?:has|does|was|costs?|is)$)[a-z]{3,}s$/u;

/** A noun in the plural: `gathers statistics`. */
const things = /^(?!always|besides|perhaps|sometimes)\p{Ll}+s$/u;

/** In place of a verb between a Russian noun and what it is. */
const dash = /^["»“]?\s*[—–-]\s/u;

/**
 * How much a sentence gains since its subject is the term that is asked for and it says what that is (`A partial index
 * is an index over …`, `UPSERT: a clause …`), or what it does; else 0.
 */
export function definitionGain(
  question: Question,
  term: AskedTerm,
  { passage, unit, tokens, headings, holds }: Candidate,
): number {
  if (tokens.length < fewestWords) return 0;
  // what a fee or a length is called says not how much it is
  if (question.type === 'number' && (unitAsked(question) ? !holds.unit : lacksFigure(question, holds))) return 0;
  const words = firstOfEach(tokens);
  const { text } = passage.hit.chunk;
  if (term.unspaced) return unit.kind === 'row' ? 0 : term.unspaced(text.slice(unit.start, unit.end)) * gains.defined;
  if (isNameLine(question, headings.at(-1), text.slice(unit.start, unit.end))) {
    const first = words.findIndex(({ word }) => word !== 'name');
    if (behindTerm(question, term, words, first)?.isQualified === false) return gains.defined;
  }
  const isNamed = !term.asksUse && unit.kind === 'sentence';
  const sentence = text.slice(unit.start, unit.end);
  let gain: number = isNamed && endsWithName(question, term.terms, words, sentence, unit.start) ? gains.defined : 0;
  for (const from of beginnings(text, words)) {
    const after = behindTerm(question, term, words, from);
    if (after !== undefined) {
      const said = saidOf(term, question.language, sentence, unit.start, words, after);
      gain = Math.max(gain, after.isQualified ? Math.min(said, gains.said) : said);
    }
  }
  // a change log says what became of a thing
  return versionHeading(headings) === undefined ? gain : Math.min(gain, gains.said);
}

/** `lift - raise a load`, the only line below `NAME` in a page of a manual; an option is told further below. */
function isNameLine({ text }: Question, heading: string | undefined, line: string): boolean {
  const own = /^NAME[ \t]*\n/.test(line) ? line.slice(4) : heading === 'NAME' ? line : '';
  return nameLine.test(own) && !/\s-{1,2}\p{L}/u.test(text);
}
const nameLine = /^\s*\S+(?:, \S+)*\s+[-–—]{1,2}\s+\S/u;

/** `1.7.` of `1.7. "Capstan" means …` */
const clauseNumber = /^\d{1,3}(?:\.\d{1,3})*(?:[.)]|(?<=\.\d{1,3}))\s/u;

/**
 * The first word, that behind the number of a clause, and the one behind a mark near it: `In SQLite, a partial index …`,
 * `UPSERT: an UPSERT is …`
 */
function beginnings(text: string, words: readonly AnalysedWord[]): number[] {
  const between = words.slice(1, lead).map(({ start }, i) => text.slice(words[i]!.end, start));
  const found = [',', ':'].map((mark) => between.findIndex((one) => one.includes(mark))).filter((i) => i >= 0);
  const clause = words.findIndex(({ numeric }) => !numeric);
  const isNumbered = clause > 0 && clauseNumber.test(text.slice(words[0]!.start, words[clause]!.start));
  return [0, ...(isNumbered ? [clause] : []), ...found.map((i) => i + 1)];
}

interface Behind {
  /** Position of the word behind the term. */
  readonly at: number;
  /** A word before the term makes it another one: `the UINT collating sequence`. */
  readonly isQualified: boolean;
}

/** What stands behind the term, where the term stands at `from` with at most an article and a word before it. */
function behindTerm(
  question: Question,
  { terms, endsWithKind }: AskedTerm,
  words: readonly AnalysedWord[],
  from: number,
): Behind | undefined {
  const holds = (at: number, j: number): boolean => {
    const row = at < words.length ? matchOf(question, words[at]!) : null;
    return row !== null && row[j]! >= (words[at]!.word.includes('_') ? 1 : sameWord); // a `crane_name` is no crane
  };
  let isQualified = false;
  let at = from;
  if (at < words.length && determiner.test(words[at]!.word)) at++;
  if (!holds(at, terms[0]!)) {
    if (words[at]?.empty !== false) return undefined;
    at++;
    isQualified = true;
  }
  for (const [i, j] of terms.entries()) {
    const skipped = i > 0 && !holds(at, j) && words[at]?.empty ? 1 : 0; // `capital of Norway`
    if (holds(at + skipped, j)) at += skipped + 1;
    else if (!endsWithKind || i < terms.length - 1) return undefined;
  }
  return { at, isQualified };
}

const mostBeforeThings = 2;

/** `npm packages that …`, `database operations`: an English noun in the plural, behind at most two words that go before one. */
function areThings(words: readonly AnalysedWord[]): boolean {
  const at = words.findIndex(({ word }) => /^[a-z]{3,}(?<!s)s$/u.test(word));
  return (
    at >= 0 &&
    at <= mostBeforeThings &&
    words.slice(0, at).every(({ empty, word }) => !empty && !/(?:ed|ing)$/u.test(word))
  );
}

/** `commercial or financial information that …`, `wool used for …`: a noun without an article, told from others. */
const stuff =
  /^\s+(?<kind>[\p{Ll}-]+(?:(?:,| (?:and|or))? [\p{Ll}-]+){0,4}) (?<tells>that|which|who|whose|used|made|consisting|designed)(?!\p{L})/u;
const noNoun =
  /(?<!\p{L})(?:\p{L}+ly|so|such|too|very|more|most|as|to|of|in|on|at|by|for|from|with|about|not|now|being|\p{L}+(?:ed|ing))(?!\p{L})/u;

/** Whether a copula has a noun behind it that is no adjective: `It is clear that …` says not what it is. */
function isStuff(behindVerb: string): boolean {
  const { kind = '', tells } = stuff.exec(behindVerb)?.groups ?? {};
  if (kind === '' || noNoun.test(kind)) return false;
  return tells !== 'that' || kind.includes(' ');
}

const parenthesis = /^["'”’*_`]*\s*[([][^)\]]*[)\]]/u;
/** `Ballast: Weight in the keel.` */
const entry = /^["'”’»*_`)\s]*:["'*_`]*\s+["'“(]?\p{Lu}[^\n]*\.["'”)]?$/u;

/** `ballast     The weight in the keel`, as manuals of fixed width set it. */
const column = /^ {2,}["'“(]?\p{Lu}/u;
const label = /^["'”’»*_`)\s]*(?:[:–—|]|-\s)/u;

/** What is said of a term behind it. */
function saidOf(
  { asksUse, asksHow }: AskedTerm,
  language: string,
  text: string,
  offset: number,
  words: readonly AnalysedWord[],
  { at: after, isQualified }: Behind,
): number {
  let at = after;
  const skip = (pattern: RegExp): void => {
    if (at < words.length && pattern.test(words[at]!.word)) at++;
  };
  const behind = (): string => text.slice(words[at - 1]!.end - offset);
  const skipParenthesis = (): void => {
    const inside = parenthesis.exec(behind());
    if (inside === null) return;
    const end = words[at - 1]!.end + inside[0].length;
    while (at < words.length && words[at]!.start < end) at++;
  };
  skipParenthesis();
  skip(kindOfThing);
  skipParenthesis();
  const isRussian = /\p{sc=Cyrillic}/u.test(behind());
  if (isRussian && dash.test(behind()) && words.length - at >= 2) return gains.defined;
  if (definesEntry.test(behind()) && !isQualified && !asksUse) return gains.defined;
  if (column.test(behind()) && !isQualified) return gains.partly;
  if (label.test(behind()) && isQualified) return 0; // `Lift capstan: hauls the ropes of the lift.`
  if (label.test(behind()))
    return words.slice(at).filter(({ numeric }) => !numeric).length < fewestWords
      ? 0
      : entry.test(behind())
        ? gains.partly
        : gains.said;
  let isPart = false;
  if (ofWhat.test(words[at]?.word ?? '')) {
    const verb = words
      .slice(at + 1, at + 1 + mostTerms)
      .findIndex(({ word }) => copula.test(word) || servesVerb.test(word));
    if (verb > 0) at += 1 + verb;
    isPart = true;
  }
  skip(adverbOfDefinition);
  skip(/^(?:shall|will)$/u);
  const verb = words[at]?.word;
  const behindVerb = adverbOfDefinition.test(words[at + 1]?.word ?? '') ? at + 2 : at + 1; // `is normally a folder`
  const next = words[behindVerb]?.word ?? '';
  if (verb === undefined || deniesDefinition.test(next)) return 0;
  if (asksUse && /^(?:se|si)$/u.test(verb) && isUsedVerb.test(next)) return gains.used;
  if (copula.test(verb)) {
    if (asksUse) return /^(?:used|meant|intended|designed|responsible)$/u.test(next) ? gains.used : gains.said;
    if (determiner.test(next) || elidedArticle.test(next) || (asksHow && !isQualified))
      return isPart ? gains.partly : gains.defined;
    if (!isPart && /^(?:are|were)$/u.test(verb) && areThings(words.slice(behindVerb))) return gains.ofSeveral;
    if (!isPart && isStuff(text.slice(words[at]!.end - offset))) return gains.partly;
    if (/^(?:ist|sind|war|waren)$/u.test(verb) && words[behindVerb]?.capital) return gains.partly; // `Swap ist Speicher, …`
    return /^(?:used|defined|what|when|how|called)$/u.test(next) ? gains.partly : 0;
  }
  if (bareCopula.test(verb === 'to' ? next : verb)) return gains.defined; // Polish `to jest`
  if (meansVerb.test(verb)) return asksUse ? gains.said : gains.defined;
  if (needsVerb.test(verb)) return gains.said;
  const actsOnThings = !isQualified && things.test(next) && words[behindVerb]?.empty === false;
  if (servesVerb.test(verb) || (acts.test(verb) && (determiner.test(next) || actsOnThings)))
    return asksUse && !announces.test(text) ? gains.used : gains.said;
  return endsWithCopula[language]?.test(text) ? gains.partly : 0;
}
