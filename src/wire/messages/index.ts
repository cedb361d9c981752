/** The client of the messages service: `createMessagesService` and what goes with it. */

export type { StandardResult, StandardSchema } from '../http/standard-schema.ts';
export { MessageAccumulator } from './accumulate.ts';
export type * from './admin-types.ts';
export { batchError } from './batch-results.ts';
export type {
  BatchErrorBody,
  BatchesClient,
  BatchRequest,
  BatchResult,
  BatchRunOptions,
  MessageBatch,
  WaitOptions,
} from './batch-types.ts';
export type * from './blocks.ts';
export type {
  ChatChunk,
  ChatClient,
  ChatCompletion,
  ChatMessage,
  ChatRequest,
  ChatToolCall,
  ChatUsage,
} from './chat.ts';
export type { CheckOptions } from './check.ts';
export type { DeletedFile, FileInfo, FileListParams, FilesClient, FileUpload } from './files.ts';
export type { McpCall, McpCallResult, McpOptions, McpTool } from './mcp.ts';
export { fromMcpResult, toolsFromMcp } from './mcp.ts';
export type { MessageCalls } from './message-calls.ts';
export type { Capability, ModelCapabilities, ModelInfo, ModelsClient } from './models.ts';
export type {
  ClearToolUsesOptions,
  CompactionOptions,
  ComputerToolOptions,
  UserLocation,
  WebFetchOptions,
  WebSearchOptions,
  WebToolOptions,
} from './native.ts';
export {
  bashTool,
  cacheControl,
  clearThinking,
  clearToolUses,
  codeExecutionTool,
  compaction,
  computerTool,
  textEditorTool,
  webFetchTool,
  webSearchTool,
} from './native.ts';
export { messagesOperations } from './operations.ts';
export type { BilledRound, EstimateOptions, ModelPrice, PriceOptions } from './prices.ts';
export {
  addUsage,
  billedRounds,
  countOf,
  estimateInputTokens,
  estimateMessageCost,
  messageCost,
  modelPrices,
  priceFactors,
} from './prices.ts';
export type { DefaultModels, MessagesProfile, ModelRules, ProfileChoice } from './profile.ts';
export { modelName, modelRules, publicProfile, referenceProfile, resolveProfile } from './profile.ts';
export type { WireRequest } from './serialise.ts';
export { serialiseCount, serialiseMessage } from './serialise.ts';
export type { MessagesService, MessagesServiceOptions } from './service.ts';
export { createMessagesService, messagesDialect } from './service.ts';
export { MessageStream, MessageStreamError } from './stream.ts';
export type { JsonOutput } from './structured.ts';
export { jsonOutput } from './structured.ts';
export type { CitedSpan, WithContent } from './text.ts';
export { citationsOf, textOf, thinkingOf, totalInputTokens } from './text.ts';
export type {
  JsonValue,
  Tool,
  ToolAnswer,
  ToolContext,
  ToolOptions,
  ToolOutput,
} from './tools.ts';
export { defineTool, handleNative, toolResult } from './tools.ts';
export type * from './types.ts';
export type { Listing, ListPage, ListParams } from './wiring.ts';
