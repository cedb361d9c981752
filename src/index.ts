export { type CitationReference, formatCitation, parseCitation } from './answer/citation.ts';
export type { Answer, Band, Calibration, Citation } from './answer/contract.ts';
export { type ErrorCode, errorCodes, IbidError } from './core/errors.ts';
export { locate } from './core/location.ts';
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
export type { SearchHit } from './retrieve/search.ts';
export {
  type AskOptions,
  type OpenIndexOptions,
  openIndex,
  SearchIndex,
  type SearchIndexIngestOptions,
  type SearchIndexSearchOptions,
} from './search-index.ts';
export type { Finding, IndexStatus } from './status.ts';
export { type ChunkOptions, chunkDocument } from './text/chunk.ts';
export { normaliseText } from './text/normalise.ts';
