import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import type { EmbedDocument, Embedder } from '../embed/contract.ts';
import type { DistantEmbedding } from '../embed/local/distant.ts';
import { driftOf, shouldRetrain } from '../embed/local/embedder.ts';
import { modelInfo } from '../embed/local/model.ts';
import { partsOf, toEmbedDocument } from '../ingest/batch.ts';
import type { IngestTarget, RenamedDocument } from '../ingest/ingest.ts';
import { titleFromName } from '../ingest/title.ts';
import type { Vectors } from '../ingest/vectors.ts';
import type { DocumentRecord, Manifest, ManifestEntry, SegmentQueue } from '../store/contract.ts';
import type { DocumentWriter, Fingerprint, IndexWriter, NextGeneration } from '../store/index.ts';
import { ManifestMap } from '../store/manifest-map.ts';
import { checkEmbedder, GivenVectors, isLocal, serviceBatches, UNTRAINED } from './given-vectors.ts';
import { LocalVectors, SAMPLE_CHUNKS, trainedOn } from './local-vectors.ts';
import { storedRecords, storedSample } from './stored-records.ts';

/** Name of the blob with the local model. */
export const MODEL_BLOB = 'local-model';
const LOCAL_DIMENSIONS = 256;
/** Key of the note with the signature of the manifest at the last drift check that found no drift. */
const DRIFT_NOTE = 'drift checked for';
/** Key of the note with the signature of the manifest at the last `finish`. */
const FINISHED_NOTE = 'finished for';
/** Chunks per drift check: their words are looked up in the model, to see whether it still covers the documents. */
const DRIFT_CHUNKS = 4000;

type EmbedderIdentity = Pick<Embedder, 'id' | 'dimensions'>;

type ShadowEvent =
  /** The local embedder is trained on the documents first. */
  | { readonly type: 'training'; readonly chunks: number }
  | { readonly type: 'embedded'; readonly chunks: number; readonly of: number };

/** A complete shadow generation with vectors of another embedder. */
interface ShadowGeneration {
  readonly next: NextGeneration;
  readonly embedder: Embedder;
}

/** Notes stored with a generation; written again for each new generation. */
export type Notes = Readonly<Record<string, unknown>>;

interface IngestSessionOptions {
  /** The parts of the fingerprint other than the embedder. */
  readonly fingerprint: Readonly<Record<string, string | number>>;
  readonly notes: Notes;
  /** Called at the end of a run that changed something, while the lock is held. */
  readonly afterwards: (session: IngestSession, options: CallOptions) => Promise<void>;
  /** Fills a shadow generation; `finish` activates it. */
  readonly rebuild: boolean;
  /** With `rebuild`: the old tables are not touched. @default false */
  readonly damaged?: boolean | undefined;
  /** Vectors of a service or of the caller; absent for the local embedder, which is trained on the documents. */
  readonly given?: GivenVectors | undefined;
  /** Threads of the local embedder; 1: none. */
  readonly workers: number;
  /** Other processes that embed in place of these threads. */
  readonly distant?: DistantEmbedding | undefined;
  /** The error of what needs the embedder of the index, when it is not there. */
  readonly missing: (id: string) => IbidError;
}

/** The target of an ingest: the store's writer, together with the model of the local embedder. */
export class IngestSession implements IngestTarget {
  readonly vectors: Vectors;
  /** Set for the local embedder. */
  readonly #local: LocalVectors | undefined;
  /** Set for an embedder that needs no training. */
  readonly #given: GivenVectors | undefined;
  readonly #writer: IndexWriter;
  readonly #fingerprint: Readonly<Record<string, string | number>>;
  readonly #notes: Notes;
  readonly #afterwards: (session: IngestSession, options: CallOptions) => Promise<void>;
  /** A rebuild without vectors so far: the failures to record later. */
  #waiting: ManifestEntry[] | undefined;
  /** The shadow generation of a rebuild. */
  #next: NextGeneration | undefined;

