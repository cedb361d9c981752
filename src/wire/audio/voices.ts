import { objectOf } from '../../core/arguments.ts';
import { anything, list, record, required } from '../http/check.ts';
import type { FormPart, WireCallOptions } from '../http/contract.ts';
import { WireError } from '../http/errors.ts';
import { eachItem, eachPage, type Paging } from '../http/pages.ts';
import { type Acknowledged, acknowledged } from './acknowledged.ts';
import type { Answer, AudioRows, WithInfo } from './context.ts';
import { checkVoiceSettings, type VoiceSettings } from './speech-request.ts';
import { fieldParts, filePart, jsonPart, type Upload } from './upload.ts';

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
  /** All voices. The operation gives at most 500: an account with more is read page by page. */
  list(
    query?: { readonly show_legacy?: boolean | undefined },
    options?: WireCallOptions,
  ): Answer<{ readonly voices: readonly Voice[] }>;
  /** One page. */
  search(query?: VoiceSearch, options?: WireCallOptions): Answer<VoicePage>;
  /** Every voice of every page, one request at a time. */
  all(query?: VoiceSearch, options?: WireCallOptions): AsyncGenerator<Voice>;
  get(voiceId: string, options?: WireCallOptions): Answer<Voice>;
  /** Clones a voice from recordings. */
  add(
    request: VoiceAdd,
    options?: WireCallOptions,
  ): Answer<{ readonly voice_id: string; readonly requires_verification?: boolean | undefined }>;
  edit(voiceId: string, request: VoiceEdit, options?: WireCallOptions): Acknowledged;
  delete(voiceId: string, options?: WireCallOptions): Acknowledged;
  settings(voiceId: string, options?: WireCallOptions): Answer<VoiceSettings>;
  editSettings(voiceId: string, settings: VoiceSettings, options?: WireCallOptions): Acknowledged;
  defaultSettings(options?: WireCallOptions): Answer<VoiceSettings>;
  /** One page of the library. */
  shared(query?: SharedVoiceQuery, options?: WireCallOptions): Answer<SharedVoicePage>;
  addShared(
    publicOwnerId: string,
    voiceId: string,
    request: { readonly new_name: string },
    options?: WireCallOptions,
  ): Answer<{ readonly voice_id: string }>;
}

function voiceForm({ files = [], labels, ...fields }: VoiceEdit): FormPart[] {
  const recordings = files.map((file, i) => filePart('files', file, `recording-${i + 1}`));
  return [...fieldParts({ ...fields }), ...jsonPart('labels', labels), ...recordings];
}

const checkFiles = required(list(anything, 25, 1));
const voice = { voice_id: 'string' } as const;

export const voiceRows: AudioRows<Omit<VoicesApi, 'all'>> = {
  list: { at: 'GET /v1/voices', query: record, answer: { voices: [voice] } },
  search: { at: 'GET /v2/voices', query: record, answer: { voices: [voice], has_more: 'boolean' } },
  get: { at: 'GET /v1/voices/{voice_id}', answer: voice },
  add: {
    at: 'POST /v1/voices/add',
    form: ([request]) => {
      checkFiles('files', request.files);
      return voiceForm(request);
    },
    answer: voice,
  },
  edit: {
    at: 'POST /v1/voices/{voice_id}/edit',
    form: ([, request]) => voiceForm(request),
    answer: acknowledged,
  },
  delete: { at: 'DELETE /v1/voices/{voice_id}', answer: acknowledged },
  settings: { at: 'GET /v1/voices/{voice_id}/settings' },
  editSettings: {
    at: 'POST /v1/voices/{voice_id}/settings/edit',
    json: record,
    spell: ([, settings], context) => ({ json: checkVoiceSettings(context, settings, undefined, 'settings') }),
    answer: acknowledged,
  },
  defaultSettings: { at: 'GET /v1/voices/settings/default' },
  shared: {
    at: 'GET /v1/shared-voices',
    query: record,
    answer: { voices: [{ voice_id: 'string', public_owner_id: 'string' }], has_more: 'boolean' },
  },
  addShared: { at: 'POST /v1/voices/add/{public_owner_id}/{voice_id}', json: record, answer: voice },
};

/** Voices above which the list in one answer is cut, or refused. */
const LISTED = 500;

/** Pages from the first one on. */
const pagesOf = (
  search: VoicesApi['search'],
  query: VoiceSearch,
  options: WireCallOptions | undefined,
): Paging<WithInfo<VoicePage>, Voice, string> => ({
  fetch: (token) => search({ page_size: 100, ...query, next_page_token: token ?? query.next_page_token }, options),
  items: ({ voices }) => voices,
  next: ({ has_more, next_page_token }) => (has_more ? (next_page_token ?? undefined) : undefined),
});

export const allVoices =
  (search: VoicesApi['search']): VoicesApi['all'] =>
  (query = {}, options) =>
    eachItem(pagesOf(search, objectOf(query, 'the request'), options));

/** The list in one answer, and the pages where that ends too early. @throws the refusal where there are no pages */
export const wholeList =
  ({ list, search }: Pick<VoicesApi, 'list' | 'search'>): VoicesApi['list'] =>
  async (query, options) => {
    let refusal: unknown;
    const listed = await list(query, options).catch((error: unknown) => {
      if (!(error instanceof WireError) || error.code !== 'REQUEST_REJECTED') throw error;
      refusal = error;
      return undefined;
    });
    if (listed && listed.voices.length < LISTED) return listed;
    const voices = new Map(listed?.voices.map((one) => [one.voice_id, one]));
    let info = listed?.info;
    try {
      for await (const page of eachPage(pagesOf(search, {}, options))) {
        info ??= page.info;
        for (const one of page.voices) if (!voices.has(one.voice_id)) voices.set(one.voice_id, one);
      }
    } catch (error) {
      throw refusal ?? error;
    }
    return { voices: [...voices.values()], info: info! }; // there is a first page
  };
