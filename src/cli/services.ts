import type { IndexServices } from '../index.ts';
import { type Environment, type EnvironmentOptions, serviceFromEnvironment } from '../wire/http/environment.ts';

/** Clients opened from the environment, to be closed with the command. */
export interface OpenedServices extends AsyncDisposable {
  readonly services: IndexServices;
}

/**
 * Opens a client of each service the environment has a key for: `IBID_SEARCH_API_KEY`, `IBID_MESSAGES_API_KEY`, each with its
 * `…_BASE_URL` and, for a service of the public dialect, `…_PROFILE=public`, through the environment's proxies. Opens nothing where there
 * is no key.
 * @throws IbidError INVALID_ARGUMENT for a key without an address or an unknown profile, UNSAFE_ADDRESS
 */
export async function openServices(environment: Environment = process.env): Promise<OpenedServices> {
  const search = settingsOf('search', environment);
  const messages = settingsOf('messages', environment);
  const opened: AsyncDisposable[] = [];
  const keep = <T extends AsyncDisposable>(client: T): T => {
    opened.push(client);
    return client;
  };
  const services: IndexServices = {
    ...(search && { search: keep((await import('../wire/search/index.ts')).createSearchService(search)) }),
    ...(messages && { messages: keep((await import('../wire/messages/index.ts')).createMessagesService(messages)) }),
  };
  return {
    services,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

function settingsOf(service: 'search' | 'messages', environment: Environment): EnvironmentOptions | undefined {
  const key = environment[`IBID_${service.toUpperCase()}_API_KEY`] ?? '';
  return key.trim() === '' ? undefined : serviceFromEnvironment(service, environment);
}
