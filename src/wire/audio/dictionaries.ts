import { anything, record, requireChange } from '../http/check.ts';
import type { WireCallOptions } from '../http/contract.ts';
import { bytes } from '../http/endpoint.ts';
import type { Answer, AudioRows } from './context.ts';
import { collectBytes } from './sound.ts';
import type { DictionaryLocator } from './speech-request.ts';
import { fieldParts, filePart, type Upload } from './upload.ts';

/**
 * Case-sensitive; the first match wins. Aliases work with all models, phonemes only with some (see
 * `AudioModel.phonemes`).
 */
export type DictionaryRule =
  | { readonly type: 'alias'; readonly string_to_replace: string; readonly alias: string }
  | {
      readonly type: 'phoneme';
      readonly string_to_replace: string;
      readonly phoneme: string;
      readonly alphabet: 'ipa' | 'cmu-arpabet' | (string & {});
    };

/** The field is `id` here and `pronunciation_dictionary_id` in a request: `locatorOf` makes the one of the other. */
export interface Dictionary {
  readonly id: string;
  readonly version_id?: string | null | undefined;
  readonly latest_version_id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly version_rules_num?: number | null | undefined;
  readonly created_by?: string | null | undefined;
  readonly creation_time_unix?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly permission_on_resource?: string | null | undefined;
}

export interface DictionaryPage {
  readonly pronunciation_dictionaries: readonly Dictionary[];
  readonly next_cursor?: string | null | undefined;
  readonly has_more: boolean;
}

/** The dictionary, in the version just made, as a request names it. */
export function locatorOf(dictionary: Dictionary): DictionaryLocator {
  const version_id = dictionary.version_id ?? dictionary.latest_version_id ?? undefined;
  return { pronunciation_dictionary_id: dictionary.id, version_id };
}

export interface DictionariesApi {
  addFromRules(
    request: {
      readonly name: string;
      readonly rules: readonly DictionaryRule[];
      readonly description?: string | undefined;
    },
    options?: WireCallOptions,
  ): Answer<Dictionary>;
  /** A `.pls` lexicon. */
  addFromFile(
    request: { readonly name: string; readonly file: Upload; readonly description?: string | undefined },
    options?: WireCallOptions,
  ): Answer<Dictionary>;
  addRules(dictionaryId: string, rules: readonly DictionaryRule[], options?: WireCallOptions): Answer<Dictionary>;
  /** Replaces all rules. */
  setRules(dictionaryId: string, rules: readonly DictionaryRule[], options?: WireCallOptions): Answer<Dictionary>;
  removeRules(dictionaryId: string, ruleStrings: readonly string[], options?: WireCallOptions): Answer<Dictionary>;
  get(dictionaryId: string, options?: WireCallOptions): Answer<Dictionary>;
  list(
    query?: { readonly cursor?: string | undefined; readonly page_size?: number | undefined },
    options?: WireCallOptions,
  ): Answer<DictionaryPage>;
  update(
    dictionaryId: string,
    request: { readonly name?: string | undefined; readonly archived?: boolean | undefined },
    options?: WireCallOptions,
  ): Answer<Dictionary>;
  /** The lexicon of one version. */
  download(dictionaryId: string, versionId: string, options?: WireCallOptions): Promise<Uint8Array>;
}

const one = { id: 'string', version_id: 'string?' } as const;

export const dictionaryRows: AudioRows<DictionariesApi> = {
  addFromRules: { at: 'POST /v1/pronunciation-dictionaries/add-from-rules', json: record, answer: one },
  addFromFile: {
    at: 'POST /v1/pronunciation-dictionaries/add-from-file',
    form: ([{ name, file, description }]) => [
      ...fieldParts({ name, description }),
      filePart('file', file, 'lexicon.pls'),
    ],
    answer: one,
  },
  addRules: {
    at: 'POST /v1/pronunciation-dictionaries/{dictionary_id}/add-rules',
    json: anything,
    spell: ([, rules]) => ({ json: { rules } }),
    answer: one,
  },
  setRules: {
    at: 'POST /v1/pronunciation-dictionaries/{dictionary_id}/set-rules',
    json: anything,
    spell: ([, rules]) => ({ json: { rules } }),
    answer: one,
  },
  removeRules: {
    at: 'POST /v1/pronunciation-dictionaries/{dictionary_id}/remove-rules',
    json: anything,
    spell: ([, ruleStrings]) => ({ json: { rule_strings: ruleStrings } }),
    answer: one,
  },
  get: { at: 'GET /v1/pronunciation-dictionaries/{dictionary_id}', answer: one },
  list: {
    at: 'GET /v1/pronunciation-dictionaries',
    query: record,
    answer: { pronunciation_dictionaries: [one], has_more: 'boolean' },
  },
  update: {
    at: 'PATCH /v1/pronunciation-dictionaries/{dictionary_id}',
    json: (_, change) => requireChange(change),
    answer: one,
  },
  download: {
    at: 'GET /v1/pronunciation-dictionaries/{dictionary_id}/{version_id}/download',
    answer: async (sent) => collectBytes(sent.operation, await bytes(sent)),
  },
};
