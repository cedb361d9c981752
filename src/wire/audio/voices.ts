import type { FormPart, QueryValue, WireCallOptions } from '../http/contract.ts';
import {
  acknowledged,
  checkChoice,
  checkList,
  checkRange,
  invalid,
  requireId,
  requireText,
  shaped,
  shapedList,
} from './check.ts';
import type { AudioContext, WithInfo } from './context.ts';
import { withInfo } from './context.ts';
import { audioOperations as operations } from './operations.ts';
import type { VoiceSettings } from './speech-request.ts';
import { checkVoiceSettings } from './speech-request.ts';
import type { Upload } from './upload.ts';
import { fieldParts, filePart } from './upload.ts';

/** Everything but the id may be missing. */
export interface Voice {
  readonly voice_id: string;
  readonly name?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly labels?: Readonly<Record<string, string>> | null | undefined;
  readonly description?: string | null | undefined;
  readonly preview_url?: string | null | undefined;
  readonly settings?: VoiceSettings | null | undefined;
  readonly verified_languages?: readonly Readonly<Record<string, unknown>>[] | null | undefined;
  readonly available_for_tiers?: readonly string[] | null | undefined;
  readonly high_quality_base_model_ids?: readonly string[] | null | undefined;
  readonly samples?: readonly Readonly<Record<string, unknown>>[] | null | undefined;
  readonly sharing?: Readonly<Record<string, unknown>> | null | undefined;
  readonly is_owner?: boolean | null | undefined;
  readonly is_legacy?: boolean | null | undefined;
  readonly created_at_unix?: number | null | undefined;
}

export interface VoiceSearch {
  readonly search?: string | undefined;
  /** 1 to 100. @default 10 */
  readonly page_size?: number | undefined;
  readonly next_page_token?: string | undefined;
  readonly sort?: string | undefined;
  readonly sort_direction?: 'asc' | 'desc' | undefined;
  readonly voice_type?: string | undefined;
  readonly category?: string | undefined;
  readonly voice_ids?: readonly string[] | undefined;
  readonly include_total_count?: boolean | undefined;
}

export interface VoicePage {
  readonly voices: readonly Voice[];
  readonly has_more: boolean;
  readonly total_count?: number | null | undefined;
  readonly next_page_token?: string | null | undefined;
}

export interface VoiceAdd {
  readonly name: string;
  readonly files: readonly Upload[];
  readonly description?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly remove_background_noise?: boolean | undefined;
}

export interface VoiceEdit extends Omit<VoiceAdd, 'files'> {
  readonly files?: readonly Upload[] | undefined;
}

export interface SharedVoiceQuery {
  readonly search?: string | undefined;
  readonly language?: string | undefined;
  readonly gender?: string | undefined;
  readonly age?: string | undefined;
  readonly accent?: string | undefined;
  readonly category?: string | undefined;
  readonly use_cases?: readonly string[] | undefined;
  readonly featured?: boolean | undefined;
  /** 1 to 100. @default 30 */
  readonly page_size?: number | undefined;
  readonly page?: number | undefined;
}

export interface SharedVoice {
  readonly public_owner_id: string;
  readonly voice_id: string;
  readonly name?: string | null | undefined;
  /** Multiplies the cost. */
  readonly rate?: number | null | undefined;
}

export interface SharedVoicePage {
  readonly voices: readonly SharedVoice[];
  readonly has_more: boolean;
  readonly last_sort_id?: string | null | undefined;
}

export interface VoicesApi {
  /** All voices in one answer; stops working above 500, then use `search`. */
  list(
    query?: { readonly show_legacy?: boolean | undefined },
    options?: WireCallOptions,
  ): Promise<WithInfo<{ readonly voices: readonly Voice[] }>>;
  /** One page. */
  search(query?: VoiceSearch, options?: WireCallOptions): Promise<WithInfo<VoicePage>>;
  /** Every voice of every page, one request at a time. */
  all(query?: VoiceSearch, options?: WireCallOptions): AsyncGenerator<Voice>;
  get(voiceId: string, options?: WireCallOptions): Promise<WithInfo<Voice>>;
  /** Clones a voice from recordings. */
  add(
    request: VoiceAdd,
    options?: WireCallOptions,
  ): Promise<WithInfo<{ readonly voice_id: string; readonly requires_verification?: boolean | undefined }>>;
  edit(voiceId: string, request: VoiceEdit, options?: WireCallOptions): Promise<{ readonly status: string }>;
  delete(voiceId: string, options?: WireCallOptions): Promise<{ readonly status: string }>;
  settings(voiceId: string, options?: WireCallOptions): Promise<WithInfo<VoiceSettings>>;
  editSettings(
    voiceId: string,
    settings: VoiceSettings,
    options?: WireCallOptions,
  ): Promise<{ readonly status: string }>;
  defaultSettings(options?: WireCallOptions): Promise<WithInfo<VoiceSettings>>;
  /** One page of the library. */
  shared(query?: SharedVoiceQuery, options?: WireCallOptions): Promise<WithInfo<SharedVoicePage>>;
  addShared(
    publicOwnerId: string,
    voiceId: string,
    request: { readonly new_name: string },
    options?: WireCallOptions,
  ): Promise<WithInfo<{ readonly voice_id: string }>>;
}

