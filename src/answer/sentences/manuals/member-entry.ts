import {
  asideOfEntry,
  type EntryPart,
  entryPartAt,
  saysDeprecated,
  saysInstead,
  saysReturn,
  saysSince,
  saysThrow,
} from '../../../text/languages/member-questions.ts';
import type { AnalysedPassage, Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { explainedIn, type ReferenceEntry, referenceEntries } from '../structure/reference-entries.ts';
import { namesOver, textOf } from '../structure/unit-text.ts';
import type { Unit } from '../structure/units.ts';
import { hasWord } from './entry.ts';
import { type MemberAsked, memberAsked } from './member-asked.ts';

/** On the scale of the trees: before what only stands first below the name, whatever words that has. */
const gain = 20;
/** What says nearly what is asked: the declaration in place of what is returned. */
const gainOfNext = 12;

/** What the entry of the member that is asked about says in a passage: the units that answer, by where they begin. */
interface Answering {
  readonly best: ReadonlySet<number>;
  readonly next: ReadonlySet<number>;
}

const none: Answering = { best: new Set(), next: new Set() };

const answering: (question: Question) => (passage: AnalysedPassage) => Answering = once((question) => {
  const asked = memberAsked(question);
  const known = new Map<AnalysedPassage, Answering>();
  return (passage) => {
    if (asked === undefined) return none;
    let found = known.get(passage);
    if (found === undefined) {
      found = answeringIn(asked, passage);
      known.set(passage, found);
    }
    return found;
  };
});

function answeringIn(asked: MemberAsked, { hit: { chunk }, units, before = [] }: AnalysedPassage): Answering {
  const begun = begunBefore(asked, before);
  if (chunk.format === 'code' || (begun === undefined && !mayHold(asked, chunk))) return none;
  const best = new Set<number>();
  const next = new Set<number>();
  const entries = referenceEntries(chunk.text);
  const own = entries.filter((entry) => isEntryOf(asked, entry, aroundOf(chunk)));
  const goesOn = begun && { ...begun, start: 0, body: 0, end: entries[0]?.start ?? chunk.text.length };
  for (const entry of goesOn ? [goesOn, ...own] : own) {
    const found = partAsked(asked, entry, partsOf(entry, chunk.text, units));
    for (const { start } of found.best) best.add(start);
    for (const { start } of found.next) next.add(start);
  }
  return { best, next };
}

type Chunk = AnalysedPassage['hit']['chunk'];

const mayHold = ({ name }: MemberAsked, { text }: Pick<Chunk, 'text'>): boolean =>
  text.toLowerCase().includes(name.toLowerCase());
const aroundOf = ({ uri, title, headings, text }: Chunk): string => [uri, title, ...headings, text].join('\n');

/** The entry that a passage goes on with, of the member that is asked about: the last one of those before it. */
function begunBefore(asked: MemberAsked, before: readonly { readonly chunk: Chunk }[]): ReferenceEntry | undefined {
  if (asked.part === 'does' || !before.some(({ chunk }) => mayHold(asked, chunk))) return undefined;
  for (const { chunk } of before) {
    const last = referenceEntries(chunk.text).at(-1);
    if (last !== undefined) return isEntryOf(asked, last, aroundOf(chunk)) ? last : undefined;
  }
  return undefined;
}

/** Whether a passage ends within the entry of the member, so that what is asked may stand in the next one. */
export function endsInEntry(asked: MemberAsked, chunk: Chunk): boolean {
  if (chunk.format === 'code' || !mayHold(asked, chunk)) return false;
  return begunBefore(asked, [{ chunk }]) !== undefined;
}

const lastOf = (name: string): string => name.split(/::|[.#]|->(?=\p{L}[\p{L}\p{N}_]*$)/u).at(-1)!;
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function isEntryOf(asked: MemberAsked, entry: ReferenceEntry, around: string): boolean {
  if (!asked.isProgram && !entry.isSure) return false;
  const own = entry.names.find((name) => isSame(name, asked.name) || isSame(lastOf(name), asked.name));
  if (own === undefined) return false;
  const owner = asked.owners.at(-1);
  if (owner === undefined) return true;
  const declared = own.split(/::|[.#]|->/).slice(0, -1);
  if (declared.length > 0) return isSame(declared.at(-1)!, owner);
  return hasWord(around.toLowerCase(), owner.toLowerCase());
}

interface PartUnit {
  readonly unit: Unit;
  /** What it says of the entry, without the declaration and the label before it. */
  readonly text: string;
  readonly part: EntryPart | 'declaration' | 'description';
  /** Of a parameter. */
  readonly of?: string;
}

/** The units of an entry, each with the part that it belongs to. */
function partsOf(entry: ReferenceEntry, text: string, units: readonly Unit[]): readonly PartUnit[] {
  const found: PartUnit[] = [];
  let part: EntryPart | 'description' = 'description';
  for (const unit of units) {
    if (unit.end <= entry.start || unit.start >= entry.end) continue;
    const isDeclaration = unit.start < entry.body;
    const own = text.slice(isDeclaration ? entry.body : unit.start, Math.min(unit.end, entry.end));
    if (isDeclaration) found.push({ unit, text: text.slice(unit.start, unit.end), part: 'declaration' });
    if (own.trim() === '') continue;
    const said = own.trimStart();
    const label = entryPartAt(said);
    if (label) part = label.part;
    const last = found.at(-1);
    // a further sentence on the same parameter
    if (last?.part === 'parameters' && !text.slice(last.unit.end, unit.start).includes('\n')) {
      found.push({ unit, text: said, part: 'parameters' });
      continue;
    }
    const explained = explainedIn(said);
    const isParameter = explained !== undefined && (part === 'parameters' || entry.args.includes(explained));
    const behind = label ? said.slice(label.end).trim() : said;
    if (behind === '') continue;
    found.push({
      unit,
      text: behind,
      part: isParameter && part !== 'throws' ? 'parameters' : part,
      ...(explained === undefined ? {} : { of: explained }),
    });
  }
  return found;
}

interface Found {
  readonly best: readonly Unit[];
  readonly next: readonly Unit[];
}

const code = /^(?:>>> |\S+ ?=|[\p{L}_][\p{L}\p{N}_.]*\([^\n]*(?:=|⇒|;$)|[{}()]|\$ )/u;

const escaped = (word: string): string => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');

/** `int load`, `Load * load`, `load: int`: the declaration has the type of an argument. */
function hasTypeOf(name: string, declaration: string): boolean {
  const own = escaped(name);
  return new RegExp(
    `[\\p{L}\\p{N}_>*&\\]](?:[\\s|]|\\.{3})+[*&]*${own}(?![\\p{L}\\p{N}_])|(?<![\\p{L}\\p{N}_])${own}\\s*\\??:`,
    'u',
  ).test(declaration);
}

function partAsked(asked: MemberAsked, entry: ReferenceEntry, parts: readonly PartUnit[]): Found {
  const of = (keep: (one: PartUnit) => boolean): Unit[] => parts.filter(keep).map(({ unit }) => unit);
  const first = (units: readonly Unit[]): Unit[] => units.slice(0, 1);
  const declares = parts.filter(({ part }) => part === 'declaration');
  const withArguments = declares.find(({ text }) => entry.args.length === 0 || hasWord(text, entry.args[0]!));
  const declaration = withArguments === undefined ? [] : [withArguments.unit];
  const description = of(({ part, text }) => part === 'description' && !asideOfEntry.test(text) && !code.test(text));
  switch (asked.part) {
    case 'does':
      return { best: first(description), next: [] };
    case 'returns': {
      const said = of(({ part }) => part === 'returns');
      if (said.length > 0) return { best: first(said), next: [] };
      const type = of(({ part }) => part === 'type');
      const told = of(({ part, text }) => part === 'description' && saysReturn.test(text));
      const arrow = parts
        .filter(({ part, text }) => part === 'declaration' && /→|->/.test(text))
        .map(({ unit }) => unit);
      return { best: first([...told, ...type, ...arrow]), next: declaration };
    }
    case 'declared':
    case 'arguments':
      return { best: declaration, next: [] };
    case 'parameter':
      return { best: first(of(({ part, of: name }) => part === 'parameters' && name === asked.parameter)), next: [] };
    case 'type': {
      const typed = of(
        ({ part, of: name, text }) => part === 'parameters' && name === asked.parameter && /^[^–\n]{1,40}\(/.test(text),
      );
      const has = declares.filter(({ text }) => hasTypeOf(asked.parameter!, text)).map(({ unit }) => unit);
      return { best: first([...typed, ...has]), next: [] };
    }
    case 'throws': {
      const said = parts.filter(
        (one) => one.part === 'throws' || (one.part === 'description' && saysThrow.test(one.text)),
      );
      const fits = said.filter((one) => asked.error === undefined || hasWord(one.text, asked.error));
      return { best: first(fits.map(({ unit }) => unit)), next: [] };
    }
    case 'since':
      return { best: first(of(({ part, text }) => part === 'since' || saysSince.test(text))), next: [] };
    case 'deprecated': {
      const said = of(({ part }) => part === 'deprecated');
      if (said.length > 0) return { best: first(said), next: [] };
      const at = parts.findIndex(
        ({ part, text }) =>
          part !== 'declaration' &&
          part !== 'parameters' &&
          saysDeprecated.test(text) &&
          explainedIn(text) === undefined,
      );
      if (at < 0) return { best: [], next: [] };
      const behind = parts[at + 1];
      const isBare =
        /deprecated\W*$/iu.test(parts[at]!.text) && behind?.part === 'description' && saysInstead.test(behind.text);
      return { best: [parts[isBare ? at + 1 : at]!.unit], next: [] };
    }
  }
}

/** Tags of comments in programs, by the part of the function below that they tell. */
const tags: Readonly<Partial<Record<MemberAsked['part'], RegExp>>> = {
  returns: /^[\s*/#-]*[@:\\]returns?\b/iu,
  throws: /^[\s*/#-]*[@:\\](?:throws?|raises?|exception)\b/iu,
  deprecated: /^[\s*/#-]*[@:\\]deprecated\b/iu,
  since: /^[\s*/#-]*[@:\\](?:since|versionadded)\b/iu,
};

/** Whether a sentence is the tag that is asked for, in the comment on the function. */
function isTagAsked(asked: MemberAsked, candidate: Candidate): boolean {
  if (candidate.passage.hit.chunk.format !== 'code') return false;
  const heading = candidate.headings.at(-1);
  if (heading === undefined || !isSame(lastOf(heading.replace(/\(.*$/s, '')), asked.name)) return false;
  const own = textOf(candidate);
  return tags[asked.part]?.test(own) === true && (asked.error === undefined || hasWord(own, asked.error));
}

/** How much a sentence gains since it says what is asked of the member that the question names, in its own entry. */
export function memberGain(question: Question, candidate: Candidate): number {
  const asked = memberAsked(question);
  if (asked === undefined) return 0;
  const { passage, unit } = candidate;
  if (isTagAsked(asked, candidate)) return gain;
  const { best, next } = answering(question)(passage);
  return best.has(unit.start) ? gain : next.has(unit.start) ? gainOfNext : 0;
}

/** Whether a sentence answers whatever else was found: it is the part that is asked for, in the entry itself. */
export function settlesMember(question: Question, candidate: Candidate): boolean {
  const asked = memberAsked(question);
  if (asked === undefined) return false;
  return isTagAsked(asked, candidate) || answering(question)(candidate.passage).best.has(candidate.unit.start);
}

const saidOf: Readonly<Partial<Record<MemberAsked['part'], RegExp>>> = {
  returns: saysReturn,
  throws: saysThrow,
  deprecated: saysDeprecated,
};

/** Whether it is asked for one part of a member, and a sentence neither is that part nor says it of the name. */
export function lacksMemberPart(question: Question, candidate: Candidate): boolean {
  const asked = memberAsked(question);
  if (asked === undefined || !asked.isProgram || settlesMember(question, candidate)) return false;
  if (asked.part === 'since') return false; // by `lacksVersion`, which knows logs of changes as well
  const own = textOf(candidate).toLowerCase();
  const name = asked.name.toLowerCase();
  if (asked.part === 'does') return ![own, ...namesOver(candidate)].join('\n').toLowerCase().includes(name);
  const isBelow = namesOver(candidate).some((one) => lastOf(one.replace(/\(.*$/s, '')).toLowerCase() === name);
  if (!own.includes(name) && !isBelow) return true;
  // `Use lift instead` says what lift replaces
  if (asked.part === 'deprecated' && new RegExp(`\\b(?:use|see|prefer) ${escaped(name)}`, 'u').test(own)) return true;
  const says = saidOf[asked.part];
  return (
    (says !== undefined && !says.test(own)) ||
    (asked.parameter !== undefined && !hasWord(own, asked.parameter.toLowerCase()))
  );
}
