// The door `ibid/testing`: checks of the caller's own embedder, model, reranker, web search, transcriber and
// speaker, and small fakes of each.
export type { ContractCheck, Make } from './testing/check.ts';
export { embedderContract } from './testing/embedder.ts';
export {
  fakeEmbedder,
  fakeLanguageModel,
  fakeReranker,
  fakeSpeaker,
  fakeTranscriber,
  fakeWebSearch,
} from './testing/fakes.ts';
export { languageModelContract } from './testing/language-model.ts';
export { rerankerContract } from './testing/reranker.ts';
export { speakerContract } from './testing/speaker.ts';
export { transcriberContract } from './testing/transcriber.ts';
export { webSearchContract } from './testing/web-search.ts';