function voiceForm(request: VoiceEdit): FormPart[] {
  requireText('name', request.name);
  const { name, files = [], description, labels, remove_background_noise } = request;
  if (labels !== undefined && (typeof labels !== 'object' || labels === null))
    throw invalid('labels', 'is not an object');
  return [
    ...fieldParts({
      name,
      description,
      labels: labels === undefined ? undefined : JSON.stringify(labels),
      remove_background_noise,
    }),
    ...files.map((file, i) => filePart('files', file, `recording-${i + 1}`)),
  ];
}

export function voicesApi(context: AudioContext): VoicesApi {
  const { transport } = context;
  const at = (voiceId: string): { readonly voice_id: string } => ({ voice_id: requireId('voice_id', voiceId) });
  const api: VoicesApi = {
    async list(query = {}, options) {
      const reply = await transport.json(operations.voices, { query: { ...query }, options });
      const body = shaped<{ voices: readonly Voice[] }>(reply.body, operations.voices, { voices: 'array' });
      shapedList<Voice>(body.voices, operations.voices, { voice_id: 'string' }, 'voices');
      return withInfo(context, reply, body);
    },
    async search(query = {}, options) {
      checkRange('page_size', query.page_size, 1, 100, true);
      checkChoice('sort_direction', query.sort_direction, ['asc', 'desc']);
      checkList('voice_ids', query.voice_ids, 100);
      const reply = await transport.json(operations.voicesSearch, { query: { ...query }, options });
      const body = shaped<VoicePage>(reply.body, operations.voicesSearch, { voices: 'array', has_more: 'boolean' });
      shapedList<Voice>(body.voices, operations.voicesSearch, { voice_id: 'string' }, 'voices');
      return withInfo(context, reply, body);
    },
    async *all(query = {}, options) {
      let token = query.next_page_token;
      const seen = new Set<string>();
      for (;;) {
        const page = await api.search({ ...query, page_size: query.page_size ?? 100, next_page_token: token }, options);
        yield* page.voices;
        const next = page.next_page_token ?? undefined;
        if (!page.has_more || next === undefined || seen.has(next)) return; // a token that comes twice would never end
        seen.add(next);
        token = next;
      }
    },
    async get(voiceId, options) {
      const reply = await transport.json(operations.voice, { path: at(voiceId), options });
      return withInfo(context, reply, shaped<Voice>(reply.body, operations.voice, { voice_id: 'string' }));
    },
    async add(request, options) {
      checkList('files', request.files, 25, 1);
      if (request.files === undefined) throw invalid('files', 'is missing');
      const reply = await transport.json(operations.voiceAdd, { form: voiceForm(request), options });
      return withInfo(context, reply, shaped(reply.body, operations.voiceAdd, { voice_id: 'string' }));
    },
    async edit(voiceId, request, options) {
      const call = { path: at(voiceId), form: voiceForm(request), options };
      return acknowledged(await transport.json(operations.voiceEdit, call));
    },
    async delete(voiceId, options) {
      return acknowledged(await transport.json(operations.voiceDelete, { path: at(voiceId), options }));
    },
    async settings(voiceId, options) {
      const reply = await transport.json(operations.voiceSettings, { path: at(voiceId), options });
      return withInfo(context, reply, shaped<VoiceSettings>(reply.body, operations.voiceSettings, {}));
    },
    async editSettings(voiceId, settings, options) {
      const json = checkVoiceSettings(context, settings, undefined, 'settings');
      if (json === undefined) throw invalid('settings', 'is missing');
      return acknowledged(await transport.json(operations.voiceSettingsEdit, { path: at(voiceId), json, options }));
    },
    async defaultSettings(options) {
      const reply = await transport.json(operations.voiceSettingsDefault, { options });
      return withInfo(context, reply, shaped<VoiceSettings>(reply.body, operations.voiceSettingsDefault, {}));
    },
    async shared(query = {}, options) {
      checkRange('page_size', query.page_size, 1, 100, true);
      checkRange('page', query.page, 0, Number.MAX_SAFE_INTEGER, true);
      const fields: Readonly<Record<string, QueryValue>> = { ...query };
      const reply = await transport.json(operations.voicesShared, { query: fields, options });
      const body = shaped<SharedVoicePage>(reply.body, operations.voicesShared, {
        voices: 'array',
        has_more: 'boolean',
      });
      const shape = { voice_id: 'string', public_owner_id: 'string' } as const;
      shapedList<SharedVoice>(body.voices, operations.voicesShared, shape, 'voices');
      return withInfo(context, reply, body);
    },
    async addShared(publicOwnerId, voiceId, request, options) {
      requireText('new_name', request.new_name);
      const path = { public_owner_id: requireId('public_owner_id', publicOwnerId), ...at(voiceId) };
      const reply = await transport.json(operations.voiceAddShared, { path, json: { ...request }, options });
      return withInfo(context, reply, shaped(reply.body, operations.voiceAddShared, { voice_id: 'string' }));
    },
  };
  return api;
}
