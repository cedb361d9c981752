import type { Exchange, MultipartPart, Reply, Route } from '../contract.ts';
import { mapping, record, text } from '../shape.ts';
import { type AudioContext, atLeast, operation, plain, refuse } from './context.ts';
import { type PartSpec, type PartValues, readParts } from './parts.ts';
import { onlyQuery, pageOf, queryNumber, taking } from './reading.ts';
import { settingsShape } from './speech.ts';
import { defaultSettings, type StoredVoice, type VoiceSettings } from './voice-store.ts';

const parts: Readonly<Record<string, PartSpec>> = {
  name: { kind: 'text', required: true, check: text({ min: 1, max: 100 }) },
  files: { kind: 'file', repeated: true },
  description: { kind: 'text', check: text({ max: 500 }) },
  labels: { kind: 'json', check: mapping(text()) },
  remove_background_noise: { kind: 'boolean' },
};

interface Borrowed {
  readonly new_name: string;
}
const borrowing = record({ new_name: text({ min: 1 }), 'bookmarked?': () => undefined });

export function voiceView(voice: StoredVoice): Record<string, unknown> {
  return {
    voice_id: voice.id,
    name: voice.name,
    category: voice.category,
    description: voice.description,
    labels: voice.labels,
    preview_url: null,
    settings: voice.settings,
    verified_languages: [],
    available_for_tiers: [],
    high_quality_base_model_ids: ['voice_v3', 'voice_multilingual_v2'],
    samples: voice.samples.map(({ name, bytes }, at) => ({
      sample_id: `sample_${at}`,
      file_name: name,
      mime_type: 'audio/mpeg',
      size_bytes: bytes,
      hash: '0',
    })),
    sharing: null,
    is_owner: voice.category !== 'premade' && !voice.library,
    is_legacy: false,
    created_at_unix: voice.createdAt,
  };
}

export function voiceRoutes(context: AudioContext): Route[] {
  const { voices: store } = context;
  const find = ({ params }: Exchange): StoredVoice => {
    const voice = store.voices.get(params.voice_id ?? '');
    if (voice === undefined) {
      refuse(context, 404, 'voice_not_found', `A voice with the id ${params.voice_id} was not found.`, {
        param: 'voice_id',
      });
    }
    return voice;
  };
  const voice = '/v1/voices/{voice_id}';
  return [
    plain(context, 'GET', '/v1/voices', ({ request }) => {
      onlyQuery(request.query, ['show_legacy']);
      return { json: { voices: [...store.voices.values()].map(voiceView) } };
    }),
    operation(context, 'GET', '/v2/voices', {
      read: ({ request }) => readPage(context, request.query),
      handle: (json) => ({ json }),
    }),
    plain(context, 'GET', '/v1/voices/settings/default', () => ({ json: defaultSettings })),
    operation(context, 'POST', '/v1/voices/add', {
      read: (exchange) => readParts(exchange, { ...parts, files: { kind: 'file', repeated: true, required: true } }),
      handle: (values) => addVoice(context, values),
    }),
    taking(context, 'POST', '/v1/voices/add/{public_owner_id}/{voice_id}', borrowing, (body: Borrowed, { params }) => {
      const shared = store.shared.find(
        ({ ownerId, voiceId }) => ownerId === params.public_owner_id && voiceId === params.voice_id,
      );
      if (shared === undefined) refuse(context, 404, 'voice_not_found', 'No such shared voice');
      store.add({ id: shared.voiceId, name: body.new_name, category: 'professional', library: true });
      return { json: { voice_id: shared.voiceId } };
    }),
    plain(context, 'GET', '/v1/shared-voices', ({ request }) => sharedVoices(context, request.query)),
    plain(context, 'GET', voice, (exchange) => ({ json: voiceView(find(exchange)) })),
    plain(context, 'DELETE', voice, (exchange) => {
      const { id, category } = find(exchange);
      if (category === 'premade') refuse(context, 403, 'voice_access_denied', 'Default voices cannot be deleted');
      store.voices.delete(id);
      return { json: { status: 'ok' } };
    }),
    operation(context, 'POST', `${voice}/edit`, {
      read: (exchange) => readParts(exchange, parts),
      handle: (values, exchange) => {
        const edited = find(exchange);
        edited.name = String(values.name);
        if (values.description !== undefined) edited.description = String(values.description);
        if (values.labels !== undefined) edited.labels = values.labels as Record<string, string>;
        if (values.files !== undefined) edited.samples = [...edited.samples, ...samplesOf(values)];
        return { json: { status: 'ok' } };
      },
    }),
    plain(context, 'GET', `${voice}/settings`, (exchange) => ({ json: find(exchange).settings })),
    taking(context, 'POST', `${voice}/settings/edit`, settingsShape, (settings: Partial<VoiceSettings>, exchange) => {
      const edited = find(exchange);
      edited.settings = { ...edited.settings, ...settings };
      return { json: { status: 'ok' } };
    }),
  ];
}

