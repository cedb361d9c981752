/**
 * A service that the environment may hold a key for. The test compares product and address with the official clients.
 */
export interface KeyedService {
  /** Of `IBID_<NAME>_API_KEY`, `IBID_<NAME>_BASE_URL` and `IBID_<NAME>_PROFILE`. */
  readonly name: 'search' | 'messages' | 'audio';
  readonly uses: string;
  /** The live service of the public profile. */
  readonly product: string;
  readonly address: string;
}

export const searchService: KeyedService = {
  name: 'search',
  uses: '--web, research, answer, service embedders',
  product: 'Perplexity',
  address: 'https://api.perplexity.ai',
};

export const messagesService: KeyedService = {
  name: 'messages',
  uses: 'grounded and agent answers, --rerank, ask --batch, --web without a search key',
  product: 'Anthropic',
  address: 'https://api.anthropic.com',
};

export const audioService: KeyedService = {
  name: 'audio',
  uses: 'transcripts of recordings (ingest --transcribe), ask --speak',
  product: 'ElevenLabs',
  address: 'https://api.elevenlabs.io',
};

/** All of them, by name. */
export const keyedServices: Readonly<Record<KeyedService['name'], KeyedService>> = {
  search: searchService,
  messages: messagesService,
  audio: audioService,
};

export function variable({ name }: KeyedService, suffix: 'API_KEY' | 'BASE_URL' | 'PROFILE'): string {
  return `IBID_${name.toUpperCase()}_${suffix}`;
}

export function hasKey(service: KeyedService, environment: Readonly<Record<string, string | undefined>>): boolean {
  return (environment[variable(service, 'API_KEY')] ?? '').trim() !== '';
}

/** Whose key is wanted, and what stands beside the key: one sentence. */
export function howToSet(service: KeyedService): string {
  const [key, address, profile] = (['API_KEY', 'BASE_URL', 'PROFILE'] as const).map((end) => variable(service, end));
  return (
    `Set ${key} and ${address} (for ${service.product}: a key of its API, ${service.address}, ` +
    `and ${profile}=public).`
  );
}

/** The part of `ibid --help` about keys. */
export function keysHelp(): string {
  const rows = [searchService, messagesService, audioService].map(
    (service) =>
      `  ${variable(service, 'API_KEY').padEnd(23)}${service.product}, ${service.address}\n${' '.repeat(25)}for ${service.uses}`,
  );
  return `
Keys, from the environment; without a key nothing leaves the machine:
${rows.join('\n')}
  Beside a key stand …_BASE_URL, the address above, and …_PROFILE=public.`;
}
