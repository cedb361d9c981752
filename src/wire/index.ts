/**
 * `ibid/wire`: typed clients of the three services and of servers of the common dialect, without the rest of ibid and
 * without its database. What belongs to one service stands under its name: `search.findCitations`,
 * `messages.defineTool`, `audio.toWav`.
 */
export { type ErrorCode, errorCodes, IbidError, type IbidErrorOptions } from '../core/errors.ts';
export type { CallOptions, Silence, Span } from '../core/types.ts';
export * as audio from './audio/index.ts';
export { type AudioService, type AudioServiceOptions, createAudioService } from './audio/index.ts';
export * as common from './common/index.ts';
export { type CommonService, type CommonServiceOptions, createCommonService } from './common/index.ts';
export type {
  AttemptEvent,
  BucketHint,
  Call,
  ErrorFacts,
  FileContent,
  FormPart,
  GroupLimits,
  LimitHints,
  LimitOptions,
  OpenOptions,
  Operation,
  ProxyOptions,
  QueryValue,
  RepeatRule,
  Reply,
  ReplyInfo,
  ServerEvent,
  ServiceDialect,
  ServiceName,
  Settled,
  Socket,
  StreamReply,
  Timeouts,
  Transport,
  TransportOptions,
  WireCallOptions,
} from './http/contract.ts';
export { type Cost, type CostPart, sumCosts } from './http/cost.ts';
export type { Environment, EnvironmentOptions } from './http/environment.ts';
export { proxyFromEnvironment, serviceFromEnvironment } from './http/environment.ts';
export { WireError, type WireErrorFacts } from './http/errors.ts';
export { keyFromEnvironment } from './http/keys.ts';
export type { ProfileName, Profiles } from './http/profile.ts';
export * as messages from './messages/index.ts';
export {
  createMessagesService,
  defineTool,
  type MessagesService,
  type MessagesServiceOptions,
} from './messages/index.ts';
export * as search from './search/index.ts';
export { createSearchService, type SearchService, type SearchServiceOptions } from './search/index.ts';
