import type { Span } from '../../../core/types.ts';
import { analyseWords } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { mentionsDefault } from '../../../text/languages/default-values.ts';
import { showsExamples } from '../../../text/languages/examples.ts';
import { isFunctionWord } from '../../../text/languages/function-words.ts';
import { isNumberWord } from '../../../text/languages/question-words.ts';
import {
  announcesPage,
  asksWay,
  doneBeside,
  insteadOf,
  offWord,
  onWord,
  saysDuty,
  saysMeans,
  saysOneCan,
  saysWith,
  switchVerb,
  thereAre,
  verbOfImperative,
} from '../../../text/languages/ways-told.ts';
import { actAskedBy } from '../question/act-asked.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { holdsTerm, type Question, relatedWord, sameWord } from '../question/question.ts';
import { isProgram } from '../structure/code.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: what is to be done has few of the words by which it is asked for. */
const gain = 4;
/** What is so has all of them, and does not say how it is done. */
const loss = -2;
const lossOfDefault = -5;
const lossOfOtherWay = -5;
/** `This tutorial shows how to draw lines.` */
const lossOfAnnouncement = -6;

/** Whether a question asks how somebody does something. */
export const wantsWay: (question: Question) => boolean = once(
  ({ text, type }) => (type === 'steps' || type === 'place') && asksWay.test(text), // `Where do I set it?`
);

const actAsked = actAskedBy(asksWay);

/** `/* Open the file`: of a program in a document. */
const comment = /^\s*(?:\/[*/]|\*{1,2}\s)/;

const isOfProgram = ({ passage }: Candidate): boolean => isProgram(passage.hit.chunk.format);

/** Whether a sentence tells somebody to do something; a comment says what the line below it does. */
function commands(candidate: Candidate): boolean {
  const own = textOf(candidate);
  const verb = comment.test(own) ? undefined : verbOfImperative(own, isOfProgram(candidate));
  return verb !== undefined && !isFunctionWord(verb, false);
}

/** Whether a sentence tells how something is done, as far as its words show it. */
export function tellsWay(candidate: Candidate): boolean {
  const { unit, holds } = candidate;
  return unit.kind === 'row' || holds.steps || holds.code || commands(candidate) || saysMeans(textOf(candidate));
}

/**
 * How much a sentence gains since it tells to do what the question asks how to do, under a heading or title that has the
 * other words of the question: `Order them by post.` below `Prescriptions`.
 */
export function wayGain(question: Question, candidate: Candidate): number {
  if (!wantsWay(question) || candidate.unit.kind === 'row') return 0;
  const act = actAsked(question);
  if (act < 0) return 0;
  const { match, titleMatch, headingMatch } = candidate;
  const isAll = question.terms.every((_, j) => Math.max(match[j]!, titleMatch[j]!) >= sameWord);
  if (isAll && match[act]! >= sameWord && saysOneCan.test(textOf(candidate))) return gain;
  const isSaid = match[act]! >= sameWord;
  if (!isSaid && !switchVerb.test(question.terms[act]!.word)) return 0;
  const over = isSaid ? titleMatch : headingMatch;
  const isHeld = question.terms.every((_, j) => j === act || Math.max(match[j]!, over[j]!) >= sameWord);
  if (!isHeld || !commands(candidate)) return 0;
  const own = textOf(candidate);
  return switchesOtherwise(question.text, own) || onlyRepeats(question, own) ? 0 : gain;
}

/** `Clean the kettle and let it cool.`, asked how it is cleaned. */
function onlyRepeats(question: Question, own: string): boolean {
  const verb = verbOfImperative(own);
  const row = verb === undefined ? undefined : question.matches.get(verb);
  return row != null && row[actAsked(question)]! >= sameWord && !saysWith.test(own);
}

/** `To turn it off, …`, asked how it is turned on. */
export function switchesOtherwise(question: string, own: string): boolean {
  const isOn = onWord.test(question);
  if (isOn === offWord.test(question)) return false;
  return isOn ? offWord.test(own) && !onWord.test(own) : onWord.test(own) && !offWord.test(own);
}

/** Whether a text tells something else of what is asked how to do: to undo it, or what comes before or after it. */
export function tellsOther(question: Question, text: string): boolean {
  const act = actAsked(question);
  if (isInsteadOf(question, text)) return true;
  return act >= 0 && (undoes(question.terms[act]!.word, text) || isBeside(question, act, text));
}

