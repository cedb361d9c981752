import { stat } from 'node:fs/promises';
import { IbidError } from '../core/errors.ts';
import { filesBelow } from '../core/files.ts';
import type { CallOptions, ReadWarning } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import { ownEmbedderOf } from '../embed/own.ts';
import { KEPT_DAYS } from '../embed/service/prune-cache.ts';
import { isFailureOnly, isSkipped } from '../ingest/reconcile.ts';
import { shardsReport } from '../passages/find.ts';
import type { MissingShard, Snapshot } from '../store/contract.ts';
import { type Database, damageOfLayout, isIndexFolder, type Shard, type Store, shardsOf } from '../store/index.ts';
import { hintOfShard } from '../store/shards/failure.ts';
import { damageOf, Wreck } from '../store/wreck.ts';
import type { WebSnapshots } from '../web/snapshots.ts';
import { listDocuments } from './documents.ts';
import { isLocal, UNTRAINED } from './given-vectors.ts';
import { checkVersions, isOfOtherAnalysis } from './made-by.ts';
import type { IndexParts } from './parts.ts';
import type { ServiceEmbedders } from './service-embedders.ts';
import { checkSources } from './sources.ts';
import type { Finding, IndexStatus } from './status.ts';

async function summariseIndex(
  address: string,
  store: Store,
  database: Database,
  { signal }: CallOptions = {},
): Promise<IndexStatus> {
  const fingerprint = await store.fingerprint();
  signal?.throwIfAborted();
  const formats: Record<string, number> = {};
  const failed: { uri: string; code: string; message: string; stale: boolean }[] = [];
  const skipped: { uri: string; code: string; message: string }[] = [];
  const warnings: ({ uri: string } & ReadWarning)[] = [];
  let documents = 0;
  let chunks = 0;
  const missing: MissingShard[] = [];
  const manifest = await store.manifest({ verified: true, onMissing: (shard) => missing.push(shard) });
  const { length: count } = await shardsOf(database);
  signal?.throwIfAborted();
  for (const entry of manifest.values()) {
    const { uri, failure } = entry;
    for (const warning of entry.warnings ?? []) warnings.push({ uri, ...warning });
    if (isSkipped(entry))
      skipped.push({ uri, ...failure! }); // skipped files have one
    else if (failure) failed.push({ uri, ...failure, stale: entry.chunks > 0 });
    if (isFailureOnly(entry)) continue;
    documents++;
    chunks += entry.chunks;
    const format = entry.format ?? 'unknown';
    formats[format] = (formats[format] ?? 0) + 1;
  }
  const byUri = (a: { uri: string }, b: { uri: string }): number => (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0);
  failed.sort(byUri);
  skipped.sort(byUri);
  warnings.sort(byUri);
  const folder = store.address.kind === 'local' ? store.address.directory : undefined;
  return {
    address,
    documents,
    chunks,
    formats,
    ...(fingerprint.embedder === UNTRAINED
      ? {}
      : { embedder: ownEmbedderOf(fingerprint.embedder) ?? fingerprint.embedder }),
    dimensions: fingerprint.dimensions,
    ...(isOfOtherAnalysis(fingerprint)
      ? { rebuild: 'the words of the index were told apart by another version of ibid' }
      : {}),
    ...(count > 0 && { shards: shardsReport({ count, missing }) }),
    ...(folder === undefined ? {} : { bytesOnDisk: await sizeOf(folder, signal) }),
    failed,
    skipped,
    warnings,
  };
}

/** With what was billed, and what is stored beside the index. */
export async function summariseAll(
  address: string,
  { database, session, services, recordings }: Pick<IndexParts, 'database' | 'session' | 'services' | 'recordings'>,
  pages: WebSnapshots,
  options: CallOptions,
): Promise<IndexStatus> {
  const status = await summariseIndex(address, await session.store(), database, options);
  const billed = await services.totals();
  const keptVectors = await services.kept();
  const int8Recall = status.embedder === undefined ? undefined : await services.int8Recall(status.embedder);
  const webPages = await pages.kept();
  const transcribed = await recordings.totals();
  return {
    ...status,
    ...(transcribed && { transcribed }),
    ...(int8Recall && { int8Recall }),
    ...(billed && { paid: billed }),
    ...(keptVectors && { keptVectors }),
    ...(webPages && { webPages }),
  };
}

