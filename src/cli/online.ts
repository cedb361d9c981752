import { type Finding, IbidError } from '../index.ts';
import type { WireCallOptions } from '../wire.ts';
import type { Settings } from './config/settings.ts';
import { type KeyedService, keyedServices, variable } from './keys.ts';
import { openClient } from './services.ts';

const WAIT_MS = 15_000;

/**
 * Asks each service that there is a key for which models it has: the request is free, and tells whether the key is good.
 */
export async function checkOnline(settings: Settings, signal: AbortSignal): Promise<readonly Finding[]> {
  const call = { signal, timeouts: { totalMs: WAIT_MS }, maxRetries: 0 } satisfies WireCallOptions;
  const { search, messages, audio } = keyedServices;
  const findings = [
    await asked(search, await openClient(settings, 'search'), async (client) => (await client.models(call)).length),
    await asked(messages, await openClient(settings, 'messages'), async (client) => {
      const { data } = await client.models.list({}, call).page();
      return data.length;
    }),
    await asked(audio, await openClient(settings, 'audio'), async (client) => (await client.models(call)).length),
  ];
  return findings.filter((one) => one !== undefined);
}

/** Undefined for a client that is not there; `keyFinding` says why. */
async function asked<C extends AsyncDisposable>(
  service: KeyedService,
  opened: C | IbidError | undefined,
  count: (client: C) => Promise<number>,
): Promise<Finding | undefined> {
  if (opened === undefined || opened instanceof IbidError) return undefined;
  await using client = opened;
  const check = `${service.name} service`;
  try {
    return { check, ok: true, detail: `answers, and takes the key; it lists ${await count(client)} models` };
  } catch (error) {
    if (!(error instanceof IbidError)) throw error;
    const isKey = error.code === 'KEY_REJECTED' || error.code === 'PERMISSION_DENIED';
    const whose = isKey ? `${variable(service, 'API_KEY')} is not accepted: ` : '';
    return {
      check,
      ok: false,
      detail: `${whose}${error.message} [${error.code}]${error.hint ? `; ${error.hint}` : ''}`,
    };
  }
}
