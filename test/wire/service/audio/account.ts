import type { Reply, Route } from '../contract.ts';
import { list, Misfit, oneOf, record, text } from '../shape.ts';
import { type AudioContext, atLeast, type HistoryItem, operation, plain, refuse } from './context.ts';
import { wavFile } from './formats.ts';
import { onlyQuery, queryNumber } from './reading.ts';
import { defaultSettings } from './voice-store.ts';

/** In no reference, but the public SDK refuses an account without them. */
const publicAccountFields = {
  max_credit_limit_extension: 0,
  professional_voice_limit: 1,
  professional_voice_slots_used: 0,
  professional_voice_slots_used_in_workspace: 0,
  voice_add_edit_counter: 0,
  can_extend_voice_limit: false,
  can_use_professional_voice_cloning: true,
  current_overage: { amount: '0', currency: 'usd' },
  open_invoices: [],
  has_open_invoices: false,
} as const;

function subscription(context: AudioContext): Record<string, unknown> {
  return {
    tier: context.plan,
    status: 'active',
    character_count: context.credits.used,
    character_limit: context.credits.limit,
    max_character_limit_extension: null,
    next_character_count_reset_unix: Math.floor(context.now() / 1000) + 86_400 * 20,
    can_extend_character_limit: atLeast(context.plan, 'starter'),
    allowed_to_extend_character_limit: false,
    voice_limit: 30,
    voice_slots_used: [...context.voices.voices.values()].filter(({ category }) => category === 'cloned').length,
    can_use_instant_voice_cloning: atLeast(context.plan, 'starter'),
    ...publicAccountFields,
  };
}

const tokenKind = oneOf('realtime_scribe', 'batch_scribe', 'tts_websocket');

export function accountRoutes(context: AudioContext): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/models',
      handle({ request }) {
        const key = request.headers[context.keyHeader];
        // Without a key this listing answers as if there were no workspace.
        if (key === undefined) refuse(context, 404, 'workspace_not_found', 'Workspace not found');
        if (!context.apiKeys.has(key)) refuse(context, 401, 'invalid_api_key', 'Invalid API key');
        return { json: models(context) };
      },
    },
    plain(context, 'GET', '/v1/user/subscription', () => ({ json: subscription(context) })),
    plain(context, 'GET', '/v1/user', ({ request }) => ({
      json: {
        user_id: 'user_1',
        workspace_id: 'workspace_1',
        subscription: subscription(context),
        is_new_user: false,
        can_use_delayed_payment_methods: false,
        is_onboarding_completed: true,
        is_onboarding_checklist_completed: true,
        created_at: 1_780_000_000,
        seat_type: 'workspace_admin',
        first_name: 'Test',
        // The profile tells the key: clients have to drop it before they log.
        [context.bodyKey]: request.headers[context.keyHeader],
      },
    })),
    operation(context, 'GET', '/v1/usage/character-stats', {
      read: ({ request }) => readUsage(request.query),
      handle: ({ start, end }) => usage(context, start, end),
    }),
    ...historyRoutes(context),
    operation(context, 'POST', '/v1/single-use-token/{type}', {
      read: ({ params: { type: kind = '' } }) => {
        tokenKind(kind, ['path', 'type']);
        return kind;
      },
      handle: (kind) => {
        const token = context.nextId('token');
        context.tokens.set(token, { kind, madeAt: context.now() });
        return { json: { token } };
      },
    }),
  ];
}

function models(context: AudioContext): Record<string, unknown>[] {
  const spoken = context.models.map((model) => ({
    model_id: model.id,
    name: model.name,
    can_do_text_to_speech: true,
    can_do_voice_conversion: false,
    can_use_style: model.group === 'standard',
    can_use_speaker_boost: model.group === 'standard',
    requires_alpha_access: false,
    maximum_text_length_per_request: model.maxCharacters,
    max_characters_request_free_user: 2_500,
    max_characters_request_subscribed_user: model.maxCharacters,
    languages: [
      { language_id: 'en', name: 'English' },
      { language_id: 'de', name: 'German' },
    ],
    model_rates: { character_cost_multiplier: model.creditsPerCharacter },
    concurrency_group: model.group === 'fast' ? 'turbo' : 'standard',
  }));
  return spoken;
}

const DAY = 86_400_000;

/** Times are milliseconds though the names say unix. */
function readUsage(query: URLSearchParams): { start: number; end: number } {
  for (const key of ['start_unix', 'end_unix']) {
    if (query.get(key) === null) throw new Misfit(['query', key], 'missing', 'Field required');
  }
  return {
    start: queryNumber(query, 'start_unix', 0, 0, Number.MAX_SAFE_INTEGER),
    end: queryNumber(query, 'end_unix', 0, 0, Number.MAX_SAFE_INTEGER),
  };
}