/** Of a part of an index: what its documents say. Who may read a file that could not be read is not known. */
export async function summarisePart(address: string, snapshot: Snapshot, options: CallOptions): Promise<IndexStatus> {
  const formats: Record<string, number> = {};
  let documents = 0;
  for await (const { format } of listDocuments(snapshot, undefined, options)) {
    documents++;
    formats[format] = (formats[format] ?? 0) + 1;
  }
  const { liveRows: chunks, dimensions, shards } = snapshot;
  return {
    ...{ address, documents, chunks, formats, dimensions, failed: [], skipped: [], warnings: [] },
    ...(shards && { shards: shardsReport(shards) }),
  };
}

async function sizeOf(folder: string, signal: AbortSignal | undefined): Promise<number> {
  let bytes = 0;
  for await (const path of filesBelow(folder)) {
    signal?.throwIfAborted();
    bytes += (await stat(path).catch(() => undefined))?.size ?? 0; // may be pruned during the count
  }
  return bytes;
}

/** The checks of an index, in order; no further ones where its files are damaged. */
export async function checkAll(
  parts: IndexParts,
  webPages: WebSnapshots,
  options: CallOptions,
): Promise<readonly Finding[]> {
  options.signal?.throwIfAborted();
  const { session, services, database } = parts;
  const files = await checkShards(database, options);
  if (files.some(({ ok }) => !ok)) return files;
  const made = await (await session.store()).fingerprint();
  const version = checkVersions(made);
  if (isOfOtherAnalysis(made)) return [...files, version]; // the others look at what cannot be read
  const findings = await session.withView(async ({ snapshot, embedder }) =>
    checkIndex(await session.store(), snapshot, embedder, options),
  );
  const sources = await checkSources(parts, await (await session.store()).manifest(), options);
  return [...files, version, ...findings, sources, ...(await checkKept(services, webPages, options))];
}

const NAMED = 20;

/** `checkFiles` of the index, or of each of its shards. */
async function checkShards(database: Database, options: CallOptions): Promise<readonly Finding[]> {
  const broken = damageOfLayout(database);
  if (broken) return [{ check: 'checksums', ok: false, detail: `${broken.file} ${broken.what}` }];
  const shards = await shardsOf(database);
  if (shards.length === 0) return await checkFiles(database, options);
  const findings: Finding[] = [];
  for (const shard of shards)
    for (const { check, ok, detail, hint } of await checkShard(shard, options))
      findings.push({ check, ok, detail: `shard ${shard.name}: ${detail}`, ...(hint !== undefined && { hint }) });
  return findings;
}

/** The first finding of a shard that is gone or damaged says what to do. */
async function checkShard({ database }: Shard, options: CallOptions): Promise<readonly Finding[]> {
  const { address } = database;
  if (address.kind !== 'local') return await checkFiles(database, options); // shards are folders
  const { directory } = address;
  if (!isIndexFolder(directory)) {
    const hint = hintOfShard('INDEX_NOT_FOUND', directory)!;
    return [{ check: 'checksums', ok: false, detail: 'its folder has no index', hint }];
  }
  const [first, ...rest] = await checkFiles(database, options);
  const isSound = first!.ok && rest.every(({ ok }) => ok); // there is always one
  return isSound ? [first!] : [{ ...first!, hint: hintOfShard('INDEX_DAMAGED', directory)! }, ...rest];
}

/** Every file of the index against its checksum; of damaged ones, the documents in them. */
async function checkFiles(database: Database, options: CallOptions): Promise<readonly Finding[]> {
  const damage = await damageOf(database);
  if (database.address.kind !== 'local') return [await checkDocuments(database, options)];
  if (damage.length === 0) {
    const files = await database.checksums(...(await database.names()));
    const detail =
      files > 0 ? `${files} files are as they were written` : 'there are none yet; the next ingest makes them';
    return [{ check: 'checksums', ok: true, detail }];
  }
  const findings = damage.map(
    ({ file, what }): Finding => ({ check: 'checksums', ok: false, detail: `${file} ${what}` }),
  );
  let documents: string[] = [];
  try {
    documents = await new Wreck(database, damage).damagedDocuments(options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof IbidError)) throw error; // the damaged files say why
  }
  findings.push(documentsFinding(documents));
  return findings;
}

