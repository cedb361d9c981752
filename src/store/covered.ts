import type { Table } from '@lancedb/lancedb';
import type { SegmentSource } from '../lexical/contract.ts';
import { analyse } from './analyse.ts';
import { documentsOfRows } from './repair.ts';
import { packBlocks, ResidentBlocks, type StoredBlocks } from './resident-blocks.ts';
import type { RowIds } from './row-ids.ts';
import { type RowRun, runsOf, SeqMap, uncovered } from './runs.ts';
import { copyReaders, type SegmentCopies, type SegmentCopy } from './segment-copies.ts';
import { readSegments, type StoredSegment, storedBlocks } from './segments.ts';
import type { SharedSegment } from './shared-snapshot.ts';

/** The segments of a snapshot, and the rows that they cover. */
export interface Covered {
  readonly map: SeqMap;
  readonly segments: readonly CoveredSegment[];
  readonly blocks: ResidentBlocks;
}

interface CoveredSegment extends SegmentSource {
  /** Of a stored segment. */
  readonly id?: number;
  readonly copy?: SegmentCopy | undefined;
  /** Of one that was made now. */
  readonly made?: readonly Uint8Array[];
}

/**
 * All segments. Rows that no stored segment covers are analysed now: a writer is between two commits, or was killed
 * there.
 */
export async function coverRows(
  lexical: () => Promise<Table>,
  chunks: Table,
  present: RowIds,
  before: Covered | undefined,
  {
    frugal,
    shared,
    copies,
    segments: known,
  }: {
    readonly frugal: boolean;
    readonly shared: boolean;
    readonly copies: SegmentCopies;
    readonly segments: readonly StoredSegment[] | undefined;
  },
): Promise<Covered> {
  const stored = known ?? (await readSegments(await lexical()));
  const headers = new Map(stored.map(({ id, header }) => [id, header]));
  // an id may come again after the last segment was deleted; a header with its checksums does not
  const same = before?.segments.filter(({ id = -1, header }) => equals(headers.get(id), header));
  const held = new Map(
    same?.flatMap(({ id = -1 }) => {
      const blocks = before?.blocks.packed.get(id);
      return blocks ? [[id, blocks]] : [];
    }),
  );
  const { isTooLarge } = before?.blocks ?? {};
  const options = { shared, known: held, isTooLarge };
  const blocks = new ResidentBlocks(
    known ? lateBlocks(stored, lexical) : await storedBlocks(await lexical()),
    frugal ? 0 : undefined,
    options,
  );
  const parts: { readonly runs: readonly RowRun[]; readonly source: Omit<CoveredSegment, 'base'> }[] = stored.map(
    ({ id, runs, header }) => {
      const copy = copies.of(id, header);
      return { runs, source: { id, header, copy, readBlocks: blocks.reader(id), ...copyReaders(copy) } };
    },
  );
  const covered = new SeqMap(stored.flatMap(({ runs }) => runs));
  for (const group of known ? [] : uncovered(present.seqs(), covered)) {
    const data = await analyse(await documentsOfRows(chunks, group));
    const made = data.blocks.map(({ bytes }) => bytes);
    const readBlocks = async (indices: readonly number[]): Promise<Uint8Array[]> => indices.map((i) => made[i]!);
    parts.push({ runs: runsOf(group), source: { header: data.header, made, readBlocks } });
  }
  parts.sort((a, b) => (a.runs[0]?.[0] ?? 0) - (b.runs[0]?.[0] ?? 0));
  const map = new SeqMap(parts.flatMap(({ runs }) => runs));
  const segments = parts.map(({ runs, source }) => ({
    ...source,
    base: runs.length === 0 ? 0 : map.ordinalOf(runs[0]![0]),
  }));
  return { map, segments, blocks };
}

/** Blocks of a table that is opened when the first is read. */
function lateBlocks(segments: readonly StoredSegment[], lexical: () => Promise<Table>): StoredBlocks {
  let opened: Promise<StoredBlocks> | undefined;
  const open = (): Promise<StoredBlocks> => {
    opened ??= lexical().then(storedBlocks);
    opened.catch(() => {
      opened = undefined; // the next read tries again
    });
    return opened;
  };
  return {
    segments: segments.length,
    blocks: Infinity, // which are not loaded as a whole: there are copies
    read: async (segment, indices) => (await open()).read(segment, indices),
    async *scan(without) {
      yield* (await open()).scan(without);
    },
  };
}

function equals(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.compare(a, b) === 0;
}

/** The segments for other threads; their blocks are loaded, where they fit into memory. */
export async function sharedSegments({ segments, blocks }: Covered): Promise<SharedSegment[]> {
  if (segments.some(({ copy }) => copy === undefined)) await blocks.load();
  return segments.map(({ base, header, id, made, copy }) => ({
    ...{ base, header, id, copy },
    blocks: made ? packBlocks(made, true) : blocks.packed.get(id!),
  }));
}
