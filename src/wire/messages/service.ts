import type { ServiceDialect, Transport, TransportOptions, WireCallOptions } from '../http/contract.ts';
import type { Cost } from '../http/cost.ts';
import { readTokenLimits } from '../http/limit-headers.ts';
import { createTransport } from '../http/transport.ts';
import { adminClient } from './admin.ts';
import type { AdminClient } from './admin-types.ts';
import { type BatchesClient, batchesClient } from './batches.ts';
import { type ChatClient, chatClient } from './chat.ts';
import { factsOf, parseMessage, settledBy } from './events.ts';
import { type FilesClient, filesClient } from './files.ts';
import { type ToolLoopEvent, type ToolLoopOptions, type ToolRun, type Turn, toolLoop } from './loop.ts';
import { type ModelsClient, modelsClient } from './models.ts';
import { operation } from './operations.ts';
import {
  type EstimateOptions,
  estimateInputTokens,
  estimateMessageCost,
  messageCost,
  type PriceOptions,
} from './prices.ts';
import { type MessagesProfile, type ProfileChoice, resolveProfile } from './profile.ts';
import { serialiseCount, serialiseMessage, type WireRequest } from './serialise.ts';
import { MessageStream } from './stream.ts';
import type { CountTokensRequest, Message, MessageCallOptions, MessageRequest, TokenCount } from './types.ts';
import { betaHeader, callForObject, type Wiring } from './wiring.ts';

export interface MessagesServiceOptions extends TransportOptions {
  /** @default 'reference' */
  readonly profile?: ProfileChoice | undefined;
  /** For `admin`; an ordinary key cannot administer. @default apiKey */
  readonly adminKey?: string | undefined;
  /** Own prices, by model. */
  readonly prices?: PriceOptions['prices'];
  /** For tests: the way to the service instead of the network. */
  readonly transport?: Transport | undefined;
}

export interface MessagesService extends AsyncDisposable {
  readonly profile: MessagesProfile;
  /** One answer. Above 21,333 `max_tokens` it is streamed and put together, because no connection waits that long in silence. */
  create(request: MessageRequest, options?: MessageCallOptions): Promise<Message>;
  /** The answer as it is made: events, `text()`, `message()`. The request is checked at once and sent when it is read. */
  stream(request: MessageRequest, options?: MessageCallOptions): MessageStream;
  /** Free, an estimate of the service. */
  countTokens(request: CountTokensRequest, options?: MessageCallOptions): Promise<TokenCount>;
  /** Calls the model and its tools in turns until it answers. */
  runTools(request: MessageRequest, options: ToolLoopOptions): Promise<ToolRun>;
  /** The same as events, the answers streamed; ends with `done`. */
  streamTools(request: MessageRequest, options: ToolLoopOptions): AsyncGenerator<ToolLoopEvent, ToolRun, undefined>;
  readonly batches: BatchesClient;
  readonly models: ModelsClient;
  readonly files: FilesClient;
  readonly admin: AdminClient;
  readonly chat: ChatClient;
  /** At worst, before sending; undefined for a model without a price. */
  estimateCost(request: MessageRequest, options?: EstimateOptions): Cost | undefined;
  /** Afterwards, from an answer's usage. */
  costOf(message: Pick<Message, 'usage' | 'model'>, options?: PriceOptions): Cost | undefined;
  close(): Promise<void>;
}

/** Above this the service's clients must stream. */
export const streamingThreshold = 21_333;

/** How the messages service differs from the others on the wire. */
export function messagesDialect(
  profile: MessagesProfile,
  auth: MessagesProfile['auth'] = profile.auth,
): ServiceDialect {
  const prefix = profile.headerPrefix;
  return {
    service: 'messages',
    auth: (key) => (auth === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }),
    headers: { [`${prefix}version`]: profile.version },
    requestIdHeaders: ['request-id', 'x-request-id'],
    readLimits: readTokenLimits(prefix),
  };
}

/**
 * The client of the messages service: answers, tools, batches, models, files, administration.
 * @throws WireError KEY_MISSING, UNSAFE_ADDRESS; IbidError INVALID_ARGUMENT
 */
