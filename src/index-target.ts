import { IbidError } from './core/errors.ts';
import { hash32 } from './core/hash.ts';
import type { CallOptions } from './core/types.ts';
import type { EmbedDocument, Embedder } from './embed/contract.ts';
import { modelInfo } from './embed/local-model.ts';
import { toEmbedDocument } from './ingest/batch.ts';
import { titleFromName } from './ingest/folder-source.ts';
import type { IngestTarget, RenamedDocument } from './ingest/ingest.ts';
import { LocalVectors, SAMPLE_CHUNKS, trainedOn } from './local-vectors.ts';
import type { DocumentRecord, ManifestEntry } from './store/contract.ts';
import type { Fingerprint, GenerationWriter, IndexWriter, NextGeneration } from './store/index.ts';

/** Name of the local model among an index's blobs. */
export const MODEL_BLOB = 'local-model';
/** Fingerprint of an index that has no vectors yet, since nothing was there to train on. */
export const UNTRAINED = 'untrained';
export const LOCAL_DIMENSIONS = 256;
/** The corpus has outgrown its model when it is this many times as large as what the model has seen. */
const OUTGROWN = 2;
const RECORDS_PER_BATCH = 256;

/** Notes kept with a generation, written again when the generation changes. */
export type Notes = Readonly<Record<string, unknown>>;

/** The store's writer as ingest sees it, with the local embedder's model kept in step. */
export class IndexTarget implements IngestTarget {
  readonly vectors: LocalVectors;
  readonly #writer: IndexWriter;
  readonly #fingerprint: Readonly<Record<string, string | number>>;
  readonly #notes: Notes;
  /** A rebuild that waits for its first vectors: what failed so far. */
  #waiting: ManifestEntry[] | undefined;
  /** A rebuild under way: the tables behind the ones readers see. */
  #next: NextGeneration | undefined;

  private constructor(
    writer: IndexWriter,
    fingerprint: Readonly<Record<string, string | number>>,
    notes: Notes,
    embedder: Embedder | undefined,
    rebuild: boolean,
  ) {
    this.#writer = writer;
    this.#fingerprint = fingerprint;
    this.#notes = notes;
    this.#waiting = rebuild ? [] : undefined;
    this.vectors = new LocalVectors(embedder, (model, trained) => this.#adopt(model, trained));
  }

  /**
   * @param fingerprint what shapes the index apart from the embedder
   * @param openModel opens the stored model of an index that has one
   * @param rebuild fills a new set of tables behind the old ones, and switches when `finish` is called
   */
  static async open(
    writer: IndexWriter,
    fingerprint: Readonly<Record<string, string | number>>,
    notes: Notes,
    openModel: (model: Uint8Array) => Embedder,
    rebuild: boolean,
  ): Promise<IndexTarget> {
    if (!writer.fingerprint) {
      await writer.initialise({ ...fingerprint, embedder: UNTRAINED, dimensions: LOCAL_DIMENSIONS });
    }
    if (rebuild || writer.fingerprint?.embedder === UNTRAINED) {
      return new IndexTarget(writer, fingerprint, notes, undefined, rebuild);
    }
    const model = await writer.getBlob(MODEL_BLOB);
    if (!model) {
      throw new IbidError('INDEX_DAMAGED', 'the index has lost the model its vectors were made with', {
        hint: 'Run `ibid ingest --rebuild` over the same folders.',
      });
    }
    return new IndexTarget(writer, fingerprint, notes, openModel(model), false);
  }

  get #current(): IndexWriter | GenerationWriter {
    return this.#next?.writer ?? this.#writer;
  }

