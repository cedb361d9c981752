import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { keepRunning } from '../core/async.ts';
import { ownProgram } from '../core/package-files.ts';
import { startThread } from '../core/start-thread.ts';
import type { SegmentData } from '../lexical/contract.ts';
import { analyse } from './analyse.ts';
import type { AnalysableDocument, DistantSegments, SegmentQueue } from './contract.ts';
import type { BuilderReply, BuilderRequest, EnqueuedDocument } from './segment-builder-thread.ts';

/** Least number of chunks for a thread: its start takes as long as the analysis of some hundred chunks. */
const CHUNKS_WORTH_IT = 512;
/** Code units per message; each message has a fixed cost. */
const MESSAGE_CHARS = 128 * 1024;
/** A larger document is analysed in the caller's thread, because its text and terms would be in memory twice. */
const MOST_CHARS = 4 * 2 ** 20;

/**
 * With a low limit V8 collects garbage more often. A thread that needs more memory ends, and the caller's thread does
 * the work.
 */
const threadLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

const entry: URL = ownProgram('store/segment-builder-thread');

interface SegmentBuilderOptions {
  /** Use a thread when there is enough work. @default true with more than one processor */
  readonly threaded?: boolean | undefined;
  /** Build the segments of documents that all have a part. */
  readonly distant?: DistantSegments | undefined;
}

/** A document that was given to the thread. The array of its chunks is its key in `#known`. */
interface Known {
  readonly key: number;
  readonly title: string;
}

/** A segment that is built before `segment` is called. */
interface Started {
  readonly documents: readonly AnalysableDocument[];
  readonly segment: Promise<SegmentData>;
}

interface Pending {
  readonly resolve: (segment: SegmentData) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Builds segments of documents. A thread analyses enqueued documents while the caller reads others; those with a part
 * are left to other processes, where there are some. The caller's thread does the work that nobody else can do.
 */
export class BackgroundSegmentBuilder implements SegmentQueue {
  /** False once a thread has failed. */
  #threaded: boolean;
  #thread: Worker | undefined;
  readonly #known = new Map<AnalysableDocument['chunks'], Known>();
  readonly #pending = new Map<number, Pending>();
  readonly #distant: DistantSegments | undefined;
  /** By the array of its chunks, as in `#known`. */
  readonly #parts = new WeakMap<AnalysableDocument['chunks'], { readonly part: string; readonly title: string }>();
  #started: Started[] = [];
  #unsent: EnqueuedDocument[] = [];
  #unsentChars = 0;
  #chunks = 0;
  #keys = 0;
  #requests = 0;

  constructor({ threaded = availableParallelism() > 1, distant }: SegmentBuilderOptions = {}) {
    this.#threaded = threaded;
    this.#distant = distant;
  }

  /** True while the thread runs. */
  get isThreaded(): boolean {
    return this.#thread !== undefined;
  }

