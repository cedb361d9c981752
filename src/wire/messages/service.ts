import { objectOf } from '../../core/arguments.ts';
import { refuse } from '../http/check.ts';
import type { ServiceDialect, Transport, TransportOptions } from '../http/contract.ts';
import type { Cost } from '../http/cost.ts';
import type { Wiring } from '../http/endpoint.ts';
import { readTokenLimits } from '../http/limit-headers.ts';
import { createTransport } from '../http/transport.ts';
import { adminTable } from './admin.ts';
import type { AdminClient } from './admin-types.ts';
import type { BatchesClient } from './batch-types.ts';
import { batchesClient } from './batches.ts';
import { type ChatClient, chatTable } from './chat.ts';
import { type FilesClient, filesTable } from './files.ts';
import { type MessageCalls, messageTable } from './message-calls.ts';
import { type ModelsClient, modelsTable } from './models.ts';
import { type EstimateOptions, estimateMessageCost, messageCost, type PriceOptions } from './prices.ts';
import { type MessagesProfile, modelName, type ProfileChoice, resolveProfile } from './profile.ts';
import type { Message, MessageRequest } from './types.ts';

export interface MessagesServiceOptions extends TransportOptions {
  /** @default 'reference' */
  readonly profile?: ProfileChoice | undefined;
  /** For `admin`; an ordinary key cannot administer. @default apiKey */
  readonly adminKey?: string | undefined;
  /** Own prices, by model, before those of the profile: a budget needs the price of each model that is asked. */
  readonly prices?: PriceOptions['prices'];
  /** USD for one web search of a model, before that of the reference. */
  readonly webSearchUsd?: PriceOptions['webSearchUsd'];
  /** For tests: the way to the service instead of the network. */
  readonly transport?: Transport | undefined;
}

export interface MessagesService extends MessageCalls, AsyncDisposable {
  readonly profile: MessagesProfile;
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
  objectOf(options, 'the options');
  const { profile: choice, adminKey, prices: own, webSearchUsd, transport: given, ...rest } = options;
  if (webSearchUsd !== undefined && !(Number.isFinite(webSearchUsd) && webSearchUsd >= 0))
    refuse('webSearchUsd', 'must be a number of USD, at least 0');
  const profile = resolveProfile(choice);
  const prices = { ...profile.prices, ...pricesOf(profile, own) };
  const priced = <T extends PriceOptions>(costs: T | undefined): T =>
    ({ webSearchUsd, ...costs, prices: { ...prices, ...pricesOf(profile, costs?.prices) } }) as T; // `prices` is optional in all of them
  const opened: Transport[] = [];
  const open = (auth: MessagesProfile['auth'], apiKey: string): Transport => {
    if (given !== undefined) return given;
    const transport = createTransport(messagesDialect(profile, auth), { ...rest, apiKey });
    opened.push(transport);
    return transport;
  };
  // Opened at once, so that a missing key or a wrong address is told here and not at the first call.
  const main: Wiring<MessagesProfile> = { transport: open(profile.auth, rest.apiKey), profile };
  const admin = once(() => (adminKey === undefined ? main : { transport: open(profile.auth, adminKey), profile }));
  // The compatible endpoint takes the key as a bearer token only.
  const chat = once(() => (profile.auth === 'bearer' ? main : { transport: open('bearer', rest.apiKey), profile }));
  const wiring = (): Wiring<MessagesProfile> => main;
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((transport) => transport.close()));
  };
  return {
    profile,
    ...messageTable.client(wiring),
    batches: batchesClient(wiring),
    models: modelsTable.client(wiring),
    files: filesTable.client(wiring),
    admin: adminTable.client(admin),
    chat: chatTable.client(chat),
    estimateCost: (request, costOptions) => {
      objectOf(request, 'the request');
      return estimateMessageCost({ ...request, model: modelName(profile, request.model) }, priced(costOptions));
    },
    costOf: (message, costOptions) => {
      objectOf(message, 'the message');
      return messageCost(message.usage, modelName(profile, message.model), priced(costOptions));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Prices by the service's names of the models. @throws IbidError INVALID_ARGUMENT */
function pricesOf(profile: MessagesProfile, prices: PriceOptions['prices'] = {}): MessagesProfile['prices'] {
  return Object.fromEntries(
    Object.entries(prices).map(([model, price]) => {
      const numbers: unknown[] = [price?.input, price?.output];
      const isPrice = numbers.every((usd) => typeof usd === 'number' && Number.isFinite(usd) && usd >= 0);
      if (!isPrice) refuse(`prices["${model}"]`, 'must have input and output, in USD per 1M tokens, at least 0');
      return [modelName(profile, model), price];
    }),
  );
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
