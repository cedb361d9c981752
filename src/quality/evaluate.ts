import { basename, join } from 'node:path';
import { optionsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { temporaryFolder } from '../core/temporary-folder.ts';
import type { CallOptions, Hit } from '../core/types.ts';
import { askAll } from '../eval/ask-all.ts';
import { readBeirFolder } from '../eval/beir.ts';
import {
  defaultMetrics,
  evaluateRun,
  judgedQueryIds,
  nothingToScore,
  type Run,
  withoutIdenticalIds,
} from '../eval/evaluate.ts';
import type { Grades } from '../eval/metrics.ts';
import { quantile } from '../eval/summary.ts';
import { BEIR_FORMAT, beirSource } from '../ingest/beir-source.ts';
import { oneLine } from '../text/one-line.ts';
import type { OpenQualityIndex, QualityIndex } from './quality-index.ts';

export interface EvaluateOptions extends CallOptions {
  /** @default 'test' */
  readonly split?: string | undefined;
  /** @default 'hybrid' */
  readonly mode?: 'hybrid' | 'lexical' | 'dense' | undefined;
  /**
   * Where to build the index; one that holds a collection has this one afterwards.
   * @default a temporary folder, removed afterwards
   */
  readonly index?: string | undefined;
  /** Told what is being done, one line at a time. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** `ibid eval --json`. Times are milliseconds. */
export interface EvaluationReport {
  readonly dataset: string;
  readonly documents: number;
  /** Judged queries that were asked. */
  readonly queries: number;
  /** Means over the queries, in [0, 1], by name: `nDCG@10`. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly ms: { readonly ingest: number; readonly queryP50: number; readonly queryP95: number };
  readonly mode: string;
  readonly embedder: string;
}

/** The deepest cut-off of the metrics; one hit more is asked for, since a query's own document is taken out. */
const DEPTH = 100;

/**
 * Indexes a folder in BEIR layout and scores the judged queries. A corpus entry is one retrieval unit; near-duplicates
 * are not suppressed, since the judgements know nothing of that. Queries without a positive judgement are left out. A
 * query that stands in the corpus itself, under its own id and with its own text, does not find itself: BEIR leaves
 * these out (`ignore_identical_ids`), but goes by the id alone, which also hits collections that number queries and
 * entries from 1.
 * @throws IbidError DATASET_INVALID; INVALID_ARGUMENT for an index of other documents, which would be removed
 */
export async function evaluateFolderWith(
  open: OpenQualityIndex,
  path: string,
  options: EvaluateOptions,
): Promise<EvaluationReport> {
  const { signal, mode = 'hybrid', onProgress = () => {} } = optionsOf(options);
  const dataset = await readBeirFolder(path, { split: options.split });
  const judged = new Set(judgedQueryIds(dataset.qrels));
  if (judged.size === 0) throw nothingToScore(); // before the corpus is indexed
  const queries = dataset.queries.filter(({ id }) => judged.has(id));
  const blank = queries.find(({ text }) => text.trim() === '');
  if (blank) throw new IbidError('DATASET_INVALID', `${dataset.path}: query "${blank.id}" is judged, but has no text`);
  await using temporary = options.index === undefined ? await temporaryFolder('ibid-eval-') : undefined;
  await using index = await open(options.index ?? join(temporary!.path, 'index'), { create: true, signal });
  if (options.index !== undefined) await refuseOthers(index, options.index, signal);
  const entryIds = new Map<string, readonly string[]>();
  const texts = new Map(dataset.queries.map(({ id, text }) => [id, folded(text)]));
  const own = new Set<string>();
  const source = beirSource(dataset, ({ id, chunks }) => {
    entryIds.set(
      id,
      chunks.map((chunk) => chunk.id),
    );
    for (const chunk of chunks) {
      const query = texts.get(chunk.id);
      if (query !== undefined && folded(chunk.text).includes(query)) own.add(chunk.id);
    }
  });
  onProgress('indexing the corpus');
  const ingestStartedAt = performance.now();
  for await (const event of index.ingest(source, { signal, force: true })) {
    if (event.type === 'training') onProgress(`training the embedder on ${event.chunks} chunks`);
  }
  const ingestMs = performance.now() - ingestStartedAt;
  const entries = new Set([...entryIds.values()].flat());
  const relevant = new Set([...judged].flatMap((id) => relevantTo(dataset.qrels.get(id)!)));
  const missing = [...relevant].filter((id) => !entries.has(id)).length;
  if (missing > 0) onProgress(`relevant documents that are not in the corpus, and count as not found: ${missing}`);
  onProgress(`queries to ask: ${queries.length}`);
  const { run, times } = await runQueries(index, queries, entryIds, { signal, mode });
  const { metrics } = evaluateRun(dataset.qrels, withoutIdenticalIds(run, own), defaultMetrics);
  const status = await index.status({ signal });
  return {
    dataset: basename(dataset.path),
    documents: [...entryIds.values()].reduce((sum, ids) => sum + ids.length, 0),
    queries: queries.length,
    metrics,
    ms: {
      ingest: Math.round(ingestMs),
      queryP50: quantile(times, 0.5, 'nearest'),
      queryP95: quantile(times, 0.95, 'nearest'),
    },
    mode,
    embedder: status.embedder ?? 'none',
  };
}

/** The corpus takes the place of all that an index holds: documents of a folder or a program are somebody's work. */
async function refuseOthers(index: QualityIndex, address: string, signal: AbortSignal | undefined): Promise<void> {
  const formats = await index.status({ signal }).then(
    (status) => status.formats ?? {},
    (error: unknown) => {
      if (error instanceof IbidError && error.code === 'INDEX_NOT_FOUND') return {}; // it is to be made
      throw error;
    },
  );
  if (Object.keys(formats).every((format) => format === BEIR_FORMAT)) return;
  throw new IbidError('INVALID_ARGUMENT', `the index ${address} has documents that are of no judged collection`, {
    hint: 'The corpus would take their place: name a folder of its own for it, or none.',
  });
}

async function runQueries(
  index: QualityIndex,
  queries: readonly { readonly id: string; readonly text: string }[],
  entryIds: ReadonlyMap<string, readonly string[]>,
  options: CallOptions & { readonly mode: 'hybrid' | 'lexical' | 'dense' },
): Promise<{ readonly run: Run; readonly times: readonly number[] }> {
  const found = await askAll(
    queries,
    ({ text }) => index.search(text, { ...options, limit: DEPTH + 1, distinct: false }),
    options,
  );
  const idOf = ({ chunk }: Hit): string => entryIds.get(chunk.uri)?.[chunk.position] ?? chunk.uri;
  const run = new Map(queries.map(({ id }, i) => [id, found.answers[i]!.hits.map(idOf)]));
  return { run, times: found.timesMs };
}

function relevantTo(grades: Grades): string[] {
  return [...grades].flatMap(([id, grade]) => (grade > 0 ? [id] : []));
}

function folded(text: string): string {
  return oneLine(text).toLowerCase();
}
