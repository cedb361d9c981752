// The door `ibid/langchain`: an index as a retriever and a vector store of LangChain.js, which the caller installs.
export type { BridgedIndex, BridgeSearch } from './bridges/contract.ts';
export {
  type IbidFilter,
  IbidRetriever,
  type IbidRetrieverInput,
  IbidVectorStore,
  type WritableIndex,
} from './bridges/langchain.ts';
export type { IngestFailure } from './ingest/contract.ts';