  private constructor(writer: IndexWriter, options: IngestSessionOptions) {
    const { fingerprint, notes, afterwards, rebuild, given, missing, workers, distant } = options;
    this.#afterwards = afterwards;
    this.#writer = writer;
    this.#fingerprint = fingerprint;
    this.#notes = notes;
    this.#waiting = rebuild ? [] : undefined;
    const made = writer.fingerprint;
    const isForeign = made !== undefined && made.embedder !== UNTRAINED && !isLocal(made.embedder) && !rebuild;
    const absent = (id: string): GivenVectors =>
      GivenVectors.missing({ id, dimensions: made!.dimensions }, missing(id));
    this.#given = given ?? (isForeign ? absent(made.embedder) : undefined);
    this.#local = this.#given
      ? undefined
      : new LocalVectors(
          rebuild || made?.embedder === UNTRAINED,
          () => this.#model(),
          (model, embedder) => this.#begin(embedder, model),
          workers > 1 ? workers : 0,
          distant,
        );
    this.vectors = (this.#given ?? this.#local)!; // one of the two is set
  }

  /** @throws IbidError INDEX_MISMATCH when the index has vectors of another embedder and is not rebuilt */
  static async open(writer: IndexWriter, options: IngestSessionOptions): Promise<IngestSession> {
    const { fingerprint, rebuild, given } = options;
    const chosen = { embedder: given?.id ?? UNTRAINED, dimensions: given?.dimensions ?? LOCAL_DIMENSIONS };
    if (!writer.fingerprint) await writer.initialise({ ...fingerprint, ...chosen });
    if (!options.damaged) {
      for (const [key, value] of Object.entries(options.notes)) {
        if (writer.refilled?.length || (await writer.getMeta(key)) === undefined) await writer.putMeta(key, value);
      }
    }
    const session = new IngestSession(writer, options);
    const made = writer.fingerprint?.embedder;
    if (!given || rebuild || made === given.id) return session;
    checkEmbedder(made, given.id);
    await session.#begin(given);
    return session;
  }

  /** @throws IbidError INDEX_DAMAGED */
  async #model(): Promise<Uint8Array> {
    const model = await this.#current.getBlob(MODEL_BLOB);
    if (model) return model;
    throw new IbidError('INDEX_DAMAGED', 'the model of the vectors is missing in the index', {
      hint: 'Ingest the same folders with `rebuild: true`.',
    });
  }

