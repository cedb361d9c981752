import { slipsFrom } from '../../../retrieve/edit-distance.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, namesOver, textOf, wholeText } from '../structure/unit-text.ts';

/** `no-var`, `app.use`, `max_connections`: words that marks join. */
const identifier = /(?<![\p{L}\p{N}_.-])\p{L}[\p{L}\p{N}]*(?:[-_.:/][\p{L}\p{N}]+)+(?![\p{L}\p{N}_-])/gu;
/** On the scale of the trees. */
const loss = -2;

/** In lower case. */
export function identifiersIn(text: string): string[] {
  return Array.from(text.matchAll(identifier), ([one]) => one.toLowerCase());
}

/** The identifiers of a question, in lower case. */
export const identifiersAsked: (question: Question) => readonly string[] = once(({ text }) => identifiersIn(text));

/** The identifiers of a question that some of the sentences have as they stand, in lower case. */
export function identifiersHeld(question: Question, ranked: readonly Scored[]): readonly string[] {
  const asked = new Set(identifiersAsked(question));
  return [...asked].filter((one) =>
    ranked.some(({ candidate }) => withNames(candidate).toLowerCase().includes(one) && names(candidate).has(one)),
  );
}

/**
 * What a sentence loses that has, in place of an identifier of the question which others have, one that shares a part
 * with it: `one-var` is another rule than `no-var`.
 */
export function otherIdentifierLoss(held: readonly string[], candidate: Candidate): number {
  if (held.length === 0) return 0;
  const own = names(candidate);
  if (held.some((one) => own.has(one))) return 0;
  return held.some((one) => [...own].some((other) => areAlike(one, other))) ? loss : 0;
}

/** Whether a text names an identifier like one of the question, and none of the question. */
export function namesOther(question: Question, own: string): boolean {
  const [asked, named] = [identifiersAsked(question), identifiersIn(own)];
  return asked.some((one) => named.some((other) => areAlike(one, other))) && !named.some((one) => asked.includes(one));
}

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** `DN25`, `Q3`, `S7`: capitals and a number. */
const numberedCapitals = /(?<![\p{L}\p{N}_.-])(\p{Lu}{1,4})\p{Nd}{1,5}(?![\p{L}\p{N}_-])/gu;

/**
 * Whether a row has, in place of such a name of the question, another one with its letters, and neither its table nor
 * what stands over it has the question's: the price of `DN10` is not that of `DN25`.
 */
function lacksCapitals({ text }: Question, candidate: Candidate): boolean {
  if (candidate.unit.kind !== 'row') return false;
  const own = [...`${textOf(candidate)}\n${headerTextOf(candidate)}`.matchAll(numberedCapitals)];
  return [...text.matchAll(numberedCapitals)].some(([asked, letters]) => {
    const isOther = own.some(([, others]) => others === letters);
    return isOther && !bare(wholeText(candidate.passage)).includes(bare(asked));
  });
}

/** `10.9.0.11` */
const address = /(?<![\p{N}.])\p{Nd}{1,3}(?:\.\p{Nd}{1,3}){3}(?![\p{N}.])/gu;

/** Whether a sentence has, in place of an address of the question, another one, and its passage lacks the question's. */
function lacksAddress({ text }: Question, candidate: Candidate): boolean {
  const asked: readonly string[] = text.match(address) ?? [];
  if (asked.length === 0 || !textOf(candidate).match(address)) return false;
  const around: readonly string[] = wholeText(candidate.passage).match(address) ?? [];
  return !asked.some((one) => around.includes(one));
}

/**
 * Whether a sentence has, in place of a numbered identifier of the question, another one of its kind, and its passage
 * has no such identifier in any spelling: `W-7004` does not answer what is asked of `W-7044`.
 */
export function lacksIdentifier(question: Question, candidate: Candidate): boolean {
  const { text } = question;
  if (lacksCapitals(question, candidate) || lacksAddress(question, candidate)) return true;
  if (lacksMemberOfGroup(question, candidate)) return true;
  const asked = identifiersIn(text).filter((one) => /\p{Nd}/u.test(one));
  if (asked.length === 0) return false;
  const { chunk } = candidate.passage.hit;
  const around = bare([chunk.text, chunk.title, ...chunk.headings, chunk.uri].join('\n'));
  const own = names(candidate);
  return asked.some((one) => !around.includes(bare(one)) && [...own].some((other) => areAlike(one, other)));
}

