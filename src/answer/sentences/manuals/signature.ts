import { kindOfThing } from '../../../text/languages/definitions.ts';
import type { Candidate } from '../question/candidate.ts';
import { askedTerm } from '../question/defined.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { commentMark } from '../structure/code.ts';
import { type Declared, declaredIn } from '../structure/declaration-line.ts';

/** On the scale of the trees: a signature and a tag have few words of the question. */
const gain = 4;
/** What is said below a declaration that is no call has few as well, and others of its page have many. */
const gainOfDeclared = 8;
/** A signature alone does not say what a function does. */
const lossOfBare = -3;
const comments = new RegExp(String.raw`^[ \t]*${commentMark}[^\n]*\n`, 'gm');

/** What of a function a question asks for, and what says it. */
const parts: readonly { asks: RegExp; says: (text: string, name: string) => boolean }[] = [
  {
    asks: /\b(?:arguments?|parameters?|params|signature)\b|\bhow (?:do|can|to|should) .*\b(?:call|invoke)\b/i,
    says: (text, name) => declares(text.replace(comments, ''), name),
  },
  {
    asks: /\breturns?\b/i,
    says: (text) => /^\W*(?:@returns?\b|:returns?\b|<returns>|Returns?\s)/.test(text),
  },
  {
    asks: /\b(?:throws?|thrown|raises?|raised|errors?|exceptions?)\b/i,
    says: (text) => /@(?:throws|raises?|exception)\b|<exception\b|:raises\b|\bRaises\b|\b(?:throw|raise)\s/.test(text),
  },
];

/** Whether the first line of code has the name before its arguments, and is no call. */
function declares(code: string, name: string): boolean {
  const at = code.indexOf(name);
  if (at < 0 || !/^(?:<[^()]*>)?\s?\(/.test(code.slice(at + name.length))) return false;
  return !/[.=(]|\breturn\b|\bawait\b/.test(code.slice(code.lastIndexOf('\n', at) + 1, at));
}

/**
 * How much a sentence of a program gains since it says what is asked of the function that the question names, in its own
 * section: its arguments, what it returns, what it throws. A signature loses where it is asked what the function does,
 * unless its documentation stands with it. Else 0.
 */
export function signatureGain(question: Question, { passage, unit, headings }: Candidate): number {
  const { text, format } = passage.hit.chunk;
  const own = text.slice(unit.start, unit.end);
  if (format !== 'code') return declaredGain(question, text.slice(0, unit.start), own);
  const name = /[^:.#]*$/.exec(headings.at(-1) ?? '')![0];
  if (!isNamed(question.text, name)) return 0;
  if (parts.some(({ asks, says }) => asks.test(question.text) && says(own, name))) return gain;
  if (question.type !== 'definition' || asksForPart(question) || !declares(own, name)) return 0;
  return /"{3}|'{3}/.test(own) ? gain : lossOfBare;
}

/** `Raises a load`, or a whole sentence without marks of code: `Abstract Base of cranes.` */
const beginsProse = /^\p{Lu}[\p{L}\p{N}'’-]*,?\s+[\p{Ll}(]|^\p{Lu}[^\n;{}=()]*\s[^\n;{}=()]*\.$/u;
const seesAlso = /^see also\b/i;
/** Kinds that a type is, and none of its functions: not its constructor, which has its name. */
const typeKind = /^(?:class(?:es)?|enums?|exceptions?|interfaces?|objects?|structs?|traits?|types?)$/u;

/** What the line above a line declares, as a reference lists functions and types. */
function declarationAbove(before: string, own: string): Declared | undefined {
  if (!beginsProse.test(own) || seesAlso.test(own) || !/\n[ \t]*$/.test(before)) return undefined;
  return declaredIn(before.trimEnd().split('\n').at(-1)!);
}

/** The name that the line above a line of prose declares. */
export function declaredAbove(before: string, own: string): string | undefined {
  return declarationAbove(before, own)?.name;
}

function declaredGain(question: Question, before: string, own: string): number {
  const term = askedTerm(question);
  if ((question.type !== 'definition' && term === undefined) || asksForPart(question)) return 0;
  const above = declarationAbove(before, own);
  const [first = '', ...rest] = own.split('\n');
  const declared = above ?? declaredIn(first);
  const name = declared?.name.split(/[.:]/).at(-1) ?? '';
  if (declared === undefined || !isNamed(question.text, name)) return 0;
  if (above === undefined && !beginsProse.test(rest.join('\n').trimStart())) return lossOfBare;
  const isOfType = term?.endsWithKind && typeKind.test(question.terms[term.terms.at(-1)!]!.word);
  // the first of `the lift method of Crane`
  const words = term?.terms.map((at) => question.terms[at]!.word) ?? [];
  const head = words.find((word) => !kindOfThing.test(word));
  if (head !== undefined && !head.split(/[.:#]/).includes(name.toLowerCase())) return 0;
  if (isOfType && !declared.isType) return 0;
  return declared.mayCall ? gain : gainOfDeclared;
}

function isNamed(question: string, name: string): boolean {
  return name.length > 1 && question.split(/[^\p{L}\p{N}_$]+/u).includes(name);
}

/** Whether a question asks for one part of a function and not for what it does. */
export const asksForPart: (question: Question) => boolean = once(
  ({ text }) =>
    parts.some(({ asks }) => asks.test(text)) || /\b(?:takes?|accepts?|defaults?|types?|values?)\b/i.test(text),
);
