import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { type KnownOptions, optionsOf } from '../core/arguments.ts';
import type { CallOptions } from '../core/types.ts';
import type { CutShape, SmallFile } from '../ingest/contract.ts';
import { type CutFile, type CutOutcome, chunkerOf, cutDocument, failureOf } from '../ingest/cut.ts';
import { CutterPool } from '../ingest/cutter-pool.ts';
import { fileItems } from '../ingest/folder-source.ts';
import type { Reader } from '../read/contract.ts';
import { createReader } from '../read/reader.ts';
import { connectQueue, type RedisNotes } from './connect.ts';
import {
  type CutBatch,
  type CutResult,
  type EmbedBatch,
  type EmbedResult,
  type FileResult,
  isLoss,
  queueName,
  type SegmentBatch,
  type SegmentResult,
} from './contract.ts';
import { PartEmbedder } from './part-embedder.ts';
import { PartSegments } from './part-segments.ts';
import { PartFolder } from './parts.ts';
import { isSuspect, lossOf, SharedLock, workAlone } from './suspects.ts';

export interface WorkerOptions extends CallOptions, RedisNotes {
  /** Batches of files at a time, and processors to use. @default as many as there are processors */
  readonly concurrency?: number | undefined;
  /** The folder of the documents on this machine. @default the one that the run names */
  readonly base?: string | undefined;
  /** The folder of parts beside the index, on this machine. @default the one that the run names */
  readonly parts?: string | undefined;
  /** Variables and paths for OCR. */
  readonly ocr?: CutShape['reader']['ocr'];
  onReady?(): void;
  onBatch?(batch: { readonly files: number; readonly failed: number; readonly ms: number }): void;
  /** A batch that could not be worked on; it is tried again, here or elsewhere. */
  onError?(error: Error): void;
}

const workerOptions: KnownOptions<WorkerOptions> = {
  of: 'runWorker',
  names: {
    signal: true,
    onSilence: 'function',
    onGone: 'function',
    onBack: 'function',
    concurrency: true,
    base: 'text',
    parts: 'text',
    ocr: true,
    onReady: 'function',
    onBatch: 'function',
    onError: 'function',
  },
};

type Batch = CutBatch | EmbedBatch | SegmentBatch;
type Result = CutResult | EmbedResult | SegmentResult;

/** A worker that is lost is noticed after this time, and its batches go to others. */
const LOCK_MS = 15_000;
/** How often a batch may be lost with its worker: often, since most are lost with another that is to blame. */
const MOST_LOST = 50;
/** How long the end waits where Redis is gone. */
const CLOSE_MS = 2000;

/**
 * Takes batches from a queue until the signal is given, reads and cuts their files, embeds and analyses what was cut,
 * and writes the parts beside the index. What it had begun then goes back to the queue.
 * @throws IbidError INVALID_ARGUMENT, CONNECTION_FAILED
 */
export async function runWorker(url: string, options: WorkerOptions = {}): Promise<void> {
  await workUntilAborted(url, options, LOCK_MS);
}

/** @param lockMs after which a worker that is lost is noticed */
export async function workUntilAborted(url: string, options: WorkerOptions, lockMs: number): Promise<void> {
  const { concurrency = availableParallelism(), signal, onReady, onBatch, onError } = optionsOf(options, workerOptions);
  const { bullmq, options: connection, queue, giveUp } = await connectQueue(url, options);
  const cutters = new Map<string, FileCutter>();
  const cutterOf = (shape: CutShape): FileCutter => {
    const key = JSON.stringify(shape);
    const known = cutters.get(key) ?? new FileCutter(shape, options);
    cutters.set(key, known);
    return known;
  };
  const embedder = new PartEmbedder(concurrency, options.parts);
  const segments = new PartSegments(concurrency > 1, options.parts);
  const work = async (data: Batch): Promise<Result> => {
    if ('kind' in data) return await segments.build(data);
    if ('model' in data) return await embedder.embed(data, signal);
    const startedAt = performance.now();
    const results = await cutterOf(data.shape).cutAll(data, signal);
    const failed = results.filter((result) => result === null || 'failure' in result).length;
    onBatch?.({ files: results.length, failed, ms: performance.now() - startedAt });
    return results;
  };
  const lock = new SharedLock();
  const process = async (job: Job<Batch>, token?: string): Promise<Result> => {
    const { data } = job;
    try {
      if (!isSuspect(job)) return await lock.shared(() => work(data));
      return await workAlone(job, () => work(data), lock, bullmq.UnrecoverableError);
    } catch (error) {
      if (!signal?.aborted) throw error;
      await job.moveToWait(token); // the end of a worker costs a batch none of its tries
      throw new bullmq.WaitingError();
    }
  };
  const worker = new bullmq.Worker<Batch, Result>(queueName, process, {
    ...connection,
    concurrency,
    ...{ lockDuration: lockMs, stalledInterval: lockMs, maxStalledCount: MOST_LOST },
  });
  worker.on('error', () => undefined); // the connection; it goes on trying
  worker.on('failed', (job, error) => onError?.(isLoss(error.message) ? lossOf(job?.data) : error));
  await worker.waitUntilReady();
  onReady?.();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      void worker.pause(true); // it takes no more, from now on
      resolve();
    };
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
  if (await giveUp()) await Promise.race([worker.close(), delay(CLOSE_MS)]);
  else await worker.close();
  const closing = [...cutters.values(), embedder, segments].map((one) => one.close());
  await Promise.allSettled([queue.close(), ...closing]);
}

