import { analyseWords } from '../../../text/analysis/words.ts';
import { isFunctionWord } from '../../../text/languages/function-words.ts';
import {
  actsAlike,
  asksHowKnown,
  asksWay,
  isDone,
  mentionedVerb,
  mentionsHandling,
  pointsElsewhere,
  saysMeans,
  showsBelow,
  tellsHandling,
  verbOfImperative,
} from '../../../text/languages/ways-told.ts';
import { actAskedBy } from '../question/act-asked.ts';
import type { AnalysedPassage, Candidate, Scored } from '../question/candidate.ts';
import { matchTerms, type Question, raise, relatedWord, sameWord } from '../question/question.ts';
import { isProgram } from '../structure/code.ts';
import { type ItemList, itemLists } from '../structure/item-lists.ts';
import { remembered } from '../structure/remembered.ts';
import { textOf } from '../structure/unit-text.ts';
import { isEntry, saysAct, usageLine } from './entry-act.ts';
import { saysNoMore } from './says-no-more.ts';
import { numberedAt, stepsTold, wantsSteps } from './steps-told.ts';
import { isCode } from './unfit.ts';
import { switchesOtherwise, tellsOther, wantsWay } from './way.ts';

/** On the scale of the trees: a step has none of the words of the question. More where the procedure is for just that. */
const gain = 7;
const gainOfWhole = 12;
const fewestItems = 2;
/** Sentences behind a statement within which its section tells what to do. */
const mostBetween = 6;

const proceduresOf = remembered(({ hit }: AnalysedPassage): readonly ItemList[] =>
  itemLists(hit.chunk.text).filter((list) => list.items.length >= fewestItems && tells(hit.chunk.text, list)),
);

/** Whether the items of a list tell what to do, one after the other: its first one does, and most others. */
function tells(text: string, { items, end, isNumbered }: ItemList): boolean {
  const said = items.map((start, i) => text.slice(start, items[i + 1] ?? end));
  const isStep = (one: string): boolean => !label.test(one.replace(mark, '')) && instructs(one);
  const telling = said.filter(isStep);
  if (isNumbered && telling.length > 0) return isStep(said[0]!) || telling.length * 2 >= said.length;
  return isStep(said[0]!) && telling.length * 2 >= said.length;
}

