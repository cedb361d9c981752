import { availableParallelism } from 'node:os';
import { wholeOf } from '../../core/arguments.ts';
import { mapConcurrent } from '../../core/async.ts';
import { IbidError } from '../../core/errors.ts';
import { yieldToEventLoop } from '../../core/event-loop.ts';
import type { CallOptions } from '../../core/types.ts';
import type { EmbedDocument, Embedder } from '../contract.ts';
import { Composer, type DocumentPart, type EmbeddedParts, surroundings } from './compose.ts';
import { type DistantEmbedding, type PlacedDocument, placedGroups } from './distant.ts';
import type { EmbeddedCounts } from './drift.ts';
import { decodeModel, type LocalModelInfo } from './model.ts';
import type { WorkerJob } from './worker.ts';
import { WorkerLink } from './worker-link.ts';

export { driftOf, shouldRetrain } from './drift.ts';
export { createLocalTrainer, trainLocalEmbedder } from './trainer.ts';

export interface LocalEmbedderOptions {
  /**
   * Threads for larger batches; 0 embeds everything in the calling thread. @default 2, or the number of processors if
   * less
   */
  readonly threads?: number | undefined;
  /** Threads of `startEmbedThreads`, which the embedder uses before it starts others, and ends. */
  readonly started?: readonly WorkerLink[] | undefined;
  /** Other processes that embed what they have by name. */
  readonly distant?: DistantEmbedding | undefined;
}

export interface LocalEmbedder extends Embedder, AsyncDisposable {
  readonly info: LocalModelInfo;
  /** Counts of all texts that this instance has embedded, for `driftOf`. */
  counts(): EmbeddedCounts;
  /** As `embedDocuments`, with all vectors in one array, for a process that embeds for another. */
  passages(documents: readonly EmbedDocument[], options?: CallOptions): Promise<EmbeddedParts>;
}

/** Up to this many chunks are embedded in the calling thread at once, in about 2 ms. */
const inlineChunks = 16;
/** Chunks per request to a thread. */
const jobChunks = 128;
const maxThreads = 8;

/**
 * Starts the threads that will embed this many chunks, without a model: they load their code, a quarter of a second,
 * while something else makes the model.
 * @param threads at most
 */
export function startEmbedThreads(chunks: number, threads: number): readonly WorkerLink[] {
  const length = chunks <= inlineChunks ? 0 : Math.min(threads, Math.ceil(chunks / jobChunks));
  return Array.from({ length }, () => new WorkerLink('thread'));
}

/**
 * Opens a model of `trainLocalEmbedder`. Vectors do not depend on batches or threads.
 *
 * A chunk's vector is that of its document's title, its headings and its text together, plus a share of the mean of up
 * to three chunks on each side in the same document. Documents may have any length; `limits` only bound the memory of
 * one call.
 * @throws IbidError INDEX_DAMAGED or INDEX_SCHEMA when the bytes are not a model of this version; INVALID_ARGUMENT
 */
export function openLocalEmbedder(model: Uint8Array, options: LocalEmbedderOptions = {}): LocalEmbedder {
  const { threads = Math.min(2, availableParallelism()), started = [], distant } = options;
  wholeOf(threads, 'threads', 0, maxThreads);
  return new CorpusEmbedder(model, threads, started, distant);
}

class CorpusEmbedder implements LocalEmbedder {
  readonly info: LocalModelInfo;
  readonly id: string;
  readonly dimensions: number;
  readonly limits = {
    documents: 512,
    chunks: 1024,
    tokens: Number.POSITIVE_INFINITY,
    tokensPerDocument: Number.POSITIVE_INFINITY,
  };
  readonly #model: Uint8Array;
  readonly #composer: Composer;
  readonly #threads: number;
  readonly #links: WorkerLink[];
  #counts: EmbeddedCounts = { chunks: 0, tokens: 0, unknown: 0 };
  #closed = false;
  readonly #distant: DistantEmbedding | undefined;

