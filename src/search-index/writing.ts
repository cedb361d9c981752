import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { atLeastOne, objectOf, wholeOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { Meter } from '../core/meter.ts';
import type { DistantEmbedding } from '../embed/local/distant.ts';
import { ownEmbedderOf } from '../embed/own.ts';
import type { KeepingEmbedder, KeptSpace } from '../embed/service/contract.ts';
import type { Cutters, IngestEvent, IngestQueue, IngestSource } from '../ingest/contract.ts';
import { chunkerOf } from '../ingest/cut.ts';
import { CutterPool } from '../ingest/cutter-pool.ts';
import { CountingTarget, nullVectors } from '../ingest/dry-run.ts';
import { folderSource, type RecordingParts } from '../ingest/folder-source.ts';
import { type IngestServices, ingest } from '../ingest/ingest.ts';
import { loadPipeline } from '../ingest/pipeline.ts';
import { removeLeftParts } from '../queue/left-parts.ts';
import type { DistantSegments, MissingShard } from '../store/contract.ts';
import { checkSharding, type Fingerprint, openWriter, refuseShard } from '../store/index.ts';
import type { ChunkOptions } from '../text/chunk/chunk.ts';
import { Billing } from './billing.ts';
import { calibrateRefusal } from './calibrate-refusal.ts';
import { EstimatingVectors, GivenVectors, isLocal, serviceModelOf, UNTRAINED } from './given-vectors.ts';
import { checkApart } from './index-place.ts';
import { IngestSession } from './ingest-session.ts';
import { checkAddable, chunkingOf, shapeOf } from './made-by.ts';
import { isOwnEmbedder, type SearchIndexIngestOptions, type WriteOptions } from './options.ts';
import { BASE, type IndexParts } from './parts.ts';
import { rebuildSource } from './rebuild.ts';
import { CALIBRATION } from './session.ts';
import { earlierPlaces, type NotedSource, noteSource, refilledWarning, SOURCES, sourceOf } from './sources.ts';

/** Makes the index agree with a source; yields events. @throws IbidError INDEX_LOCKED, INDEX_MISMATCH, DELETE_GUARD */
export async function* ingestEvents(
  parts: IndexParts,
  given: IngestSource,
  asked: SearchIndexIngestOptions & WritingOptions,
): AsyncGenerator<IngestEvent, void, undefined> {
  const { session } = parts;
  // else a run would note each file as failed that the closed reader refuses
  const options = { ...asked, signal: session.until(asked.signal) };
  const chunking = await chunkingOf(parts, options);
  const made = options.rebuild && !options.damaged ? await fingerprintOf(session) : undefined;
  const { chunker, textVersion: version } = shapeOf(chunking);
  const sameCut = made?.chunker === chunker && made.textVersion === version;
  const { source, ...rest } = made ? rebuildSource(parts, given, { sameCut, force: options.force }) : { source: given };
  const workers = workersOf(options);
  const { light } = parts.reader();
  const threads = (): Cutters | undefined =>
    workers > 1 && light ? new CutterPool({ threads: workers - 1, limits: light, chunking }) : undefined;
  const queued = options.dryRun ? undefined : options.queue;
  const cutters = queued !== undefined ? await queuedCutters(queued, parts, chunking) : threads();
  try {
    yield* runEvents(parts, source, options, { ...rest, chunk: chunkerOf(chunking), cutters });
  } finally {
    await cutters?.close(); // the run may not have begun: the index is locked, or of another embedder
  }
}

async function* runEvents(
  parts: IndexParts,
  source: IngestSource,
  options: SearchIndexIngestOptions & WritingOptions,
  services: Pick<IngestServices, 'chunk' | 'cutters' | 'earlier' | 'moved'>,
): AsyncGenerator<IngestEvent, void, undefined> {
  const { session } = parts;
  const meter = Meter.of(options.budget);
  const billing = new Billing();
  if (options.dryRun) {
    checkSharding(parts.database, { shards: parts.options.shards, reshard: options.rebuild }); // throws where the run would
    const store = await session.existing();
    const gone: string[] = [];
    const onMissing = ({ name, error }: MissingShard): void => {
      if (error.code !== 'INDEX_NOT_FOUND') throw error; // such a shard is not made anew
      gone.push(name);
    };
    // compared with their checksums, as a run does before its first change
    const known = options.rebuild ? undefined : await store?.manifest({ verified: true, onMissing });
    const made = await store?.fingerprint();
    const chosen = await chooseEmbedder(parts, made?.embedder, options, meter, billing);
    if (made && !options.rebuild) checkAddable(made, shapeOf(await chunkingOf(parts, options)), chosen?.vectors.id);
    const vectors = chosen?.keeper ? new EstimatingVectors(chosen.keeper) : nullVectors;
    if (gone.length > 0) yield refilledEvent(gone, await store?.getMeta(SOURCES), true);
    const target = new CountingTarget(known ?? new Map());
    const places = earlierPlaces(parts.base, await store?.getMeta(SOURCES));
    yield* withRefilled(ingest(source, { ...services, target, vectors, places }, options), gone);
    return;
  }
  const { distant, segments: distantSegments } = services.cutters ?? {};
  const writing = await openIngestSession(
    parts,
    { ...options, refill: true, distant, distantSegments },
    meter,
    billing,
  );
  try {
    const { vectors, refilled } = writing;
    const folder = partsFolder(parts);
    if (refilled.length > 0) yield refilledEvent(refilled, await writing.getNote(SOURCES), false);
    const places = earlierPlaces(parts.base, await writing.getNote(SOURCES));
    const events = ingest(source, { ...services, target: writing, vectors, places }, options);
    const used = billing.withUsage(events, () => vectors.usage?.());
    for await (const event of withRefilled(used, refilled)) {
      if (event.type === 'done' && options.noted) await noteSource(writing, options.noted, event.summary, places);
      if (event.type === 'done' && !options.queue && folder !== undefined) await removeLeftParts(folder);
      yield event;
    }
  } finally {
    await writing.close();
    await session.written();
  }
}

function refilledEvent(shards: readonly string[], note: unknown, isDry: boolean): IngestEvent {
  return { type: 'refilled', shards, warning: refilledWarning(shards, note, isDry) };
}

async function* withRefilled(
  events: AsyncIterable<IngestEvent>,
  refilled: readonly string[],
): AsyncGenerator<IngestEvent, void, undefined> {
  for await (const event of events)
    if (event.type !== 'done' || refilled.length === 0) yield event;
    else yield { ...event, summary: { ...event.summary, refilled } };
}

/** Makes the index agree with paths, or with another source. @throws IbidError INVALID_ARGUMENT */
export async function* ingestFrom(
  parts: IndexParts,
  from: string | readonly string[] | IngestSource,
  options: SearchIndexIngestOptions,
): AsyncGenerator<IngestEvent, void, undefined> {
  const run = { ...options, budget: Meter.of(options.budget) };
  if (typeof from === 'object' && from !== null && 'items' in from) return yield* ingestEvents(parts, from, run);
  const paths = atLeastOne(from, 'path to ingest');
  const noted = run.pipeline === undefined ? sourceOf(parts.base, paths, run) : undefined;
  yield* ingestPaths(parts, paths, { ...run, noted });
}

/** Makes the index agree with files and folders; recordings get transcripts, where the options say so. */
export async function* ingestPaths(
  parts: IndexParts,
  paths: readonly string[],
  options: SearchIndexIngestOptions & Pick<WritingOptions, 'noted'> & { readonly budget: Meter },
): AsyncGenerator<IngestEvent, void, undefined> {
  const { recordings } = parts;
  const transcription = await recordings.transcription(options.transcribe, options.budget, options.dryRun ?? false);
  const source = await sourceOfPaths(parts, paths, options, recordings.partsFor(transcription));
  for await (const event of ingestEvents(parts, source, options)) {
    const usage = event.type === 'done' ? await transcription?.usage() : undefined;
    if (event.type !== 'done' || !usage) yield event;
    else {
      const costUsd = event.summary.costUsd + (usage.costUsd ?? 0);
      yield { ...event, summary: { ...event.summary, costUsd, transcription: usage } };
    }
  }
}

/** Files and folders as a source, through the named pipeline if there is one. @throws IbidError INVALID_ARGUMENT */
async function sourceOfPaths(
  { database, base, reader }: IndexParts,
  paths: readonly string[],
  { hidden, maxFileBytes, leaveOut, pipeline, signal }: SearchIndexIngestOptions,
  recordings: RecordingParts,
): Promise<IngestSource> {
  refuseShard(database);
  if (paths.length === 0) throw new IbidError('INVALID_ARGUMENT', 'no path to ingest was given');
  const exclude = database.address.kind === 'local' ? database.address.directory : undefined;
  if (exclude !== undefined)
    checkApart(
      exclude,
      paths.map((path) => resolve(path)),
    );
  const common = { paths, base, reader: reader(), exclude, recordings };
  if (pipeline === undefined) {
    const asked = leaveOut && { root: base, patterns: leaveOut };
    return folderSource({ ...common, hidden, maxFileBytes, leaveOut: asked, passesOver: true });
  }
  return await (await loadPipeline(pipeline)).source({ ...common, signal });
}

/** An embedder that needs no training, as used by a run. */
interface ChosenEmbedder {
  readonly vectors: GivenVectors;
  /** Set where the vectors are kept beside the index, once they are made. */
  readonly keeper?: KeepingEmbedder | undefined;
  /** Set for the caller's embedder that keeps its vectors. */
  readonly kept?: KeptSpace | undefined;
}

/**
 * The embedder of the options, else the index's own. Undefined for the local embedder, and when the options name none
 * and the index's own is not available to an ingest, which may have nothing to embed.
 * @throws IbidError INDEX_MISMATCH, KEY_MISSING
 */
async function chooseEmbedder(
  { options, services }: IndexParts,
  made: string | undefined,
  { rebuild = false }: Pick<SearchIndexIngestOptions, 'rebuild'>,
  meter: Meter,
  { onAnswered }: Billing,
): Promise<ChosenEmbedder | undefined> {
  const { embedder: chosen } = options;
  if (isOwnEmbedder(chosen)) {
    const { embedder, keeper } = await services.keep(
      chosen,
      rebuild ? undefined : made,
      { meter, onAnswered },
      options,
    );
    return { vectors: GivenVectors.of(embedder, keeper), keeper, kept: keeper };
  }
  if (chosen === 'local') {
    if (rebuild || made === undefined || made === UNTRAINED || isLocal(made)) return undefined;
    const isOwn = ownEmbedderOf(made) !== undefined;
    throw new IbidError('INDEX_MISMATCH', `the index was made with "${made}", not with the local embedder`, {
      hint: isOwn
        ? "Change the embedder of the index with `reembed({ to: 'local' })`."
        : "Leave `embedder` out, or change it with `reembed({ to: 'local' })`.",
    });
  }
  const own = made === undefined ? undefined : serviceModelOf(made);
  const model = typeof chosen === 'string' ? { model: chosen } : chosen;
  if (!model && !(own && services.areThere)) {
    if (rebuild && made !== undefined && !isLocal(made)) throw services.missing(made); // the local one ranks otherwise
    return undefined;
  }
  const same = own && (!model || own.model === model.model) ? own : {};
  const service = services.open({ ...same, ...(model ?? own!), meter, onAnswered });
  return { vectors: GivenVectors.of(service, service), keeper: service };
}

/** Other processes that read and cut as this one would. @throws IbidError INVALID_ARGUMENT, CONNECTION_FAILED */
async function queuedCutters(
  queue: IngestQueue,
  parts: IndexParts,
  chunking: ChunkOptions | undefined,
): Promise<Cutters> {
  if (typeof objectOf(queue, 'queue').cutters !== 'function')
    throw new IbidError('INVALID_ARGUMENT', 'queue is no queue', {
      hint: 'Make one with `ingestQueue` of `ibid/queue`.',
    });
  const folder = partsFolder(parts);
  if (folder === undefined)
    throw new IbidError('INVALID_ARGUMENT', 'a queue works for an index in a folder', {
      hint: 'Make the index in a folder that all machines see, and copy what is in its folder `lance` to the address.',
    });
  const { ocr, ...reader } = parts.options.reader ?? {};
  const { languages, pageTimeoutMs } = ocr || {};
  const shape = { chunking, reader: { ...reader, ocr: ocr === false ? false : { languages, pageTimeoutMs } } } as const;
  return await queue.cutters(shape, folder);
}

/** The folder for the parts of a run with a queue; undefined for a remote index. */
function partsFolder({ database: { address } }: IndexParts): string | undefined {
  return address.kind === 'local' ? join(address.directory, 'parts') : undefined;
}

function workersOf({
  workers = Math.min(MOST_WORKERS, availableParallelism()),
}: Pick<WriteOptions, 'workers'>): number {
  return wholeOf(workers, 'workers', 1, MOST_WORKERS);
}

/** The thread that commits keeps up with this many at most. */
const MOST_WORKERS = 8;

/** How an index is opened for writing. */
interface WritingOptions extends Pick<SearchIndexIngestOptions, 'rebuild' | 'workers' | 'signal'> {
  /** With `rebuild`: the tables that readers see are not looked at. */
  readonly damaged?: boolean | undefined;
  /** Shards that are gone are made anew, empty. */
  readonly refill?: boolean | undefined;
  /** What is read, for a later `check`. */
  readonly noted?: NotedSource | undefined;
  /** Other processes that embed with the local model. */
  readonly distant?: DistantEmbedding | undefined;
  /** Other processes that build segments. */
  readonly distantSegments?: DistantSegments | undefined;
}

/** Undefined where there is no index yet, or one of another schema, which cannot be read. */
async function fingerprintOf(session: IndexParts['session']): Promise<Fingerprint | undefined> {
  try {
    return await (await session.store()).fingerprint();
  } catch (error) {
    if (error instanceof IbidError && ['INDEX_NOT_FOUND', 'INDEX_SCHEMA'].includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * Opens the index for writing.
 * @param meter absent: nothing is embedded, and the chosen embedder is ignored
 * @throws IbidError INDEX_LOCKED, INDEX_MISMATCH
 */
export async function openIngestSession(
  parts: IndexParts,
  options: WritingOptions,
  meter?: Meter,
  billing: Billing = new Billing(),
): Promise<IngestSession> {
  const { database, base, services, tuning } = parts;
  const { rebuild = false, damaged, refill, distant, distantSegments, signal } = options;
  const chunking = await chunkingOf(parts, options);
  const shape = shapeOf(chunking);
  const { waitMs, embedder } = parts.options;
  const workers = workersOf(options);
  const threaded = workers > 1;
  const writer = await openWriter(database, {
    waitMs,
    signal,
    damaged,
    threaded,
    distantSegments,
    shards: parts.options.shards,
    reshard: rebuild,
    refill,
    ...(rebuild ? {} : { fingerprint: shape }),
  });
  try {
    const { address } = database;
    const sources = writer.fingerprint && (await writer.getMeta(SOURCES)); // read now: opening the writer has mended them
    const notes = {
      [BASE]: address.kind === 'local' ? relative(address.directory, base) : base,
      ...(sources !== undefined && { [SOURCES]: sources }), // the next generation has them too
    };
    const chosen = meter && (await chooseEmbedder(parts, writer.fingerprint?.embedder, options, meter, billing));
    return await IngestSession.open(writer, {
      given: chosen?.vectors,
      fingerprint: shape,
      notes,
      missing: (id) => services.missing(id),
      afterwards: async (writing, call) => {
        const { chunks } = (await writing.manifest()).totals();
        const calibration = await calibrateRefusal(database, { ...call, tuning, chunks });
        if (calibration) await writing.putNote(CALIBRATION, calibration);
        const requestTokens = typeof embedder === 'object' && 'model' in embedder ? embedder.requestTokens : undefined;
        await services.prune(writing, requestTokens, call);
        if (chosen?.kept) await services.pruneOwn(writing, chosen.kept, call);
      },
      rebuild,
      damaged,
      workers,
      distant,
    });
  } catch (error) {
    await writer.close();
    throw error;
  }
}
