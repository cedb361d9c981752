import type { BlockPostings } from './blocks.ts';
import type { PostingsPlace, SegmentSource, TermPostings } from './contract.ts';
import type { SkipTable } from './skip-table.ts';

/** The postings of one term in one of several segments. */
export interface FoundPostings extends BlockPostings, PostingsPlace {
  /** Number of the segment. */
  readonly segment: number;
}

/** The skip tables that were kept of postings: one read for each segment. */
export async function keptSkipTables(
  segments: readonly Pick<SegmentSource, 'readSkipTables'>[],
  all: readonly FoundPostings[],
): Promise<ReadonlyMap<FoundPostings, SkipTable>> {
  const tables = new Map<FoundPostings, SkipTable>();
  const read = async ({ readSkipTables }: Pick<SegmentSource, 'readSkipTables'>, number: number): Promise<void> => {
    const found = readSkipTables ? all.filter(({ segment }) => segment === number) : [];
    if (found.length === 0) return;
    for (const [i, table] of (await readSkipTables!(found)).entries()) if (table) tables.set(found[i]!, table);
  };
  if (all.length > 0) await Promise.all(segments.map(read));
  return tables;
}

/** The postings of two readers, one after the other. */
export function joined(first: TermPostings, second: TermPostings): TermPostings {
  if (second.ordinals.length === 0) return first;
  const both = <T extends Uint16Array | Uint32Array>(target: T, a: T, b: T): T => {
    target.set(a);
    target.set(b, a.length);
    return target;
  };
  const length = first.ordinals.length + second.ordinals.length;
  return {
    term: first.term,
    ordinals: both(new Uint32Array(length), first.ordinals, second.ordinals),
    text: both(new Uint16Array(length), first.text, second.text),
    title: both(new Uint16Array(length), first.title, second.title),
    headings: both(new Uint16Array(length), first.headings, second.headings),
  };
}
