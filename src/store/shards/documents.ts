import { IbidError } from '../../core/errors.ts';
import type { DocumentRecord, ManifestEntry } from '../contract.ts';
import type { DocumentWriter, Rename, StoredManifest } from '../index-contract.ts';
import { shardOf } from './layout.ts';
import { ShardedManifest } from './manifest.ts';

/** Chunks that wait for a commit, over all shards. Small commits would cost more than they write. */
const MOST_WAITING = 16_384;
/** Chunks of one commit. */
const COMMIT = 4096;

/**
 * Writes documents to the shards that their uris belong to. A shard gathers documents until they are worth a commit;
 * `flush`, `finish` and every reading commit all of them.
 */
export class ShardedDocuments implements DocumentWriter {
  readonly #shards: readonly (() => DocumentWriter)[];
  readonly #waiting: Map<string, DocumentRecord>[];
  readonly #chunks: number[];

  constructor(shards: readonly (() => DocumentWriter)[]) {
    this.#shards = shards;
    this.#waiting = shards.map(() => new Map());
    this.#chunks = shards.map(() => 0);
  }

  #of(uri: string): number {
    return shardOf(uri, this.#shards.length);
  }

  async manifest(): Promise<StoredManifest> {
    await this.flush();
    return new ShardedManifest(await Promise.all(this.#shards.map((shard) => shard().manifest())));
  }

  async replaceDocuments(records: readonly DocumentRecord[]): Promise<void> {
    if (new Set(records.map(({ uri }) => uri)).size < records.length)
      throw new IbidError('INVALID_ARGUMENT', 'a document comes twice in one batch');
    for (const record of records) {
      const shard = this.#of(record.uri);
      if (this.#waiting[shard]!.has(record.uri)) await this.#commit(shard);
      this.#waiting[shard]!.set(record.uri, record);
      this.#chunks[shard]! += record.chunks.length;
      if (this.#chunks[shard]! >= COMMIT) await this.#commit(shard);
    }
    while (this.#chunks.reduce((sum, count) => sum + count, 0) > MOST_WAITING)
      await this.#commit(this.#chunks.indexOf(Math.max(...this.#chunks)));
  }

  async #commit(shard: number): Promise<void> {
    const waiting = this.#waiting[shard]!;
    if (waiting.size === 0) return;
    await this.#shards[shard]!().replaceDocuments([...waiting.values()]);
    waiting.clear();
    this.#chunks[shard] = 0;
  }

  /** Commits what has been gathered. */
  async flush(): Promise<void> {
    for (const shard of this.#shards.keys()) await this.#commit(shard);
  }

  async removeDocuments(uris: readonly string[]): Promise<void> {
    await this.flush();
    await this.#each(
      uris,
      (uri) => uri,
      async (shard, some) => shard.removeDocuments(some),
    );
  }

  async recordEntries(lines: readonly ManifestEntry[]): Promise<void> {
    await this.flush();
    await this.#each(
      lines,
      ({ uri }) => uri,
      async (shard, some) => shard.recordEntries(some),
    );
  }

  async #each<T>(
    items: readonly T[],
    uriOf: (item: T) => string,
    write: (shard: DocumentWriter, items: readonly T[]) => Promise<void>,
  ): Promise<void> {
    for (const [number, some] of Map.groupBy(items, (item) => this.#of(uriOf(item))))
      await write(this.#shards[number]!(), some);
  }

  /** A document whose new uri belongs to another shard moves there with its vectors. */
  async renameDocuments(renames: readonly Rename[]): Promise<void> {
    const manifest = await this.manifest();
    const moves = renames.filter(({ from, to }) => from !== to);
    const targets = new Set(moves.map(({ to }) => to));
    if (targets.size < moves.length || new Set(moves.map(({ from }) => from)).size < moves.length)
      throw new IbidError('INVALID_ARGUMENT', 'two renames name the same document');
    const missing = moves.find(({ from }) => !manifest.has(from));
    if (missing)
      throw new IbidError('INVALID_ARGUMENT', `there is no document ${JSON.stringify(missing.from)} to rename`);
    const crossing = moves.filter(({ from, to }) => this.#of(from) !== this.#of(to));
    const entries = new Map(crossing.map(({ from }) => [from, manifest.get(from)!]));
    const records = new Map(
      (await this.readDocuments(crossing.map(({ from }) => from))).map((record) => [record.uri, record]),
    );
    const staying = moves.filter((move) => !crossing.includes(move));
    await this.#each(
      staying,
      ({ from }) => from,
      async (shard, some) => shard.renameDocuments(some),
    );
    const lines: ManifestEntry[] = [];
    const moved: DocumentRecord[] = [];
    for (const { from, to, mtimeMs } of crossing) {
      const record = records.get(from);
      const entry = entries.get(from)!;
      const time = mtimeMs ?? entry.mtimeMs;
      if (record) moved.push({ ...record, uri: to, source: { ...record.source, mtimeMs: time } });
      if (!record || entry.failure) lines.push({ ...entry, uri: to, mtimeMs: time });
    }
    await this.replaceDocuments(moved);
    await this.recordEntries(lines);
    // last, so that a run that is killed here finds the documents again
    await this.removeDocuments(crossing.flatMap(({ from }) => (targets.has(from) ? [] : [from])));
  }

  async readDocument(uri: string): Promise<DocumentRecord | undefined> {
    return (await this.readDocuments([uri]))[0];
  }

  async readDocuments(uris: readonly string[]): Promise<DocumentRecord[]> {
    await this.flush();
    const found = new Map<string, DocumentRecord>();
    await this.#each(
      uris,
      (uri) => uri,
      async (shard, some) => {
        for (const record of await shard.readDocuments(some)) found.set(record.uri, record);
      },
    );
    return uris.flatMap((uri) => found.get(uri) ?? []);
  }

  /** To every shard, so that each is an index of its own. */
  async putBlob(name: string, bytes: Uint8Array): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard().putBlob(name, bytes)));
  }

  async getBlob(name: string): Promise<Uint8Array | undefined> {
    return await this.#shards[0]!().getBlob(name);
  }

  async finish(): Promise<void> {
    await this.flush();
    for (const shard of this.#shards) await shard().finish();
  }
}