/** `storage.path` */
const ofGroup = /^(\p{L}[\p{L}\p{N}_-]*)\.\p{L}[^.:/]*$/u;

/** Whether a sentence has, in place of `storage.level`, another setting of `storage`, and its passage lacks that one. */
function lacksMemberOfGroup({ text }: Question, candidate: Candidate): boolean {
  const whole = wholeText(candidate.passage);
  return identifiersIn(text).some((one) => {
    const group = ofGroup.exec(one)?.[1];
    if (group === undefined || bare(whole).includes(bare(one)) || holdsParts(whole, one)) return false;
    return [...names(candidate)].some((other) => other.startsWith(`${group}.`) && ofGroup.test(other));
  });
}

/** `max_oil`, `lamp.oil.cache-size`: names of programs alone are written so, other than `two-faced` and `and/or`. */
const ofProgram = /^[^_]+_|^(?=[^.:]*[.:])(?:[^-_.:/]{2,}[-_.:/]){2,}[^-_.:/]{2,}$/u;
/** `maxLoad`, which no brand is written like that has one hump. */
const humps = /(?<![\p{L}\p{N}_.])\p{Ll}{2,}(?:\p{Lu}\p{Ll}+)+(?![\p{L}\p{N}_.])/gu;
/** A name that is misspelt is still known. */
const mostSlips = 2;

/**
 * Whether a question is about a name of a program that stands in no passage, however it is spelt: what is said of others
 * (`lamp.oil.size`) does not answer it.
 */
export function isOfUnknownName({ text }: Question, ranked: readonly Scored[]): boolean {
  const asked = [...identifiersIn(text).filter((one) => ofProgram.test(one)), ...(text.match(humps) ?? [])];
  if (asked.length === 0) return false;
  const found = [...new Set(ranked.map(({ candidate }) => candidate.passage))].map(wholeText);
  return asked.some((one) => {
    const name = bare(one);
    if (found.some((passage) => bare(passage).includes(name) || holdsParts(passage, one))) return false;
    const slips = slipsFrom(name, mostSlips);
    return !found.some((passage) => identifiersIn(passage).some((other) => slips(bare(other)) !== undefined));
  });
}

const place = /\s(?:at|from|in|inside|of|on|under|within)\s+(?:the\s+)?\S+/giu;

const dottedAsked = once(({ text }) =>
  // `in crane.ts` says where it is asked about
  identifiersIn(text.replace(place, ' ')).filter((one) => /\p{L}\.\p{L}/u.test(one)),
);

/** Whether a text has the last part of no dotted name that is asked about: `steel` says nothing of `steel.Crane`. */
export function lacksMember(question: Question, own: string): boolean {
  const asked = dottedAsked(question);
  if (asked.length === 0) return false;
  const words = new Set(own.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  return asked.every((one) => !words.has(one.split('.').at(-1)!));
}

/** `steel.Crane.lift` in a passage that explains `lift(load)` below `Crane`, of `steel`. */
function holdsParts(passage: string, name: string): boolean {
  const parts = name.split(/[.:#]+/);
  if (parts.length === 1) return false;
  const words = new Set(passage.toLowerCase().match(/[\p{L}\p{N}_-]+/gu));
  return parts.every((part) => words.has(part));
}

/** Joined by the same mark, with a part that both have: `max_oil` and `max_lamp_oil`. */
function areAlike(a: string, b: string): boolean {
  const marks = (one: string): string => [...new Set(one.replace(/[\p{L}\p{N}]/gu, ''))].sort().join('');
  const parts = (one: string): string[] => one.split(/[-_.:/]/);
  return marks(a) === marks(b) && parts(a).some((part) => parts(b).includes(part));
}

/** A sentence, its header, its headings and its title. */
function withNames(candidate: Candidate): string {
  return [textOf(candidate), headerTextOf(candidate), ...namesOver(candidate)].join('\n');
}

/** The identifiers of all these. */
function names(candidate: Candidate): ReadonlySet<string> {
  return new Set(identifiersIn(withNames(candidate)));
}
