import { join } from 'node:path';
import { IbidError } from '../../core/errors.ts';
import { isIndexFolder, parseAddress } from '../address.ts';
import { blobNames, readBlob } from '../blobs.ts';
import type { AnalysableDocument, SegmentQueue } from '../contract.ts';
import { type Database, makeIndexFolder, notFound } from '../database.ts';
import type { DocumentWriter, IndexWriter, NextGeneration } from '../index-contract.ts';
import { TableWriter, type WriterOptions } from '../index-writer.ts';
import { lockFolder, type WriteLock } from '../lock.ts';
import { BackgroundSegmentBuilder } from '../segment-builder.ts';
import type { Fingerprint } from '../state.ts';
import { ShardedDocuments } from './documents.ts';
import { failureOfShard } from './failure.ts';
import { dropSet, nameOf, readLayout, type ShardLayout, setsOnDisk, shardFolders, writeLayout } from './layout.ts';
import { strangerAt, strangersAmong } from './strangers.ts';

interface ShardedWriterOptions extends WriterOptions {
  /** Number of shards of a new index, or of its next generation. @default the number it has */
  readonly shards?: number | undefined;
  /** Whether a shard that is gone is made anew, empty: only an ingest can fill it again. @default false */
  readonly refill?: boolean | undefined;
  /** Connects to the folder of one shard. */
  readonly connect: (folder: string) => Promise<Database>;
}

/** Of all manifests together, in memory. */
const MANIFEST_BYTES = 2 ** 25;

/** A set of shards that is open for writing. */
interface OpenSet {
  readonly layout: ShardLayout;
  readonly writers: readonly TableWriter[];
  readonly documents: ShardedDocuments;
}

interface NextSet extends NextGeneration {
  readonly writer: ShardedDocuments;
}

/**
 * Writes an index of shards, each of which is an index in a folder of its own. Its next generation is another set of
 * folders; the file of the layout says which set readers see, and is replaced in one step.
 */
export class ShardedWriter implements IndexWriter {
  readonly #directory: string;
  readonly #options: ShardedWriterOptions;
  readonly #lock: WriteLock;
  readonly #builder: BackgroundSegmentBuilder;
  readonly #obsolete: OpenSet[] = [];
  #refilled: readonly string[] = [];
  #current: OpenSet | undefined;
  #next: OpenSet | undefined;

  private constructor(directory: string, lock: WriteLock, options: ShardedWriterOptions) {
    this.#directory = directory;
    this.#lock = lock;
    const { threaded, distantSegments: distant } = options;
    this.#builder = new BackgroundSegmentBuilder({ threaded, distant });
    this.#options = { ...options, builder: this.#builder };
  }