  constructor(
    model: Uint8Array,
    threads: number,
    started: readonly WorkerLink[],
    distant: DistantEmbedding | undefined,
  ) {
    this.#distant = distant;
    // All threads share one copy.
    this.#model = threads === 0 ? model : new Uint8Array(new SharedArrayBuffer(model.length));
    if (threads > 0) this.#model.set(model);
    const opened = decodeModel(this.#model);
    this.#composer = new Composer(opened);
    this.#threads = threads;
    this.#links = [...started];
    for (const link of started) link.begin({ model: this.#model } satisfies WorkerJob);
    this.info = opened.info;
    this.id = opened.info.id;
    this.dimensions = opened.info.dimensions;
  }

  counts(): EmbeddedCounts {
    return this.#counts;
  }

  async embedDocuments(
    documents: readonly EmbedDocument[],
    options: CallOptions = {},
  ): Promise<readonly (readonly Int8Array[])[]> {
    const rows = this.#rows((await this.passages(documents, options)).vectors);
    let at = 0;
    return documents.map((d) => {
      const first = at;
      at += d.chunks.length;
      return rows.slice(first, at);
    });
  }

  async passages(documents: readonly PlacedDocument[], options: CallOptions = {}): Promise<EmbeddedParts> {
    this.#check(options);
    const embedded = await (this.#distant ? this.#everywhere(documents, options) : this.#here(documents, options));
    const { chunks, tokens, unknown } = this.#counts;
    this.#counts = {
      chunks: chunks + embedded.vectors.length / this.dimensions,
      tokens: tokens + embedded.tokens,
      unknown: unknown + embedded.unknown,
    };
    return embedded;
  }

  /** All groups at once: other processes take them in any order. */
  async #everywhere(documents: readonly PlacedDocument[], options: CallOptions): Promise<EmbeddedParts> {
    const model = { id: this.id, bytes: this.#model };
    const groups = placedGroups(documents).map(async ({ documents: these, parts }) => {
      const embedded = parts && (await this.#distant?.embed(model, parts, options));
      const chunks = these.reduce((sum, d) => sum + d.chunks.length, 0);
      const fits = embedded?.vectors.length === chunks * this.dimensions;
      return fits ? embedded : await this.#here(these, options);
    });
    return joined(await Promise.all(groups));
  }

  async #here(documents: readonly EmbedDocument[], options: CallOptions): Promise<EmbeddedParts> {
    const chunks = documents.reduce((sum, d) => sum + d.chunks.length, 0);
    const inline = this.#threads === 0 || chunks <= inlineChunks;
    const jobs = splitJobs(documents, inline ? inlineChunks : jobChunks);
    const parts: EmbeddedParts[] = [];
    if (inline) {
      for (const job of jobs) {
        await yieldToEventLoop();
        options.signal?.throwIfAborted();
        parts.push(this.#composer.passages(job));
      }
    } else {
      // What waits for a thread is copied already: few jobs at a time, or a long document is in memory twice.
      const sent = mapConcurrent(jobs, (job) => this.#send(job, options), { concurrency: 2 * this.#threads });
      for await (const part of sent) parts.push(part);
    }
    return joined(parts);
  }

  async embedQuery(query: string, options: CallOptions = {}): Promise<Int8Array> {
    this.#check(options);
    return this.#composer.query(query);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#links.splice(0).map((link) => link.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #check({ signal }: CallOptions): void {
    signal?.throwIfAborted();
    if (this.#closed) throw new IbidError('INVALID_ARGUMENT', 'the embedder is closed', { hint: 'Open it again.' });
  }

  async #send(passages: readonly DocumentPart[], { signal }: CallOptions): Promise<EmbeddedParts> {
    this.#check({ signal }); // a job may wait for others, and no thread starts after the close
    if (this.#links.length < this.#threads && this.#links.every((link) => link.load > 0)) {
      const link = new WorkerLink('thread');
      link.begin({ model: this.#model } satisfies WorkerJob);
      this.#links.push(link);
    }
    const idlest = this.#links.reduce((a, b) => (b.load < a.load ? b : a));
    return await idlest.request<EmbeddedParts>({ kind: 'embed', passages }, { signal });
  }

  #rows(vectors: Int8Array): Int8Array[] {
    const { dimensions } = this;
    return Array.from({ length: vectors.length / dimensions }, (_, i) =>
      vectors.slice(i * dimensions, (i + 1) * dimensions),
    );
  }
}

function joined(parts: readonly EmbeddedParts[]): EmbeddedParts {
  const vectors = new Int8Array(parts.reduce((sum, part) => sum + part.vectors.length, 0));
  let at = 0;
  let tokens = 0;
  let unknown = 0;
  for (const part of parts) {
    vectors.set(part.vectors, at);
    at += part.vectors.length;
    tokens += part.tokens;
    unknown += part.unknown;
  }
  return { vectors, tokens, unknown };
}

/** Jobs of about `size` chunks, in order. A longer document is cut, and each part includes its context chunks. */
function* splitJobs(documents: readonly EmbedDocument[], size: number): Generator<DocumentPart[]> {
  let job: DocumentPart[] = [];
  let chunks = 0;
  for (const document of documents) {
    for (let from = 0; from < document.chunks.length; ) {
      const to = Math.min(document.chunks.length, from + size - chunks);
      const { start, end } = surroundings(document, from, to);
      const part = document.chunks.slice(start, end).map(({ text, headings }) => ({ text, headings }));
      job.push({ document: { title: document.title, chunks: part }, from: from - start, to: to - start });
      chunks += to - from;
      from = to;
      if (chunks < size) continue;
      yield job;
      job = [];
      chunks = 0;
    }
  }
  if (job.length > 0) yield job;
}