/** Of an index in an object store, whose files have no checksums here: every document against the sum in its rows. */
async function checkDocuments(database: Database, options: CallOptions): Promise<Finding> {
  const damaged: string[] = [];
  for await (const { uri, isSound } of new Wreck(database, []).documents(options)) {
    if (isSound === false) damaged.push(uri);
  }
  return documentsFinding(damaged.sort());
}

function documentsFinding(damaged: readonly string[]): Finding {
  const shown = damaged.slice(0, NAMED).join(', ');
  const more = damaged.length > NAMED ? ` and ${damaged.length - NAMED} more` : '';
  const detail = damaged.length > 0 ? `${damaged.length} damaged: ${shown}${more}` : 'no text and no vector differs';
  return { check: 'documents', ok: damaged.length === 0, detail };
}

const BATCH_ROWS = 1024;

function missingModel(id: string): string {
  if (isLocal(id)) return 'the model of the vectors is missing';
  return `${ownEmbedderOf(id) ?? id} is not part of the index and was not given: searches compare words alone`;
}

/** Checks the embedder, the manifest against the chunks, and the chunks of each document for gaps. */
async function checkIndex(
  store: Store,
  snapshot: Snapshot,
  embedder: Embedder | undefined,
  { signal }: CallOptions,
): Promise<readonly Finding[]> {
  const fingerprint = await store.fingerprint();
  const manifest = await store.manifest();
  const wanted = [...manifest.values()].reduce((sum, entry) => sum + entry.chunks, 0);
  const torn = await tornDocuments(snapshot, signal);
  const { embedder: id } = fingerprint;
  const hasModel = id === UNTRAINED || embedder?.id === id;
  return [
    {
      check: 'embedder',
      ok: hasModel || !isLocal(id),
      detail: hasModel ? id : missingModel(id),
    },
    {
      check: 'manifest',
      ok: wanted === snapshot.liveRows,
      detail:
        `${manifest.size} entries name ${wanted} chunks, the index holds ${snapshot.liveRows}` +
        (wanted === snapshot.liveRows ? '' : ': a run was stopped or is still running; the next ingest repairs this'),
    },
    {
      check: 'documents',
      ok: torn.length === 0,
      detail:
        torn.length === 0 ? 'the chunks of every document are complete' : `incomplete: ${torn.slice(0, 5).join(', ')}`,
    },
  ];
}

/** Checks the data stored beside the index because it cost money or cannot be fetched again: vectors and web pages. */
async function checkKept(
  services: ServiceEmbedders,
  snapshots: WebSnapshots,
  options: CallOptions,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const vectors = await services.kept();
  if (vectors) {
    const { entries, unneeded, bytes } = vectors;
    const rule = `${unneeded} needed by no document of the index, deleted ${KEPT_DAYS} days after a run finds that`;
    findings.push({ check: 'paid vectors', ok: true, detail: `${entries} kept${mebibytes(bytes)}; ${rule}` });
  }
  const web = await snapshots.kept();
  if (web) {
    const damaged = await snapshots.damaged(options);
    findings.push({
      check: 'web pages',
      ok: damaged.length === 0,
      detail:
        damaged.length === 0
          ? `${web.pages} kept${mebibytes(web.bytes)}, each matches its id; none is deleted automatically`
          : `changed, so they prove nothing: ${damaged.slice(0, 5).join(', ')}`,
    });
  }
  return findings;
}

const mebibytes = (bytes: number): string => (bytes === 0 ? '' : ` (${(bytes / 2 ** 20).toFixed(1)} MiB)`);

/** Uris of documents whose chunks do not partition their text. */
async function tornDocuments(snapshot: Snapshot, signal: AbortSignal | undefined): Promise<string[]> {
  const { ordinals } = await snapshot.filter('true');
  const torn = new Set<string>();
  let before: { uri: string; position: number; end: number } | undefined;
  for (let at = 0; at < ordinals.length; at += BATCH_ROWS) {
    signal?.throwIfAborted();
    for (const { uri, position, span, text } of await snapshot.fetch(ordinals.subarray(at, at + BATCH_ROWS))) {
      const continues = before?.uri === uri;
      const start = continues ? before!.end : 0;
      const expected = continues ? before!.position + 1 : 0;
      if (span.start !== start || position !== expected || span.end - span.start !== text.length) torn.add(uri);
      before = { uri, position, end: span.end };
    }
  }
  return [...torn];
}