const mark = /^[ \t]*(?:[-*+•‣▪]|\d{1,3}[.)])[ \t]+/u;
const optional = /^\((?:optional|\p{Lu})\)\s*/iu;
/** `Check format: the usual one`, `Copy - If set, …`: the name of what is explained. */
const label = /^(?!step\b)\p{L}[\p{L}\p{N} ()'’/-]{0,40}(?::| [-–—]) /iu;
/** A line to type, or the name of an option in a sentence. */
const typed =
  /`[^`]+`|(?:^|\s)--?\p{L}[\p{L}-]+|^\s*(?:[$>] \S|# (?![^\n]*(?:, |[.:]$))[a-z])|^\s*\\\p{L}+|[{};]\s*$|^[a-z][\w.-]* = \S/u;

/** A line to type, and nothing else. */
const line = new RegExp(String.raw`^\s*(?:[$>] \S|# (?![^\n]*(?:, |[.:]$))[a-z])|${usageLine.source}`, 'u');

/** Whether a text tells somebody to do something. */
function instructs(text: string): boolean {
  const own = text.replace(mark, '').replace(optional, '');
  if (label.test(own)) return tellsHandling(own.replace(label, ''));
  const verb = verbOfImperative(own);
  return (verb !== undefined && !isFunctionWord(verb, false)) || tellsHandling(own);
}

/** Whether a sentence tells what to do: to press, choose or type something. */
function isInstruction(candidate: Candidate): boolean {
  const own = textOf(candidate);
  return typed.test(own) || instructs(own) || isCode(candidate, own) || isUsage(candidate);
}

/** Whether it says at least what one can do. */
function mentionsWay(candidate: Candidate): boolean {
  return isInstruction(candidate) || mentionsHandling(textOf(candidate));
}

const usage = /(?:^|\n)[*_`]*(?:usage|syntax|synopsis)[*_`]*:?\s*$/iu;

/** The line below `Usage:`. */
function isUsage({ passage, unit }: Candidate): boolean {
  return usage.test(passage.hit.chunk.text.slice(0, unit.start));
}

/** The procedure that a sentence is a part of. */
function procedureAt({ passage, unit }: Candidate): ItemList | undefined {
  return proceduresOf(passage).find(({ start, end }) => start <= unit.start && unit.end <= end);
}

/** Whether a sentence is a part of a procedure, which has few words of what it is for. */
export function isOfProcedure(candidate: Candidate): boolean {
  return procedureAt(candidate) !== undefined;
}

/** `As you can see` says nothing of how it is done. */
const saysByMeans = (own: string): boolean => saysMeans(own.replace(/\bas you can see\b|\byou have\b(?! to\b)/giu, ''));

/** Characters of a procedure that are shown. */
const mostChars = 1000;

/** The sentences of the procedure that a sentence is a part of, by their places: all, or as many from it on. */
export function procedureAround(question: Question, candidate: Candidate): readonly number[] {
  const list = wantsWay(question) ? procedureAt(candidate) : wantsSteps(question) ? numberedAt(candidate) : undefined;
  if (list === undefined) return [];
  const { units } = candidate.passage;
  const from = candidate.unit.end - list.start <= mostChars ? list.start : candidate.unit.start;
  return units.flatMap(({ start, end }, i) => (start >= from && end <= list.end && end - from <= mostChars ? [i] : []));
}

/** Whether a sentence tells to do what is shown below it. */
export function showsWay(question: Question, candidate: Candidate): boolean {
  return wantsWay(question) && showsBelow.test(textOf(candidate));
}

/** What stands below one heading in one passage, in order. */
type Section = readonly Candidate[];

function sectionsOf(ranked: readonly Scored[]): Section[] {
  const groups = new Map<AnalysedPassage, Map<string, Candidate[]>>();
  for (const { candidate } of ranked) {
    const ofPassage = groups.get(candidate.passage) ?? new Map<string, Candidate[]>();
    groups.set(candidate.passage, ofPassage);
    const path = candidate.headings.join('\n');
    const own = ofPassage.get(path);
    if (own) own.push(candidate);
    else ofPassage.set(path, [candidate]);
  }
  return [...groups.values()].flatMap((one) =>
    [...one.values()].map((own) => own.toSorted((a, b) => a.index - b.index)),
  );
}

/** The first sentences of the procedures of a section. */
function beginsOf(section: Section): Candidate[] {
  const seen = new Set<ItemList>();
  return section.filter((one) => {
    const list = procedureAt(one);
    if (list === undefined || seen.has(list)) return false;
    seen.add(list);
    return true;
  });
}

const actAsked = actAskedBy(asksWay);

/** The section that is about what is asked how to do, and the sentence with which it begins to tell that. */
interface Way {
  readonly begins: Candidate;
  readonly score: number;
  /** Section and what stands over the sentence have all words of the question. */
  readonly isWhole: boolean;
}

/** What counts beside the shares of the question that a section and what stands over it hold. */
const byRank = 0.5;
const byTitle = 0.8;
/** Of a list of steps, and of the entry of an option, a function or a command. */
const byForm = 0.2;
const byRepeating = 0.4;
/** Of the words of an entry that nobody asks for: `Sends a reply.` goes before `Sends a reply with a receipt.` */
const byOthers = 0.2;
/**
 * Of the question: what a section holds with all that stands over it, where it has a list and where one sentence tells
 * it; what stands over its instruction; what that has itself; and one near a statement.
 */
const leastHeld = 0.75;
const leastHeldAlone = 0.8;
const leastOver = 0.6;
const leastOwn = 0.5;
const leastNear = 0.3;
/** Nearly all: shares are sums. */
const whole = 0.99;

const ways = new WeakMap<readonly Scored[], Way | undefined>();

/** The sentence that begins to tell how it is done, in the section that is about it. */
export function wayFound(question: Question, ranked: readonly Scored[]): Way | undefined {
  if (!(wantsWay(question) || wantsSteps(question)) || asksHowKnown.test(question.text)) return undefined;
  if (!ways.has(ranked)) {
    const found = wantsWay(question) ? sectionsOf(ranked).flatMap((section) => wayOf(question, section) ?? []) : [];
    const best = found.toSorted((a, b) => b.score - a.score)[0];
    ways.set(ranked, best ?? stepsTold(question, ranked));
  }
  return ways.get(ranked);
}

/** How much the sentence gains with which the procedure or the instruction begins. */
export function gainOfWay(way: Way | undefined, candidate: Candidate): number {
  if (way?.begins !== candidate) return 0;
  return way.isWhole ? gainOfWhole : gain;
}

function wayOf(question: Question, section: Section): Way | undefined {
  const act = actAsked(question);
  const all = new Float32Array(question.terms.length);
  for (const { match } of section) raise(all, match, 1);
  raise(all, section[0]!.titleMatch, 1);
  const held = share(question, (j) =>
    all[j]! >= sameWord || (j === act && isActHeld(question, act, section)) ? 1 : all[j]! >= relatedWord ? 0.5 : 0,
  );
  if (held < leastHeld) return undefined;
  const begins = beginsOf(section);
  const lists = begins
    .map((begin) => ({ begin, lead: leadOf(begin) }))
    .filter(({ lead }) => !switchesOtherwise(question.text, lead) && !tellsOther(question, lead))
    .map(({ begin, lead }) => ({ begin, over: matchTerms(question, analyseWords(lead)) }));
  const openings = [...lists, ...tellingOf(question, section), ...entriesOf(question, section)];
  let best: Way | undefined;
  for (const { begin, over } of openings) {
    const above = share(question, (j) =>
      Math.max(begin.headingMatch[j]!, over[j]!) >= sameWord || (j === act && isActHeld(question, act, [begin], over))
        ? 1
        : begin.titleMatch[j]! >= sameWord
          ? byTitle
          : 0,
    );
    if (above < leastOver) continue;
    if (act >= 0 && !isActHeld(question, act, [begin], over)) continue;
    const isList = isOfProcedure(begin);
    if (!isList && held < leastHeldAlone) continue;
    const form = isList || isEntry(begin) ? byForm : 0;
    const repeating = !isEntry(begin) && repeatsAct(question, act, begin) ? byRepeating : 0;
    const other = isList && leadsToOther(question, act, leadOf(begin)) ? byRepeating : 0;
    const beside = isList ? 0 : byOthers * othersIn(question, begin);
    const score = above + held + byRank * begin.passage.relative + form - repeating - other - beside;
    if (best === undefined || score > best.score)
      best = { begins: begin, score, isWhole: isList && held >= whole && above >= whole };
  }
  return best;
}

/** `A tie is made by writing a tilde.`, `It must be enabled at the start, using the key.` */
const doneBy =
  /^(?:(?!\b(?:because|if|since|that|unless|until|when|where|which|while)\b)[^.])*?\b(?:is|are|(?:can|may|must|should|has to|have to) (?:\p{L}+ )?be) (?<act>\p{L}+)(?: by the [^.,;]{1,40})?,? (?:by \p{L}+ing|by (?:e-?mail|post|phone|telephone)|through the|using|via|with the)\b/iu;

/** Whether a sentence may be the first that tells how it is done. */
function mayBegin(question: Question, candidate: Candidate): boolean {
  const own = textOf(candidate);
  if (candidate.unit.kind !== 'sentence' || isOfProcedure(candidate)) return false;
  if (switchesOtherwise(question.text, own) || tellsOther(question, own) || saysNoMore(question, candidate))
    return false;
  if (pointsElsewhere.test(own)) return false;
  if (instructs(own) || mentionsHandling(own) || line.test(own) || isUsage(candidate)) return true;
  const done = doneBy.exec(own)?.groups?.act;
  return done !== undefined && isActAsked(question, candidate, done.toLowerCase());
}

/** `Copying is done by …` names the act before. */
const anyAct = /^(?:done|made|achieved|accomplished|performed)$/u;

function isActAsked(question: Question, { match }: Candidate, verb: string): boolean {
  const act = actAsked(question);
  if (act < 0) return false;
  if (anyAct.test(verb)) return match[act]! >= sameWord;
  return isAct(question, act, verb) || actsAlike(question.terms[act]!.word)?.test(verb) === true;
}

/** @param verb of a sentence that was matched: its words are known */
function isAct(question: Question, act: number, verb: string): boolean {
  return (question.matches.get(verb)?.[act] ?? 0) >= sameWord;
}

/** The sentence of a section, outside of its procedures, that tells most of what is asked how to do. */
function tellingOf(question: Question, section: Section): { begin: Candidate; over: Float32Array }[] {
  const act = actAsked(question);
  const held = section
    .filter((one) => mayBegin(question, one))
    .map((begin) => ({
      begin,
      share: ownShare(question, begin) - (repeatsAct(question, act, begin) ? byRepeating : 0),
    }))
    .toSorted((a, b) => b.share - a.share);
  const [best] = held;
  return best === undefined || best.share < leastOwn ? [] : [{ begin: best.begin, over: best.begin.match }];
}

/** `--drop: Drops a load.`: what entries of a reference say that their options, functions or commands do. */
function entriesOf(question: Question, section: Section): { begin: Candidate; over: Float32Array }[] {
  const act = actAsked(question);
  return section
    .filter((one) => act >= 0 && one.match[act]! >= sameWord && isEntry(one) && saysAct(question, act, textOf(one)))
    .map((begin) => ({ begin, over: begin.match }));
}

/** Share of the words of an entry that the question does not have. */
function othersIn({ known }: Question, begin: Candidate): number {
  if (!isEntry(begin)) return 0;
  const words = begin.tokens.filter(({ empty }) => !empty);
  return words.filter(({ term, word }) => !known.has(term) && !known.has(word)).length / Math.max(1, words.length);
}

function ownShare(question: Question, { match }: Candidate): number {
  return share(question, (j) => (match[j]! >= sameWord ? 1 : 0));
}

function share({ terms, weight }: Question, heldBy: (j: number) => number): number {
  return terms.reduce((sum, term, j) => sum + term.weight * heldBy(j), 0) / weight;
}

/** `Insert a note at the cursor.`, `You can insert a note`, asked how a note is inserted. */
function repeatsAct(question: Question, act: number, candidate: Candidate): boolean {
  const verb = verbOfImperative(textOf(candidate)) ?? mentionedVerb(textOf(candidate));
  return act >= 0 && verb !== undefined && isAct(question, act, verb);
}

/** `To moor a boat:` before a list, asked how it is painted. */
function leadsToOther(question: Question, act: number, lead: string): boolean {
  const verb = /^\W*to (?<verb>\p{L}{3,}) /iu.exec(lead)?.groups?.verb?.toLowerCase();
  if (verb === undefined || act < 0 || isAnyAct.test(verb)) return false;
  return !isAct(question, act, verb) && actsAlike(question.terms[act]!.word)?.test(verb) !== true;
}
const isAnyAct = /^(?:begin|finish|get|have|make|perform|see|set|start|use)$/u;

/** The line before a list. */
function leadOf({ passage, unit }: Candidate): string {
  const lines = passage.hit.chunk.text.slice(0, unit.start).split('\n').slice(0, -1);
  return lines.findLast((one) => one.trim() !== '') ?? '';
}

/** Whether headings, the lead or the sentence name the act, or one like it. */
function isActHeld(question: Question, act: number, section: Section, over?: Float32Array): boolean {
  if (over && over[act]! >= sameWord) return true;
  const like = actsAlike(question.terms[act]!.word);
  return section.some(({ match, titleMatch, headings, tokens }) => {
    if (Math.max(match[act]!, titleMatch[act]!) >= sameWord) return true;
    return (
      like !== undefined &&
      (headings.some((heading) => like.test(heading)) || tokens.some(({ word }) => like.test(word)))
    );
  });
}

/**
 * What tells how it is done, where the likeliest sentence only states something of it: the procedure of its section, or
 * else the next sentence there that tells what to do.
 */
export function wayOfSection(question: Question, ranked: readonly Scored[], first: Candidate): Candidate | undefined {
  if (!wantsWay(question) || asksHowKnown.test(question.text) || first.unit.kind === 'row') return undefined;
  if (isOfProcedure(first) || isInstruction(first)) return undefined;
  const section = sectionsOf(ranked.filter(({ candidate }) => candidate.passage === first.passage)).find((one) =>
    one.includes(first),
  )!;
  const isBehind = ({ index }: Candidate): boolean => index > first.index;
  const begins = beginsOf(section);
  const list = begins.find(isBehind) ?? begins.at(-1) ?? goesOnBehind(ranked, first);
  if (list !== undefined || mentionsWay(first)) return list;
  const telling = section.filter(
    (one) => one.unit.kind === 'sentence' && (instructs(textOf(one)) || mentionsHandling(textOf(one))),
  );
  const near = telling.filter((one) => {
    if (Math.abs(one.index - first.index) > mostBetween) return false;
    const isAlone = telling.length === 1 || one.index === first.index + 1;
    return isAlone || ownShare(question, one) >= leastNear;
  });
  return near.find(isBehind) ?? near.findLast((one) => ownShare(question, one) >= leastNear);
}

/** The procedure with which the next passage of the document begins. */
function goesOnBehind(ranked: readonly Scored[], { passage: { hit } }: Candidate): Candidate | undefined {
  const { uri, position } = hit.chunk;
  const next = ranked.filter(
    ({ candidate: { passage } }) => passage.hit.chunk.uri === uri && passage.hit.chunk.position === position + 1,
  );
  return next
    .map(({ candidate }) => candidate)
    .toSorted((a, b) => a.index - b.index)
    .slice(0, 3)
    .find(isOfProcedure);
}

/** `A rest is entered with the letter r.`, asked how it is entered. */
function saysDone(question: Question, candidate: Candidate): boolean {
  const act = actAsked(question);
  return act >= 0 && candidate.match[act]! >= sameWord && isDone.test(textOf(candidate));
}

/** Whether nothing that is said tells what to do, where it is asked how something is done. Of programs all may. */
export function lacksInstruction(question: Question, candidates: readonly Candidate[]): boolean {
  if (!wantsWay(question) || asksHowKnown.test(question.text)) return false;
  return !candidates.some(
    (one) =>
      mentionsWay(one) ||
      saysByMeans(textOf(one)) ||
      saysDone(question, one) ||
      isOfProcedure(one) ||
      one.unit.kind === 'row' ||
      isProgram(one.passage.hit.chunk.format),
  );
}
