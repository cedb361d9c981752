import { serviceFromEnvironment } from '../../src/wire.ts';

/** What a service is opened with; undefined where the environment has no key for it. */
export function settingsOf(service: 'search' | 'messages'): ReturnType<typeof serviceFromEnvironment> | undefined {
  const key = process.env[`IBID_${service.toUpperCase()}_API_KEY`] ?? '';
  return key.trim() === '' ? undefined : serviceFromEnvironment(service, process.env);
}
