import type { WireCallOptions } from '../http/contract.ts';
import {
  acknowledged,
  badAnswer,
  checkChoice,
  checkList,
  checkRange,
  invalid,
  requireId,
  shaped,
  shapedList,
} from './check.ts';
import type { AudioContext, AudioResult, WithInfo } from './context.ts';
import { readAudio, withInfo } from './context.ts';
import type { AudioModel } from './models.ts';
import { audioOperations as operations } from './operations.ts';
import type { PlanName } from './prices.ts';
import type { AudioProfile } from './profile.ts';
import { wireModel } from './profile.ts';

/** A row of the service's own model list. */
export interface ListedModel {
  readonly model_id: string;
  readonly name?: string | null | undefined;
  readonly can_do_text_to_speech?: boolean | null | undefined;
  readonly can_use_style?: boolean | null | undefined;
  readonly can_use_speaker_boost?: boolean | null | undefined;
  readonly requires_alpha_access?: boolean | null | undefined;
  /** The limit to believe, where it is below the table's. */
  readonly maximum_text_length_per_request?: number | null | undefined;
  readonly languages?: readonly { readonly language_id: string; readonly name: string }[] | null | undefined;
  readonly model_rates?: { readonly character_cost_multiplier?: number | null | undefined } | null | undefined;
  readonly concurrency_group?: string | null | undefined;
}

export interface Subscription {
  readonly tier: PlanName | (string & {});
  readonly status?: string | null | undefined;
  /** Credits used since the last reset. */
  readonly character_count: number;
  readonly character_limit: number;
  readonly next_character_count_reset_unix?: number | null | undefined;
  readonly can_extend_character_limit?: boolean | null | undefined;
  readonly voice_limit?: number | null | undefined;
  readonly voice_slots_used?: number | null | undefined;
  readonly can_use_instant_voice_cloning?: boolean | null | undefined;
}

export interface UsageQuery {
  /** Milliseconds since 1970, as this one operation counts. */
  readonly start_unix: number;
  readonly end_unix: number;
  readonly include_workspace_metrics?: boolean | undefined;
  readonly breakdown_type?: string | undefined;
  readonly aggregation_interval?: string | undefined;
  readonly metric?: string | undefined;
}

export interface Usage {
  /** Milliseconds since 1970, one per bucket. */
  readonly time: readonly number[];
  /** Breakdown value → one figure per bucket. */
  readonly usage: Readonly<Record<string, readonly number[]>>;
}

export interface HistoryQuery {
  /** 1 to 1,000. @default 100 */
  readonly page_size?: number | undefined;
  readonly start_after_history_item_id?: string | undefined;
  readonly voice_id?: string | undefined;
  readonly model_id?: string | undefined;
  /** Seconds since 1970. */
  readonly date_before_unix?: number | undefined;
  readonly date_after_unix?: number | undefined;
  readonly search?: string | undefined;
  readonly source?: string | undefined;
}

export interface HistoryItem {
  readonly history_item_id: string;
  readonly request_id?: string | null | undefined;
  readonly voice_id?: string | null | undefined;
  readonly model_id?: string | null | undefined;
  readonly text?: string | null | undefined;
  readonly dialogue?: readonly Readonly<Record<string, unknown>>[] | null | undefined;
  readonly date_unix?: number | null | undefined;
  readonly character_count_change_from?: number | null | undefined;
  readonly character_count_change_to?: number | null | undefined;
  readonly content_type?: string | null | undefined;
  readonly state?: 'created' | 'deleted' | 'processing' | (string & {}) | null | undefined;
}

export interface HistoryPage {
  readonly history: readonly HistoryItem[];
  readonly last_history_item_id?: string | null | undefined;
  readonly has_more: boolean;
}

/** Sound as it is stored; its format is the one it was made in. */
export type StoredAudio = Omit<AudioResult, 'format'>;

export interface HistoryApi {
  list(query?: HistoryQuery, options?: WireCallOptions): Promise<WithInfo<HistoryPage>>;
  /** Every item of every page. */
  all(query?: HistoryQuery, options?: WireCallOptions): AsyncGenerator<HistoryItem>;
  get(historyItemId: string, options?: WireCallOptions): Promise<WithInfo<HistoryItem>>;
  audio(historyItemId: string, options?: WireCallOptions): Promise<StoredAudio>;
  delete(historyItemId: string, options?: WireCallOptions): Promise<{ readonly status: string }>;
  /** One sound for one id, a zip archive for several. */
  download(
    request: { readonly history_item_ids: readonly string[]; readonly output_format?: 'wav' | 'default' | undefined },
    options?: WireCallOptions,
  ): Promise<StoredAudio>;
}

export interface AccountApi {
  /** The key needs the user permission. */
  subscription(options?: WireCallOptions): Promise<WithInfo<Subscription>>;
  /** The profile, without the key that the service puts into it. */
  user(options?: WireCallOptions): Promise<WithInfo<Readonly<Record<string, unknown>>>>;
  usage(query: UsageQuery, options?: WireCallOptions): Promise<WithInfo<Usage>>;
  readonly history: HistoryApi;
}

/** Copies a value without the named fields, at any depth. */
export function withoutFields(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutFields(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutFields(inner, names)]));
}

