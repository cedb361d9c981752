import { objectOf, textOf } from '../../core/arguments.ts';
import type { ProxyOptions, ServiceName, TransportOptions } from './contract.ts';
import { WireError } from './errors.ts';
import { keyFromEnvironment } from './keys.ts';
import { type ProfileName, profileNames } from './profile.ts';

/** An environment as an object, `process.env` at the edge of the program; nothing in here reads it by itself. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentOptions extends Pick<TransportOptions, 'apiKey' | 'baseUrl' | 'proxy'> {
  readonly profile: ProfileName;
}

/**
 * What a service is opened with, of an environment: `IBID_SEARCH_API_KEY`, `IBID_SEARCH_BASE_URL`,
 * `IBID_SEARCH_PROFILE` (`reference` when not set), and the proxies.
 * `createSearchService(serviceFromEnvironment('search', process.env))`.
 * @throws WireError KEY_MISSING; INVALID_ARGUMENT for a key without an address or an unknown profile
 */
export function serviceFromEnvironment(service: ServiceName, environment: Environment): EnvironmentOptions {
  const prefix = `IBID_${textOf(service, 'the name of the service').toUpperCase()}`;
  objectOf(environment, 'the environment');
  const apiKey = keyFromEnvironment(environment, `${prefix}_API_KEY`);
  const read = (suffix: string): string => (environment[`${prefix}_${suffix}`] ?? '').trim();
  const baseUrl = read('BASE_URL');
  if (baseUrl === '') {
    throw new WireError('INVALID_ARGUMENT', `${prefix}_API_KEY is set, but not ${prefix}_BASE_URL`, {
      hint: `Set ${prefix}_BASE_URL to the https address of the service, or unset the key.`,
    });
  }
  const given = read('PROFILE') || 'reference';
  const profile = profileNames.find((name) => name === given);
  if (profile === undefined) {
    throw new WireError('INVALID_ARGUMENT', `${prefix}_PROFILE is "${given}"`, { hint: 'Use reference or public.' });
  }
  return { apiKey, baseUrl, profile, proxy: proxyFromEnvironment(environment) };
}

/** `http_proxy`, `https_proxy`, `no_proxy`, in either case; small letters go first. */
export function proxyFromEnvironment(environment: Environment): ProxyOptions {
  objectOf(environment, 'the environment');
  const read = (name: string): string | undefined => {
    const value = environment[name] ?? environment[name.toUpperCase()];
    return value === '' ? undefined : value;
  };
  return { http: read('http_proxy'), https: read('https_proxy'), noProxy: read('no_proxy') };
}
