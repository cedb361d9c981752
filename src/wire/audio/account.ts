import { objectOf } from '../../core/arguments.ts';
import { shapedList } from '../http/answer.ts';
import { type Check, record, refuse, requireRecord } from '../http/check.ts';
import type { WireCallOptions } from '../http/contract.ts';
import { ask, object } from '../http/endpoint.ts';
import { eachItem } from '../http/pages.ts';
import { type Acknowledged, acknowledged } from './acknowledged.ts';
import type { Answer, AudioRows, AudioSent, WithInfo } from './context.ts';
import type { AudioModel } from './models.ts';
import type { PlanName } from './prices.ts';
import { type AudioProfile, wireModel } from './profile.ts';
import { type StoredAudio, storedSound } from './sound.ts';
import type { VoiceSettings } from './speech-request.ts';

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
  readonly settings?: VoiceSettings | null | undefined;
  readonly alignments?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface HistoryPage {
  readonly history: readonly HistoryItem[];
  readonly last_history_item_id?: string | null | undefined;
  readonly has_more: boolean;
}

export interface HistoryApi {
  list(query?: HistoryQuery, options?: WireCallOptions): Answer<HistoryPage>;
  /** Every item of every page. */
  all(query?: HistoryQuery, options?: WireCallOptions): AsyncGenerator<HistoryItem>;
  get(historyItemId: string, options?: WireCallOptions): Answer<HistoryItem>;
  audio(historyItemId: string, options?: WireCallOptions): Promise<StoredAudio>;
  delete(historyItemId: string, options?: WireCallOptions): Acknowledged;
  /** One sound for one id, a zip archive for several. */
  download(
    request: { readonly history_item_ids: readonly string[]; readonly output_format?: 'wav' | 'default' | undefined },
    options?: WireCallOptions,
  ): Promise<StoredAudio>;
}

export interface AccountApi {
  /** The key needs the user permission. */
  subscription(options?: WireCallOptions): Answer<Subscription>;
  /** The profile, without the key that the service puts into it. */
  user(options?: WireCallOptions): Promise<WithInfo<Readonly<Record<string, unknown>>>>;
  usage(query: UsageQuery, options?: WireCallOptions): Answer<Usage>;
  readonly history: HistoryApi;
}

/**
 * The model table with what the service says of itself: the lower of both limits, and its price per character. Give it
 * to a new client as `profile: { models }`.
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

/** Copies a value without the named fields, at any depth. */
export function withoutFields(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutFields(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutFields(inner, names)]));
}

/** The service's model list: an array, not an object. */
export async function listModels(sent: AudioSent): Promise<readonly ListedModel[]> {
  const { reply, where } = await ask(sent);
  return shapedList<ListedModel>(where, reply.body, { model_id: 'string' });
}

/** Seconds would be read as days of January 1970: an empty answer, and no error. */
const milliseconds: Check = (_, query) => {
  requireRecord('query', query);
  for (const field of ['start_unix', 'end_unix'] as const) {
    const time = query[field];
    if (typeof time === 'number' && time > 0 && time < 100_000_000_000) {
      refuse(field, `${time} looks like seconds; this operation counts in milliseconds`);
    }
  }
};

const item = { history_item_id: 'string' } as const;

export const accountRows: AudioRows<Omit<AccountApi, 'history'> & { readonly history: Omit<HistoryApi, 'all'> }> = {
  subscription: {
    at: 'GET /v1/user/subscription',
    answer: { tier: 'string', character_count: 'number', character_limit: 'number' },
  },
  user: {
    at: 'GET /v1/user',
    answer: async (sent) => {
      const user = await object<WithInfo<Record<string, unknown>>, unknown>(sent, {});
      return withoutFields(user, sent.wiring.profile.profile.keyFields) as typeof user; // an object stays one
    },
  },
  usage: { at: 'GET /v1/usage/character-stats', query: milliseconds, answer: { time: 'array', usage: 'object' } },
  history: {
    list: {
      at: 'GET /v1/history',
      query: record,
      spell: ([query], { profile }) => ({ query: { ...query, model_id: wireModel(profile, query?.model_id) } }),
      answer: { history: [item], has_more: 'boolean' },
    },
    get: { at: 'GET /v1/history/{history_item_id}', answer: item },
    audio: { at: 'GET /v1/history/{history_item_id}/audio', answer: storedSound },
    delete: { at: 'DELETE /v1/history/{history_item_id}', answer: acknowledged },
    download: { at: 'POST /v1/history/download', repeat: 'always', json: record, answer: storedSound },
  },
};

export const allHistory =
  (list: HistoryApi['list']): HistoryApi['all'] =>
  (query = {}, options) =>
    eachItem({
      fetch: (after: string | undefined) =>
        list(
          {
            ...objectOf(query, 'the request'),
            start_after_history_item_id: after ?? query.start_after_history_item_id,
          },
          options,
        ),
      items: ({ history }) => history,
      next: ({ has_more, last_history_item_id, history }) =>
        has_more ? (last_history_item_id ?? history.at(-1)?.history_item_id) : undefined,
    });