export function createMessagesService(options: MessagesServiceOptions): MessagesService {
  const { profile: choice, adminKey, prices, transport: given, ...rest } = options;
  const profile = resolveProfile(choice);
  const opened: Transport[] = [];
  const open = (auth: MessagesProfile['auth'], apiKey: string): Transport => {
    if (given !== undefined) return given;
    const transport = createTransport(messagesDialect(profile, auth), { ...rest, apiKey });
    opened.push(transport);
    return transport;
  };
  // Opened at once, so that a missing key or a wrong address is told here and not at the first call.
  const main: Wiring = { transport: open(profile.auth, rest.apiKey), profile };
  const wiring = (): Wiring => main;
  const admin = once(() => (adminKey === undefined ? main : { transport: open(profile.auth, adminKey), profile }));
  // The compatible endpoint takes the key as a bearer token only.
  const chat = once(() => (profile.auth === 'bearer' ? main : { transport: open('bearer', rest.apiKey), profile }));

  const stream = (request: MessageRequest, callOptions?: MessageCallOptions): MessageStream => {
    const wire = serialiseMessage(request, profile, callOptions);
    const name = 'messages.stream';
    return new MessageStream(name, () =>
      main.transport.events(
        operation(name),
        callOf(request, { ...wire.body, stream: true }, wire, profile, callOptions),
      ),
    );
  };
  const create = async (request: MessageRequest, callOptions?: MessageCallOptions): Promise<Message> => {
    if (request?.max_tokens > streamingThreshold) return stream(request, callOptions).message();
    const wire = serialiseMessage(request, profile, callOptions);
    const call = callOf(request, wire.body, wire, profile, callOptions);
    const reply = await main.transport.json(operation('messages.create'), { ...call, settle: settledBy });
    return parseMessage(reply.body, factsOf('messages.create', reply));
  };
  const turns = (streaming: boolean, callOptions: MessageCallOptions): Turn =>
    async function* (request, signal) {
      const own = { ...callOptions, signal };
      if (!streaming) return await create(request, own);
      const answer = stream(request, own);
      yield* { [Symbol.asyncIterator]: () => answer[Symbol.asyncIterator]() };
      return answer.message();
    };

  return {
    profile,
    create,
    stream,
    countTokens: async (request, callOptions) => {
      const wire = serialiseCount(request, profile, callOptions);
      const call = callOf(request, wire.body, wire, profile, callOptions);
      return callForObject<TokenCount>(main, 'messages.count_tokens', call);
    },
    runTools: async (request, loopOptions) => {
      const loop = toolLoop(request, { prices, ...loopOptions }, turns(false, callOptionsOf(loopOptions)));
      for (;;) {
        const next = await loop.next();
        if (next.done === true) return next.value;
        loopOptions.onEvent?.(next.value);
      }
    },
    streamTools: (request, loopOptions) =>
      toolLoop(request, { prices, ...loopOptions }, turns(true, callOptionsOf(loopOptions))),
    batches: batchesClient(wiring),
    models: modelsClient(wiring),
    files: filesClient(wiring),
    admin: adminClient(admin),
    chat: chatClient(chat),
    estimateCost: (request, costOptions) => estimateMessageCost(request, { prices, ...costOptions }),
    costOf: ({ usage, model }, costOptions) => messageCost(usage, model, { prices, ...costOptions }),
    close: async () => {
      await Promise.all(opened.map((transport) => transport.close()));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((transport) => transport.close()));
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The loop's own options are not the transport's. */
function callOptionsOf(options: ToolLoopOptions): MessageCallOptions {
  const { tools, maxSteps, maxPauses, maxTotalTokens, maxUsd, concurrency, toolTimeoutMs, prices, onEvent, ...call } =
    options;
  return call;
}

interface MessageCall {
  readonly headers?: Record<string, string>;
  readonly json: unknown;
  readonly estimate: { readonly inputTokens: number };
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly options: WireCallOptions | undefined;
}

function callOf(
  request: CountTokensRequest & { readonly max_tokens?: number; readonly temperature?: number | undefined },
  json: unknown,
  { betas }: WireRequest,
  profile: MessagesProfile,
  options: MessageCallOptions | undefined,
): MessageCall {
  const headers = betaHeader(profile, betas);
  const attributes: Record<string, string | number> = { 'gen_ai.request.model': request.model };
  if (request.max_tokens !== undefined) attributes['gen_ai.request.max_tokens'] = request.max_tokens;
  if (request.temperature !== undefined) attributes['gen_ai.request.temperature'] = request.temperature;
  return {
    ...(headers === undefined ? {} : { headers }),
    json,
    // `max_tokens` does not count toward the output limit, so nothing is set aside for it.
    estimate: { inputTokens: estimateInputTokens(request) },
    attributes,
    options,
  };
}
