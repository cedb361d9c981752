import type { Span } from '../../../core/types.ts';
import { beforeNextParty, beforeParties, inThePart } from '../../../text/languages/parties.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { holdsTerm, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 5;
/** What somebody is called in a contract has few words. */
const mostTerms = 3;

/**
 * What somebody is called here, behind the name: in quotation marks, straight behind a word that is written large, or as
 * a part. `Acme Ltd., a company of Maine (hereinafter the "Lender")`, `Anna Berg (Vermieterin)`, `Acme Ltd., as Lender`.
 */
const called = new RegExp(
  [
    String.raw`\((?=[^()]*["„“”«»])[^()]{3,80}\)`,
    String.raw`(?<=\p{Lu}[\p{L}.]+ )\([^()]{3,40}\)`,
    String.raw`${inThePart}\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?`,
  ].join('|'),
  'gu',
);

const quotes = /["„“”«»]/u;

/** `Harbor Point Analytics, Inc.` before `, a company of Maine` */
const name =
  /\p{Lu}[\p{L}\p{N}.&'’-]*(?:,? (?:(?:of|de|du|des|von|van|der|di|da|del|la|and|und|et|y|e|&) )*\p{Lu}[\p{L}\p{N}.&'’-]*)*/u;
const nameAtEnd = new RegExp(String.raw`${name.source}\s*$`, 'u');

/** What stands before the preposition of `Who is the lender in the loan of Acme?` */
const partFirst =
  /^\P{L}*(?:who|whom|wer|qui|quién|quien|chi|quem)(?!\p{L})[^?]*?\p{L}(?=\s+(?:in|of|under|by|according to|im|nach|laut|dans|du|de|del|en|nel|no|na)\s)/iu;

interface Asked {
  /** Positions of the terms of the part. */
  readonly part: readonly number[];
  /** Of what tells which contract. */
  readonly others: readonly number[];
}

const askedOf = once(({ type, text, terms, tokens }: Question): Asked | undefined => {
  if (type !== 'person' || terms.length === 0) return undefined;
  const end = partFirst.exec(text)?.[0].length ?? 0;
  const before = new Set(tokens.filter((token) => token.end <= end).map(({ term }) => term));
  const all = [...terms.keys()];
  const part = all.filter((j) => before.has(terms[j]!.term));
  if (part.length === 0 || part.length > mostTerms)
    return all.length <= mostTerms ? { part: all, others: [] } : undefined;
  return { part, others: all.filter((j) => !part.includes(j)) };
});

/** Where a sentence says that a party is called what is asked for, and where it says so of the one before; from 0. */
function saidOf(
  question: Question,
  { match, titleMatch, passage, tokens, unit }: Candidate,
  text: string,
): readonly [at: number, after: number] | undefined {
  const asked = askedOf(question);
  if (asked === undefined || unit.kind === 'row' || asked.part.some((j) => match[j]! < sameWord)) return undefined;
  if (asked.others.some((j) => Math.max(match[j]!, titleMatch[j]!, passage.match[j]!) < sameWord)) return undefined;
  let after = 0;
  for (const {
    0: { length },
    index,
  } of text.matchAll(called)) {
    const start = unit.start + index;
    const within = tokens.filter((token) => token.start >= start && token.end <= start + length);
    const isNamed = asked.part.every((j) => within.some((token) => holdsTerm(question, token, j)));
    // `(other than our lender)` speaks of somebody else
    const isAlone =
      quotes.test(text.slice(index, index + length)) ||
      within.every((token) => token.empty || asked.part.some((j) => holdsTerm(question, token, j)));
    if (isNamed && (isAlone || asked.others.length === 0)) return [index, after];
    after = index + length;
  }
  return undefined;
}

/**
 * How much a sentence gains since it names who is asked for by a part in a contract. Elsewhere a contract says only what
 * the `Lender` does.
 */
export function partyGain(question: Question, candidate: Candidate): number {
  return saidOf(question, candidate, textOf(candidate)) === undefined ? 0 : gain;
}

/** The name of the party that is asked for by its part in a contract, in offsets of the chunk's text. */
export function partyNamed(question: Question, candidate: Candidate): Span | undefined {
  const text = textOf(candidate);
  const said = saidOf(question, candidate, text);
  if (said === undefined) return undefined;
  const [at, after] = said;
  const before = text.slice(0, at);
  const first = [...before.matchAll(beforeParties)].at(-1);
  const last = Math.max(after, first ? first.index + first[0].length : 0);
  const next = beforeNextParty.exec(before.slice(last))?.[0].length ?? 0;
  const from = last + next;
  const found = (first || next > 0 ? name : nameAtEnd).exec(before.slice(from));
  if (found === null) return undefined;
  const start = candidate.unit.start + from + found.index;
  return { start, end: start + found[0].trimEnd().length };
}
