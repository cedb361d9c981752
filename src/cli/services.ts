import { IbidError, type IndexServices } from '../index.ts';
import type { AudioService, MessagesService, SearchService, TransportOptions } from '../wire.ts';
import { checkKeyAddress, failureOfKey, isNamedPrivate, type Settings, withPrivateHint } from './config/settings.ts';
import { hasKey, type KeyedService, keyedServices, variable } from './keys.ts';

/** Clients opened for a command, to be closed with it. */
interface OpenedServices extends AsyncDisposable {
  readonly services: IndexServices;
}

/** The clients that a command can open. */
interface Clients {
  readonly search: SearchService;
  readonly messages: MessagesService;
  readonly audio: AudioService;
}

/**
 * Opens a client of each service that there is a key for: `IBID_SEARCH_API_KEY`, `IBID_MESSAGES_API_KEY`,
 * `IBID_AUDIO_API_KEY`, each with its `…_BASE_URL` and `…_PROFILE`, with the headers, time limits and prices of the
 * configuration, through the environment's proxies. A client that cannot be opened stops only what needs it:
 * `services.unavailable` has the reason.
 */
export async function openServices(settings: Settings): Promise<OpenedServices> {
  const opened: AsyncDisposable[] = [];
  const services: { -readonly [Name in keyof Clients]?: Clients[Name] | undefined } = {};
  const unavailable: { -readonly [Name in keyof Clients]?: IbidError } = {};
  const open = async <N extends keyof Clients>(name: N): Promise<Clients[N] | undefined> => {
    const client = await openClient(settings, name);
    if (client instanceof IbidError) unavailable[name] = client;
    else if (client) opened.push(client);
    return client instanceof IbidError ? undefined : client;
  };
  services.search = await open('search');
  services.messages = await open('messages');
  services.audio = await open('audio');
  return {
    services: { ...services, unavailable },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

/**
 * The client of one service, to be closed by the caller; undefined without a key, the error where something is set
 * wrongly or the keys file cannot be read.
 */
export async function openClient<N extends keyof Clients>(
  settings: Settings,
  name: N,
): Promise<Clients[N] | IbidError | undefined> {
  const service = keyedServices[name];
  if (!hasKey(service, settings.environment)) return failureOfKey(settings, variable(service, 'API_KEY'));
  const wire = await import('../wire.ts'); // only now: the clients bring what speaks HTTP
  try {
    const named = wire.serviceFromEnvironment(name, settings.environment);
    checkAddress(settings, service, named.baseUrl);
    const options = { ...named, ...configured(settings, service, named.baseUrl) };
    const { prices, fees = {} } = settings.config;
    const create: { readonly [Name in keyof Clients]: () => Clients[Name] } = {
      search: () => {
        const { search, researchSearch, researchPage, sandbox } = fees;
        const own = { search, web_search: researchSearch, fetch_url: researchPage, sandbox };
        return wire.createSearchService({ ...options, prices: { fees: own, ...(prices && { models: prices }) } });
      },
      messages: () =>
        wire.createMessagesService({ ...options, ...(prices && { prices }), webSearchUsd: fees.modelSearch }),
      audio: () => wire.createAudioService(options),
    };
    return create[name]();
  } catch (error) {
    if (!(error instanceof IbidError)) throw error;
    return withPrivateHint(error, settings.environment[variable(service, 'BASE_URL')]?.trim() ?? '');
  }
}

/** What the configuration says of a service besides its address. */
function configured(
  settings: Settings,
  service: KeyedService,
  baseUrl: string,
): Pick<TransportOptions, 'headers' | 'timeouts' | 'privateAddress'> {
  const { headers, timeoutMs } = settings.config.services?.[service.name] ?? {};
  const privateAddress = isNamedPrivate(settings, baseUrl);
  return { headers, privateAddress, ...(timeoutMs !== undefined && { timeouts: { headersMs: timeoutMs } }) };
}

/** @throws IbidError UNSAFE_ADDRESS for an address that only a configuration names */
function checkAddress(settings: Settings, service: KeyedService, baseUrl: string): void {
  if (settings.trusted[variable(service, 'BASE_URL')] === undefined)
    checkKeyAddress(settings, { name: variable(service, 'API_KEY'), baseUrl, service });
}
