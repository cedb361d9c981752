import { type Finding, IbidError } from '../index.ts';
import type { WireCallOptions } from '../wire.ts';
import type { Settings } from './config/settings.ts';
import { audioService, type KeyedService, messagesService, searchService, variable } from './keys.ts';
import { clientOptions, openServices } from './services.ts';

const WAIT_MS = 15_000;

/** Asks each service that there is a key for what models it has: the request is free, and tells whether the key is good. */
export async function checkOnline(settings: Settings, signal: AbortSignal): Promise<readonly Finding[]> {
  const call = { signal, timeouts: { totalMs: WAIT_MS }, maxRetries: 0 } satisfies WireCallOptions;
  await using clients = await openServices(settings);
  const { search, messages } = clients.services;
  const findings: Finding[] = [];
  if (search) findings.push(await asked(searchService, async () => (await search.models(call)).length));
  if (messages)
    findings.push(await asked(messagesService, async () => (await messages.models.list({}, call).page()).data.length));
  const audio = await clientOptions(settings, audioService);
  if (audio && !(audio instanceof IbidError)) {
    const wire = await import('../wire.ts');
    await using client = wire.createAudioService(audio);
    findings.push(await asked(audioService, async () => (await client.models(call)).length));
  }
  return findings;
}

async function asked(service: KeyedService, count: () => Promise<number>): Promise<Finding> {
  const check = `${service.name} service`;
  try {
    return { check, ok: true, detail: `answers, and takes the key; it lists ${await count()} models` };
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