function usage(context: AudioContext, start: number, end: number): Reply {
  if (start < 1e12)
    refuse(context, 400, 'invalid_parameters', 'start_unix is in milliseconds', { param: 'start_unix' });
  const days = Array.from(
    { length: Math.min(400, Math.max(0, Math.ceil((end - start) / DAY))) },
    (_, at) => start + at * DAY,
  );
  const spent = (from: number) =>
    context.history
      .filter((item) => item.dateUnix * 1000 >= from && item.dateUnix * 1000 < from + DAY)
      .reduce((sum, item) => sum + item.costTo - item.costFrom, 0);
  return { json: { time: days, usage: { All: days.map(spent) } } };
}

function itemView(item: HistoryItem): Record<string, unknown> {
  return {
    history_item_id: item.id,
    request_id: item.requestId,
    voice_id: item.voiceId,
    model_id: item.modelId,
    voice_name: item.voiceId,
    text: item.text,
    dialogue:
      item.source === 'Dialogue'
        ? item.text.split('\n').map((line) => ({ text: line, voice_id: item.voiceId, voice_name: item.voiceId }))
        : null,
    date_unix: item.dateUnix,
    character_count_change_from: item.costFrom,
    character_count_change_to: item.costTo,
    content_type: item.contentType,
    state: 'created',
    source: item.source,
    settings: defaultSettings,
    alignments: null,
  };
}

const historyQuery = [
  'page_size',
  'start_after_history_item_id',
  'voice_id',
  'model_id',
  'date_before_unix',
  'date_after_unix',
  'search',
  'source',
  'sort_direction',
];

function historyRoutes(context: AudioContext): Route[] {
  const find = (id: string | undefined): HistoryItem => {
    const item = context.history.find((known) => known.id === id);
    if (item === undefined)
      refuse(context, 404, 'not_found', 'History item not found', { status: 'history_item_not_found' });
    return item;
  };
  return [
    operation(context, 'GET', '/v1/history', {
      read: ({ request }) => {
        onlyQuery(request.query, historyQuery);
        return { size: queryNumber(request.query, 'page_size', 100, 1, 1000), query: request.query };
      },
      handle: ({ size, query }) => listHistory(context, size, query),
    }),
    operation(context, 'POST', '/v1/history/download', {
      read: ({ request }) => {
        record({ history_item_ids: list(text(), { min: 1 }), 'output_format?': oneOf('wav', 'default') })(
          request.body,
          ['body'],
        );
        return request.body as { history_item_ids: string[]; output_format?: string };
      },
      handle: ({ history_item_ids: ids, output_format: format }) => {
        const items = ids.map((id) => find(id));
        if (items.length > 1) return { headers: { 'content-type': 'application/zip' }, bytes: zipOf(items) };
        if (format !== 'wav') return { headers: { 'content-type': 'audio/mpeg' }, bytes: items[0]!.audio };
        return {
          headers: { 'content-type': 'audio/wav' },
          bytes: wavFile(new Int16Array(items[0]!.audio.length), 44_100),
        };
      },
    }),
    plain(context, 'GET', '/v1/history/{id}', ({ params }) => ({ json: itemView(find(params.id)) })),
    plain(context, 'DELETE', '/v1/history/{id}', ({ params }) => {
      context.history.splice(context.history.indexOf(find(params.id)), 1);
      return { json: { status: 'ok' } };
    }),
    plain(context, 'GET', '/v1/history/{id}/audio', ({ params }) => {
      const item = find(params.id);
      return { headers: { 'content-type': item.contentType }, bytes: item.audio };
    }),
  ];
}

/** Newest first. */
function listHistory(context: AudioContext, size: number, query: URLSearchParams): Reply {
  const search = query.get('search')?.toLowerCase();
  const all = context.history
    .toReversed()
    .filter((item) => query.get('voice_id') === null || query.get('voice_id') === item.voiceId)
    .filter((item) => query.get('model_id') === null || query.get('model_id') === item.modelId)
    .filter((item) => query.get('source') === null || query.get('source') === item.source)
    .filter((item) => item.dateUnix < Number(query.get('date_before_unix') ?? Number.POSITIVE_INFINITY))
    .filter((item) => item.dateUnix >= Number(query.get('date_after_unix') ?? 0))
    .filter((item) => search === undefined || item.text.toLowerCase().includes(search));
  const after = query.get('start_after_history_item_id');
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const shown = all.slice(from, from + size);
  return {
    json: {
      history: shown.map(itemView),
      last_history_item_id: shown.at(-1)?.id ?? null,
      has_more: from + size < all.length,
    },
  };
}

/** Several files with zip's local headers, stored; nobody here unpacks it, but it is told apart by its first bytes. */
function zipOf(items: readonly HistoryItem[]): Uint8Array {
  return Buffer.concat(
    items.flatMap(({ id, audio }) => {
      const header = Buffer.alloc(30);
      header.writeUInt32LE(0x04034b50, 0);
      header.writeUInt16LE(20, 4);
      header.writeUInt32LE(audio.length, 18);
      header.writeUInt32LE(audio.length, 22);
      header.writeUInt16LE(id.length, 26);
      return [header, Buffer.from(id), audio];
    }),
  );
}
