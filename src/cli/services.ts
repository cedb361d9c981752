import type { IndexServices } from '../index.ts';
import type { Environment } from '../wire.ts';
import { audioService, hasKey, type KeyedService, messagesService, searchService } from './keys.ts';

/** Clients opened from the environment, to be closed with the command. */
export interface OpenedServices extends AsyncDisposable {
  readonly services: IndexServices;
}

/**
 * Opens a client of each service the environment has a key for: `IBID_SEARCH_API_KEY`, `IBID_MESSAGES_API_KEY`,
 * `IBID_AUDIO_API_KEY`, each with its `…_BASE_URL` and, for a service of the public dialect, `…_PROFILE=public`, through
 * the environment's proxies. Opens nothing where there is no key.
 * @throws IbidError INVALID_ARGUMENT for a key without an address or an unknown profile, UNSAFE_ADDRESS
 */
export async function openServices(environment: Environment = process.env): Promise<OpenedServices> {
  const opened: AsyncDisposable[] = [];
  const keep = <T extends AsyncDisposable>(client: T): T => {
    opened.push(client);
    return client;
  };
  const has = (service: KeyedService): boolean => hasKey(service, environment);
  const services: { -readonly [Name in keyof IndexServices]: IndexServices[Name] } = {};
  if ([searchService, messagesService, audioService].some(has)) {
    const wire = await import('../wire.ts'); // only now: the clients bring what speaks HTTP
    const search = has(searchService) && wire.serviceFromEnvironment('search', environment);
    const messages = has(messagesService) && wire.serviceFromEnvironment('messages', environment);
    if (search) services.search = keep(wire.createSearchService(search));
    const audio = has(audioService) && wire.serviceFromEnvironment('audio', environment);
    if (messages) services.messages = keep(wire.createMessagesService(messages));
    if (audio) services.audio = keep(wire.createAudioService(audio));
  }
  return {
    services,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((client) => client[Symbol.asyncDispose]()));
    },
  };
}
