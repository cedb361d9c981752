import { analyseWords } from '../../../text/analysis/words.ts';
import {
  asksDefault,
  asksWhether,
  defaultWord,
  mentionsDefault,
  statesDefault,
  statesOwnDefault,
} from '../../../text/languages/default-values.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { heldShare, matchTerms, type Question, type QuestionTerm, sameWord } from '../question/question.ts';
import { isDegree } from '../question/wanted.ts';
import { isProgramTerm, paragraphTerm, termOfValue } from '../structure/headings.ts';
import { declaredBelow, isOfOtherEntry, isSameName, namesAsked } from './entry.ts';
import { identifiersAsked, identifiersIn, namesOther } from './identifiers.ts';

const wantsDefault = once(({ text }) => asksDefault.test(text));

/** On the scale of the trees. */
const gain = 5;
/** Of the weight of what is asked about: with less, the value is that of something else. */
const leastHeld = 0.7;
/** The sentence says little more than the value: what has it stands before it in the paragraph. */
const mostBefore = 600;

const gainOfMention = 2;
const lossOfNone = -1.5;
const lossOfOther = -6;
/** A figure, or a word that is set apart. */
const hasValue = /[\p{N}`"“„«_=]|(?<!\p{L})'/u;

/** In its own section: others tell it beside their own values. */
const gainOfOwn = 3;
const leastHeaded = 0.9;

/**
 * How much a sentence gains since it says what holds where nobody sets anything, and the question asks for that: `The
 * default value is 3.0.`, in the paragraph about what is asked, and loses since it has no value; else 0. Such a sentence
 * has few words of the question.
 */
export function defaultGain(question: Question, candidate: Candidate): number {
  if (!wantsDefault(question)) return 0;
  if (isOfOtherEntry(question, candidate)) return lossOfOther;
  const { passage, unit, titleMatch, headings, headingMatch } = candidate;
  const { text, format } = passage.hit.chunk;
  const isCode = format === 'code';
  const own = text.slice(unit.start, unit.end);
  if (givesDefault(question, own)) return gain + gainOfOwn;
  if (seesElsewhere.test(own)) return lossOfOther;
  const most = statesDefault.test(own) ? gain : mentionsDefault.test(own) ? gainOfMention : 0;
  if (most === 0) return hasValue.test(own) || asksDefault.test(own) ? 0 : lossOfNone;
  if (namesOther(question, own)) return 0;
  const before = text.slice(Math.max(0, unit.start - mostBefore), unit.start);
  const paragraph = ownItem(before.split(/\n\s*\n/).at(-1)!, own);
  const above = isCode ? declaredBelow(text, unit.start, unit.end) : termOfValue(before, own);
  const match = matchTerms(question, analyseWords(`${above ?? ''}\n${paragraph}`));
  const term = above ?? paragraphTerm(before + own);
  if (statesOwnDefault.test(own) && isOtherSetting(question, term ?? headings.at(-1) ?? '')) return 0;
  const named = term === undefined ? headingMatch : matchTerms(question, analyseWords(term));
  const isAbout = ({ word }: QuestionTerm): boolean =>
    !(isDegree(word) || defaultWord.test(word) || (question.type === 'choice' && asksWhether.test(word)));
  const held = heldShare(question, (j) => Math.max(match[j]!, titleMatch[j]!), isAbout);
  const headed = heldShare(question, (j) => named[j]!, isAbout);
  if (held === undefined || headed === undefined || held < leastHeld) return 0;
  const isOwn = term !== undefined && namesAsked(question).some((one) => isSameName(one, term.toLowerCase()));
  const whole = most * held + (isOwn || headed >= leastHeaded ? gainOfOwn : 0);
  return isOfPart(question, own) ? whole / 2 : whole;
}

/** `* "ropes" (default: 1)`: a part of what is asked about, by a name without a word of the question. */
function isOfPart(question: Question, own: string): boolean {
  const name = namedItem.exec(own)?.[1];
  return name !== undefined && matchTerms(question, analyseWords(name)).every((held) => held < sameWord);
}

const namedItem = /^[ \t]*[-*+][ \t]+[`"'“]{1,3}([\p{L}_$][\p{L}\p{N}_$.-]*)[`"'”]/u;

/** `Default: See usage for details` */
const seesElsewhere = /\bdefaults?\W{0,4}[:|]\W{0,4}(?:see|siehe|voir|ver|vedi)\b/iu;

/** `open(name, mode='r', *, level=9)`, which may begin a sentence. */
const signature = /^(?:[a-z]+ )?([\p{L}_$][\p{L}\p{N}_$.:]*)\(([^()]*(?:\([^()]*\)[^()]*)*)\)/u;

/** Whether a declaration of the function that is asked about gives the parameter that is asked about a default. */
export function givesDefault(question: Question, own: string): boolean {
  if (!wantsDefault(question)) return false;
  if (setsName(question, own)) return true;
  const [, name, parameters] = signature.exec(own) ?? [];
  if (name === undefined) return false;
  const words = new Set(question.text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
  if (!words.has(/[^.:]*$/.exec(name)![0])) return false;
  return Array.from(parameters!.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*=(?!=)/gu)).some(([, one]) => words.has(one!));
}

const assigned = /(?<![\p{L}\p{N}_$.])([\p{L}_$][\p{L}\p{N}_$]*)\??[ \t]*(?::[^=\n,;()]{1,40})?=(?![=>])[ \t]*[^\s]/gu;

/** `var maxLoad: Long = 1_500`, asked for the default of `maxLoad`. */
function setsName(question: Question, own: string): boolean {
  const names = namesAsked(question);
  if (names.length === 0 || !own.includes('=')) return false;
  return Array.from(own.matchAll(assigned)).some(([, name]) => names.includes(name!.toLowerCase()));
}

/** Whether a section is about a setting of a name like that of the one which is asked about, and not about that one. */
function isOtherSetting(question: Question, heading: string): boolean {
  const asked = identifiersAsked(question);
  const own = isProgramTerm(heading) ? identifiersIn(heading) : [];
  return asked.length > 0 && own.length > 0 && !own.some((one) => asked.includes(one));
}

const item = /^([ \t]*)[-*+][ \t]/;

/** A sentence with what stands before it in its paragraph; in a list, without the items beside its own. */
function ownItem(before: string, own: string): string {
  const lines = (before + own).split('\n');
  const last = before.split('\n').length - 1;
  const indent = item.exec(lines[last]!)?.[1]?.length;
  if (indent === undefined) return before + own;
  return lines.filter((line, i) => i >= last || /^[ \t]*/.exec(line)![0].length < indent).join('\n');
}
