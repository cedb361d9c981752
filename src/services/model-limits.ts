import type { ModelLimits } from '../answer/language-model.ts';
import type { CallOptions } from '../core/types.ts';
import type { MessagesService, ModelInfo } from '../wire/messages/index.ts';
// not through the door, behind which is what speaks HTTP: `ibid` exports what reads this
import { modelName, modelRules } from '../wire/messages/profile.ts';

const WINDOW_TOKENS = 200_000;
const OUTPUT_TOKENS = 64_000;

/** One listing per client; a failed one is asked for again. */
const listings = new WeakMap<MessagesService, Promise<ReadonlyMap<string, ModelInfo>>>();

interface KnownLimits {
  /** From the profile's table; cautious for a model that is not in it. */
  readonly offline: ModelLimits;
  /** From the service's listing of models, asked once; where it fails or does not say, the table holds. */
  ask(options?: CallOptions): Promise<ModelLimits>;
}

/** How much a model reads and writes. @throws what the caller aborts with, nothing else */
export function modelLimits(service: MessagesService, model: string): KnownLimits {
  const rules = modelRules(service.profile, model);
  const name = modelName(service.profile, model);
  const offline = {
    contextTokens: rules?.maxInputTokens ?? WINDOW_TOKENS,
    maxOutputTokens: rules?.maxOutputTokens ?? OUTPUT_TOKENS,
  };
  return {
    offline,
    ask: async ({ signal } = {}) => {
      signal?.throwIfAborted();
      const listing = list(service).catch(() => undefined); // a question is not lost for want of a listing
      const listed = await (signal ? beforeAbort(listing, signal) : listing);
      signal?.throwIfAborted();
      const info = listed?.get(name) ?? listed?.get(withoutDate(name));
      return {
        contextTokens: positive(info?.max_input_tokens) ?? offline.contextTokens,
        maxOutputTokens: positive(info?.max_tokens) ?? offline.maxOutputTokens,
      };
    },
  };
}

/** Undefined when the signal comes first. It may live as long as the program: nothing is left on it. */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const onAbort = (): void => resolve(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Not bound to one caller's signal: others wait for the same listing. */
function list(service: MessagesService): Promise<ReadonlyMap<string, ModelInfo>> {
  let listing = listings.get(service);
  if (!listing) {
    listing = read(service);
    listings.set(service, listing);
    listing.catch(() => listings.delete(service));
  }
  return listing;
}

async function read(service: MessagesService): Promise<ReadonlyMap<string, ModelInfo>> {
  const models = new Map<string, ModelInfo>();
  for await (const info of service.models.list()) models.set(info.id, info);
  return models;
}

const withoutDate = (model: string): string => model.replace(/-\d{8}$/, '');

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
