import { parseCitation } from '../answer/citation.ts';
import { wholeOf } from '../core/arguments.ts';
import { type ErrorCode, type IbidError, wordsCanAnswer } from '../core/errors.ts';
import { hash32 } from '../core/hash.ts';
import type { SearchMode } from '../core/report.ts';
import type { CallOptions, Span, StoredChunk } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import { askAll } from '../eval/ask-all.ts';
import { evaluateRun, type MetricName } from '../eval/evaluate.ts';
import { comparePaired, type PairedComparison } from '../eval/statistics.ts';
import { mean } from '../eval/summary.ts';
import { countOf } from '../lexical/skipped-postings.ts';
import { search } from '../retrieve/search.ts';
import type { Snapshot } from '../store/contract.ts';
import { contentTokens } from '../text/analysis/analysis.ts';
import { sentenceSpans } from '../text/sentences/sentences.ts';
import { rarestWords } from './rarest-words.ts';

/** A query given by the user, with what it should find, where that is known. */
export interface ReembedQuery {
  readonly text: string;
  /** Uris (a document) or citations (a passage) of this index. */
  readonly relevant?: readonly string[] | undefined;
}

/** Means over the queries, in [0, 1]. */
export interface RankingScores {
  readonly 'recall@10': number;
  readonly 'nDCG@10': number;
}

/** The scores of one embedder on the judged queries. */
export interface EmbedderScores {
  readonly embedder: string;
  /** Vectors alone; absent where there is nothing to embed the query with. */
  readonly dense?: RankingScores;
  /** As `search` ranks; by words alone where there is nothing to embed the query with. */
  readonly hybrid: RankingScores;
}

/** Two embedders side by side on the same queries. */
export interface EmbedderComparison {
  readonly queries: {
    /** The user's own, and how many of them say what should be found. */
    readonly given: number;
    readonly judged: number;
    /** Made from the documents, where no given query is judged. */
    readonly generated: number;
  };
  /** Absent without a judged or generated query. */
  readonly before?: EmbedderScores;
  readonly after?: EmbedderScores;
  /** nDCG@10, after less before, of the hybrid ranking; paired randomisation test. */
  readonly difference?: PairedComparison;
  /** Mean share of the ten best that both rankings hold, over all given queries, else the generated. */
  readonly overlapAt10: { readonly dense?: number; readonly hybrid: number };
  /** Why the old embedder gave no vectors: it was compared by words alone. */
  readonly oldFailed?: { readonly code: ErrorCode; readonly message: string };
}

export interface Side {
  readonly snapshot: Snapshot;
  readonly embedder: Embedder | undefined;
  /** Its name in the report. */
  readonly id: string;
}

/** A worse ranking by chance is this likely at most. */
const SIGNIFICANCE = 0.05;

export function isWorse({ difference }: EmbedderComparison): boolean {
  return difference !== undefined && difference.difference < 0 && difference.pValue < SIGNIFICANCE;
}

interface JudgedQuery {
  readonly text: string;
  readonly relevant: readonly Reference[];
}

interface Reference {
  readonly name: string;
  readonly uri: string;
  readonly span?: Span | undefined;
}

const TOP = 10;
const metrics = ['recall@10', 'nDCG@10'] as const satisfies readonly MetricName[];

/**
 * Asks both the same queries.
 * @param sample how many queries are made from the documents where no given one is judged
 * @throws IbidError INVALID_ARGUMENT for a relevant entry that is no citation
 */
