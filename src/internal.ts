/**
 * The door for benches: what they measure inside. Packages do not ship this file (tsconfig.build.json leaves it out),
 * and nothing in `src/` imports it. A bench that can measure the same through `index.ts`, `eval.ts` or
 * `wire.ts` comes in there.
 */

// answer/: quality/answer-figures, quality/answers, quality/conversation, quality/grounded, quality/grounded-cache,
// quality/train-answers, quality/train-spans, quality/span-lexicon, quality/train-support, quality/grow-trees,
// quality/answer-training-sets, quality/span-examples, quality/train-sentence-model
export { assessAnswerability } from './answer/answerability/answerability.ts';
export { calibrateSupport } from './answer/answerability/calibrate.ts';
export { supportFeatures, supportNames } from './answer/answerability/support.ts';
export { answerExtractive } from './answer/extractive/extractive.ts';
export { answerGrounded, collectAnswer } from './answer/grounded/grounded.ts';
export { defaultInstructions } from './answer/grounded/request.ts';
export { packSources } from './answer/grounded/sources.ts';
export { needsRewriting, rewriteQuery } from './answer/query-rewriting.ts';
export { analyseQuestion, type Question } from './answer/sentences/question/question.ts';
export { firstColumns, lookCloser } from './answer/sentences/ranking/closer.ts';
export { candidatesOf, featureNames } from './answer/sentences/ranking/features.ts';
export { nextRow } from './answer/sentences/ranking/next.ts';
export { judge, rank } from './answer/sentences/ranking/rank.ts';
export { type Atom, atomsOf } from './answer/sentences/spans/atoms.ts';
export { chooseSpan } from './answer/sentences/spans/choose-span.ts';
export { mostRead, readingWeight } from './answer/sentences/spans/reading.ts';
export { type Reading, SentenceModel } from './answer/sentences/spans/sentence-model.ts';
export {
  featuresAWord,
  longestSpan,
  partsAWord,
  questionFeatures,
  sentenceModelInput,
} from './answer/sentences/spans/sentence-model-input.ts';
export { packSentenceModel, unpackSentenceModel } from './answer/sentences/spans/sentence-model-pack.ts';
export { shippedSentenceModel } from './answer/sentences/spans/sentence-model-weights.ts';
export {
  askingKeys,
  edgeKey,
  edges as spanEdges,
  packLexicon,
  type SpanLexicon,
  shapes,
  unpackLexicon,
  type WholeLexicon,
  wordKey,
} from './answer/sentences/spans/span-lexicon.ts';
export { spanNames } from './answer/sentences/spans/span-rows.ts';
export { spanLexicon, spanTrees } from './answer/sentences/spans/span-weights.ts';
export { type SpanCandidate, spanCandidates } from './answer/sentences/spans/spans.ts';
export { unitsOf } from './answer/sentences/structure/units.ts';
export { leaf, packTrees, scoreOf, type Trees } from './answer/sentences/trees/trees.ts';
export { firstTrees } from './answer/sentences/trees/weights.ts';

// core/: quality/collections, quality/service-edits, quality/web
export { hash32 } from './core/hash.ts';
export { cosineOf } from './embed/int8.ts';
// embed/: ann/floats, quality/ablations, quality/answer-sets, quality/collections, quality/context, quality/service-edits,
// quality/vector-variants, speed/embed, speed/systems/system
export { Composer, surroundings } from './embed/local/compose.ts';
export { openLocalEmbedder, trainLocalEmbedder } from './embed/local/embedder.ts';
export { decodeModel } from './embed/local/model.ts';
export { mix, randomWords, unit } from './embed/local/random.ts';
export type { LocalTrainingOptions } from './embed/local/training-options.ts';
export { ServiceEmbedder } from './embed/service/embedder.ts';
export { Spread } from './embed/spread.ts';

// eval/: all benches
export { judgedQueryIds } from './eval/evaluate.ts';
export { auroc, bootstrapInterval, comparePaired, seededRandom } from './eval/statistics.ts';
export { mean, quantile } from './eval/summary.ts';