/** `If you use an oar instead of a sail`, asked of the sail. */
function isInsteadOf(question: Question, text: string): boolean {
  const other = insteadOf.exec(text)?.groups?.other?.toLowerCase();
  if (other === undefined) return false;
  const held = (word: string): boolean => question.tokens.some((token) => !token.empty && token.word === word);
  return held(other) && text.toLowerCase().split(new RegExp(`(?<!\\p{L})${other}(?!\\p{L})`, 'u')).length === 2;
}

/** `Give --no-ignore to lint it.`, asked how it is ignored. */
function undoes(act: string, text: string): boolean {
  return text.toLowerCase().includes(`no-${act}`);
}

/** `Now that you have written a rule, share it.`, asked how one is written. */
function isBeside(question: Question, act: number, text: string): boolean {
  const beside = Array.from(text.matchAll(doneBeside), ({ index, 0: part }) => [index, index + part.length] as const);
  if (beside.length === 0) return false;
  const named = analyseWords(text).filter((token) => holdsTerm(question, token, act));
  return named.length > 0 && named.every(({ start, end }) => beside.some(([from, to]) => from <= start && end <= to));
}

/** How much a sentence loses since it only says what is so, where it is asked how something is done. */
export function stateLoss(question: Question, candidate: Candidate): number {
  if (!wantsWay(question) || isOfProgram(candidate)) return 0;
  if (announcesPage.test(textOf(candidate))) return lossOfAnnouncement;
  if (tellsOther(question, textOf(candidate))) return lossOfOtherWay;
  if (tellsWay(candidate)) return 0;
  return onlyStates(candidate) ? lossOfDefault : loss;
}

function onlyStates(candidate: Candidate): boolean {
  const own = textOf(candidate);
  return (mentionsDefault.test(own) || counts(own)) && !commands(candidate);
}

/** `There are eleven members.` */
function counts(sentence: string): boolean {
  const count = thereAre.exec(sentence)?.[1]?.toLowerCase();
  return count !== undefined && (/^\p{Nd}/u.test(count) || isNumberWord(count));
}

/** `The lamp is off by default.`, asked how it is turned on; or it neither names the act nor tells to do something. */
export function lacksWay(question: Question, candidate: Candidate): boolean {
  if (!wantsWay(question)) return false;
  if (candidate.unit.kind === 'row') return isOfOtherAct(question, candidate);
  const own = textOf(candidate);
  if (tellsOther(question, own) || announcesPage.test(own) || showsExamples.test(own)) return true;
  return (onlyStates(candidate) && !tellsWay(candidate)) || isOfOtherAct(question, candidate);
}

/** `Valuables are insured up to 20 %.`, asked how the insurance is cancelled. */
function isOfOtherAct(question: Question, candidate: Candidate): boolean {
  const act = actAsked(question);
  if (act < 0 || isCommonWord(question.terms[act]!.word) || switchVerb.test(question.terms[act]!.word)) return false;
  const { match, titleMatch, headingMatch, holds } = candidate;
  if (Math.max(match[act]!, titleMatch[act]!, headingMatch[act]!) >= relatedWord) return false;
  // a row or a record tells what there is, and not what is done with it
  if (candidate.unit.kind === 'row' || records.has(candidate.passage.hit.chunk.format)) return true;
  const own = textOf(candidate);
  return !holds.code && !commands(candidate) && !saysMeans(own) && !saysDuty.test(own);
}

const records: ReadonlySet<string> = new Set(['json', 'jsonl']);

const step = /^[ \t]*\p{N}{1,3}[.)][ \t]/u;

/**
 * Whether further steps of a numbered list belong to the one that answers how something is done. A sentence inside of an
 * item that tells nobody to do something, as in a contract, leads to none.
 */
export function leadsToSteps(question: Question, candidate: Candidate): boolean {
  const { passage, unit, index } = candidate;
  const next = passage.units[index + 1];
  if (!wantsWay(question) || next === undefined || !isStep(passage, unit) || !isStep(passage, next)) return false;
  return beginsItem(passage, unit) || commands(candidate);
}

function beginsItem({ hit }: Candidate['passage'], { start }: Span): boolean {
  const { text } = hit.chunk;
  return !/\p{L}/u.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
}

function isStep({ hit }: Candidate['passage'], unit: Span): boolean {
  const { text } = hit.chunk;
  return step.test(text.slice(text.lastIndexOf('\n', unit.start - 1) + 1, unit.end));
}

/** Whether a sentence goes on telling what to do. */
export function goesOnWithWay(question: Question, first: Candidate, next: Candidate): boolean {
  return wantsWay(question) && commands(first) && commands(next);
}
