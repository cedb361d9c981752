import type { AnalysedPassage, Candidate, Scored } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { wholeText } from '../structure/unit-text.ts';
import { identifiersAsked, identifiersIn } from './identifiers.ts';

/** On the scale of the trees. */
const loss = -4;
/** `quay.lamps`, and not `e.g` or `lamps.md`. */
const dotted = /^\p{L}[\p{L}\p{N}_]+(?:(?:\.|::)\p{L}[\p{L}\p{N}_]{3,})+$/u;

/** Which documents write a dotted identifier of a question as the question does, by the identifier. */
type Written = ReadonlyMap<string, ReadonlySet<string>>;

const writtenIn = new WeakMap<readonly Scored[], Written>();

function writtenBy(question: Question, ranked: readonly Scored[]): Written {
  const known = writtenIn.get(ranked);
  if (known) return known;
  const written = new Map<string, ReadonlySet<string>>();
  for (const identifier of identifiersAsked(question)) {
    if (!dotted.test(identifier)) continue;
    const own = ranked.filter(({ candidate }) => isWritten(candidate, identifier));
    written.set(identifier, new Set(own.map(({ candidate }) => candidate.passage.hit.chunk.uri)));
  }
  writtenIn.set(ranked, written);
  return written;
}

const identifiersOf = new WeakMap<AnalysedPassage, ReadonlySet<string>>();

function isWritten({ passage }: Candidate, identifier: string): boolean {
  const own = identifiersOf.get(passage) ?? new Set(identifiersIn(passage.hit.chunk.text));
  identifiersOf.set(passage, own);
  return own.has(identifier);
}

/** `def lamps(size)`, or a heading with the last part: there the whole is seldom written. */
function isDeclared({ passage, headings }: Candidate, identifier: string): boolean {
  const last = identifier.split(/\.|::/).at(-1)!;
  if (headings.some((one) => one.toLowerCase().includes(last))) return true;
  return new RegExp(`\\b(?:class|def|fn|func|function|sub)\\s+${last}\\b`, 'iu').test(wholeText(passage));
}

/**
 * Whether a sentence stands in a passage that has at most the parts of a dotted identifier of the question, which its
 * document writes elsewhere: `quay(1): replace lamps()` says nothing of `quay.lamps`.
 */
export function hasPartsAlone(question: Question, candidate: Candidate, ranked: readonly Scored[]): boolean {
  for (const [identifier, uris] of writtenBy(question, ranked)) {
    if (!uris.has(candidate.passage.hit.chunk.uri)) continue;
    if (!isWritten(candidate, identifier) && !isDeclared(candidate, identifier)) return true;
  }
  return false;
}

/** What such a sentence loses. */
export function partsAloneLoss(question: Question, candidate: Candidate, ranked: readonly Scored[]): number {
  return hasPartsAlone(question, candidate, ranked) ? loss : 0;
}
