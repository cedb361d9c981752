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
export type { Judged } from './answer/grounded/grounded.ts';
export type { HistoryTurn } from './answer/grounded/request.ts';
export type { ModelSource, ModelStop, ModelTurn, ModelUsage } from './answer/language-model.ts';
export { type ErrorCode, errorCodes, IbidError, type IbidErrorOptions } from './core/errors.ts';
export { type Locatable, locate } from './core/location.ts';
export { Meter, type Reservation } from './core/meter.ts';
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
export type { EmbedUsage, ExpectedTime } from './embed/service/contract.ts';
export type { PaidTotals } from './embed/service/receipts.ts';
export {
  type BeirDataset,
  type BeirOptions,
  type CorpusEntry,
  type DatasetDocument,
  type DatasetQuery,
  type EntryMetadata,
  type GivenChunk,
  type GroupedDocument,
  groupCorpus,
  readBeirFolder,
} from './eval/beir.ts';
export {
  defaultMetrics,
  type Evaluation,
  evaluateRun,
  type MetricName,
  type Qrels,
  type Run,
} from './eval/evaluate.ts';
export type { ByteRange } from './eval/lines.ts';
export type { Grades } from './eval/metrics.ts';
export type { PairedComparison } from './eval/statistics.ts';
export type { BatchLimits } from './ingest/batch.ts';
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
export type { IngestOptions } from './ingest/ingest.ts';
export { definePipeline, type Pipeline, type PipelineContext } from './ingest/pipeline.ts';
export type { WalkOptions } from './ingest/walk.ts';
export { type AgentPreset, agentPresets } from './modes/agent/agent.ts';
export type { WebAnswerOptions } from './modes/answer-service.ts';
export { type AskBatchOptions, type AskMode, type AskOptions, askModes } from './modes/ask.ts';
export type { BatchAnswerOptions, BatchEvent, BatchQuestion, BatchSummary } from './modes/batch/contract.ts';
export {
  type BatchJournal,
  fileJournal,
  type JournalEntry,
  type JournalRequest,
  memoryJournal,
} from './modes/batch/journal.ts';
export type { ResearchAnswerOptions } from './modes/research.ts';
export {
  runTools,
  streamTools,
  ToolLoopError,
  type ToolLoopEvent,
  type ToolLoopOptions,
  type ToolLoopService,
  type ToolRun,
} from './modes/tools/loop.ts';
export type { ToolCallReport } from './modes/tools/run-tool.ts';
export type { Choice } from './quality/choose.ts';
export { type EvaluateOptions, type EvaluationReport, evaluateFolder } from './quality/evaluate.ts';
export {
  compareWithBaseline,
  type GateBaseline,
  type GateComparison,
  type GateMetric,
  type GateReport,
  type GateScore,
  measureGate,
  questionsOfIndex,
  readBaseline,
  writeBaseline,
} from './quality/gate.ts';
export {
  type Evidence,
  formatQuestions,
  type JudgedQuestion,
  judgedQuestion,
  type QuestionKind,
  readQuestionFile,
} from './quality/question.ts';
export type { Score } from './quality/score.ts';
export { type TunedHalf, type TunedSetting, type TuneOptions, type TuneReport, tuneFolder } from './quality/tune.ts';
export type { Reader, ReaderOptions, ReadSource } from './read/contract.ts';
export { createReader } from './read/reader.ts';
export type { Weights } from './retrieve/fuse.ts';
export type { SearchMode } from './retrieve/gather.ts';
export type { SearchHit, SearchOptions } from './retrieve/search.ts';
export type { CandidateCounts, Tuning } from './retrieve/tuning.ts';
export type { ExportedChunk, ExportOptions } from './search-index/export.ts';
export type {
  EmbedderComparison,
  EmbedderScores,
  RankingScores,
  ReembedEvent,
  ReembedOptions,
  ReembedQuery,
  ReembedSummary,
} from './search-index/reembed.ts';
export type { RerankChoice } from './search-index/reranking.ts';
export {
  type EmbedderChoice,
  type EmbedderPace,
  type OnWarning,
  type OpenIndexOptions,
  openIndex,
  SearchIndex,
  type SearchIndexIngestOptions,
  type SearchIndexSearchOptions,
} from './search-index/search-index.ts';
export type { IndexServices } from './search-index/sessions.ts';
export { type IndexSettings, readSettings, writeSettings } from './search-index/settings.ts';
export type { Passage, SourceState } from './search-index/show.ts';
export type { Finding, IndexStatus, KeptPages, KeptVectors } from './search-index/status.ts';
export {
  type JoinedSound,
  type LongDialogue,
  type LongDialogueOptions,
  type LongOptions,
  type LongSegment,
  type LongSpeech,
  longDialogue,
  longSpeech,
  memorySegments,
  type SegmentStore,
  type StoredSegment,
  segmentKey,
  splitText,
  type TextSegment,
} from './services/audio/index.ts';
export type { ServiceModelOptions } from './services/language-model.ts';
export { type ChunkOptions, chunkDocument } from './text/chunk/chunk.ts';
export { normaliseText } from './text/normalise.ts';
export type { Recency } from './web/contract.ts';
export type { WebOptions, WebReport } from './web/options.ts';
