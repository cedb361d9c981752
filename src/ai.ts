// The door `ibid/ai`: an index as a tool and as a model of the AI SDK, and models of the AI SDK as writers of answers.
export {
  type AiModel,
  type AiWriterOptions,
  aiWriter,
  type FoundPassage,
  type SearchToolOptions,
  searchTool,
} from './bridges/ai.ts';
export { type AiAnswerModel, type AnsweringIndex, type AnswerModelOptions, answerModel } from './bridges/ai-answers.ts';
export type { BridgedIndex, BridgeSearch } from './bridges/contract.ts';
