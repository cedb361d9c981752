/**
 * The door for benches: what they measure inside. Packages do not ship this file (tsconfig.build.json leaves it out),
 * and nothing in `src/` imports it. A bench that can measure the same through `index.ts`, `eval.ts` or
 * `wire/index.ts` comes in there.
 */

// answer/: quality/answers, quality/answer-figures, quality/grounded, quality/grounded-cache, quality/train-answers,
// quality/conversation
export { calibrate } from './answer/answerability/calibrate.ts';
export { supportFeatures, supportNames } from './answer/answerability/support.ts';
export { supportFor } from './answer/answerability/support-for.ts';
export { leansOnHistory, standAloneQuery } from './answer/conversation.ts';
export { answerExtractive, resolveAnswerOptions } from './answer/extractive/extractive.ts';
export { candidatesOf, featureNames } from './answer/extractive/features.ts';
export { rank } from './answer/extractive/select.ts';
export { unitsOf } from './answer/extractive/units.ts';
export { answerGrounded, collectAnswer } from './answer/grounded/grounded.ts';
export { defaultInstructions } from './answer/grounded/request.ts';
export { packSources } from './answer/grounded/sources.ts';
export { analyseQuestion } from './answer/question.ts';
export { collectionStatistics } from './answer/statistics.ts';

// core/: quality/collections, quality/service-edits, quality/web
export { hash32 } from './core/hash.ts';

// embed/: quality/collections, quality/ablations, quality/vector-variants, quality/answer-sets, speed/embed,
// speed/systems
export { Composer, surroundings } from './embed/local/compose.ts';
export { openLocalEmbedder, trainLocalEmbedder } from './embed/local/embedder.ts';
export { decodeModel } from './embed/local/model.ts';
export { mix, randomWords, unit } from './embed/local/random.ts';
export type { LocalTrainingOptions } from './embed/local/training-options.ts';

// eval/: whatever draws at random, tests or compares
export { judgedQueryIds } from './eval/evaluate.ts';
export { auroc, bootstrapInterval, comparePaired, seededRandom } from './eval/statistics.ts';

// modes/: quality/grounded-cache
export { answerAsAgent } from './modes/agent/agent.ts';

// quality/: report
export {
  COLOURS,
  darkTheme,
  escapeXml,
  FONT,
  fitText,
  lightTheme,
  line,
  linearScale,
  logScale,
  plotElement,
  plotFile,
  plotRules,
  px,
  type Scale,
  SMALL,
  text,
  textWidth,
} from './quality/svg.ts';

// read/: datasets/unzip
export { type DirectoryEntry, findDirectory, localHeaderBytes, readDirectory, tailBytes } from './read/zip.ts';

// retrieve/: quality/measurement and whatever ranks; quality/left-out fits the weights; quality/calibration;
// quality/rerank
export { trust } from './retrieve/calibrate.ts';
export { ChunkCache } from './retrieve/chunk-cache.ts';
export type { Evidence as QueryEvidence } from './retrieve/evidence.ts';
export { cheapFeatures, type FeatureName, type Features, fuse } from './retrieve/fuse.ts';
export { type Candidates, gather } from './retrieve/gather.ts';
export { GramFrequencies } from './retrieve/gram-frequencies.ts';
export { rerankHits } from './retrieve/rerank.ts';
export { search, searchWithEvidence } from './retrieve/search.ts';
export { addTextFeatures } from './retrieve/text-features.ts';
export { topIndices } from './retrieve/top.ts';

// search-index/: speed/run
export { MODEL_BLOB } from './search-index/ingest-session.ts';

// services/: quality/answers, quality/grounded, quality/grounded-cache, quality/service-edits, quality/rerank,
// quality/run, quality/web
export { openServiceEmbedder } from './services/embedder.ts';
export { serviceLanguageModel } from './services/language-model.ts';
export { serviceReranker } from './services/reranker.ts';
export { TOKENS_PER_PAGE } from './services/web-search.ts';

// store/: support/index-of, ann, speed/run, speed/store, speed/vector, speed/systems
export type { DocumentRecord, Snapshot } from './store/contract.ts';
export { connectDatabase, openStore, openWriter, type Store, type StoreOptions } from './store/index.ts';
export { calibrationKey } from './store/store.ts';
export { chooseMethod } from './store/vector-search.ts';
export { SignCode } from './store/vectors.ts';

// text/: quality/left-out, quality/answer-figures, quality/chunk-sizes, quality/ablations, speed/chunk
export { analyseQuery } from './text/analysis/analysis.ts';
export { sentenceSpans } from './text/sentences/sentences.ts';
export { countTokens } from './text/tokens/tokens.ts';

// vector/: ann, quality/vector-variants, speed/vector
export type { Calibration as VectorCalibration } from './vector/calibrate.ts';
export { cosinesOf, Int8Rows } from './vector/int8-rows.ts';
export { hadamard } from './vector/rotation.ts';
export { SignRows } from './vector/sign-rows.ts';
export { TopScores } from './vector/top.ts';

// web/: quality/web
export { cleanWebText } from './web/clean.ts';
export { WebPages } from './web/documents.ts';
export { mergedSearch } from './web/merged-search.ts';
export type { OverlayDocument } from './web/overlay.ts';
export { mergePages } from './web/pages.ts';
export { wordingsOf } from './web/query-variants.ts';

// wire/: support/wire-clients
export { createTransport } from './wire/http/transport.ts';
export { parseStreamEvent } from './wire/messages/events.ts';
