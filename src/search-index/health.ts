import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import { ownEmbedderOf } from '../embed/own.ts';
import { KEPT_DAYS } from '../embed/service/prune-cache.ts';
import type { Snapshot } from '../store/contract.ts';
import {
  type Database,
  damageOfLayout,
  type Fingerprint,
  isIndexFolder,
  type Shard,
  type Store,
  shardsOf,
} from '../store/index.ts';
import { hintOfShard } from '../store/shards/failure.ts';
import { strangerAt, strangersAmong } from '../store/shards/strangers.ts';
import { TableStore } from '../store/store.ts';
import { damageOf, Wreck } from '../store/wreck.ts';
import type { WebSnapshots } from '../web/snapshots.ts';
import { isLocal, UNTRAINED } from './given-vectors.ts';
import { checkVersions, isOfOtherAnalysis } from './made-by.ts';
import type { IndexParts } from './parts.ts';
import type { ServiceEmbedders } from './service-embedders.ts';
import { checkSources } from './sources.ts';
import type { Finding } from './status.ts';

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
  const shards = await madeShards(database);
  const stranger = strangersAmong(shards.map(({ made }) => made)).indexOf(true);
  if (stranger !== -1) return [...files, strangerFinding(shards[stranger]!)];
  const made = await (await session.store()).fingerprint();
  const version = checkShardVersions(shards) ?? checkVersions(made);
  if (isOfOtherAnalysis(made)) return [...files, version]; // the others look at what cannot be read
  const findings = await session.withView(async ({ snapshot, embedder }) =>
    checkIndex(await session.store(), snapshot, embedder, options),
  );
  const { hint, ...sources } = await checkSources(parts, await (await session.store()).manifest(), options);
  const compared = version.ok && hint !== undefined ? { ...sources, hint } : sources; // of another, no ingest is taken
  return [...files, version, ...findings, compared, ...(await checkKept(services, webPages, options))];
}

const NAMED = 20;

interface MadeShard extends Shard {
  readonly made: Fingerprint;
}

/** The shards of an index with their fingerprints; none of an index that does not consist of shards. */
async function madeShards(database: Database): Promise<readonly MadeShard[]> {
  const shards: MadeShard[] = [];
  for (const shard of shardsOf(database)) {
    await using store = await TableStore.open(await shard.connect());
    shards.push({ ...shard, made: await store.fingerprint() });
  }
  return shards;
}

function strangerFinding({ name, folder }: Shard): Finding {
  const { message, hint } = strangerAt(folder);
  return { check: 'embedder', ok: false, detail: `shard ${name}: ${message}`, hint: hint! };
}

/** The first shard that another version of ibid made, as one that was brought back from an old copy of the index. */
function checkShardVersions(shards: readonly MadeShard[]): Finding | undefined {
  for (const { name, made } of shards) {
    const { detail, ...finding } = checkVersions(made);
    if (!finding.ok) return { ...finding, detail: `shard ${name}: ${detail}` };
  }
  return undefined;
}

/** `checkFiles` of the index, or of each of its shards. */
export async function checkShards(database: Database, options: CallOptions): Promise<readonly Finding[]> {
  const broken = damageOfLayout(database);
  if (broken) return [{ check: 'checksums', ok: false, detail: `${broken.file} ${broken.what}` }];
  const shards = shardsOf(database);
  if (shards.length === 0) return await checkFiles(database, options);
  const findings: Finding[] = [];
  for (const shard of shards)
    for (const { check, ok, detail, hint } of await checkShard(shard, options))
      findings.push({ check, ok, detail: `shard ${shard.name}: ${detail}`, ...(hint !== undefined && { hint }) });
  return findings;
}

/** The first finding of a shard that is gone or damaged says what to do. */
async function checkShard({ folder, connect }: Shard, options: CallOptions): Promise<readonly Finding[]> {
  let database: Database;
  try {
    database = await connect();
  } catch (error) {
    if (!(error instanceof IbidError)) throw error;
    const { message, hint } = error;
    return [{ check: 'checksums', ok: false, detail: message, ...(hint !== undefined && { hint }) }];
  }
  if (!isIndexFolder(folder)) {
    const hint = hintOfShard('INDEX_NOT_FOUND', folder)!;
    return [{ check: 'checksums', ok: false, detail: 'its folder has no index', hint }];
  }
  const [first, ...rest] = await checkFiles(database, options);
  const isSound = first!.ok && rest.every(({ ok }) => ok); // there is always one
  return isSound ? [first!] : [{ ...first!, hint: hintOfShard('INDEX_DAMAGED', folder)! }, ...rest];
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
