export { type CitationReference, citationOf, formatCitation, parseCitation } from './answer/citation.ts';
export type {
  Answer,
  Answerability,
  AnswerEvent,
  AnswerMode,
  Citation,
  Computation,
  Confidence,
  Contradicting,
  Grounding,
  LookedAt,
  RelatedPassage,
  SkippedMode,
  SupportCalibration,
  WebImage,
  WebLink,
} from './answer/contract.ts';
export type { HistoryTurn } from './answer/grounded/request.ts';
export type {
  LanguageModel,
  ModelCitation,
  ModelEvent,
  ModelLimits,
  ModelMedia,
  ModelRequest,
  ModelSource,
  ModelStop,
  ModelTurn,
  ModelUsage,
  ModelWriteOptions,
} from './answer/language-model.ts';
export { type SpeakAnswerOptions, type SpokenEvent, speakAnswer } from './answer/speaking.ts';
export type { ToolModel } from './answer/tool-model.ts';
export { nearestName } from './core/arguments.ts';
export { describePath, describePlace } from './core/describe-place.ts';
export { type ErrorCode, errorCodes, IbidError, type IbidErrorOptions } from './core/errors.ts';
export type { Journal } from './core/json-lines.ts';
export { type Locatable, locate } from './core/location.ts';
export { type Budget, Meter, type Reservation } from './core/meter.ts';
export type { Passage, SourceState, TimedWord } from './core/passage.ts';
export type { SearchMode, SearchReport, ShardsReport, WebReport } from './core/report.ts';
export type { Task } from './core/task.ts';
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
  Recognition,
  Silence,
  Span,
  StoredChunk,
  WebOrigin,
} from './core/types.ts';
export type { EmbedChunk, EmbedDocument, Embedder, EmbedderLimits } from './embed/contract.ts';
export { toInt8 } from './embed/int8.ts';
export type { Int8Recall } from './embed/int8-recall.ts';
export type { EmbedUsage, ExpectedTime } from './embed/service/contract.ts';
export type { BilledTotals } from './embed/service/receipts.ts';
export type { PairedComparison } from './eval/statistics.ts';
export type { BatchLimits } from './ingest/batch.ts';
export type {
  IngestEvent,
  IngestFailure,
  IngestLeftOut,
  IngestSource,
  IngestSummary,
  LoadedItem,
  SmallFile,
  SourceItem,
} from './ingest/contract.ts';
export { type FolderSourceOptions, folderSource, type RecordingParts } from './ingest/folder-source.ts';
export type { GivenDocument, GivenFormat } from './ingest/given-documents.ts';
export type { IngestOptions } from './ingest/ingest.ts';
export type { MovedFolder } from './ingest/moved.ts';
export { definePipeline, type Pipeline, type PipelineContext } from './ingest/pipeline.ts';
export type { GivenNames } from './ingest/recordings.ts';
export type { WalkOptions } from './ingest/walk.ts';
export type { McpServer, OwnToolCall, OwnTools } from './modes/agent/own-tools.ts';
export { type AgentPreset, agentPresets } from './modes/agent/presets.ts';
export type { ImageFilters, WebAnswerOptions } from './modes/answer-service.ts';
export type { BatchAnswerOptions, BatchEvent, BatchQuestion, BatchSummary } from './modes/batch/contract.ts';
export {
  type BatchJournal,
  fileJournal,
  type JournalEntry,
  type JournalRequest,
  memoryJournal,
} from './modes/batch/journal.ts';
export {
  type AgentAsk,
  type AnswerServiceAsk,
  type AskBatchOptions,
  type AskMode,
  type AskOptions,
  askModes,
  type DefaultAsk,
  type ExtractiveAsk,
  type GroundedAsk,
  type ModeOptions,
  type RerankChoice,
  type ResearchAsk,
  type ResumeOptions,
} from './modes/options.ts';
export type { ResearchAnswerOptions } from './modes/research/contract.ts';
export type { CancelledRun } from './modes/runs/cancel.ts';
export { fileRunJournal, memoryRunJournal, type RunEntry, type RunJournal } from './modes/runs/journal.ts';
export type { ResearchFunction } from './modes/tools/research-loop.ts';
export { overviewCaptions } from './overview/captions.ts';
export type {
  Overview,
  OverviewEstimate,
  OverviewEvent,
  OverviewOptions,
  OverviewSound,
  OverviewTopic,
} from './overview/contract.ts';
export { overviewPage } from './overview/page.ts';
export type { OverviewScript, ScriptSentence, ScriptSource, ScriptTurn, ScriptVoice } from './overview/script.ts';
export { renderScript } from './overview/script-text.ts';
export type { SpokenPartEvent, SpokenScript, SpokenSentence } from './overview/spoken-script.ts';
export type { DroppedEvent } from './overview/written-script.ts';
export type { SearchResults } from './passages/find.ts';
export type { LookOptions } from './passages/look.ts';
export type {
  LightLimits,
  MakeTranscript,
  OcrOptions,
  OcrProgress,
  Reader,
  ReaderOptions,
  ReadOptions,
  ReadSource,
  RecordingOptions,
} from './read/contract.ts';
export { createReader } from './read/reader.ts';
export type { Chapter, RecordingInfo, SpeakerNames, WaitingRecording } from './read/recording/contract.ts';
export type { Reranker, RerankPassage, RerankScores } from './retrieve/rerank.ts';
export type { SearchHit, SearchOptions } from './retrieve/search.ts';
export type { CandidateCounts, Tuning, Weights } from './retrieve/tuning.ts';
export type { BilledEvent } from './search-index/billing.ts';
export type { DocumentPage, DocumentPageOptions, DocumentText, IndexedDocument } from './search-index/documents.ts';
export type { ExportedChunk, ExportOptions } from './search-index/export.ts';
export {
  type AnswerJson,
  answerToJson,
  type CitationJson,
  type HitJson,
  hitToJson,
  type RelatedJson,
  type WebJson,
  webToJson,
} from './search-index/json.ts';
export { openIndex } from './search-index/open-index.ts';
export { openIndexes } from './search-index/open-indexes.ts';
export type {
  EmbedderChoice,
  EmbedderPace,
  EmbedOptions,
  IndexAddress,
  OpenIndexesOptions,
  OpenIndexOptions,
  SearchIndexIngestOptions,
  SearchIndexSearchOptions,
  ServiceEmbedderChoice,
  WriteOptions,
} from './search-index/options.ts';
export type { TranscribeOptions } from './search-index/recordings.ts';
export type {
  EmbedderComparison,
  EmbedderScores,
  RankingScores,
  ReembedEvent,
  ReembedOptions,
  ReembedQuery,
  ReembedSummary,
} from './search-index/reembed.ts';
export type { DamagedFile, RepairEvent, RepairSummary } from './search-index/repair.ts';
export { SearchIndex } from './search-index/search-index.ts';
export { type IndexSettings, readSettings, writeSettings } from './search-index/settings.ts';
export type { SourceFile } from './search-index/source-file.ts';
export type { RecordedSpeaker } from './search-index/speakers.ts';
export type { Finding, IndexStatus, KeptVectors } from './search-index/status.ts';
export { type WatchEvent, type WatchOptions, watchFolders } from './search-index/watch.ts';
export type { ServiceModelOptions } from './services/language-model.ts';
export type { IndexModels, IndexServices } from './services/providers.ts';
export type { RemoteIndex } from './services/shards/remote-shard.ts';
export type { ServiceTranscriberOptions } from './services/transcriber.ts';
export { type Caption, captionsOf, webVtt } from './speak/captions.ts';
export type {
  SoundFormat,
  SoundPart,
  SpeakCall,
  Speaker,
  SpeakerLimits,
  SpeechUsage,
  SpokenSpan,
  SpokenTurn,
} from './speak/contract.ts';
export { type EspeakOptions, espeakSpeaker } from './speak/espeak.ts';
export {
  checkEncoder,
  formatFor,
  openSoundFile,
  type SoundEncoder,
  type SoundFile,
  type SoundKind,
  SoundWriter,
  soundKindOf,
} from './speak/sound-writer.ts';
export { type SpeechOptions, speakTurns } from './speak/speech.ts';
export type { CacheOptions } from './store/index.ts';
export type { Condition, Where } from './store/where.ts';
export { type ChunkOptions, chunkDocument } from './text/chunk/chunk.ts';
export { normaliseText } from './text/normalise.ts';
export type {
  Sound,
  SpokenWord,
  TranscribeCall,
  TranscribedTotals,
  Transcriber,
  TranscriberLimits,
  TranscriberReply,
  Transcript,
  TranscriptionSettings,
  TranscriptionUsage,
} from './transcribe/contract.ts';
export type { FfmpegOptions } from './transcribe/cutter.ts';
export type { TranscriptionProgress } from './transcribe/transcription.ts';
export type { WebAnswer, WebList, WebPage, WebQuery, WebSearch } from './web/contract.ts';
export type { Recency, WebFilters } from './web/filters.ts';
export type { WebOptions } from './web/options.ts';
export type { KeptPages } from './web/snapshots.ts';