/** The service's model list: an array, not an object. */
export async function listModels(context: AudioContext, options?: WireCallOptions): Promise<ListedModel[]> {
  const reply = await context.transport.json(operations.models, { options });
  return shapedList<ListedModel>(reply.body, operations.models, { model_id: 'string' }, 'body');
}

/**
 * The model table with what the service says of itself: the lower of both limits, and its price per character. Give it to a new
 * client as `profile: { models }`.
 */
export function learnModels(
  profile: AudioProfile,
  listed: readonly ListedModel[],
): Readonly<Record<string, AudioModel>> {
  const models = { ...profile.models };
  for (const { model_id, maximum_text_length_per_request, model_rates } of listed) {
    const id = Object.entries(profile.modelIds).find(([, wire]) => wire === model_id)?.[0] ?? model_id;
    const known = models[id];
    if (known === undefined) continue;
    // A listing's 0 or -1 means no limit of its own, not that nothing may be sent.
    const limits = [known.maxCharacters, maximum_text_length_per_request].filter(
      (limit): limit is number => typeof limit === 'number' && limit >= 1 && Number.isFinite(limit),
    );
    const rate = model_rates?.character_cost_multiplier;
    models[id] = {
      ...known,
      maxCharacters: limits.length === 0 ? undefined : Math.min(...limits),
      creditsPerCharacter:
        typeof rate === 'number' && rate >= 0 && Number.isFinite(rate) ? rate : known.creditsPerCharacter,
    };
  }
  return models;
}

export function accountApi(context: AudioContext): AccountApi {
  const { transport, profile } = context;
  return {
    async subscription(options) {
      const reply = await transport.json(operations.subscription, { options });
      const shape = { tier: 'string', character_count: 'number', character_limit: 'number' } as const;
      return withInfo(context, reply, shaped<Subscription>(reply.body, operations.subscription, shape));
    },
    async user(options) {
      const reply = await transport.json(operations.user, { options });
      const body = shaped<Record<string, unknown>>(reply.body, operations.user, {});
      return withInfo(context, reply, withoutFields(body, profile.keyFields) as Record<string, unknown>); // an object stays one
    },
    async usage(query, options) {
      for (const field of ['start_unix', 'end_unix'] as const) {
        checkRange(field, query[field], 0, Number.MAX_SAFE_INTEGER);
        if (query[field] === undefined) throw invalid(field, 'is missing');
        if (query[field] > 0 && query[field] < 100_000_000_000) {
          throw invalid(field, `${query[field]} looks like seconds; this operation counts in milliseconds`);
        }
      }
      if (query.end_unix < query.start_unix) throw invalid('end_unix', 'is before start_unix');
      const reply = await transport.json(operations.usage, { query: { ...query }, options });
      return withInfo(context, reply, shaped<Usage>(reply.body, operations.usage, { time: 'array', usage: 'object' }));
    },
    history: historyApi(context),
  };
}

function historyApi(context: AudioContext): HistoryApi {
  const { transport } = context;
  const at = (id: string): { readonly history_item_id: string } => ({
    history_item_id: requireId('history_item_id', id),
  });
  const api: HistoryApi = {
    async list(query = {}, options) {
      checkRange('page_size', query.page_size, 1, 1_000, true);
      const filter = { ...query, model_id: wireModel(context.profile, query.model_id) };
      const reply = await transport.json(operations.history, { query: filter, options });
      const page = shaped<HistoryPage>(reply.body, operations.history, { history: 'array', has_more: 'boolean' });
      shapedList<HistoryItem>(page.history, operations.history, { history_item_id: 'string' }, 'history');
      return withInfo(context, reply, page);
    },
    async *all(query = {}, options) {
      let after = query.start_after_history_item_id;
      for (;;) {
        const page = await api.list({ ...query, start_after_history_item_id: after }, options);
        yield* page.history;
        const last = page.last_history_item_id ?? page.history.at(-1)?.history_item_id;
        if (!page.has_more || last === undefined) return;
        if (last === after) throw badAnswer(operations.history, `the page after "${last}" is the same page again`);
        after = last;
      }
    },
    async get(historyItemId, options) {
      const reply = await transport.json(operations.historyItem, { path: at(historyItemId), options });
      const shape = { history_item_id: 'string' } as const;
      return withInfo(context, reply, shaped<HistoryItem>(reply.body, operations.historyItem, shape));
    },
    async audio(historyItemId, options) {
      const result = await readAudio(context, operations.historyAudio, { path: at(historyItemId), options });
      return { ...result, mediaType: result.headers['content-type'] ?? 'application/octet-stream' };
    },
    async delete(historyItemId, options) {
      return acknowledged(await transport.json(operations.historyDelete, { path: at(historyItemId), options }));
    },
    async download(request, options) {
      if (request.history_item_ids === undefined) throw invalid('history_item_ids', 'is missing');
      checkList('history_item_ids', request.history_item_ids, 1_000, 1);
      checkChoice('output_format', request.output_format, ['wav', 'default']);
      const result = await readAudio(context, operations.historyDownload, { json: { ...request }, options });
      return { ...result, mediaType: result.headers['content-type'] ?? 'application/octet-stream' };
    },
  };
  return api;
}