  get #current(): DocumentWriter {
    return this.#next?.writer ?? this.#writer.current;
  }

  /** Starts an empty generation for another embedder, so that vectors of two embedders are never mixed. */
  async #begin(embedder: EmbedderIdentity, model?: Uint8Array): Promise<void> {
    const failures = this.#waiting ?? [...(await this.#writer.current.manifest()).values()];
    const next = await this.#writer.beginGeneration(this.#fingerprintOf(embedder));
    await this.#describe(next, model);
    await next.writer.recordEntries(failures);
    if (this.#waiting) {
      this.#waiting = undefined;
      this.#next = next;
    } else {
      await this.#writer.switchGeneration(next);
    }
  }

  #fingerprintOf(embedder: EmbedderIdentity): Fingerprint {
    return { ...this.#fingerprint, embedder: embedder.id, dimensions: embedder.dimensions };
  }

  async #describe(next: NextGeneration, model: Uint8Array | undefined): Promise<void> {
    if (model) await next.writer.putBlob(MODEL_BLOB, model);
    for (const [key, value] of Object.entries(this.#notes)) await next.putMeta(key, value);
  }

  get refilled(): readonly string[] {
    return this.#writer.refilled ?? [];
  }

  /** Id of the embedder that made the index's vectors. */
  get embedderId(): string | undefined {
    return this.#writer.fingerprint?.embedder;
  }

  async manifest(): Promise<Manifest> {
    return this.#waiting ? new ManifestMap() : await this.#current.manifest();
  }

  async replaceDocuments(records: readonly DocumentRecord[]): Promise<void> {
    if (this.#waiting && this.#given) await this.#begin(this.#given);
    await this.#current.replaceDocuments(records);
  }

  get segments(): SegmentQueue {
    return this.#writer.segments;
  }

  removeDocuments(uris: readonly string[]): Promise<void> {
    return this.#current.removeDocuments(uris);
  }

  async recordEntries(entries: readonly ManifestEntry[]): Promise<void> {
    if (this.#waiting) this.#waiting.push(...entries);
    else await this.#current.recordEntries(entries);
  }

  /**
   * Documents whose title is their old file name get the new file name as title. Vectors stay. They are written before
   * the old ones go: of a run that is killed between, the next one finds both and removes the old ones.
   */
  async renameDocuments(renames: readonly RenamedDocument[]): Promise<void> {
    const retitled: DocumentRecord[] = [];
    const replaced = new Set<string>();
    for (const { from, to, mtimeMs } of renames) {
      if (titleFromName(from) === titleFromName(to)) continue;
      const record = await this.#current.readDocument(from);
      if (record?.title !== titleFromName(from) || record.metadata.title === record.title) continue; // it says it itself
      retitled.push({ ...record, uri: to, title: titleFromName(to), source: { ...record.source, mtimeMs } });
      replaced.add(from);
    }
    await this.#current.renameDocuments(renames.filter(({ from }) => !replaced.has(from)));
    if (retitled.length === 0) return;
    await this.#current.replaceDocuments(retitled);
    await this.#current.removeDocuments([...replaced]);
  }

  async refreshVectors({
    signal,
    onTraining,
  }: CallOptions & { readonly onTraining: (chunks: number) => void }): Promise<boolean> {
    if (this.#waiting || this.#next || !this.#local || this.#local.untrained) return false;
    // The decision uses the whole index, not this run: so it also covers a run before this one that was killed.
    const manifest = await this.manifest();
    const signature = manifest.signature();
    if ((await this.#writer.getMeta(DRIFT_NOTE)) === signature) return false;
    const { chunks } = manifest.totals();
    if (!(await this.#hasDrifted(this.#local, await this.#model(), chunks, signal))) {
      await this.#writer.putMeta(DRIFT_NOTE, signature);
      return false;
    }
    onTraining(chunks);
    const trained = await trainedOn(storedSample(this.#writer, { signal }), signal);
    const next = await this.#writer.beginGeneration(this.#fingerprintOf(trained.embedder));
    await this.#describe(next, trained.model);
    for await (const _ of this.#embedAgain(next, trained.embedder, signal)) signal?.throwIfAborted();
    await this.#writer.switchGeneration(next);
    await trained.embedder.close?.();
    return true;
  }

  /**
   * Builds a shadow generation with new vectors for all documents, from the texts in the index. The caller activates or
   * discards the generation; after an error, or when the iteration stops early, it is discarded here.
   * @param given an embedder that needs no training; absent: the local one, trained on the documents
   */
  async *buildShadow(
    given: Embedder | undefined,
    { signal }: CallOptions,
  ): AsyncGenerator<ShadowEvent, ShadowGeneration, undefined> {
    let model: Uint8Array | undefined;
    let embedder = given;
    if (!embedder) {
      yield { type: 'training', chunks: Math.min(SAMPLE_CHUNKS, (await this.manifest()).totals().chunks) };
      ({ model, embedder } = await trainedOn(storedSample(this.#writer, { signal }), signal));
    }
    const next = await this.#writer.beginGeneration(this.#fingerprintOf(embedder));
    let done = false;
    try {
      await this.#describe(next, model);
      yield* this.#embedAgain(next, embedder, signal, given ? serviceBatches.chunks : undefined);
      await next.writer.finish();
      done = true;
      return { next, embedder };
    } finally {
      if (!done) {
        await this.#writer.abandonGeneration(next);
        if (!given) await embedder.close?.();
      }
    }
  }

  async activate(next: NextGeneration, options: CallOptions): Promise<void> {
    await this.#writer.switchGeneration(next);
    await this.#finish(options);
  }

  async discard(next: NextGeneration): Promise<void> {
    await this.#writer.abandonGeneration(next);
  }

  /** The documents in the form that ingest embeds, in batches. */
  async *documents({ signal }: CallOptions): AsyncGenerator<readonly EmbedDocument[]> {
    for await (const records of storedRecords(this.#writer, { signal, chunks: serviceBatches.chunks })) {
      yield records.map(({ title, chunks }) => toEmbedDocument(title, chunks));
    }
  }

  async #hasDrifted(
    vectors: LocalVectors,
    model: Uint8Array,
    chunks: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const info = modelInfo(model);
    const none = { chunks: 0, tokens: 0, unknown: 0 };
    if (shouldRetrain(driftOf(info, chunks, none))) return true;
    if (chunks === info.chunksSeen || vectors.isNew) return false;
    const embedder = await vectors.embedder();
    const before = embedder.counts();
    let looked = 0;
    for await (const records of storedRecords(this.#writer, { signal })) {
      const inputs = records.map((record) => toEmbedDocument(record.title, record.chunks));
      await embedder.embedDocuments(inputs, { signal });
      looked += records.reduce((sum, record) => sum + record.chunks.length, 0);
      if (looked >= DRIFT_CHUNKS) break;
    }
    const after = embedder.counts();
    const added = {
      chunks: after.chunks - before.chunks,
      tokens: after.tokens - before.tokens,
      unknown: after.unknown - before.unknown,
    };
    return shouldRetrain(driftOf(info, chunks, added)) !== undefined;
  }

  async *#embedAgain(
    next: NextGeneration,
    embedder: Embedder,
    signal: AbortSignal | undefined,
    batch?: number,
  ): AsyncGenerator<ShadowEvent, void, undefined> {
    const manifest = await this.manifest();
    const of = manifest.totals().chunks;
    let done = 0;
    for await (const records of storedRecords(this.#writer, { signal, chunks: batch })) {
      const inputs = records.map(({ title, chunks }) => toEmbedDocument(title, chunks));
      const vectors = await embedder.embedDocuments(inputs, { signal });
      for (const { from, documents } of partsOf(records)) {
        const renewed = documents.map((record, i) => ({ ...record, vectors: vectors[from + i] ?? [] }));
        await next.writer.replaceDocuments(renewed);
      }
      done += records.reduce((sum, record) => sum + record.chunks.length, 0);
      yield { type: 'embedded', chunks: done, of };
    }
    const failures: ManifestEntry[] = [];
    for (const entry of manifest.values()) if (entry.failure) failures.push(entry);
    await next.writer.recordEntries(failures);
  }

  /** @throws IbidError INVALID_ARGUMENT when a rebuild found nothing to index */
  async finish(options: CallOptions = {}): Promise<void> {
    if (this.#waiting) {
      throw new IbidError('INVALID_ARGUMENT', 'no documents were found to rebuild the index from', {
        hint: 'Give the folders that the index was made from. The index is unchanged.',
      });
    }
    await this.vectors.close(); // embedding has ended: frees the threads' memory before compaction needs its own
    if (this.#next) {
      await this.#next.writer.finish(); // while readers see the old one
      await this.#writer.switchGeneration(this.#next);
      this.#next = undefined;
    }
    await this.#finish(options);
  }

  async #finish(options: CallOptions): Promise<void> {
    await this.#writer.finish();
    await this.#afterwards(this, options);
    await this.putNote(FINISHED_NOTE, (await this.manifest()).signature());
  }

  async isFinished(): Promise<boolean> {
    const manifest = await this.manifest();
    return manifest.totals().chunks === 0 || (await this.getNote(FINISHED_NOTE)) === manifest.signature();
  }

  async getNote(key: string): Promise<unknown> {
    return await this.#writer.getMeta(key);
  }

  async putNote(key: string, value: unknown): Promise<void> {
    await this.#writer.putMeta(key, value);
  }

  async close(): Promise<void> {
    await this.vectors.close();
    await this.#writer.close();
  }
}
