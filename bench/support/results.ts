/**
 * What a run of each kind found: the `results` of its file. Numbers are finite; what could not be measured is absent
 * and `skipped`.
 */

/** The mean of values, with its 95 % percentile bootstrap interval. */
export interface Mean {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Something that was to be measured and was not. */
export interface Skipped {
  readonly what: string;
  readonly reason: string;
}

// --- quality ---------------------------------------------------------------------------------------------------------

export interface QualityResults {
  /** All of them are better when higher, and lie in [0, 1]. */
  readonly metrics: readonly string[];
  readonly collections: readonly QualityCollection[];
  readonly skipped: readonly Skipped[];
}

export interface QualityCollection {
  readonly name: string;
  readonly documents: number;
  readonly chunks: number;
  /** Those scored: every one with a positive judgement. What `perQuery` is ordered by. */
  readonly queryIds: readonly string[];
  readonly variants: readonly QualityVariant[];
  readonly comparisons: readonly QualityComparison[];
  readonly skipped: readonly Skipped[];
}

/**
 * `main`: what ibid offers its users. `baseline`: plain BM25. `alternative`: other packages at their documented
 * defaults. The others take the main hybrid apart: `context`, `vectors`, `fusion`, `chunks`, `embedder`; `control`:
 * must score low.
 */
export type VariantFamily =
  | 'main'
  | 'baseline'
  | 'alternative'
  | 'context'
  | 'vectors'
  | 'fusion'
  | 'chunks'
  | 'embedder'
  | 'control';

export interface QualityVariant {
  /** Unique within the collection, and the same in every collection. */
  readonly name: string;
  readonly family: VariantFamily;
  /** Metric → mean with interval. */
  readonly metrics: Readonly<Record<string, Mean>>;
  /** Metric → one value per query, in the order of `queryIds`. */
  readonly perQuery: Readonly<Record<string, readonly number[]>>;
  /** Mean time of one query in this run; shown, never judged. */
  readonly msPerQuery?: number;
}

/** `other` minus `base`, over the same queries. */
export interface QualityComparison {
  readonly metric: string;
  readonly base: string;
  readonly other: string;
  readonly difference: number;
  /** 95 % percentile bootstrap over queries of the paired difference. */
  readonly low: number;
  readonly high: number;
  /** Two-sided paired randomisation test. */
  readonly pValue: number;
}

// --- answers ---------------------------------------------------------------------------------------------------------

export interface AnswerResults {
  readonly sets: readonly AnswerSetResults[];
  readonly skipped: readonly Skipped[];
}

export interface AnswerSetResults {
  readonly name: string;
  readonly modes: readonly AnswerModeResults[];
}

export interface AnswerModeResults {
  /** 'extractive', or 'generated: <model>'. */
  readonly mode: string;
  readonly figures: Readonly<Record<string, Figure>>;
}

/** A figure over questions; `values` and `ids` go together and allow paired tests between runs. */
export interface Figure extends Mean {
  readonly n: number;
  readonly better: 'higher' | 'lower';
  readonly ids?: readonly string[];
  readonly values?: readonly number[];
}

// --- nearest neighbours ----------------------------------------------------------------------------------------------

export interface AnnResults {
  /** How many neighbours count: recall@k against exact search. */
  readonly k: number;
  readonly cases: readonly AnnCase[];
  readonly skipped: readonly Skipped[];
}

export interface AnnCase {
  /** How the vectors were made or where they come from. */
  readonly data: string;
  readonly rows: number;
  readonly dimensions: number;
  /** 'ibid', 'lancedb', 'hnswlib', … */
  readonly engine: string;
  readonly method: string;
  readonly buildMs: number;
  /** Of all its threads. */
  readonly buildCpuMs?: number;
  readonly diskBytes?: number;
  /** Peak of the process that built, and resident of the one that searched. */
  readonly buildRssBytes?: number;
  readonly searchRssBytes?: number;
  /** From opening the index to its first answer, its files not in the page cache. */
  readonly coldMs?: number;
  /** A later query whose files were dropped from the page cache before it; median. */
  readonly coldQueryMs?: number;
  /** One point per setting, cheapest first. */
  readonly curve: readonly AnnPoint[];
}

export interface AnnPoint {
  readonly setting: string;
  readonly recall: number;
  /** Lowest recall of one query. */
  readonly worst?: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms?: number;
  /** One per query. */
  readonly recalls?: readonly number[];
  readonly ms?: readonly number[];
}

// --- speed -----------------------------------------------------------------------------------------------------------

export interface SpeedResults {
  readonly cases: readonly SpeedCase[];
  readonly skipped: readonly Skipped[];
}

export interface SpeedCase {
  /** What was done, the same for every system that did it: 'ingest 2,000 documents', 'query, 8 callers'. */
  readonly task: string;
  /** 'ibid', or the package measured beside. */
  readonly system: string;
  readonly measures: Readonly<Record<string, Samples>>;
  /** Where the time went, in order; for flame bars. `parent` names an earlier phase that this one is part of. */
  readonly phases?: readonly Phase[];
}

export interface Samples {
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** One per round, or one per query where `of` says so. */
  readonly values: readonly number[];
  readonly of?: 'round' | 'query';
  /** What is quoted: median, or the quantile that the name says. */
  readonly value: number;
}

export interface Phase {
  readonly name: string;
  readonly ms: number;
  readonly parent?: string;
}

// --- scaling ---------------------------------------------------------------------------------------------------------

export interface ScaleResults {
  readonly series: readonly ScaleSeries[];
  readonly skipped: readonly Skipped[];
}

export interface ScaleSeries {
  readonly system: string;
  /** 'ingest', 'query p50', 'peak memory', 'disk'. */
  readonly what: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** Of growing size. */
  readonly points: readonly { readonly chunks: number; readonly value: number; readonly values?: readonly number[] }[];
  /** Least squares of log value over log chunks; 1 is linear. */
  readonly exponent: number;
}

// --- trials ----------------------------------------------------------------------------------------------------------

/** Attacks on ibid. Each set repeats one kind of attack and states what must hold. */
export interface TrialResults {
  readonly sets: readonly TrialSet[];
  readonly skipped: readonly Skipped[];
}

export interface TrialSet {
  /** The attack: 'one bit flipped in a file of the index'. */
  readonly name: string;
  /** What must hold after every attempt, as one sentence. */
  readonly invariant: string;
  readonly attempts: number;
  /** Counts of outcomes, times with their unit in the name ('longest, s'). */
  readonly figures: Readonly<Record<string, number>>;
  /** Attempts after which the invariant did not hold. */
  readonly findings: readonly TrialFinding[];
  /** What was watched during the run. */
  readonly series?: readonly TrialSeries[];
}

export interface TrialFinding {
  readonly what: string;
  /** Repeats this attempt alone. */
  readonly command: string;
}

export interface TrialSeries {
  readonly name: string;
  readonly unit: string;
  /** x in seconds since the start. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}
