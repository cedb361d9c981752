import type { Hit } from '../../../core/types.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { itemLists } from '../structure/item-lists.ts';
import { mostAnnounced } from '../structure/list-below.ts';
import { remembered } from '../structure/remembered.ts';
import { allAsked, fewestItems } from './list-lead.ts';

/** On the scale of the trees, as what a sentence announces. */
const gain = 9;

/** Lists that stand directly below a heading, and are shown whole. */
const headedLists = remembered(({ chunk: { text } }: Hit) =>
  itemLists(text).filter(({ start, end, items }) => items.length >= fewestItems && end - start <= mostAnnounced),
);

/** Places of the units that stand together below a heading, and how many things they are. */
interface Headed {
  readonly units: readonly number[];
  readonly count: number;
}

/** The list, or the rows of the table, that a unit opens directly below its heading. */
const openedBy = remembered((candidate: Candidate): Headed => {
  const { passage, unit } = candidate;
  const { units, hit } = passage;
  if (unit.kind === 'row') {
    const { header } = unit;
    const own = units.flatMap((one, i) => (header && one.header?.start === header.start ? [i] : []));
    const isShown = header !== undefined && units[own.at(-1)!]!.end - header.start <= mostAnnounced;
    const opens = isShown && own[0] === candidate.index && standsUnder(candidate, header.start);
    return opens ? { units: own, count: own.length } : nothing;
  }
  const list = headedLists(hit).find(
    ({ start, items: [, second = start] }) => start <= unit.start && unit.start < second,
  );
  const own = units.flatMap(({ start, end }, i) => (list && list.start <= start && end <= list.end ? [i] : []));
  const opens = list !== undefined && own[0] === candidate.index && standsUnder(candidate, list.start);
  return opens ? { units: own, count: list.items.length } : nothing;
});

const nothing: Headed = { units: [], count: 0 };

/** Whether its heading stands directly above a place in its text. */
function standsUnder({ passage, headings }: Candidate, at: number): boolean {
  const over = passage.hit.chunk.text.slice(0, at).trimEnd();
  const line = over.slice(over.lastIndexOf('\n') + 1);
  return headings.length > 0 && line.replace(/^#+\s+/, '').trim() === headings.at(-1);
}

/**
 * How much a unit gains since all of a kind are asked for, and it is the first of a list or of a table that stands below a
 * heading for that kind: `## Ingredients`, asked what the ingredients are.
 */
export function headedListGain(question: Question, candidate: Candidate): number {
  const wanted = allAsked(question);
  if (wanted === undefined) return 0;
  const { unit, match, headingMatch, titleMatch } = candidate;
  const isSaid = (j: number): boolean => headingMatch[j]! >= sameWord || (unit.kind === 'row' && match[j]! >= sameWord);
  if (!wanted.kind.every(isSaid) || !wanted.kind.some((j) => headingMatch[j]! >= sameWord)) return 0;
  if (!wanted.others.every((j) => titleMatch[j]! >= sameWord)) return 0;
  const { count } = openedBy(candidate);
  return count >= fewestItems && (wanted.count ?? count) === count ? gain : 0;
}

/** The units that stand together with one that opens them, by their places. */
export function headedListAround(question: Question, candidate: Candidate): readonly number[] {
  return headedListGain(question, candidate) > 0 ? openedBy(candidate).units : [];
}
