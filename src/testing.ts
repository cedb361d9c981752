// The door `ibid/testing`: checks of the caller's own embedder, model, reranker and web search, and small fakes of
// each.
export type { ContractCheck, Make } from './testing/check.ts';
export { embedderContract } from './testing/embedder.ts';
export { fakeEmbedder, fakeLanguageModel, fakeReranker, fakeWebSearch } from './testing/fakes.ts';
export { languageModelContract } from './testing/language-model.ts';
export { rerankerContract } from './testing/reranker.ts';
export { webSearchContract } from './testing/web-search.ts';