function samplesOf(values: PartValues): { name: string; bytes: number }[] {
  return ((values.files as MultipartPart[] | undefined) ?? []).map((file) => ({
    name: file.filename ?? '',
    bytes: file.bytes.length,
  }));
}

function addVoice(context: AudioContext, values: PartValues): Reply {
  if (!atLeast(context.plan, 'starter')) {
    refuse(context, 403, 'subscription_required', 'Instant voice cloning needs a paid plan', {
      status: 'can_not_use_instant_voice_cloning',
    });
  }
  const voice = context.voices.add({
    id: context.nextId('voice'),
    name: String(values.name),
    category: 'cloned',
    description: (values.description as string | undefined) ?? null,
    labels: (values.labels as Record<string, string> | undefined) ?? {},
    samples: samplesOf(values),
  });
  return { json: { voice_id: voice.id, requires_verification: false } };
}

const pageKeys =
  'search page_size next_page_token sort sort_direction voice_type category voice_ids include_total_count'.split(' ');

function readPage(context: AudioContext, query: URLSearchParams): Record<string, unknown> {
  onlyQuery(query, pageKeys);
  const search = query.get('search')?.toLowerCase();
  const category = query.get('category');
  const ids = query.getAll('voice_ids');
  const matching = [...context.voices.voices.values()]
    .filter((voice) => search === undefined || voice.name.toLowerCase().includes(search))
    .filter((voice) => category === null || voice.category === category)
    .filter((voice) => ids.length === 0 || ids.includes(voice.id));
  if (query.get('sort') === 'name')
    matching.sort((a, b) => (a.name < b.name ? -1 : 1) * (query.get('sort_direction') === 'desc' ? -1 : 1));
  const { shown, has_more, next } = pageOf(matching, query, { size: 10, cursor: 'next_page_token' });
  return {
    voices: shown.map(voiceView),
    has_more,
    total_count: query.get('include_total_count') === 'false' ? 0 : matching.length,
    next_page_token: next,
  };
}

function sharedVoices(context: AudioContext, query: URLSearchParams): Reply {
  const filters = ['language', 'gender', 'age', 'accent', 'category'] as const;
  onlyQuery(query, [...filters, 'search', 'use_cases', 'featured', 'page_size', 'page']);
  const size = queryNumber(query, 'page_size', 30, 1, 100);
  const page = queryNumber(query, 'page', 0, 0, 10_000);
  const search = query.get('search')?.toLowerCase();
  const useCases = query.getAll('use_cases');
  const found = context.voices.shared
    .filter((voice) => filters.every((key) => query.get(key) === null || query.get(key) === voice[key]))
    .filter((voice) => search === undefined || voice.name.toLowerCase().includes(search))
    .filter((voice) => useCases.length === 0 || useCases.includes(voice.useCase));
  const shown = found.slice(page * size, (page + 1) * size);
  return {
    json: {
      voices: shown.map((voice) => ({
        public_owner_id: voice.ownerId,
        voice_id: voice.voiceId,
        date_unix: 1_780_000_000,
        name: voice.name,
        accent: voice.accent,
        gender: voice.gender,
        age: voice.age,
        descriptive: 'calm',
        use_case: voice.useCase,
        category: voice.category,
        language: voice.language,
        rate: voice.rate,
        usage_character_count_1y: 0,
        usage_character_count_7d: 0,
        play_api_usage_character_count_1y: 0,
        cloned_by_count: 0,
        free_users_allowed: false,
        live_moderation_enabled: false,
        featured: false,
      })),
      has_more: (page + 1) * size < found.length,
      last_sort_id: shown.at(-1)?.voiceId ?? null,
    },
  };
}
