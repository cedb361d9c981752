import type { Exchange, MultipartPart, Reply, Route } from '../contract.ts';
import { type Check, flag, list, oneOf, record, tagged, text } from '../shape.ts';
import { type AudioContext, type Dictionary, operation, plain, type Rule, refuse } from './context.ts';
import { readParts } from './parts.ts';
import { found, onlyQuery, pageOf, taking } from './reading.ts';

const rule: Check = tagged('type', {
  alias: { string_to_replace: text({ min: 1 }), alias: text() },
  phoneme: { string_to_replace: text({ min: 1 }), phoneme: text({ min: 1 }), alphabet: oneOf('ipa', 'cmu-arpabet') },
});

const rules = list(rule, { min: 1 });
const creation = record({ name: text({ min: 1 }), rules, 'description?': text(), 'workspace_access?': text() });
interface Creation {
  readonly name: string;
  readonly rules: Rule[];
  readonly description?: string;
}
const naming = record({ 'name?': text({ min: 1 }), 'archived?': flag });
const BASE = '/v1/pronunciation-dictionaries';

export function dictionaryRoutes(context: AudioContext): Route[] {
  const { dictionaries } = context;
  const find = ({ params }: Exchange): Dictionary =>
    found(context, dictionaries, params.id, 'Pronunciation dictionary', 'pronunciation_dictionary_not_found');
  const create = (name: string, description: string | null, first: readonly Rule[]): Reply => {
    const id = context.nextId('dictionary');
    const dictionary: Dictionary = {
      id,
      name,
      description,
      createdAt: Math.floor(context.now() / 1000),
      archived: false,
      versions: [{ id: context.nextId('version'), rules: first }],
    };
    dictionaries.set(id, dictionary);
    const version = dictionary.versions[0]!;
    return {
      json: {
        id,
        name,
        created_by: 'user_1',
        creation_time_unix: dictionary.createdAt,
        version_id: version.id,
        version_rules_num: version.rules.length,
        description,
        permission_on_resource: 'admin',
      },
    };
  };
  const change = (
    verb: string,
    shape: Check,
    next: (old: readonly Rule[], body: Record<string, unknown>) => readonly Rule[],
  ): Route =>
    taking(context, 'POST', `${BASE}/{id}/${verb}`, shape, (body: Record<string, unknown>, exchange) => {
      const dictionary = find(exchange);
      const version = { id: context.nextId('version'), rules: next(dictionary.versions.at(-1)?.rules ?? [], body) };
      dictionary.versions.push(version);
      return { json: { id: dictionary.id, version_id: version.id, version_rules_num: version.rules.length } };
    });
  const withRules = record({ rules, 'case_sensitive?': flag, 'word_boundaries?': flag });
  return [
    taking(context, 'POST', `${BASE}/add-from-rules`, creation, (body: Creation) =>
      create(body.name, body.description ?? null, body.rules),
    ),
    operation(context, 'POST', `${BASE}/add-from-file`, {
      read: (exchange) =>
        readParts(exchange, {
          name: { kind: 'text', required: true },
          file: { kind: 'file' },
          description: { kind: 'text' },
          workspace_access: { kind: 'text' },
        }),
      handle: (values) => {
        const file = values.file as MultipartPart | undefined;
        const parsed = parseLexicon(file?.text ?? '');
        if (file !== undefined && parsed.length === 0) {
          refuse(context, 400, 'invalid_parameters', 'The file is no lexicon', { param: 'file' });
        }
        return create(String(values.name), (values.description as string | undefined) ?? null, parsed);
      },
    }),
    plain(context, 'GET', BASE, ({ request }) => {
      onlyQuery(request.query, ['cursor', 'page_size', 'sort', 'sort_direction']);
      const { shown, has_more, next } = pageOf([...dictionaries.values()], request.query);
      return { json: { pronunciation_dictionaries: shown.map(view), next_cursor: next, has_more } };
    }),
    change('add-rules', withRules, (old, body) => [...old, ...(body.rules as Rule[])]),
    change('set-rules', withRules, (_, body) => body.rules as Rule[]),
    change('remove-rules', record({ rule_strings: list(text(), { min: 1 }) }), (old, body) =>
      old.filter((known) => !(body.rule_strings as string[]).includes(known.string_to_replace)),
    ),
    plain(context, 'GET', `${BASE}/{id}`, (exchange) => ({
      json: { ...view(find(exchange)), rules: find(exchange).versions.at(-1)?.rules },
    })),
    taking(context, 'PATCH', `${BASE}/{id}`, naming, (body: { name?: string; archived?: boolean }, exchange) => {
      const dictionary = find(exchange);
      dictionary.name = body.name ?? dictionary.name;
      dictionary.archived = body.archived ?? dictionary.archived;
      return { json: view(dictionary) };
    }),
    plain(context, 'GET', `${BASE}/{id}/{version}/download`, (exchange) => {
      const version = find(exchange).versions.find(({ id }) => id === exchange.params.version);
      if (version === undefined) refuse(context, 404, 'not_found', 'Version not found');
      return { headers: { 'content-type': 'text/xml' }, bytes: lexicon(version.rules) };
    }),
  ];
}

function view(dictionary: Dictionary): Record<string, unknown> {
  const latest = dictionary.versions.at(-1)!;
  return {
    id: dictionary.id,
    name: dictionary.name,
    latest_version_id: latest.id,
    latest_version_rules_num: latest.rules.length,
    created_by: 'user_1',
    creation_time_unix: dictionary.createdAt,
    archived_time_unix: dictionary.archived ? dictionary.createdAt : null,
    description: dictionary.description,
    permission_on_resource: 'admin',
  };
}

function lexicon(entries: readonly Rule[]): string {
  const body = entries.map(
    (entry) =>
      `<lexeme><grapheme>${entry.string_to_replace}</grapheme>${
        entry.type === 'alias' ? `<alias>${entry.alias}</alias>` : `<phoneme>${entry.phoneme}</phoneme>`
      }</lexeme>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<lexicon version="1.0">${body.join('')}</lexicon>\n`;
}

function parseLexicon(source: string): Rule[] {
  return [
    ...source.matchAll(/<lexeme>\s*<grapheme>(.*?)<\/grapheme>\s*<(alias|phoneme)>(.*?)<\/\2>\s*<\/lexeme>/gs),
  ].map((match) =>
    match[2] === 'alias'
      ? { type: 'alias', string_to_replace: match[1]!, alias: match[3]! }
      : { type: 'phoneme', string_to_replace: match[1]!, phoneme: match[3]!, alphabet: 'ipa' },
  );
}
