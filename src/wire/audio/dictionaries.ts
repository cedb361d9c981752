import type { Call, Operation, WireCallOptions } from '../http/contract.ts';
import { checkChoice, checkList, checkRange, invalid, requireId, requireText, shaped, shapedList } from './check.ts';
import type { AudioContext, WithInfo } from './context.ts';
import { concatBytes, withInfo } from './context.ts';
import { audioOperations as operations } from './operations.ts';
import type { DictionaryLocator } from './speech-request.ts';
import type { Upload } from './upload.ts';
import { fieldParts, filePart } from './upload.ts';

/** Case-sensitive; the first match wins. Aliases work with all models, phonemes only with some (see `AudioModel.phonemes`). */
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
  ): Promise<WithInfo<Dictionary>>;
  /** A `.pls` lexicon. */
  addFromFile(
    request: { readonly name: string; readonly file: Upload; readonly description?: string | undefined },
    options?: WireCallOptions,
  ): Promise<WithInfo<Dictionary>>;
  addRules(
    dictionaryId: string,
    rules: readonly DictionaryRule[],
    options?: WireCallOptions,
  ): Promise<WithInfo<Dictionary>>;
  /** Replaces all rules. */
  setRules(
    dictionaryId: string,
    rules: readonly DictionaryRule[],
    options?: WireCallOptions,
  ): Promise<WithInfo<Dictionary>>;
  removeRules(
    dictionaryId: string,
    ruleStrings: readonly string[],
    options?: WireCallOptions,
  ): Promise<WithInfo<Dictionary>>;
  get(dictionaryId: string, options?: WireCallOptions): Promise<WithInfo<Dictionary>>;
  list(
    query?: { readonly cursor?: string | undefined; readonly page_size?: number | undefined },
    options?: WireCallOptions,
  ): Promise<WithInfo<DictionaryPage>>;
  update(
    dictionaryId: string,
    request: { readonly name?: string | undefined; readonly archived?: boolean | undefined },
    options?: WireCallOptions,
  ): Promise<WithInfo<Dictionary>>;
  /** The lexicon of one version. */
  download(dictionaryId: string, versionId: string, options?: WireCallOptions): Promise<Uint8Array>;
}

function checkRules(rules: readonly DictionaryRule[], least = 1): void {
  if (rules === undefined) throw invalid('rules', 'is missing');
  checkList('rules', rules, 10_000, least);
  rules.forEach((rule, i) => {
    checkChoice(`rules[${i}].type`, rule.type, ['alias', 'phoneme']);
    requireText(`rules[${i}].string_to_replace`, rule.string_to_replace);
    if (rule.type === 'alias') requireText(`rules[${i}].alias`, rule.alias);
    else {
      requireText(`rules[${i}].phoneme`, rule.phoneme);
      requireText(`rules[${i}].alphabet`, rule.alphabet);
    }
  });
}

export function dictionariesApi(context: AudioContext): DictionariesApi {
  const { transport } = context;
  const at = (id: string): { readonly dictionary_id: string } => ({ dictionary_id: requireId('dictionary_id', id) });
  const one = async (operation: Operation, call: Call): Promise<WithInfo<Dictionary>> => {
    const reply = await transport.json(operation, call);
    return withInfo(context, reply, shaped<Dictionary>(reply.body, operation, { id: 'string', version_id: 'string?' }));
  };
  return {
    async addFromRules(request, options) {
      requireText('name', request.name);
      checkRules(request.rules);
      return one(operations.dictionaryRules, { json: { ...request }, options });
    },
    async addFromFile({ name, file, description }, options) {
      requireText('name', name);
      const form = [...fieldParts({ name, description }), filePart('file', file, 'lexicon.pls')];
      return one(operations.dictionaryFile, { form, options });
    },
    async addRules(dictionaryId, rules, options) {
      checkRules(rules);
      return one(operations.dictionaryAdd, { path: at(dictionaryId), json: { rules }, options });
    },
    async setRules(dictionaryId, rules, options) {
      checkRules(rules, 0);
      return one(operations.dictionarySet, { path: at(dictionaryId), json: { rules }, options });
    },
    async removeRules(dictionaryId, ruleStrings, options) {
      checkList('rule_strings', ruleStrings, 10_000, 1);
      ruleStrings.forEach((text, i) => {
        requireText(`rule_strings[${i}]`, text);
      });
      return one(operations.dictionaryRemove, { path: at(dictionaryId), json: { rule_strings: ruleStrings }, options });
    },
    get: async (dictionaryId, options) => one(operations.dictionary, { path: at(dictionaryId), options }),
    async list(query = {}, options) {
      checkRange('page_size', query.page_size, 1, 100, true);
      const reply = await transport.json(operations.dictionaries, { query: { ...query }, options });
      const shape = { pronunciation_dictionaries: 'array', has_more: 'boolean' } as const;
      const page = shaped<DictionaryPage>(reply.body, operations.dictionaries, shape);
      shapedList<Dictionary>(
        page.pronunciation_dictionaries,
        operations.dictionaries,
        { id: 'string' },
        'pronunciation_dictionaries',
      );
      return withInfo(context, reply, page);
    },
    async update(dictionaryId, request, options) {
      if (request.name === undefined && request.archived === undefined)
        throw invalid('name, archived', 'one of them is needed');
      return one(operations.dictionaryUpdate, { path: at(dictionaryId), json: { ...request }, options });
    },
    async download(dictionaryId, versionId, options) {
      const path = { ...at(dictionaryId), version_id: requireId('version_id', versionId) };
      const reply = await transport.bytes(operations.dictionaryDownload, { path, options });
      const chunks: Uint8Array[] = [];
      for await (const chunk of reply) chunks.push(chunk);
      return concatBytes(chunks);
    },
  };
}