/** Reads and cuts files as the run that asks would. */
class FileCutter {
  readonly #shape: CutShape;
  readonly #where: Pick<WorkerOptions, 'base' | 'parts'>;
  readonly #reader: Reader;
  readonly #pool: CutterPool | undefined;

  constructor(shape: CutShape, { ocr, base, parts, concurrency = availableParallelism() }: WorkerOptions) {
    const { reader, chunking } = shape;
    this.#shape = shape;
    this.#where = { base, parts };
    this.#reader = createReader({
      ...reader,
      concurrency,
      ocr: reader.ocr === false ? false : { ...ocr, ...reader.ocr },
    });
    const { light } = this.#reader;
    this.#pool = light && new CutterPool({ threads: concurrency, limits: light, chunking });
  }

  async cutAll({ parts, files }: CutBatch, signal: AbortSignal | undefined): Promise<CutResult> {
    const folder = new PartFolder(this.#where.parts ?? parts);
    const settled = await Promise.allSettled(files.map((file) => this.#cut(file, folder, signal)));
    signal?.throwIfAborted();
    const [first] = settled;
    if (first?.status === 'rejected' && settled.every(({ status }) => status === 'rejected')) throw first.reason;
    return settled.map((one) => (one.status === 'fulfilled' ? one.value : null));
  }

  async #cut({ uri, path: told }: SmallFile, parts: PartFolder, signal?: AbortSignal): Promise<FileResult> {
    const { reader, chunking } = this.#shape;
    const path = this.#where.base === undefined ? told : resolve(this.#where.base, uri);
    const { size, mtimeMs } = await stat(path); // missing: folders are mounted elsewhere, or the file has just gone
    const { itemOf, smallFileOf } = fileItems({ reader: this.#reader, maxFileBytes: reader.maxFileBytes });
    const item = itemOf(uri, { path, sizeBytes: size, mtimeMs });
    let cut: CutFile;
    try {
      const contentHash = await item.hash({ signal });
      const part = PartFolder.nameOf(uri, contentHash, this.#shape);
      if (await parts.has(part)) return { part };
      const small = smallFileOf(item);
      const threaded = small && (await this.#pool?.cut(small, signal ?? new AbortController().signal));
      const outcome = threaded ?? (await this.#load(item, chunking, signal));
      if ('failure' in outcome) return outcome;
      cut = outcome.cut;
    } catch (error) {
      signal?.throwIfAborted();
      return { failure: failureOf(error) };
    }
    // named by what was read, which may have changed since; a folder that cannot be written says nothing of the file
    const name = PartFolder.nameOf(uri, cut.contentHash, this.#shape);
    await parts.write(name, cut);
    return { part: name };
  }

  async #load(
    item: ReturnType<ReturnType<typeof fileItems>['itemOf']>,
    chunking: CutShape['chunking'],
    signal: AbortSignal | undefined,
  ): Promise<CutOutcome> {
    const { document, contentHash } = await item.load({ signal });
    return { cut: { ...cutDocument(document, chunkerOf(chunking)), contentHash } };
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#pool?.close(), this.#reader.close()]);
  }
}