export async function compareEmbedders(
  before: Side,
  after: Side,
  given: readonly ReembedQuery[],
  sample: number,
  options: CallOptions,
): Promise<EmbedderComparison> {
  const givenQueries: JudgedQuery[] = given.map(({ text, relevant = [] }) => ({
    text,
    relevant: relevant.map(readReference),
  }));
  const judgedGiven = givenQueries.filter(({ relevant }) => relevant.length > 0);
  const generated = judgedGiven.length > 0 ? [] : await generateQueries(before.snapshot, sample, options);
  const judged = judgedGiven.length > 0 ? judgedGiven : generated;
  const all = givenQueries.length > 0 ? [...givenQueries, ...generated] : generated;
  const { asked: a, error } = await askOld(before, all, options);
  const b = await ask(after, all, options);
  const overlapped = all.slice(0, givenQueries.length > 0 ? givenQueries.length : all.length);
  const dense = a.dense && b.dense ? overlap(a.dense, b.dense, overlapped) : undefined;
  const scored = judged.length === 0 ? undefined : { before: score(a, judged), after: score(b, judged) };
  return {
    queries: { given: givenQueries.length, judged: judgedGiven.length, generated: generated.length },
    ...(scored && {
      before: { embedder: before.id, ...scored.before.means },
      after: { embedder: after.id, ...scored.after.means },
      difference: comparePaired(scored.before.perQuery, scored.after.perQuery),
    }),
    overlapAt10: {
      ...(dense === undefined ? {} : { dense }),
      hybrid: overlap(a.hybrid, b.hybrid, overlapped),
    },
    ...(error && { oldFailed: { code: error.code, message: error.message } }),
  };
}

/** The old embedder may be the reason for the change: its model retired, its key rejected. Then words stand for it. */
async function askOld(
  before: Side,
  queries: readonly JudgedQuery[],
  options: CallOptions,
): Promise<{ readonly asked: Asked; readonly error?: IbidError }> {
  try {
    return { asked: await ask(before, queries, options) };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (before.embedder === undefined || !wordsCanAnswer(error) || error.code === 'BUDGET_EXCEEDED') throw error;
    return { asked: await ask({ ...before, embedder: undefined }, queries, options), error };
  }
}

/** @throws IbidError INVALID_ARGUMENT */
function readReference(text: string): Reference {
  const { uri, span } = parseCitation(text);
  return { name: text, uri, span };
}

type Rankings = ReadonlyMap<JudgedQuery, readonly StoredChunk[]>;

interface Asked {
  readonly dense: Rankings | undefined;
  readonly hybrid: Rankings;
}

async function ask(
  { snapshot, embedder }: Side,
  queries: readonly JudgedQuery[],
  options: CallOptions,
): Promise<Asked> {
  await embedder?.embedQueries?.(
    queries.map(({ text }) => text),
    options,
  );
  const rank = async ({ text }: JudgedQuery, mode: SearchMode | undefined): Promise<readonly StoredChunk[]> => {
    const hits = await search(snapshot, embedder, text, { limit: TOP, distinct: false, mode, ...options });
    return hits.map(({ chunk }) => chunk);
  };
  const rankings = async (query: JudgedQuery) => ({
    hybrid: await rank(query, undefined),
    dense: embedder && (await rank(query, 'dense')),
  });
  const { answers } = await askAll(queries, rankings, options);
  return {
    // ranked where there is an embedder
    dense: embedder && new Map(queries.map((query, i) => [query, answers[i]!.dense!])),
    hybrid: new Map(queries.map((query, i) => [query, answers[i]!.hybrid])),
  };
}

function score(
  { dense, hybrid }: Asked,
  judged: readonly JudgedQuery[],
): { readonly means: Omit<EmbedderScores, 'embedder'>; readonly perQuery: readonly number[] } {
  const qrels = new Map(judged.map(({ relevant }, i) => [String(i), new Map(relevant.map(({ name }) => [name, 1]))]));
  const evaluate = (rankings: Rankings) =>
    evaluateRun(
      qrels,
      new Map(judged.map((query, i) => [String(i), idsOf(rankings.get(query) ?? [], query)])),
      metrics,
    );
  const means = (rankings: Rankings): RankingScores => {
    const { metrics: found } = evaluate(rankings);
    return { 'recall@10': found['recall@10']!, 'nDCG@10': found['nDCG@10']! }; // asked for above
  };
  return {
    means: { ...(dense ? { dense: means(dense) } : {}), hybrid: means(hybrid) },
    perQuery: evaluate(hybrid).perQuery['nDCG@10']!,
  };
}

