import { IbidError } from '../../core/errors.ts';
import { placeOf } from '../../core/sorted.ts';
import type { CallOptions, StoredChunk } from '../../core/types.ts';
import { LexicalReader } from '../../lexical/reader.ts';
import { TopScores } from '../../vector/top.ts';
import type { ChunkRow, MissingShard, RowSet, Snapshot, VectorHits, VectorOptions, WordCounts } from '../contract.ts';
import type { PassSnapshot } from '../index-contract.ts';
import { SAMPLED_ROWS, type SampledRow } from '../row-sample.ts';
import { OrdinalSet } from '../row-set.ts';
import { nearestOf } from '../vector-search.ts';

/** One shard in a united snapshot. Its ordinals follow those of the shard before. */
interface UnitedPart<T extends PassSnapshot = PassSnapshot> {
  readonly name: string;
  readonly snapshot: T;
  readonly base: number;
}

/**
 * The snapshots of several shards as one: rows, terms, vectors, and all statistics, so that every score is that of one
 * index.
 */
export class UnitedSnapshot<T extends PassSnapshot = PassSnapshot> implements PassSnapshot {
  readonly rows: number;
  readonly liveRows: number;
  readonly dimensions: number;
  readonly parts: readonly UnitedPart<T>[];
  readonly shards: NonNullable<Snapshot['shards']>;
  #lexical: LexicalReader | undefined;

  /** @param shards at least one, all of the same embedder */
  constructor(
    shards: readonly { readonly name: string; readonly snapshot: T }[],
    missing: readonly MissingShard[] = [],
  ) {
    this.shards = { count: shards.length + missing.length, missing };
    let base = 0;
    this.parts = shards.map(({ name, snapshot }) => {
      const part = { name, snapshot, base };
      base += snapshot.rows;
      return part;
    });
    this.rows = base;
    this.liveRows = shards.reduce((sum, { snapshot }) => sum + snapshot.liveRows, 0);
    this.dimensions = shards[0]!.snapshot.dimensions;
  }

  /** Of all shards together. */
  get sample(): readonly SampledRow[] | undefined {
    const all: SampledRow[] = [];
    for (const { base, snapshot } of this.parts) {
      if (!snapshot.sample) return undefined;
      for (const { key, ordinal } of snapshot.sample) all.push({ key, ordinal: base + ordinal });
    }
    return all.sort((a, b) => a.key - b.key).slice(0, SAMPLED_ROWS);
  }

