import { streamFactsOf } from '../http/answer.ts';
import { anything } from '../http/check.ts';
import type { Call } from '../http/contract.ts';
import { type EndpointTable, endpoints, type Sent } from '../http/endpoint.ts';
import { parseMessage, settledBy } from './events.ts';
import { estimateInputTokens } from './prices.ts';
import type { MessagesProfile } from './profile.ts';
import { serialiseCount, serialiseMessage, type WireRequest } from './serialise.ts';
import { MessageStream } from './stream.ts';
import type { CountTokensRequest, Message, MessageCallOptions, MessageRequest, TokenCount } from './types.ts';
import { withBetas } from './wiring.ts';

export interface MessageCalls {
  /**
   * One answer. Above 21,333 `max_tokens` it is streamed and put together, because no connection waits that long in
   * silence.
   */
  create(request: MessageRequest, options?: MessageCallOptions): Promise<Message>;
  /**
   * The answer as it is made: events, `text()`, `message()`. The request is checked at once and sent when it is read.
   */
  stream(request: MessageRequest, options?: MessageCallOptions): MessageStream;
  /** Free, an estimate of the service. */
  countTokens(request: CountTokensRequest, options?: MessageCallOptions): Promise<TokenCount>;
}

/** Above this the service's clients must stream. */
const streamingThreshold = 21_333;

/** The three operations on one request; each is checked while it is serialised. */
export const messageTable: EndpointTable<MessageCalls, MessagesProfile> = endpoints<MessageCalls, MessagesProfile>(
  { service: 'messages', group: 'messages' },
  {
    create: {
      at: 'POST /v1/messages',
      genAi: 'chat',
      json: anything,
      spell: ([request, options], profile) => callOf(request, serialiseMessage(request, profile, options), profile),
      answer: create,
    },
    stream: {
      at: 'POST /v1/messages',
      genAi: 'chat',
      json: anything,
      spell: ([request, options], profile) => callOf(request, serialiseMessage(request, profile, options), profile),
      pages: streamed,
    },
    countTokens: {
      name: 'messages.count_tokens',
      at: 'POST /v1/messages/count_tokens',
      repeat: 'always',
      group: 'counts',
      json: anything,
      spell: ([request, options], profile) => callOf(request, serialiseCount(request, profile, options), profile),
      answer: { input_tokens: 'number' },
    },
  },
);

async function create(sent: Sent<MessagesProfile>): Promise<Message> {
  const { max_tokens: maxTokens } = sent.call.json as MessageRequest; // as `serialiseMessage` wrote it
  if (maxTokens > streamingThreshold) return streamed({ ...sent, operation: messageTable.of.stream }).message();
  const { wiring, operation, call } = sent;
  const reply = await wiring.transport.json(operation, { ...call, settle: settledBy });
  return parseMessage(reply.body, streamFactsOf({ operation, info: reply }));
}

function streamed({ wiring, operation, call }: Sent<MessagesProfile>): MessageStream {
  const json = { ...(call.json as object), stream: true }; // an object, as it was serialised
  return new MessageStream(operation, () => wiring.transport.events(operation, { ...call, json }));
}

function callOf(
  request: CountTokensRequest & { readonly max_tokens?: number; readonly temperature?: number | undefined },
  { body, betas }: WireRequest,
  profile: MessagesProfile,
): Partial<Call> {
  const attributes: Record<string, string | number> = { 'gen_ai.request.model': request.model };
  if (request.max_tokens !== undefined) attributes['gen_ai.request.max_tokens'] = request.max_tokens;
  if (request.temperature !== undefined) attributes['gen_ai.request.temperature'] = request.temperature;
  return {
    ...withBetas(profile, betas),
    json: body,
    // `max_tokens` does not count toward the output limit, so nothing is set aside for it.
    estimate: { inputTokens: estimateInputTokens(request) },
    attributes,
  };
}
