import type { Hit } from '../../../core/types.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { type ItemList, itemLists } from '../structure/item-lists.ts';
import { mostAnnounced } from '../structure/list-below.ts';
import { remembered } from '../structure/remembered.ts';
import { allAsked, fewestItems } from './list-lead.ts';

/** On the scale of the trees, as what a sentence announces. */
const gain = 9;

/** Lists that stand directly below a heading, and are shown whole. */
const headedLists = remembered(({ chunk: { text } }: Hit) =>
  itemLists(text).filter(({ start, end, items }) => items.length >= fewestItems && end - start <= mostAnnounced),
);

/** The list that an item opens directly below its heading. */
function listOpenedBy({ passage, unit, headings }: Candidate): ItemList | undefined {
  const { text } = passage.hit.chunk;
  const heading = headings.at(-1);
  const list = headedLists(passage.hit).find(
    ({ start, items: [, second = start] }) => start <= unit.start && unit.start < second,
  );
  if (
    heading === undefined ||
    list === undefined ||
    passage.units.some(({ start }) => list.start <= start && start < unit.start)
  )
    return undefined;
  const over = text.slice(0, list.start).trimEnd();
  return over
    .slice(over.lastIndexOf('\n') + 1)
    .replace(/^#+\s+/, '')
    .trim() === heading
    ? list
    : undefined;
}

/**
 * How much an item gains since all of a kind are asked for, and it is the first of a list that stands below a heading for
 * that kind: `## Ingredients`, asked what the ingredients are.
 */
export function headedListGain(question: Question, candidate: Candidate): number {
  const wanted = allAsked(question);
  if (wanted === undefined || candidate.unit.kind === 'row') return 0;
  const { headingMatch, titleMatch } = candidate;
  if (!wanted.kind.every((j) => headingMatch[j]! >= sameWord)) return 0;
  if (!wanted.others.every((j) => titleMatch[j]! >= sameWord)) return 0;
  const list = listOpenedBy(candidate);
  return list !== undefined && (wanted.count ?? list.items.length) === list.items.length ? gain : 0;
}

/** The units of the list that it opens, by their places. */
export function headedListAround(question: Question, candidate: Candidate): readonly number[] {
  const list = headedListGain(question, candidate) > 0 ? listOpenedBy(candidate) : undefined;
  if (list === undefined) return [];
  return candidate.passage.units.flatMap(({ start, end }, i) => (list.start <= start && end <= list.end ? [i] : []));
}
