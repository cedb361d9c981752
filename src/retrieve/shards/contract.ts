import type { CallOptions } from '../../core/types.ts';
import type { TermCounts } from '../../lexical/term-counts.ts';
import type { CollectionTotals } from '../lexical-scores.ts';
import type { CandidateCounts } from '../tuning.ts';
import type { NamedWords } from '../united-postings.ts';

/**
 * What a shard is asked while several rank as one index. First how often words occur, then, with the statistics of all
 * shards, its own best rows. Everything is plain data, for other threads and machines.
 */
export interface ShardAsker {
  readonly name: string;
  totals(options: CallOptions): Promise<CollectionTotals>;
  terms(request: TermsRequest, options: CallOptions): Promise<TermsReply>;
  /** As `LexicalReader.termsFrom`. */
  dictionary(request: DictionaryRequest, options: CallOptions): Promise<DictionaryReply>;
  candidates(request: CandidatesRequest, options: CallOptions): Promise<CandidatesReply>;
}

export interface TermsRequest {
  readonly terms: readonly NamedWords[];
}

export interface FoundCounts extends TermCounts {
  /** Live rows that hold it. */
  readonly rows: number;
}

/** Parallel to the terms. */
export type TermsReply = readonly FoundCounts[];

export interface DictionaryRequest {
  readonly start: string;
  readonly mostBlocks: number;
}

/** Terms with the number of their postings; undefined where too many blocks would have to be read. */
export type DictionaryReply = readonly (readonly [term: string, count: number])[] | undefined;

export interface WeighedTerm extends NamedWords {
  readonly count: number;
  readonly idf: number;
  readonly windowIdf: number;
  /** Whether no row of any shard holds it in text or title. */
  readonly alone: boolean;
}

export interface CandidatesRequest {
  /** Of all shards together. */
  readonly collection: CollectionTotals;
  readonly terms: readonly WeighedTerm[];
  readonly phrases: readonly (readonly string[])[];
  readonly excluded: readonly (readonly string[])[];
  readonly counts: Omit<CandidateCounts, 'read'>;
  /** Of the query; absent where words alone are searched. */
  readonly vector?: Int8Array | undefined;
  readonly where?: string | undefined;
}

/** The candidates of one shard. Arrays are parallel to `ordinals`, or hold places in it. */
export interface CandidatesReply {
  /** In the shard; ascending. */
  readonly ordinals: Uint32Array;
  /** As `candidateLists`: places, each list best first. */
  readonly lists: readonly Uint32Array[];
  /** Places of the nearest rows, best first, with their cosines. */
  readonly near: { readonly places: Uint32Array; readonly cosines: Float32Array };
  readonly features: Readonly<Record<WordFeature, Float64Array>>;
  /** Which candidates hold a term, by term. */
  readonly postings: readonly ShardPostings[];
  /** Vectors of the candidates, row after row; absent without a vector of the query. */
  readonly vectors?: Int8Array | undefined;
}

export const wordFeatures = [
  'body',
  'window',
  'title',
  'heading',
  'titleShare',
  'length',
  'coverage',
  'documentShare',
] as const;
export type WordFeature = (typeof wordFeatures)[number];

export interface ShardPostings {
  readonly places: Uint32Array;
  readonly text: Uint16Array;
  readonly title: Uint16Array;
  readonly headings: Uint16Array;
}
