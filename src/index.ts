export { type CitationReference, formatCitation, parseCitation } from './answer/citation.ts';
export type {
  Answer,
  AnswerEvent,
  AnswerMode,
  Band,
  Calibration,
  Citation,
  Grounding,
  SkippedMode,
  WebLink,
} from './answer/contract.ts';
export type { ModelTurn } from './answer/language-model.ts';
export { type AskBatchOptions, type AskMode, type AskOptions, askModes } from './answering.ts';
export { type ErrorCode, errorCodes, IbidError } from './core/errors.ts';
export { locate } from './core/location.ts';
export { Meter } from './core/meter.ts';
export type {
  Block,
  BlockKind,
  CallOptions,
  Chunk,
  Contribution,
  Document,
  Hit,
  Locator,
  Metadata,
  MetadataValue,
  Place,
  ReadWarning,
  Span,
  StoredChunk,
} from './core/types.ts';
export type { EmbedChunk, EmbedDocument, Embedder, EmbedderLimits } from './embed/contract.ts';
export type { EmbedUsage, ExpectedTime } from './embed/paid/contract.ts';
export type { PaidTotals } from './embed/paid/receipts.ts';
export { type BeirDataset, groupCorpus, readBeirFolder } from './eval/beir.ts';
export {
  defaultMetrics,
  type Evaluation,
  evaluateRun,
  type MetricName,
  type Qrels,
  type Run,
} from './eval/evaluate.ts';
export { type EvaluateOptions, type EvaluationReport, evaluateFolder } from './evaluate.ts';
export type { ExportedChunk, ExportOptions } from './export.ts';
export { beirSource } from './ingest/beir-source.ts';
export type {
  IngestEvent,
  IngestFailure,
  IngestSource,
  IngestSummary,
  LoadedItem,
  SourceItem,
} from './ingest/contract.ts';
export { type FolderSourceOptions, folderSource } from './ingest/folder-source.ts';
export { definePipeline, type Pipeline, type PipelineContext } from './ingest/pipeline.ts';
export type { Passage } from './passage.ts';
export type { Reader, ReaderOptions, ReadSource } from './read/contract.ts';
export { createReader } from './read/reader.ts';
export type {
  EmbedderComparison,
  EmbedderScores,
  RankingScores,
  ReembedEvent,
  ReembedOptions,
  ReembedQuery,
  ReembedSummary,
} from './reembed.ts';
export type { RerankChoice } from './reranking.ts';
export type { Weights } from './retrieve/fuse.ts';
export type { SearchHit } from './retrieve/search.ts';
export type { CandidateCounts, Tuning } from './retrieve/tuning.ts';
export {
  type EmbedderChoice,
  type EmbedderPace,
  type OpenIndexOptions,
  openIndex,
  SearchIndex,
  type SearchIndexIngestOptions,
  type SearchIndexSearchOptions,
} from './search-index.ts';
export { type AgentPreset, agentPresets } from './services/agent.ts';
export type { WebAnswerOptions } from './services/answer-api.ts';
export type { BatchEvent, BatchQuestion, BatchSummary } from './services/batch-answers.ts';
export { type BatchJournal, fileJournal, type JournalEntry, memoryJournal } from './services/batch-journal.ts';
export type { ServiceModelOptions } from './services/language-model.ts';
export type { ResearchAnswerOptions } from './services/research.ts';
export type { IndexServices } from './session.ts';
export type { Finding, IndexStatus } from './status.ts';
export { type ChunkOptions, chunkDocument } from './text/chunk.ts';
export { normaliseText } from './text/normalise.ts';
export type { WebOptions, WebReport } from './web-options.ts';