  /** Made with its first use: a search that asks each shard needs none. */
  get lexical(): LexicalReader {
    this.#lexical ??= LexicalReader.united(
      this.parts.map(({ base, snapshot }) => ({ base, rows: snapshot.rows, reader: snapshot.lexical })),
    );
    return this.#lexical;
  }

  /** Counted by each part: what a search asks of shards needs no united reader. */
  get words(): WordCounts {
    const { liveRows, parts } = this;
    return {
      liveRows,
      async counts(terms, options) {
        const asked = await Promise.allSettled(
          parts.map(({ snapshot }) => (snapshot.words ?? snapshot.lexical).counts(terms, options)),
        );
        options?.signal?.throwIfAborted();
        const failed = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
        const counted = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
        // the search that came before has named the shard that is gone
        const isFatal = counted.length === 0 || failed.some((error) => !(error instanceof IbidError));
        if (failed.length > 0 && isFatal) throw failed[0];
        return terms.map((_, t) => counted.reduce((sum, counts) => sum + counts[t]!, 0));
      },
    };
  }

  /** The part that holds an ordinal. */
  partOf(ordinal: number): UnitedPart<T> {
    let low = 0;
    let high = this.parts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.parts[middle]!.base <= ordinal) low = middle;
      else high = middle;
    }
    return this.parts[low]!;
  }

  isLive(ordinal: number): boolean {
    const { base, snapshot } = this.partOf(ordinal);
    return snapshot.isLive(ordinal - base);
  }

  documentRange(ordinal: number): readonly [first: number, end: number] {
    const { base, snapshot } = this.partOf(ordinal);
    const [first, end] = snapshot.documentRange(ordinal - base);
    return [base + first, base + end];
  }

  async searchVectors(
    query: Int8Array,
    limit: number,
    { within, least = Number.NEGATIVE_INFINITY, signal }: VectorOptions = {},
  ): Promise<VectorHits> {
    const top = new TopScores(limit);
    for (const { base, snapshot } of this.parts) {
      const own = within && rowsOf(within, base, snapshot.rows);
      if (snapshot.liveRows === 0 || own?.size === 0) continue;
      const bound = Math.max(least, top.bar);
      addTo(top, base, await snapshot.searchVectors(query, limit, { within: own, least: bound, signal }));
    }
    return nearestOf(top);
  }

  async searchEach(
    queries: readonly Int8Array[],
    limit: number,
    options: CallOptions = {},
  ): Promise<readonly VectorHits[]> {
    const tops = queries.map(() => new TopScores(limit));
    for (const { base, snapshot } of this.parts) {
      if (snapshot.liveRows === 0) continue;
      const found = await snapshot.searchEach(queries, limit, options);
      tops.forEach((top, q) => {
        addTo(top, base, found[q]!);
      });
    }
    return tops.map(nearestOf);
  }

  async vectorsAt(ordinals: ArrayLike<number>): Promise<Int8Array> {
    const { dimensions } = this;
    const out = new Int8Array(ordinals.length * dimensions);
    await this.#ofParts(ordinals, async ({ snapshot }, rows, places) => {
      const vectors = await snapshot.vectorsAt(rows);
      places.forEach((place, i) => {
        out.set(vectors.subarray(i * dimensions, (i + 1) * dimensions), place * dimensions);
      });
    });
    return out;
  }

  async filter(where: string): Promise<RowSet> {
    const found = await Promise.all(this.parts.map(({ snapshot }) => snapshot.filter(where)));
    const all = new Uint32Array(found.reduce((sum, { size }) => sum + size, 0));
    let at = 0;
    for (const [i, { base }] of this.parts.entries())
      for (const ordinal of found[i]!.ordinals) all[at++] = base + ordinal;
    return new OrdinalSet(all);
  }

  fetch(ordinals: ArrayLike<number>): Promise<readonly StoredChunk[]> {
    return this.#gather(ordinals, (snapshot, rows) => snapshot.fetch(rows));
  }

  rowsAt(ordinals: ArrayLike<number>): Promise<readonly ChunkRow[]> {
    return this.#gather(ordinals, (snapshot, rows) => snapshot.rowsAt(rows));
  }

  async #gather<R>(
    ordinals: ArrayLike<number>,
    read: (snapshot: T, rows: readonly number[]) => Promise<readonly R[]>,
  ): Promise<R[]> {
    const out = new Array<R>(ordinals.length);
    await this.#ofParts(ordinals, async ({ snapshot }, rows, places) => {
      const found = await read(snapshot, rows);
      places.forEach((place, i) => {
        out[place] = found[i]!;
      });
    });
    return out;
  }

  /** @param read is given ordinals of the part, and where they stand among those asked for */
  async #ofParts(
    ordinals: ArrayLike<number>,
    read: (part: UnitedPart<T>, rows: readonly number[], places: readonly number[]) => Promise<void>,
  ): Promise<void> {
    const byPart = Map.groupBy(Array.from(ordinals).keys(), (place) => this.partOf(ordinals[place]!));
    await Promise.all(
      Array.from(byPart, ([part, places]) =>
        read(
          part,
          places.map((place) => ordinals[place]! - part.base),
          places,
        ),
      ),
    );
  }
}

/** The members of a set that lie in `[base, base + rows)`, counted from `base`. */
function rowsOf({ ordinals }: RowSet, base: number, rows: number): RowSet {
  return new OrdinalSet(
    ordinals.subarray(placeOf(ordinals, base), placeOf(ordinals, base + rows)).map((at) => at - base),
  );
}

function addTo(top: TopScores, base: number, { ordinals, cosines }: VectorHits): void {
  for (let i = 0; i < ordinals.length; i++) top.add(base + ordinals[i]!, cosines[i]!);
}
