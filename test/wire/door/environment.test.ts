import { describe, expect, it } from 'vitest';
import {
  createAudioService,
  createMessagesService,
  createSearchService,
  serviceFromEnvironment,
} from '../../../src/wire/index.ts';
import { refusingProxy } from '../http/support.ts';

const key = 'sk-environment-0123456789';

const environment = (more: Record<string, string>): Record<string, string> => ({
  IBID_SEARCH_API_KEY: ` ${key}\n`,
  IBID_SEARCH_BASE_URL: 'https://search.example.test',
  IBID_MESSAGES_API_KEY: key,
  IBID_MESSAGES_BASE_URL: 'https://messages.example.test',
  IBID_AUDIO_API_KEY: key,
  IBID_AUDIO_BASE_URL: 'https://audio.example.test',
  ...more,
});

/** One call of each client, and of a socket, with everything read from the environment. */
const calls: readonly (readonly [string, string, (env: Record<string, string>) => Promise<unknown>])[] = [
  [
    'search',
    'search.example.test:443',
    async (env) => {
      await using service = createSearchService({ ...serviceFromEnvironment('search', env), maxRetries: 0 });
      return await service.search({ query: 'tower' });
    },
  ],
  [
    'messages',
    'messages.example.test:443',
    async (env) => {
      await using service = createMessagesService({ ...serviceFromEnvironment('messages', env), maxRetries: 0 });
      return await service.models.list().page();
    },
  ],
  [
    'audio',
    'audio.example.test:443',
    async (env) => {
      await using service = createAudioService({ ...serviceFromEnvironment('audio', env), maxRetries: 0 });
      return await service.voices.get('v');
    },
  ],
  [
    'a socket of audio',
    'audio.example.test:443',
    async (env) => {
      await using service = createAudioService({ ...serviceFromEnvironment('audio', env), maxRetries: 0 });
      return await Array.fromAsync(service.speech.live(['Hello '], { voice_id: 'v' }));
    },
  ],
];

describe('the proxy of the environment', () => {
  it.each(calls)('is what %s goes through, and never sees the key', async (_name, host, call) => {
    await using proxy = await refusingProxy();
    const error = await call(environment({ HTTPS_PROXY: proxy.url })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(proxy.heads).toHaveLength(1);
    expect(proxy.heads[0]).toContain(`CONNECT ${host}`);
    expect(proxy.heads[0]).not.toContain(key);
  });

  it('is left out for the hosts of no_proxy', async () => {
    await using proxy = await refusingProxy();
    const [, , call] = calls[0]!;
    // The name does not exist: without the proxy there is no way to it.
    const env = environment({ https_proxy: proxy.url, no_proxy: '.example.test' });
    expect(await call(env).catch((thrown: unknown) => thrown)).toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(proxy.heads).toEqual([]);
  });
});

describe('a service of the environment', () => {
  it('takes key, address, dialect and proxies', () => {
    const env = environment({ IBID_SEARCH_PROFILE: 'public', https_proxy: 'http://a:1', NO_PROXY: 'b' });
    expect(serviceFromEnvironment('search', env)).toEqual({
      apiKey: key,
      baseUrl: 'https://search.example.test',
      profile: 'public',
      proxy: { http: undefined, https: 'http://a:1', noProxy: 'b' },
    });
    expect(serviceFromEnvironment('audio', env).profile).toBe('reference');
  });

  it.each([
    [{ IBID_SEARCH_API_KEY: '  ' }, 'KEY_MISSING', 'IBID_SEARCH_API_KEY'],
    [{ IBID_SEARCH_BASE_URL: '' }, 'INVALID_ARGUMENT', 'IBID_SEARCH_BASE_URL'],
  ])('%j is refused', (more, code, message) => {
    expect(() => serviceFromEnvironment('search', environment(more))).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it('refuses an unknown dialect and names the two there are', () => {
    expect(() => serviceFromEnvironment('search', environment({ IBID_SEARCH_PROFILE: 'other' }))).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: 'IBID_SEARCH_PROFILE is "other"',
        hint: 'Use reference or public.',
      }),
    );
  });
});
