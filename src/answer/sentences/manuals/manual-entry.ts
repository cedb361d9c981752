import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { isProgram } from '../structure/code.ts';
import { listsOption, optionsIn, optionTermsAt, optionTermsOf } from '../structure/option-terms.ts';
import { namesOver, textOf } from '../structure/unit-text.ts';
import { type EntryAsked, entryAsked } from './entry-asked.ts';

/** On the scale of the trees: what an entry says first has none of the words of the question, but for its name. */
const gain = 6;
/** Of the page of the program itself: `ssh` has other options than `ssh-add`. */
const gainOfPage = 8;
/** Codes of several programs, variables that several read: an entry of another page says it of that. */
const gainOfOtherPage = 1;

/** `5: Could not connect.`, `- 5 - Could not connect.`, `FILES: /etc/crane: What it lifts.` */
const label =
  /^[\s>]{0,40}(?:[A-Z ]{1,80}:?\n\s*)?(?:[-*+•o]\s+)?[*_`|]{0,8}\s*([^\s:*`|](?:[^\n:|]|:(?=\S)){0,140}?)[*_`]{0,8}(?:[ \t]*[:：|–—]\s|\s-{1,2}\s|\t)(?=\S)/u;
/** `3       The hook is stuck.` among others that are set so */
const firstCell = /^[\s|*_`]*([^\s|*_`][^|\t\n]{0,60}?)[*_`]*(?: {2,}|[ ]?[|\t])/u;
/** `CRANE_LOAD=40`, `ENV CRANE_LOAD=40` */
const assignment = /^\s*(?:export|set|ENV|ARG)?\s*\$?(\p{Lu}[\p{Lu}\p{N}_]*)\s?=/u;
/** Paths in front of the sentence on them. */
const paths = /^\s*((?:(?:~|\$\w+)?\/[\w.$~*+/-]+,?\s+)+)(?=\p{Lu})/u;
const ofCodes = /\b(?:exit|return|status|errors?|codes?|diagnostics)\b/iu;
const lookedBack = 1500;
/** Terms stand at the beginning of a line. */
const longestLine = 160;

/** Whether a document is the page of a program: `crane-lift(1)`, `crane_lift.md`. */
export function isPageOf(owner: string, { title, uri }: { readonly title: string; readonly uri: string }): boolean {
  const plain = (name: string): string =>
    name
      .toLowerCase()
      .replace(/\s*\(\w+\)\s*$/, '')
      .replace(/[ _]/g, '-');
  if (plain(title) === owner) return true;
  const file = uri.slice(uri.lastIndexOf('/') + 1);
  return plain(file.replace(/(?:\.\p{L}+|\.\p{N}\w*)+$/u, '')) === owner; // `crane.1.gz`
}

function lists({ kind, name }: EntryAsked, terms: string): boolean {
  if (kind === 'option') return listsOption(terms, name);
  const parts = terms.split(/[,;|\s]+/).map((part) => part.replace(/^[*_`"'“‘]*\$?|[=[].*$|[*`"'”’]*$/g, ''));
  return parts.includes(name.replace(/^\$(?=\w+$)/, '')) || (kind === 'file' && terms.split(/[,\s]+/).includes(name));
}

/** The name of the entry that a sentence begins. */
function termsOf({ kind }: EntryAsked, { passage, unit }: Candidate): string | undefined {
  const { text } = passage.hit.chunk;
  if (kind === 'option') return optionTermsAt(text, unit);
  const own = text.slice(unit.start, unit.end);
  const cell = unit.kind === 'row' ? firstCell.exec(own)?.[1] : undefined;
  if (cell !== undefined) return cell;
  const assigned = kind === 'variable' ? assignment.exec(own)?.[1] : undefined;
  if (assigned !== undefined) return assigned;
  const found = label.exec(own)?.[1] ?? (kind === 'file' ? paths.exec(own)?.[1] : undefined);
  if (found !== undefined) return found;
  if (isProgram(passage.hit.chunk.format)) return undefined; // the line above declares something else
  const before = text.slice(0, unit.start);
  return /\n[ \t]*\n?[ \t]*$/.test(before) ? before.trimEnd().split('\n').at(-1) : undefined;
}

/** Whether a sentence is what a manual says first of the entry that is asked for. */
function beginsEntry(asked: EntryAsked, candidate: Candidate): boolean {
  const { passage, unit } = candidate;
  const { text } = passage.hit.chunk;
  if (
    !textOf(candidate).includes(asked.name) &&
    !text.slice(Math.max(0, unit.start - lookedBack), unit.start).includes(asked.name)
  )
    return false;
  if (asked.kind === 'code' && tellsCode(asked.name, textOf(candidate))) return true;
  const terms = termsOf(asked, candidate);
  if (terms === undefined || !lists(asked, terms)) return false;
  if (asked.kind !== 'code') return true;
  const above = text.slice(Math.max(0, unit.start - lookedBack), unit.start);
  return ofCodes.test([...namesOver(candidate), above].join('\n')) || isAmongNumbers(asked, candidate);
}

/** `It exits with 0 when all went well, and with 7 when …`, `returns 7 if …` */
function tellsCode(name: string, own: string): boolean {
  if (!/\b(?:exit|return|end|terminat)(?:s|es|ed|ing)?\b|\b(?:status|code)\b/iu.test(own)) return false;
  return new RegExp(
    `\\b(?:with|code|status|value|returns|exits) ${name}(?: \\(?[^,;.]{0,40}\\)?)? (?:if|when|on|where|in case|for|after|unless)\\b`,
    'iu',
  ).test(own);
}

/** Whether a page of the program has other numbers so: a list of codes that goes on from another passage. */
function isAmongNumbers({ owner }: EntryAsked, { passage: { hit } }: Candidate): boolean {
  if (owner === undefined || !isPageOf(owner, hit.chunk)) return false;
  return (hit.chunk.text.match(/^\d{1,3}: /gm)?.length ?? 0) > 1;
}

/**
 * How much a sentence gains since it is what a manual says first of the code, the variable or the file that is asked
 * about (`What does exit code 5 of crane mean?`, answered by `5: The hook is stuck.`); else 0.
 */
export function entryGain(question: Question, candidate: Candidate): number {
  const asked = entryAsked(question);
  if (asked === undefined || asked.kind === 'option' || !beginsEntry(asked, candidate)) return 0;
  if (asked.owner === undefined) return gain;
  return isPageOf(asked.owner, candidate.passage.hit.chunk) ? gain + gainOfPage : gainOfOtherPage;
}

/** What the entry of an option gains, since it stands in the page of the program that is asked about. */
export function pageGain(question: Question, { passage }: Candidate): number {
  const owner = entryAsked(question)?.owner;
  return owner !== undefined && isPageOf(owner, passage.hit.chunk) ? gainOfPage : 0;
}

/** Whether a sentence answers whatever else was found: it begins the entry, in the page of the program. */
export function settlesManualEntry(question: Question, candidate: Candidate): boolean {
  const asked = entryAsked(question);
  if (asked?.owner === undefined || !isPageOf(asked.owner, candidate.passage.hit.chunk)) return false;
  return beginsEntry(asked, candidate);
}

/** Whether a sentence begins the entry that is asked for, in whatever page. */
export function beginsAsked(question: Question, candidate: Candidate): boolean {
  const asked = entryAsked(question);
  return asked !== undefined && beginsEntry(asked, candidate);
}

/** Whether it is asked what a code means, and neither a sentence nor what stands over it speaks of codes. */
export function lacksCode(question: Question, candidate: Candidate): boolean {
  if (entryAsked(question)?.kind !== 'code' || beginsAsked(question, candidate)) return false;
  return !ofCodes.test([textOf(candidate), ...namesOver(candidate)].join('\n'));
}

/** Whether a text has a line that begins the entry. */
export function holdsEntry(asked: EntryAsked, text: string): boolean {
  if (!text.includes(asked.name.replace(/^--no-/, '--[no-]')) && !text.includes(asked.name)) return false;
  return text.split('\n').some((line) => {
    if (line.length > longestLine && !line.slice(0, longestLine).includes(asked.name)) return false;
    const terms = asked.kind === 'option' ? optionTermsOf(line) : (label.exec(line)?.[1] ?? line);
    return terms !== undefined && lists(asked, terms);
  });
}

/** Whether it is asked what an option does, and a sentence neither names the option nor stands in its entry. */
export function lacksOption(question: Question, candidate: Candidate): boolean {
  const asked = entryAsked(question);
  if (asked?.kind !== 'option') return false;
  if (listsOption([textOf(candidate), ...namesOver(candidate)].join('\n'), asked.name)) return false;
  const terms = termsOver(candidate);
  return terms === undefined || !listsOption(terms, asked.name);
}

/** Whether a sentence says nothing of the option that is asked about: it lacks it, or is a row of usage. */
export function isBesideOption(question: Question, candidate: Candidate): boolean {
  if (entryAsked(question)?.kind !== 'option') return false;
  const isUsage = candidate.unit.kind === 'row' && !/^[\s|*_`]*-/.test(textOf(candidate));
  return isUsage || lacksOption(question, candidate);
}

const asksForm = /\b(?:(long|full)|(short)) (?:form|version|name|option|equivalent|spelling)\b/iu;

/** Whether it is asked how else an option is written, and its entry has one form alone. */
export function lacksForm(question: Question, candidate: Candidate): boolean {
  const found = asksForm.exec(question.text);
  const asked = found && entryAsked(question);
  if (asked?.kind !== 'option') return false;
  const forms = optionsIn(termsOf(asked, candidate) ?? '');
  return !forms.some((one) => one !== asked.name && one.startsWith('--') === (found![1] !== undefined));
}

/** The terms of the entry that a sentence stands in. */
function termsOver({ passage, unit }: Candidate): string | undefined {
  const lines = passage.hit.chunk.text.slice(0, unit.start).split('\n');
  for (const line of lines.reverse()) {
    if (!/^[\s>*+•|`_]*-/.test(line)) continue;
    const terms = optionTermsOf(line);
    if (terms !== undefined) return terms;
  }
  return undefined;
}
