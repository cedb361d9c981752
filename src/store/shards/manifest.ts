import type { DocumentEntry, ManifestDiff } from '../contract.ts';
import type { StoredManifest } from '../index-contract.ts';
import { shardOf } from './layout.ts';

/** The manifests of all shards as one. */
export class ShardedManifest implements StoredManifest {
  readonly #shards: readonly StoredManifest[];

  /** @param shards in the order of their numbers, all of them */
  constructor(shards: readonly StoredManifest[]) {
    this.#shards = shards;
  }

  #of(uri: string): StoredManifest {
    return this.#shards[shardOf(uri, this.#shards.length)]!;
  }

  get size(): number {
    return this.#shards.reduce((sum, { size }) => sum + size, 0);
  }

  has(uri: string): boolean {
    return this.#of(uri).has(uri);
  }

  get(uri: string): DocumentEntry | undefined {
    return this.#of(uri).get(uri);
  }

  diff(): ManifestDiff {
    const diffs = this.#shards.map((shard) => shard.diff());
    return {
      compare: (uri, sizeBytes, mtimeMs) => diffs[shardOf(uri, diffs.length)]!.compare(uri, sizeBytes, mtimeMs),
      *missing() {
        for (const diff of diffs) yield* diff.missing();
      },
    };
  }

  totals(): { readonly documents: number; readonly chunks: number } {
    const all = this.#shards.map((shard) => shard.totals());
    return {
      documents: all.reduce((sum, { documents }) => sum + documents, 0),
      chunks: all.reduce((sum, { chunks }) => sum + chunks, 0),
    };
  }

  signature(): string {
    return this.#shards.map((shard) => shard.signature()).join(' ');
  }

  *entries(): MapIterator<[string, DocumentEntry]> {
    for (const shard of this.#shards) yield* shard.entries();
  }

  *keys(): MapIterator<string> {
    for (const shard of this.#shards) yield* shard.keys();
  }

  *values(): MapIterator<DocumentEntry> {
    for (const shard of this.#shards) yield* shard.values();
  }

  [Symbol.iterator](): MapIterator<[string, DocumentEntry]> {
    return this.entries();
  }

  forEach(visit: (entry: DocumentEntry, uri: string, map: ReadonlyMap<string, DocumentEntry>) => void): void {
    for (const [uri, entry] of this.entries()) visit(entry, uri, this);
  }
}