// modes/: quality/grounded-cache, quality/answers
export { answerAsAgent } from './modes/agent/agent.ts';
export { answerInParts } from './modes/two-things.ts';

// quality/: report/charts, report/plot, report/render
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

// read/: datasets/unzip, quality/reading
export { readHtml } from './read/markup/html.ts';
export { parseBytes } from './read/parse.ts';
export { readPdf } from './read/pdf/pdf.ts';
export { findPageLines } from './read/text/page-lines.ts';
export { type DirectoryEntry, findDirectory, localHeaderBytes, readDirectory, tailBytes } from './read/zip.ts';

// retrieve/: most of quality/
export { calibrateScore } from './retrieve/calibrate-score.ts';
export { type Candidates, generateCandidates } from './retrieve/candidates.ts';
export { ChunkCache } from './retrieve/chunk-cache.ts';
export { collectionStatistics } from './retrieve/collection-statistics.ts';
export { cheapFeatures, type Features, fuse } from './retrieve/fuse.ts';
export { GramFrequencies } from './retrieve/gram-frequencies.ts';
export { nearestHits } from './retrieve/nearest.ts';
export type { QueryPredictors } from './retrieve/query-predictors.ts';
export { rerankHits } from './retrieve/rerank.ts';
export { search, searchWithPredictors } from './retrieve/search.ts';
export { textFeatures } from './retrieve/text-features.ts';
export { topIndices } from './retrieve/top.ts';
export type { FeatureName } from './retrieve/tuning.ts';
export { defaultWeights } from './retrieve/tuning.ts';

// search-index/: speed/run
export { MODEL_BLOB } from './search-index/ingest-session.ts';

// services/: quality/answers, quality/grounded, quality/grounded-cache, quality/rerank, quality/run,
// quality/service-edits, quality/web
export { openServiceEmbedder } from './services/embedder.ts';
// services/: withstand/hostile
export { openPageFetcher } from './services/fetch-page.ts';
export { serviceLanguageModel } from './services/language-model.ts';
export { serviceReranker } from './services/reranker.ts';
export { TOKENS_PER_PAGE } from './services/web-search.ts';
// store/: quality/answer-sets, quality/collections, quality/conversation, quality/vector-variants, ann/ibid,
// speed/run, speed/store, speed/vector, support/stored-snapshot, support/vector-record
export type { DocumentRecord, Snapshot } from './store/contract.ts';
export { connectDatabase, openStore, openWriter, type Store, type StoreOptions } from './store/index.ts';
export { calibrationKey } from './store/store.ts';
export { chooseMethod } from './store/vector-search.ts';
// text/: quality/ablations, quality/answer-figures, quality/chunk-sizes, quality/left-out, quality/web, speed/chunk,
// support/stored-snapshot, quality/train-spans, quality/span-lexicon, quality/train-sentence-model
export { analyseQuery } from './text/analysis/query.ts';
export { contentTerms } from './text/analysis/words.ts';
export { answerTypes } from './text/languages/answer-types.ts';
export { sentenceSpans } from './text/sentences/sentences.ts';
export { countTokens } from './text/tokens/tokens.ts';
// vector/: quality/vector-variants, ann/ibid, ann/vectors, speed/vector
export type { SignCalibration } from './vector/calibrate.ts';
export { cosinesOf, Int8Rows } from './vector/int8-rows.ts';
export { hadamard } from './vector/rotation.ts';
export { SignCode } from './vector/sign-code.ts';
export { SignRows } from './vector/sign-rows.ts';
export { TopScores } from './vector/top.ts';

// web/: quality/web
export { cleanWebText } from './web/clean.ts';
export { WebPages } from './web/documents.ts';
export { mergedSearch } from './web/merged-search.ts';
export type { OverlayDocument } from './web/overlay.ts';
export { mergePages } from './web/pages.ts';
export { queryVariants } from './web/query-variants.ts';

// wire/: withstand/hostile, support/wire-clients
export { fetchPublicPage } from './wire/http/page.ts';
export { createTransport } from './wire/http/transport.ts';
export { parseStreamEvent } from './wire/messages/events.ts';
