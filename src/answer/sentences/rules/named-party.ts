import type { Span } from '../../../core/types.ts';
import { beforeNextParty, beforeParties, inThePart } from '../../../text/languages/parties.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { matchOf, type Question, sameWord } from '../question/question.ts';
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

/** `Harbor Point Analytics, Inc.` before `, a company of Maine` */
const name =
  /\p{Lu}[\p{L}\p{N}.&'’-]*(?:,? (?:(?:of|de|du|des|von|van|der|di|da|del|la|and|und|et|y|e|&) )*\p{Lu}[\p{L}\p{N}.&'’-]*)*/u;
const nameAtEnd = new RegExp(String.raw`${name.source}\s*$`, 'u');

const isAsked = once(({ type, terms }: Question) => type === 'person' && terms.length > 0 && terms.length <= mostTerms);

/** Where a sentence says that a party is called what is asked for, and where it says so of the one before; from 0. */
function saidOf(
  question: Question,
  { match, tokens, unit }: Candidate,
  text: string,
): readonly [at: number, after: number] | undefined {
  if (unit.kind === 'row' || match.some((value) => value < sameWord)) return undefined;
  let after = 0;
  for (const {
    0: { length },
    index,
  } of text.matchAll(called)) {
    const start = unit.start + index;
    const within = tokens.filter((token) => token.start >= start && token.end <= start + length);
    if (question.terms.every((_, j) => within.some((token) => (matchOf(question, token)?.[j] ?? 0) >= sameWord)))
      return [index, after];
    after = index + length;
  }
  return undefined;
}

/**
 * How much a sentence gains since it names who is asked for by a part in a contract. Elsewhere a contract says only what
 * the `Lender` does.
 */
export function partyGain(question: Question, candidate: Candidate): number {
  return isAsked(question) && saidOf(question, candidate, textOf(candidate)) !== undefined ? gain : 0;
}

/** The name of the party that is asked for by its part in a contract, in offsets of the chunk's text. */
export function partyNamed(question: Question, candidate: Candidate): Span | undefined {
  if (!isAsked(question)) return undefined;
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
