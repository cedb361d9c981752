import { analyseWords } from '../../../text/analysis/words.ts';
import { negation } from '../../../text/languages/negation.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchTerms, type Question, sameWord } from '../question/question.ts';
import { optionsIn, optionTermsAt } from '../structure/option-terms.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: an entry is short, and others use its words. */
const gain = 5;
/** Of the words beside the verb, so that the name alone tells the option. */
const fewestNamed = 2;
/** The entry has all the words of its opposite. */
const loss = -6;

const asksOption =
  /^\W*(?:with )?(?:what|which) (?:[\p{L}\p{N}_-]+ )?(?:options?|flags?|switch(?:es)?|arguments?|parameters?|(?:environment )?variables?)\b/iu;
const asksVariable = /^\W*(?:with )?(?:what|which) (?:[\p{L}\p{N}_-]+ )?(?:environment )?variables?\b/iu;
/** `CRANE_LOAD` before what it sets. */
const variable = /^[\s*+•`-]*(\p{Lu}[\p{Lu}\p{N}]*(?:_[\p{Lu}\p{N}]+)+)(?![\p{L}\p{N}_])/u;
const namesVariable = /(?<![\p{L}\p{N}_])\p{Lu}[\p{Lu}\p{N}]*(?:_[\p{Lu}\p{N}]+)+(?![\p{L}\p{N}_])/u;
/** `sets`, `controls`: of a variable no entry says so; nor that it is a number. */
const setting =
  /^(?:sets?|controls?|determines?|defines?|specif(?:y|ies)|chang(?:e|es)|configures?|limits?|says?|tells?|holds?|numbers?)$/iu;
const asksOpposite = /\b(?:disabl|suppress|prevent|turns? off|stops?|off\b|avoid|omit|skip|undo|cancel|negat|revert)/iu;
const forbids = /(?:^|[:\n\]]|\s\s)\s*(?:do not|don['’]t|never|no longer)\b/iu;
const kinds =
  /^(?:options?|flags?|switch(?:es)?|arguments?|parameters?|environment|variables?|command|tool|program)$/iu;

/** Positions of the terms of what the option does, the verb first. */
const taskOf: (question: Question) => readonly number[] = once(({ text, terms }) =>
  asksOption.test(text)
    ? terms.flatMap(({ word }, j) => (kinds.test(word) || (asksVariable.test(text) && setting.test(word)) ? [] : [j]))
    : [],
);

/**
 * How much a sentence gains since it is the entry of the option that is asked for by what it does (`Which grep option
 * ignores case?`, answered by `-i, --ignore-case: Ignore case distinctions.`). Its name, or what it says first, has the
 * verb, and the entry all other words, but for those of its title; or its name has both or all others, whatever the verb.
 */
export function optionForGain(question: Question, candidate: Candidate): number {
  const task = taskOf(question);
  if (task.length === 0 || candidate.unit.kind === 'row' || isNegatedOption(question, candidate)) return 0;
  if (asksVariable.test(question.text)) return isVariableFor(task, candidate) ? gain : 0;
  const terms = entryOf(candidate);
  if (terms === undefined) return 0;
  const own = textOf(candidate);
  const said = own.slice(own.startsWith(terms) ? terms.length : 0);
  const [verb, ...others] = task.filter((j) => candidate.titleMatch[j]! < sameWord);
  if (verb === undefined) return 0;
  const named = matchTerms(question, analyseWords(terms.replace(/[-_=]/g, ' ')));
  const first = matchTerms(question, analyseWords(said).slice(0, 1));
  const isNamed = (j: number): boolean => named[j]! >= sameWord;
  if (isNamed(verb) || first[verb]! >= sameWord)
    return others.every((j) => isNamed(j) || candidate.match[j]! >= sameWord) ? gain : 0;
  return others.length >= fewestNamed && others.every(isNamed) ? gain : 0;
}

/** Whether a sentence is the entry of a variable, and the entry has all words of what it is asked for. */
function isVariableFor(task: readonly number[], candidate: Candidate): boolean {
  if (!variable.test(textOf(candidate))) return false;
  const others = task.filter((j) => candidate.titleMatch[j]! < sameWord);
  return others.length > 0 && others.every((j) => candidate.match[j]! >= sameWord);
}

/** Behind an option with which a sentence begins: `-L, --location is used, to …`. */
const goesOnInProse = /^\s*(?:options?|flags?|switch(?:es)?|is|are|was|were|has|have|can|may|will|and|or|if|when)\b/u;

const optionsFirst = /^\s*(?:-{1,2}[\p{L}\p{N}-]+[\s,]*)+/u;

/** The terms of the entry that a sentence begins, or that stand straight above; a sentence may begin with an option too. */
function entryOf(candidate: Candidate): string | undefined {
  const terms = optionTermsAt(candidate.passage.hit.chunk.text, candidate.unit);
  const isProse = [terms ?? '', textOf(candidate)].some(
    (own) => optionsFirst.test(own) && goesOnInProse.test(own.replace(optionsFirst, '')),
  );
  return isProse ? undefined : terms;
}

/** Whether it is asked which option does something, and a sentence is the entry of one that does not do it. */
export function isNegatedOption({ text }: Question, candidate: Candidate): boolean {
  if (!asksOption.test(text) || negation.test(text) || asksOpposite.test(text)) return false;
  const terms = optionTermsAt(candidate.passage.hit.chunk.text, candidate.unit);
  if (terms === undefined) return false;
  const long = optionsIn(terms).filter((one) => one.startsWith('--'));
  if (long.length > 0 && long.every((one) => one.startsWith('--no-'))) return true;
  return forbids.test(textOf(candidate).slice(0, terms.length + 20));
}

/** What such an entry loses. */
export function negatedOptionLoss(question: Question, candidate: Candidate): number {
  return isNegatedOption(question, candidate) ? loss : 0;
}

/** Whether an option is asked for, and a sentence names none, nor another name of code, though its page has options. */
export function namesNoOption(question: Question, candidate: Candidate): boolean {
  if (taskOf(question).length === 0) return false;
  const { text } = candidate.passage.hit.chunk;
  if (asksVariable.test(question.text))
    return !namesVariable.test([textOf(candidate), ...candidate.headings].join('\n')) && namesVariable.test(text);
  if (entryOf(candidate) !== undefined) return false;
  const own = [textOf(candidate), ...candidate.headings].join('\n');
  if (optionsIn(own).length > 0 || /[`|]|\p{L}_\p{L}|\p{Ll}\p{Lu}/u.test(own)) return false;
  return optionsIn(text).length > 0;
}