/** A ranking in the words of the judgements: each hit is the relevant thing it shows, once, or itself. */
function idsOf(chunks: readonly StoredChunk[], { relevant }: JudgedQuery): string[] {
  const ids = chunks.map(({ uri, span, position }) => {
    const shown = relevant.find((one) => one.uri === uri && overlaps(one.span, span));
    return shown?.name ?? `chunk ${position} of ${uri}`;
  });
  return [...new Set(ids)];
}

function overlaps(wanted: Span | undefined, { start, end }: Span): boolean {
  return wanted === undefined || (wanted.start < end && start < wanted.end);
}

function overlap(a: Rankings, b: Rankings, queries: readonly JudgedQuery[]): number {
  const shares = queries.map((query) => {
    const [first, second] = [a, b].map((rankings) => new Set(rankings.get(query)?.map(keyOf))) as [
      Set<string>,
      Set<string>,
    ];
    const most = Math.max(first.size, second.size);
    return most === 0 ? 1 : [...first].filter((key) => second.has(key)).length / most;
  });
  return shares.length === 0 ? 1 : mean(shares);
}

const keyOf = ({ uri, position }: StoredChunk): string => `${position} ${uri}`;

/** Words of a made query. */
const QUERY_WORDS = 5;
const SHORTEST_SENTENCE = 8;

/**
 * Known-item queries from the documents themselves: of a sentence of a chunk its five rarest words that also stand
 * elsewhere, in their order, with that chunk to be found. They know no paraphrase, and so judge words kindly and both
 * embedders alike. Spread evenly over the index; the same index gives the same queries.
 * @see Azzopardi, de Rijke & Balog 2007, Building simulated queries for known-item topics, doi:10.1145/1277741.1277820
 */
async function generateQueries(snapshot: Snapshot, count: number, options: CallOptions): Promise<JudgedQuery[]> {
  wholeOf(count, 'sample', 0);
  const { ordinals } = await snapshot.filter('true');
  const step = Math.max(1, ordinals.length / Math.max(1, count));
  const picked = Array.from({ length: Math.min(count, ordinals.length) }, (_, i) => ordinals[Math.floor(i * step)]!);
  const queries: JudgedQuery[] = [];
  for (const chunk of await snapshot.fetch(picked)) {
    options.signal?.throwIfAborted();
    const text = await rareWords(snapshot, chunk.text, options);
    if (text === undefined) continue;
    const name = `chunk ${chunk.position} of ${chunk.uri}`;
    queries.push({ text, relevant: [{ name, uri: chunk.uri, span: chunk.span }] });
  }
  return queries;
}

async function rareWords({ lexical }: Snapshot, text: string, options: CallOptions): Promise<string | undefined> {
  const sentences = sentenceSpans(text)
    .map(({ start, end }) => text.slice(start, end).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}’'-]*/gu) ?? [])
    .filter((words) => words.length >= SHORTEST_SENTENCE);
  const words = sentences[hash32(text) % Math.max(1, sentences.length)];
  if (!words) return undefined;
  const terms = [...new Set(words)].flatMap((word) =>
    contentTokens(word)
      .slice(0, 1)
      .map((term) => ({ word, term })),
  );
  const postings = await lexical.terms(
    terms.map(({ term }) => term),
    options,
  );
  const known = terms.flatMap(({ word }, i) => {
    const count = countOf(postings[i]!);
    return count > 1 ? { word, count } : []; // a word of this chunk alone would find it whatever the embedder
  });
  return known.length < QUERY_WORDS ? undefined : rarestWords(known, QUERY_WORDS);
}