  /** @throws IbidError INDEX_LOCKED, INDEX_SCHEMA, INDEX_MISMATCH, INDEX_DAMAGED */
  static async open(directory: string, options: ShardedWriterOptions): Promise<ShardedWriter> {
    makeIndexFolder(directory);
    const lock = await lockFolder(join(directory, 'locks'), options);
    const writer = new ShardedWriter(directory, lock, options);
    try {
      await writer.#start();
      return writer;
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  async #start(): Promise<void> {
    const layout = readLayout(this.#directory);
    for (const set of await setsOnDisk(this.#directory)) if (set !== layout?.set) dropSet(this.#directory, set);
    if (!layout) return;
    if (!this.#options.refill) checkFolders(shardFolders(this.#directory, layout));
    const opened = await this.#open(layout);
    if (opened.writers.every(({ fingerprint }) => !fingerprint)) return await closeAll(opened); // `initialise` makes them
    this.#current = opened;
    const stranger = strangersAmong(opened.writers.map(({ fingerprint }) => fingerprint)).indexOf(true);
    if (stranger !== -1) throw strangerAt(shardFolders(this.#directory, layout)[stranger]!);
    this.#refilled = await replaceMissing(opened.writers);
  }

  get refilled(): readonly string[] {
    return this.#refilled;
  }

  async #open(layout: ShardLayout): Promise<OpenSet> {
    const folders = shardFolders(this.#directory, layout);
    const manifest = { ...this.#options.manifest, keptBytes: MANIFEST_BYTES / layout.count };
    const options = { ...this.#options, manifest };
    const opened = await Promise.allSettled(
      folders.map(async (folder) => {
        try {
          return await TableWriter.open(await this.#options.connect(folder), options);
        } catch (error) {
          throw error instanceof IbidError ? failureOfShard(error, folder) : error;
        }
      }),
    );
    const failed = opened.find(({ status }) => status === 'rejected');
    const writers = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    if (failed?.status === 'rejected') {
      await Promise.all(writers.map((writer) => writer.close()));
      throw failed.reason;
    }
    return { layout, writers, documents: new ShardedDocuments(writers.map((writer) => () => writer.current)) };
  }

  get fingerprint(): Fingerprint | undefined {
    return this.#current?.writers[0]?.fingerprint;
  }

  #written(): OpenSet {
    this.#lock.check();
    if (this.#current) return this.#current;
    throw new IbidError('INVALID_ARGUMENT', 'there is no index to write to yet', { hint: 'Call initialise first.' });
  }

  get current(): DocumentWriter {
    return this.#written().documents;
  }

  /** What is stored next is known only when a shard has gathered enough. */
  get segments(): SegmentQueue {
    const builder = this.#builder;
    return {
      enqueue(documents: readonly AnalysableDocument[]) {
        builder.enqueue(documents);
      },
      start() {},
    };
  }

  async initialise(fingerprint: Fingerprint): Promise<void> {
    if (this.#current) throw new IbidError('INVALID_ARGUMENT', 'the index exists already');
    const gone = readLayout(this.#directory); // set where all its shards are gone
    const { shards = gone?.count ?? 1 } = this.#options;
    const made = await this.#make({ count: shards, set: gone?.set ?? 1 }, fingerprint);
    writeLayout(this.#directory, made.layout);
    this.#current = made;
    if (gone) this.#refilled = made.writers.map((_, shard) => nameOf(shard));
  }

  async #make(layout: ShardLayout, fingerprint: Fingerprint): Promise<OpenSet> {
    const made = await this.#open(layout);
    try {
      await Promise.all(
        made.writers.map(async (writer) => {
          if (!writer.fingerprint) await writer.initialise(fingerprint);
        }),
      );
      return made;
    } catch (error) {
      await closeAll(made);
      throw error;
    }
  }

  async getMeta(key: string): Promise<unknown> {
    for (const writer of this.#current?.writers ?? []) {
      const value = await writer.getMeta(key);
      if (value !== undefined) return value; // a shard that was made anew has none
    }
    return undefined;
  }

  async putMeta(key: string, value: unknown): Promise<void> {
    await Promise.all(this.#written().writers.map((writer) => writer.putMeta(key, value)));
  }

  async finish(): Promise<void> {
    const { writers, documents } = this.#written();
    await documents.flush();
    await this.#builder.stop();
    for (const writer of writers) await writer.finish(); // one after the other: each needs memory
  }

  async beginGeneration(fingerprint: Fingerprint): Promise<NextSet> {
    const { layout } = this.#written();
    if (this.#next) throw new IbidError('INVALID_ARGUMENT', 'a next generation is being built already');
    const next = await this.#make({ count: this.#options.shards ?? layout.count, set: layout.set + 1 }, fingerprint);
    this.#next = next;
    return {
      writer: next.documents,
      putMeta: async (key, value) => {
        await Promise.all(next.writers.map((writer) => writer.putMeta(key, value)));
      },
    };
  }

  async switchGeneration({ writer }: NextGeneration): Promise<void> {
    const current = this.#written();
    const next = this.#next;
    if (next === undefined || writer !== next.documents)
      throw new IbidError('INVALID_ARGUMENT', 'this is not the generation being built');
    await next.documents.flush();
    writeLayout(this.#directory, next.layout);
    this.#obsolete.push(current);
    this.#current = next;
    this.#next = undefined;
  }

  async abandonGeneration({ writer }: NextGeneration): Promise<void> {
    const next = this.#next;
    if (next === undefined || writer !== next.documents) return; // already activated or discarded
    this.#next = undefined;
    await closeAll(next);
    dropSet(this.#directory, next.layout.set);
  }

  async close(): Promise<void> {
    let unclean = false;
    const { reason } = (await settled(this.#current?.documents.flush())) ?? {};
    for (const set of [this.#current, this.#next, ...this.#obsolete]) {
      try {
        if (set) await closeAll(set);
      } catch {
        unclean = true; // the next writer repairs
      }
    }
    for (const { layout } of this.#obsolete.splice(0)) dropSet(this.#directory, layout.set);
    if (this.#next) dropSet(this.#directory, this.#next.layout.set);
    this.#current = undefined;
    this.#next = undefined;
    await this.#builder.stop();
    await this.#lock.release(unclean);
    if (reason !== undefined) throw reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** @throws IbidError INDEX_NOT_FOUND when a shard is gone */
function checkFolders(folders: readonly string[]): void {
  const gone = folders.find((folder) => !isIndexFolder(folder));
  if (gone !== undefined) throw failureOfShard(notFound(parseAddress(gone)), gone);
}

/** Makes shards that are gone anew, empty: to the next ingest their documents are new. @returns their names */
async function replaceMissing(writers: readonly TableWriter[]): Promise<readonly string[]> {
  const whole = writers.find(({ fingerprint }) => fingerprint);
  if (!whole?.fingerprint) return [];
  const refilled: string[] = [];
  for (const [shard, writer] of writers.entries()) {
    if (writer.fingerprint) continue;
    refilled.push(nameOf(shard));
    await writer.initialise(whole.fingerprint);
    const { blobs } = whole.current.tables;
    for (const name of await blobNames(blobs)) {
      const bytes = await readBlob(blobs, name);
      if (bytes) await writer.current.putBlob(name, bytes);
    }
  }
  return refilled;
}

async function settled(task: Promise<void> | undefined): Promise<{ readonly reason: unknown } | undefined> {
  const [one] = await Promise.allSettled([task]);
  return one.status === 'rejected' ? { reason: one.reason } : undefined;
}

async function closeAll({ writers }: OpenSet): Promise<void> {
  const closed = await Promise.allSettled(writers.map((writer) => writer.close()));
  const failed = closed.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