  enqueue(documents: readonly AnalysableDocument[]): void {
    for (const document of documents) {
      const { title, chunks, part } = document;
      if (this.#distant && part !== undefined) {
        this.#parts.set(chunks, { part, title });
        continue;
      }
      if (!this.#threaded) continue;
      const chars = charsOf(document);
      if (chars > MOST_CHARS) continue;
      this.#add(document, chars);
    }
    if (this.#chunks >= CHUNKS_WORTH_IT && this.#unsentChars >= MESSAGE_CHARS) this.#send();
  }

  start(documents: readonly AnalysableDocument[]): void {
    if (this.#thread === undefined && !this.#partsOf(documents)) return; // the caller's thread has no time now
    const segment = this.#build(documents);
    segment.catch(() => {}); // `segment` throws this error
    this.#started.push({ documents, segment });
  }

  /** The segment of the documents, in this order. They need not be enqueued. */
  segment(documents: readonly AnalysableDocument[]): Promise<SegmentData> {
    const at = this.#started.findIndex((started) => areSame(started.documents, documents));
    const passed = this.#started.splice(0, at + 1); // what was begun before it is not asked for any more
    return passed.at(-1)?.segment ?? this.#build(documents);
  }

  async #build(documents: readonly AnalysableDocument[]): Promise<SegmentData> {
    const parts = this.#partsOf(documents);
    return (parts && (await this.#distant?.segment(parts))) ?? (await this.#buildHere(documents));
  }

  /** The parts of documents that other processes have as they are; undefined where one is here alone. */
  #partsOf(documents: readonly AnalysableDocument[]): readonly string[] | undefined {
    const parts = documents.map(({ title, chunks }) => {
      const known = this.#parts.get(chunks);
      return known?.title === title ? known.part : undefined;
    });
    return documents.length > 0 && parts.every((part) => part !== undefined) ? parts : undefined;
  }

  async #buildHere(documents: readonly AnalysableDocument[]): Promise<SegmentData> {
    if (this.#thread === undefined || documents.some((document) => charsOf(document) > MOST_CHARS)) {
      this.#forget(documents);
      return analyse(documents);
    }
    const keys = documents.map((document) => {
      const known = this.#known.get(document.chunks);
      return (known?.title === document.title ? known : this.#add(document, charsOf(document))).key;
    });
    for (const { chunks } of documents) this.#known.delete(chunks);
    this.#send();
    try {
      return await this.#ask(keys);
    } catch {
      return analyse(documents); // the thread has ended
    }
  }

  /** Ends the thread and forgets the enqueued documents. A later `enqueue` may start a new thread. */
  async stop(): Promise<void> {
    const thread = this.#thread;
    this.#end(new Error('the segment builder was stopped'));
    this.#chunks = 0;
    if (thread) await keepRunning(thread.terminate());
  }

  #add(document: AnalysableDocument, chars: number): Known {
    const { title, chunks } = document;
    const known: Known = { key: this.#keys++, title };
    this.#known.set(chunks, known);
    this.#unsent.push({
      key: known.key,
      title,
      texts: chunks.map(({ text }) => text),
      headings: chunks.map(({ headings }) => headings),
      contexts: chunks.map(({ context }) => context),
    });
    this.#unsentChars += chars;
    this.#chunks += chunks.length;
    return known;
  }

  /** Removes documents that the caller's thread analyses. */
  #forget(documents: readonly AnalysableDocument[]): void {
    const keys = new Set<number>();
    for (const { chunks } of documents) {
      const known = this.#known.get(chunks);
      if (known) keys.add(known.key);
      this.#known.delete(chunks);
    }
    if (keys.size === 0) return;
    this.#unsent = this.#unsent.filter(({ key }) => !keys.has(key));
    this.#post({ kind: 'forget', keys: [...keys] });
  }

  #send(): void {
    if (this.#unsent.length === 0) return;
    this.#thread ??= this.#startThread();
    this.#post({ kind: 'enqueue', documents: this.#unsent });
    this.#unsent = [];
    this.#unsentChars = 0;
  }

  #post(request: BuilderRequest): void {
    this.#thread?.postMessage(request);
  }

  #ask(keys: readonly number[]): Promise<SegmentData> {
    return new Promise((resolve, reject) => {
      if (this.#thread === undefined) throw new Error('the thread is gone');
      const id = ++this.#requests;
      this.#pending.set(id, { resolve, reject });
      this.#thread.ref(); // keeps the program alive until the answer arrives
      this.#post({ kind: 'segment', id, keys });
    });
  }

  #startThread(): Worker | undefined {
    let thread: Worker;
    try {
      thread = startThread(entry, { resourceLimits: threadLimits });
    } catch {
      this.#threaded = false; // the runtime allows no threads
      return undefined;
    }
    thread.unref();
    thread.on('message', ({ id, segment }: BuilderReply) => {
      this.#pending.get(id)?.resolve(segment);
      this.#pending.delete(id);
      if (this.#pending.size === 0) thread.unref();
    });
    const end = (error: Error): void => {
      if (this.#thread !== thread) return; // `stop` ended the thread
      this.#threaded = false;
      this.#end(error);
    };
    thread.on('error', end);
    thread.on('exit', (code) => end(new Error(`the analysing thread stopped (exit ${code})`)));
    return thread;
  }

  #end(error: Error): void {
    this.#thread = undefined;
    this.#started = [];
    this.#known.clear();
    this.#unsent = [];
    this.#unsentChars = 0;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

function areSame(a: readonly AnalysableDocument[], b: readonly AnalysableDocument[]): boolean {
  return a.length === b.length && a.every(({ title, chunks }, i) => title === b[i]!.title && chunks === b[i]!.chunks);
}

function charsOf({ chunks }: AnalysableDocument): number {
  return chunks.reduce((sum, { text }) => sum + text.length, 0);
}
