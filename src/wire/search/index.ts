export { isTooLong } from '../http/errors.ts';
export type { StandardResult, StandardSchema } from '../http/standard-schema.ts';
export type * from './answer-types.ts';
export type { SearchFilters } from './check-filters.ts';
export { embeddingLimits } from './embedding-check.ts';
export { cosineSimilarity, type EncodingFormat, hammingDistance } from './embedding-decode.ts';
export type * from './embedding-types.ts';
export { PartialResultError } from './failures.ts';
export { type Citation, findCitations, normaliseUrl, type Source } from './markers.ts';
export { findModel, type ModelKind, presetSteps, publicModels, referenceModels, type SearchModel } from './models.ts';
export {
  type SearchOperationName,
  type SearchOperations,
  searchOperationNames,
  searchOperations,
} from './operations.ts';
export type { Open } from './parse.ts';
export type { WaitOptions } from './poll.ts';
export type {
  AnswerPrices,
  AnswerQuantities,
  ContextSize,
  CostEstimate,
  OwnSearchPrices,
  PriceTable,
  ResearchEstimate,
} from './prices.ts';
export { publicPrices, referencePrices } from './prices.ts';
export {
  publicProfile,
  referenceProfile,
  type SearchDialect,
  type SearchPaths,
  type SearchProfile,
  type SearchProfileOption,
} from './profile.ts';
export { researchSources } from './research-parse.ts';
export type * from './research-types.ts';
export type * from './sandbox-types.ts';
export { mergeResults, snippetPassages } from './search.ts';
export type * from './search-types.ts';
export { answeredCalls } from './serialise.ts';
export {
  createSearchService,
  type SearchService,
  type SearchServiceOptions,
  searchServiceOver,
} from './service.ts';
export { estimateTokens, type TokenCounter } from './token-estimate.ts';
