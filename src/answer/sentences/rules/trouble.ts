import { analyseWords } from '../../../text/analysis/words.ts';
import {
  namesTroublePart,
  type TroublePart,
  tellsCause,
  troublePartAsked,
  troubleWord,
} from '../../../text/languages/troubles.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { heldShare, matchTerms, type Question, raise, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: what stands below `Cause` has few words of the fault. */
const gain = 13;
/** Of the weight of the question, in the report. */
const leastHeld = 0.6;
/** Sentences in which a fault is told. */
const toldBefore = 4;
const labelOf = /^[\s>*+•–-]*[*_`]{0,3}(\p{L}[^:\n!?;]{0,30}?)[ \t]?[:：][*_`]{0,3}\s+\S/u;
/** Marks of a list and of headings, between a heading and what it stands over. */
const onlyMarks = /^[\s#*_=:\-–.\p{N})(>+•]*$/u;

const partAsked = once(({ text, type }) => (type === 'reason' ? 'cause' : troublePartAsked(text)));

/**
 * How much a sentence gains since it stands first below `Cause` or `Solution`, or behind such a label, in the report of
 * the fault that a question asks about: why it happens, or how it is put right. `The cause was …` says so itself. Else 0.
 * The fault may be told in another passage of the same document, where that reports one fault alone.
 */
export function troubleGains(question: Question, ranked: readonly Scored[]): (candidate: Candidate) => number {
  const part = partAsked(question);
  if (part === undefined) return () => 0;
  const reports = reportsIn(ranked, part);
  return (candidate) => {
    if (candidate.unit.kind === 'row') return 0;
    const own = textOf(candidate);
    const isNamed = isBelow(candidate, part) || isLabelled(own, part);
    if (!isNamed && !(part === 'cause' && tellsCause.test(own))) return 0;
    const { match, titleMatch, passage } = candidate;
    const report = reports.get(passage.hit.chunk.uri)!;
    const told = report.parts === 1 ? report : { match: matchBefore(question, candidate, part), parts: 1 };
    const share = heldShare(
      question,
      (j) => (Math.max(match[j]!, titleMatch[j]!, told.parts > 1 ? 0 : told.match[j]!) >= sameWord ? 1 : 0),
      ({ word }) => !troubleWord.test(word),
    );
    return share !== undefined && share >= leastHeld ? gain : 0;
  };
}

interface Report {
  readonly match: Float32Array;
  /** Passages or lines that name the part: of so many faults. */
  parts: number;
}

/** What the passages of each document hold together. */
function reportsIn(ranked: readonly Scored[], part: TroublePart): Map<string, Report> {
  const out = new Map<string, Report>();
  for (const passage of new Set(ranked.map(({ candidate }) => candidate.passage))) {
    const { uri, text } = passage.hit.chunk;
    const parts = partsIn(text, part);
    const known = out.get(uri);
    if (known === undefined) out.set(uri, { match: passage.match.slice(), parts });
    else {
      raise(known.match, passage.match, 1);
      known.parts += parts;
    }
  }
  return out;
}

/**
 * What the sentences before hold, behind the same part of another report: where no heading parts the reports, `The cause
 * was …` is of what was told last, and so is what stands behind `Fix:`.
 */
function matchBefore(
  question: Question,
  { passage: { hit, units }, index }: Candidate,
  part: TroublePart,
): Float32Array {
  const before = units
    .slice(Math.max(0, index - toldBefore), index)
    .map(({ start, end }) => hit.chunk.text.slice(start, end));
  const other = before.findLastIndex((one) => isLabelled(one, part));
  return matchTerms(question, analyseWords(before.slice(other + 1).join('\n')));
}

function isLabelled(own: string, part: TroublePart): boolean {
  const label = labelOf.exec(own)?.[1];
  return label !== undefined && namesTroublePart(label.replace(/[*_`]/gu, ''), part);
}

/** The first sentence below the heading. */
function isBelow({ passage, unit, headings }: Candidate, part: TroublePart): boolean {
  const heading = headings.at(-1);
  if (heading === undefined || !namesTroublePart(heading, part)) return false;
  const before = passage.hit.chunk.text.slice(0, unit.start);
  const at = before.lastIndexOf(heading);
  return at >= 0 && onlyMarks.test(before.slice(at + heading.length));
}

/** Whether a question asks how a fault is put right, and a sentence begins to say so. */
export function beginsRepair(question: Question, candidate: Candidate): boolean {
  return partAsked(question) === 'fix' && candidate.unit.kind !== 'row' && isBelow(candidate, 'fix');
}

/** How many lines of a text are headings or labels of such a part. */
export function partsIn(text: string, part: TroublePart): number {
  return text.split('\n').filter((line) => {
    const label = labelOf.exec(line)?.[1] ?? line.replace(/^[\s#*_]+|[\s*_:]+$/gu, '');
    return namesTroublePart(label.replace(/[*_`]/gu, ''), part);
  }).length;
}
