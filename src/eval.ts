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
export { beirSource } from './ingest/beir-source.ts';
export type { Choice } from './quality/choose.ts';
export type { EvaluateOptions, EvaluationReport } from './quality/evaluate.ts';
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
export { tunePlot } from './quality/plot.ts';
export type { QualityChunk, QualityIndex } from './quality/quality-index.ts';
export {
  formatQuestions,
  type JudgedQuestion,
  type Judgement,
  judgedQuestion,
  type QuestionKind,
  readQuestionFile,
} from './quality/question.ts';
export type { Score } from './quality/score.ts';
export type { TunedHalf, TunedSetting, TuneOptions, TuneReport } from './quality/tune-contract.ts';
export { evaluateFolder, tuneFolder } from './search-index/measure.ts';
