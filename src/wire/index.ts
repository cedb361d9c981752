/**
 * `ibid/wire`: typed clients of the three services, without the rest of ibid and without its database.
 * What belongs to one service stands under its name: `search.findCitations`, `messages.defineTool`, `audio.toWav`.
 */
export { type ErrorCode, errorCodes, IbidError } from '../core/errors.ts';
export * as audio from './audio/index.ts';
export { type AudioService, type AudioServiceOptions, createAudioService } from './audio/index.ts';
export type {
  AttemptEvent,
  GroupLimits,
  LimitOptions,
  Operation,
  ProxyOptions,
  RepeatRule,
  ReplyInfo,
  ServiceName,
  StreamReply,
  Timeouts,
  Transport,
  TransportOptions,
  WireCallOptions,
} from './http/contract.ts';
export { type Cost, type CostPart, sumCosts } from './http/cost.ts';
export { proxyFromEnvironment, serviceFromEnvironment } from './http/environment.ts';
export { WireError } from './http/errors.ts';
export { keyFromEnvironment } from './http/keys.ts';
export * as messages from './messages/index.ts';
export {
  createMessagesService,
  defineTool,
  type MessagesService,
  type MessagesServiceOptions,
} from './messages/index.ts';
export * as search from './search/index.ts';
export { createSearchService, type SearchService, type SearchServiceOptions } from './search/index.ts';