  /** A fresh model becomes the index's own together with an empty set of tables: no vector is ever read with another's. */
  async #adopt(model: Uint8Array, embedder: Embedder): Promise<void> {
    const failures = this.#waiting ?? [...(await this.#writer.manifest()).values()];
    const next = await this.#writer.beginGeneration(this.#fingerprintOf(embedder));
    await this.#furnish(next, model);
    await next.writer.recordEntries(failures);
    if (this.#waiting) {
      this.#waiting = undefined;
      this.#next = next;
    } else {
      await this.#writer.switchGeneration(next);
    }
  }

  #fingerprintOf(embedder: Embedder): Fingerprint {
    return { ...this.#fingerprint, embedder: embedder.id, dimensions: embedder.dimensions };
  }

  async #furnish(next: NextGeneration, model: Uint8Array): Promise<void> {
    await next.writer.putBlob(MODEL_BLOB, model);
    for (const [key, value] of Object.entries(this.#notes)) await next.putMeta(key, value);
  }

  async manifest(): Promise<ReadonlyMap<string, ManifestEntry>> {
    return this.#waiting ? new Map() : await this.#current.manifest();
  }

  replaceDocuments(records: readonly DocumentRecord[]): Promise<void> {
    return this.#current.replaceDocuments(records);
  }

  removeDocuments(uris: readonly string[]): Promise<void> {
    return this.#current.removeDocuments(uris);
  }

  async recordEntries(entries: readonly ManifestEntry[]): Promise<void> {
    if (this.#waiting) this.#waiting.push(...entries);
    else await this.#current.recordEntries(entries);
  }

  /** A document known by its old file name is known by the new one afterwards; its vectors stay. */
  async renameDocuments(renames: readonly RenamedDocument[]): Promise<void> {
    await this.#current.renameDocuments(renames);
    const retitled: DocumentRecord[] = [];
    for (const { from, to } of renames) {
      if (titleFromName(from) === titleFromName(to)) continue;
      const record = await this.#current.readDocument(to);
      if (record?.title === titleFromName(from)) retitled.push({ ...record, title: titleFromName(to) });
    }
    if (retitled.length > 0) await this.#current.replaceDocuments(retitled);
  }

  async refreshVectors({
    signal,
    onTraining,
  }: CallOptions & { readonly onTraining: (chunks: number) => void }): Promise<boolean> {
    const model = this.#waiting || this.#next ? undefined : await this.#writer.getBlob(MODEL_BLOB);
    if (!model) return false;
    const chunks = [...(await this.manifest()).values()].reduce((sum, entry) => sum + entry.chunks, 0);
    const { trainedOnChunks } = modelInfo(model);
    if (trainedOnChunks >= SAMPLE_CHUNKS || chunks < OUTGROWN * trainedOnChunks) return false;
    onTraining(chunks);
    const trained = await trainedOn(this.#sample(signal), signal);
    const next = await this.#writer.beginGeneration(this.#fingerprintOf(trained.embedder));
    await this.#furnish(next, trained.model);
    await this.#embedAgain(next, trained.embedder, signal);
    await this.#writer.switchGeneration(next);
    await trained.embedder.close();
    return true;
  }

  /** The documents in the order ingest reads them, so that the sample does not depend on how the index came about. */
  async #urisInOrder(): Promise<string[]> {
    const uris = [...(await this.manifest()).values()].filter(({ chunks }) => chunks > 0).map(({ uri }) => uri);
    const keyed = uris.map((uri) => ({ uri, key: hash32(uri) }));
    return keyed.sort((a, b) => a.key - b.key || (a.uri < b.uri ? -1 : 1)).map(({ uri }) => uri);
  }

  async *#records(signal: AbortSignal | undefined): AsyncGenerator<DocumentRecord[]> {
    const uris = await this.#urisInOrder();
    for (let at = 0; at < uris.length; at += RECORDS_PER_BATCH) {
      signal?.throwIfAborted();
      yield await this.#writer.readDocuments(uris.slice(at, at + RECORDS_PER_BATCH));
    }
  }

  async *#sample(signal: AbortSignal | undefined): AsyncGenerator<EmbedDocument> {
    let chunks = 0;
    for await (const records of this.#records(signal)) {
      for (const record of records) {
        yield toEmbedDocument(record.title, record.chunks);
        chunks += record.chunks.length;
        if (chunks >= SAMPLE_CHUNKS) return;
      }
    }
  }

  async #embedAgain(next: NextGeneration, embedder: Embedder, signal: AbortSignal | undefined): Promise<void> {
    const manifest = await this.manifest();
    for await (const records of this.#records(signal)) {
      const inputs = records.map(({ title, chunks }) => toEmbedDocument(title, chunks));
      const vectors = await embedder.embedDocuments(inputs, { signal });
      await next.writer.replaceDocuments(records.map((record, i) => ({ ...record, vectors: vectors[i] ?? [] })));
    }
    const failures = [...manifest.values()].filter(({ failure }) => failure);
    await next.writer.recordEntries(failures);
  }

  /** @throws IbidError INVALID_ARGUMENT when a rebuild found nothing at all to index */
  async finish(): Promise<void> {
    if (this.#waiting) {
      throw new IbidError('INVALID_ARGUMENT', 'nothing was found to rebuild the index from', {
        hint: 'Name the folders the index was made from. The index is as it was.',
      });
    }
    await this.#current.finish();
    if (!this.#next) return;
    await this.#writer.switchGeneration(this.#next);
    this.#next = undefined;
  }

  async putNote(key: string, value: unknown): Promise<void> {
    await this.#writer.putMeta(key, value);
  }

  async close(): Promise<void> {
    await this.vectors.close();
    await this.#writer.close();
  }
}
