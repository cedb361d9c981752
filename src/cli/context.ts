import { type EmbedderChoice, IbidError, type OpenIndexOptions, openIndex, type SearchIndex } from '../index.ts';
import type { Settings } from './config/settings.ts';
import { noteValue } from './exit-codes.ts';
import { cacheOf } from './index-cache.ts';
import { locateIndex } from './locate-index.ts';
import { boundReadAhead } from './memory.ts';
import { type OpenedServers, openServers } from './servers.ts';
import { openServices } from './services.ts';
import { jsonText } from './text.ts';

export interface CommonFlags {
  readonly index?: string;
  readonly json?: boolean;
  /** Folder for a copy of a remote index. */
  readonly indexCache?: string;
  /** What holds besides the flags. */
  readonly settings: Settings;
}

/** Opens the index a command means, hands it over, and closes it whatever happens. */
export async function withIndex<T>(
  flags: CommonFlags & { readonly model?: string; readonly mode?: string; readonly agent?: boolean },
  signal: AbortSignal,
  use: (index: SearchIndex, servers: OpenedServers) => Promise<T>,
  options: WithIndexOptions = {},
): Promise<T> {
  const { address, base } = locateIndex(flags);
  boundReadAhead(address);
  const { settings } = flags;
  await using clients = await openServices(settings);
  await using servers = await openServers(settings, {
    model: flags.model,
    isAgent: flags.agent === true || flags.mode === 'agent',
  });
  const { embedder: choose = () => servers.embedder, ...rest } = options;
  const { services } = clients;
  const embedder = await choose(servers);
  const cache = cacheOf(address, flags.indexCache, settings);
  const { models } = servers;
  const place = { signal, services, models, base, cache, ...rest, embedder };
  await using index = await openIndex(address, place).catch((error: unknown) => {
    throw flags.index === undefined ? withBuildHint(error, settings) : error;
  });
  return await use(index, servers);
}

/** Where the configuration names the folders of an index that is not there, its hint says how short the way is. */
function withBuildHint(error: unknown, { file }: Settings): unknown {
  if (!(error instanceof IbidError) || error.code !== 'INDEX_NOT_FOUND' || !file?.values.folders?.length) return error;
  const { code, message, cause } = error;
  return new IbidError(code, message, { cause, hint: `Run \`ibid ingest\`: ${file.path} names its folders.` });
}

interface WithIndexOptions extends Pick<OpenIndexOptions, 'create' | 'reader' | 'waitMs' | 'shards'> {
  /** @default the configured one, if a server of one's own has it */
  readonly embedder?: (servers: OpenedServers) => Promise<EmbedderChoice | undefined>;
}

/** For what reads an index and asks no model: a server that cannot be opened does not stop it. */
export function withoutServers<Flags extends CommonFlags>(flags: Flags): Flags {
  const { embedder: _, models: __, ...config } = flags.settings.config;
  return { ...flags, settings: { ...flags.settings, config } };
}

export function printJson(value: unknown): void {
  noteValue(true);
  process.stdout.write(`${jsonText(value, 2)}\n`);
}
