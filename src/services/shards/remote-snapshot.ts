import { IbidError } from '../../core/errors.ts';
import type { StoredChunk } from '../../core/types.ts';
import type { LexicalReader } from '../../lexical/reader.ts';
import type { OpenedShard } from '../../retrieve/shards/remote-contract.ts';
import { rowOf } from '../../store/chunk-rows.ts';
import type { ChunkRow, RowSet, VectorHits, WordCounts } from '../../store/contract.ts';
import type { PassSnapshot } from '../../store/index-contract.ts';
import { OrdinalSet } from '../../store/row-set.ts';
import type { RemoteShard } from './remote-shard.ts';

/** Rows of one request. */
const MOST_ROWS = 256;

/** One state of an index on another machine: what a united snapshot reads of it, beside what searches ask. */
export class RemoteSnapshot implements PassSnapshot {
  readonly rows: number;
  readonly liveRows: number;
  readonly dimensions: number;
  readonly words: WordCounts;
  readonly shard: RemoteShard;
  readonly sample: OpenedShard['sample'];
  readonly #dead: OpenedShard['dead'];
  /** Of documents whose rows were read. */
  readonly #ranges = new Map<number, readonly [number, number]>();

  constructor(shard: RemoteShard, { rows, liveRows, dead, sample, fingerprint }: OpenedShard) {
    this.shard = shard;
    this.sample = sample;
    this.rows = rows;
    this.liveRows = liveRows;
    this.dimensions = Number(fingerprint.dimensions);
    this.#dead = dead;
    this.words = {
      liveRows,
      counts: async (terms, options) => {
        const named = terms.map((term) => ({ name: term, words: [term] }));
        return (await shard.terms({ terms: named }, options)).map(({ rows }) => rows);
      },
    };
  }

  get lexical(): LexicalReader {
    throw elsewhere();
  }

  isLive(ordinal: number): boolean {
    let low = 0;
    let high = this.#dead.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#dead[middle]![0] <= ordinal) low = middle + 1;
      else high = middle;
    }
    const [first, count] = this.#dead[low - 1] ?? [0, 0];
    return ordinal < this.rows && ordinal >= first + count;
  }

  /** @throws IbidError INVALID_ARGUMENT for a row that was not read before */
  documentRange(ordinal: number): readonly [first: number, end: number] {
    const range = this.#ranges.get(ordinal);
    if (!range) throw elsewhere();
    return range;
  }

  async searchVectors(): Promise<VectorHits> {
    throw elsewhere();
  }

  async searchEach(): Promise<readonly VectorHits[]> {
    throw elsewhere();
  }

  async vectorsAt(): Promise<Int8Array> {
    throw elsewhere();
  }

  async filter(where: string): Promise<RowSet> {
    return new OrdinalSet(await this.shard.find(where));
  }

  async fetch(ordinals: ArrayLike<number>): Promise<readonly StoredChunk[]> {
    const chunks: StoredChunk[] = [];
    for (let at = 0; at < ordinals.length; at += MOST_ROWS) {
      const some = Array.from(ordinals).slice(at, at + MOST_ROWS);
      for (const [i, { chunk, range }] of (await this.shard.rowsAt(some)).entries()) {
        chunks.push(chunk);
        this.#ranges.set(some[i]!, range);
      }
    }
    return chunks;
  }

  async rowsAt(ordinals: ArrayLike<number>): Promise<readonly ChunkRow[]> {
    return (await this.fetch(ordinals)).map(rowOf);
  }
}

function elsewhere(): IbidError {
  return new IbidError('INVALID_ARGUMENT', 'this needs all of an index that is on another machine', {
    hint: 'Ask that machine, or make one index of shards in a local folder.',
  });
}
