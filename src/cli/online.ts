import { type Finding, IbidError } from '../index.ts';
import type { WireCallOptions } from '../wire.ts';
import type { Settings } from './config/settings.ts';
import { type KeyedService, keyedServices, variable } from './keys.ts';
import { openServer } from './servers.ts';
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
  for (const name of Object.keys(settings.config.servers ?? {}))
    findings.push(
      await answerOf(`server ${name}`, `the key of ${name}`, async () => {
        await using server = await openServer(settings, name);
        return (await server.models({ signal: AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]) })).length;
      }),
    );
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
  return await answerOf(`${service.name} service`, variable(service, 'API_KEY'), () => count(client));
}

async function answerOf(check: string, key: string, count: () => Promise<number>): Promise<Finding> {
  try {
    const models = await count();
    return { check, ok: true, detail: `answers, and takes the key; it lists ${models} models` };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return { check, ok: false, detail: `no answer within ${WAIT_MS / 1000} s` };
    if (!(error instanceof IbidError)) throw error;
    const isKey = error.code === 'KEY_REJECTED' || error.code === 'PERMISSION_DENIED';
    const whose = isKey ? `${key} is not accepted: ` : '';
    return {
      check,
      ok: false,
      detail: `${whose}${error.message} [${error.code}]${error.hint ? `; ${error.hint}` : ''}`,
    };
  }
}
