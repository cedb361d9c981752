import { type Embedder, type EmbedderChoice, IbidError, type IndexModels } from '../index.ts';
import type { ModelServer } from '../models.ts';
import { checkKeyAddress, failureOfKey, isNamedPrivate, type Settings, withPrivateHint } from './config/settings.ts';

/** Servers of the configuration that a command uses, and the parts made with them. */
export interface OpenedServers extends AsyncDisposable {
  readonly models: IndexModels;
  /** The configured embedder; undefined for one that is not of a server. */
  readonly embedder: Embedder | undefined;
  /** The embedder of `server/model`. @throws IbidError INVALID_ARGUMENT for a server that is not configured */
  embedderOf(name: string): Promise<Embedder>;
}

/** The parts of an own server, each with the name of its model. */
const serverJobs = ['embedder', 'writer', 'reranker', 'agent'] as const;
type ServerJob = (typeof serverJobs)[number];

/** What a configuration gets from its servers: server and model by job. */
export function servedModels({
  config,
}: Settings): { readonly job: ServerJob; readonly server: string; readonly model: string }[] {
  const { embedder, models = {} } = config;
  const chosen = { embedder: typeof embedder === 'object' ? embedder : undefined, ...models };
  return serverJobs.flatMap((job) => {
    const { server, model } = { server: undefined, model: '', ...chosen[job] };
    return server === undefined ? [] : [{ job, server, model }];
  });
}

/**
 * Opens the servers that the configuration gives a job.
 * @param writing who writes: the model that is configured for agents where an agent answers, and a model of the same
 * server in place of the configured one
 * @throws IbidError UNSAFE_ADDRESS, INVALID_ARGUMENT
 */
export async function openServers(
  settings: Settings,
  writing: { readonly isAgent?: boolean; readonly model?: string | undefined } = {},
): Promise<OpenedServers> {
  const { config } = settings;
  const opened = new Map<string, ModelServer>();
  const serverOf = async (name: string): Promise<ModelServer> => {
    const server = opened.get(name) ?? (await openServer(settings, name));
    opened.set(name, server);
    return server;
  };
  const price = (model: string) => config.prices?.[model];
  const embedder = async (name: string, given: { readonly model: string }): Promise<Embedder> => {
    const usd = price(given.model)?.input;
    const { server: _, ...options } = { server: name, ...given };
    return (await serverOf(name)).embedder({ ...options, ...(usd !== undefined && { usdPerMillionTokens: usd }) });
  };
  const jobs = new Map(servedModels(settings).map((one) => [one.job, one]));
  const agent = writing.isAgent ? jobs.get('agent') : undefined;
  const writer = agent ?? jobs.get('writer');
  const scoring = jobs.get('reranker');
  const chosen = config.embedder;
  const close = async (): Promise<void> => {
    await Promise.all([...opened.values()].map((server) => server.close()));
  };
  const parts = async (): Promise<Pick<OpenedServers, 'embedder' | 'models'>> => ({
    embedder: typeof chosen === 'object' ? await embedder(chosen.server, chosen) : undefined,
    models: {
      ...(writer && { writer: (await serverOf(writer.server)).writer(priced(writing.model ?? writer.model, price)) }),
      ...(scoring && {
        reranker: (await serverOf(scoring.server)).reranker({
          model: scoring.model,
          usdPerMillionTokens: price(scoring.model)?.input,
        }),
      }),
    },
  });
  const made = await parts().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...made,
    embedderOf: (name) => {
      const at = name.indexOf('/');
      const [server, model] = [name.slice(0, at), name.slice(at + 1)];
      const isConfigured = typeof chosen === 'object' && chosen.server === server && chosen.model === model;
      return embedder(server, isConfigured ? chosen : { model });
    },
    [Symbol.asyncDispose]: close,
  };
}

const priced = (
  model: string,
  price: (model: string) => { readonly input: number; readonly output: number } | undefined,
) => ({
  model,
  usdPerMillionTokens: price(model),
});

/** @throws IbidError UNSAFE_ADDRESS, INVALID_ARGUMENT; the failure of a keys file that cannot be read */
export async function openServer(settings: Settings, name: string): Promise<ModelServer> {
  const { config, environment } = settings;
  const server = Object.hasOwn(config.servers ?? {}, name) ? config.servers?.[name] : undefined;
  if (!server)
    throw new IbidError('INVALID_ARGUMENT', `no server "${name}" is configured`, { hint: 'Put it under `servers`.' });
  const { modelServer } = await import('../models.ts'); // only now: it brings what speaks HTTP
  const { proxyFromEnvironment } = await import('../wire.ts');
  const { baseUrl, headers, timeoutMs, key } = server;
  const apiKey = key === undefined ? undefined : environment[key]?.trim() || undefined;
  const failure = key === undefined ? undefined : failureOfKey(settings, key);
  if (failure) throw failure;
  if (key !== undefined && apiKey !== undefined) checkKeyAddress(settings, { name: key, baseUrl });
  try {
    const privateAddress = isNamedPrivate(settings, baseUrl);
    return modelServer({
      baseUrl,
      apiKey,
      headers,
      timeoutMs,
      privateAddress,
      proxy: proxyFromEnvironment(environment),
    });
  } catch (error) {
    throw error instanceof IbidError ? withPrivateHint(error, baseUrl) : error;
  }
}

/** What an embedder's name on the command line means, and without one what is configured. */
export async function embedderChoice(
  {
    embedder: named,
    dimensions,
    settings,
  }: { readonly embedder?: string; readonly dimensions?: number; readonly settings: Settings },
  servers: OpenedServers,
): Promise<EmbedderChoice | undefined> {
  const { embedder: configured } = settings.config;
  const name = named ?? (typeof configured === 'string' ? configured : undefined);
  const isOwn = name === undefined ? servers.embedder !== undefined : name.includes('/');
  if (dimensions !== undefined && (isOwn || name === undefined || name === 'local'))
    throw new IbidError('INVALID_ARGUMENT', '--dimensions is for embedders of the search service', {
      hint: isOwn ? 'Of an own server, put `dimensions` into the configuration.' : 'Name one, such as embed-v1-4b.',
    });
  if (name === undefined) return servers.embedder;
  if (isOwn) return await servers.embedderOf(name);
  return dimensions === undefined ? name : { model: name, dimensions };
}
