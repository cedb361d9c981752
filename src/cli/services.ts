import { IbidError, type IndexServices } from '../index.ts';
import type { EnvironmentOptions, MessagesServiceOptions, messages, TransportOptions } from '../wire.ts';
import { checkKeyAddress, type Settings } from './config/settings.ts';
import { hasKey, type KeyedService, messagesService, searchService, variable } from './keys.ts';

/** Clients opened for a command, to be closed with it. */
export interface OpenedServices extends AsyncDisposable {
  readonly services: IndexServices;
}

/**
 * Opens a client of each service that there is a key for: `IBID_SEARCH_API_KEY`, `IBID_MESSAGES_API_KEY`, each with its
 * `…_BASE_URL` and `…_PROFILE`, with the headers, time limits and prices of the configuration, through the
 * environment's proxies. A client that cannot be opened stops only what needs it: `services.unavailable` has the reason.
 */
export async function openServices(settings: Settings): Promise<OpenedServices> {
  const opened: AsyncDisposable[] = [];
  const services: { -readonly [Name in keyof IndexServices]: IndexServices[Name] } = {};
  const unavailable: { search?: IbidError | undefined; messages?: IbidError | undefined } = {};
  const search = await clientOptions(settings, searchService);
  const messages = await clientOptions(settings, messagesService);
  const keep = <T extends AsyncDisposable>(client: T): T => {
    opened.push(client);
    return client;
  };
  if (search || messages) {
    const wire = await import('../wire.ts');
    const { publicProfile, modelPrices } = wire.messages;
    const prices = settings.config.prices && { ...modelPrices, ...settings.config.prices };
    unavailable.search = problemOf(search, (options) => {
      services.search = keep(wire.createSearchService(options));
    });
    unavailable.messages = problemOf(messages, (options) => {
      services.messages = keep(wire.createMessagesService({ ...messagesOptions(options, publicProfile), prices }));
    });
  }
  return {
    services: { ...services, unavailable },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

type Options = EnvironmentOptions & Pick<TransportOptions, 'headers' | 'timeouts'>;

/** What a client is opened with; undefined without a key, and the error of what is set wrongly. */
export async function clientOptions(
  settings: Settings,
  service: KeyedService,
): Promise<Options | IbidError | undefined> {
  if (!hasKey(service, settings.environment)) return undefined;
  const { serviceFromEnvironment } = await import('../wire.ts'); // only now: the clients bring what speaks HTTP
  try {
    const named = serviceFromEnvironment(service.name, settings.environment);
    const { baseUrl } = named;
    if (settings.trusted[variable(service, 'BASE_URL')] === undefined)
      checkKeyAddress(settings, { name: variable(service, 'API_KEY'), baseUrl, service });
    const { headers, timeoutMs } = settings.config.services?.[service.name] ?? {};
    return { ...named, headers, ...(timeoutMs !== undefined && { timeouts: { headersMs: timeoutMs } }) };
  } catch (error) {
    return problem(error);
  }
}

/** Opens a client; the error when it cannot be opened. */
function problemOf(given: Options | IbidError | undefined, open: (options: Options) => void): IbidError | undefined {
  if (!given || given instanceof IbidError) return given;
  try {
    open(given);
    return undefined;
  } catch (error) {
    return problem(error);
  }
}

function problem(error: unknown): IbidError {
  if (error instanceof IbidError) return error;
  throw error;
}

/**
 * The live service of the public profile has its own prefix of header names; other services of that profile have the
 * neutral one.
 */
export function messagesOptions(settings: Options, publicProfile: messages.MessagesProfile): MessagesServiceOptions {
  const isLive = settings.profile === 'public' && settings.baseUrl.startsWith(messagesService.address);
  return isLive ? { ...settings, profile: { ...publicProfile, headerPrefix: 'anthropic-' } } : settings;
}
