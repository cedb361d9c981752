import {
  anything,
  type Check,
  choose,
  flag,
  integer,
  list,
  Misfit,
  mapping,
  nullable,
  number,
  oneOf,
  record,
  tagged,
  text,
} from '../shape.ts';
import { checkBody, refuse, type SearchContext } from './context.ts';
import { filterFields, readFilters } from './filters.ts';
import type { WebFilters } from './web.ts';

export type ContextSize = 'low' | 'medium' | 'high';

/** A chat request after all checks, the same for both dialects. */
export interface ChatRequest {
  readonly model: string;
  /** Text of the last user message, what is searched for. */
  readonly question: string;
  /** Texts of all messages, for counting. */
  readonly texts: readonly string[];
  readonly stream: boolean;
  readonly concise: boolean;
  readonly maxTokens: number;
  readonly stops: readonly string[];
  readonly contextSize: ContextSize;
  readonly proSearch: boolean;
  readonly filters: WebFilters;
  readonly searches: boolean;
  readonly images: { readonly domains: readonly string[]; readonly formats: readonly string[] } | undefined;
  readonly relatedQuestions: boolean;
  /** JSON Schema the content must follow. */
  readonly schema: Record<string, unknown> | undefined;
}

const addressed = (key: string): Readonly<Record<string, Check>> => ({ [key]: record({ url: text({ min: 1 }) }) });

const contentParts: Check = list(
  tagged('type', {
    text: { text: text() },
    image_url: addressed('image_url'),
    file_url: { ...addressed('file_url'), 'file_name?': text() },
    pdf_url: addressed('pdf_url'),
    video_url: addressed('video_url'),
  }),
  { min: 1 },
);

const message = record({
  role: oneOf('system', 'user', 'assistant', 'tool'),
  content: choose((value) => (typeof value === 'string' ? text() : contentParts)),
});

/** Research wants a name of the schema, answers may have one. */
export const jsonSchemaFormat = (name: 'name' | 'name?'): Readonly<Record<string, Check>> => ({
  json_schema: record({
    schema: mapping(anything),
    [name]: text({ pattern: /^[A-Za-z0-9_-]{1,64}$/ }),
    'description?': text(),
    'strict?': nullable(flag),
  }),
});

export const userLocation: Check = (value, path) => {
  record({
    'country?': text({ pattern: /^[A-Z]{2}$/ }),
    'region?': text(),
    'city?': text(),
    'latitude?': number(-90, 90),
    'longitude?': number(-180, 180),
  })(value, path);
  const location = value as Record<string, unknown>;
  if ((location.latitude !== undefined || location.longitude !== undefined) && location.country === undefined) {
    throw new Misfit([...path, 'country'], 'missing', 'coordinates need a country');
  }
};

const sizing = {
  'search_context_size?': oneOf('low', 'medium', 'high'),
  'search_type?': oneOf('fast', 'pro', 'auto'),
} as const;

const placing = { 'user_location?': userLocation, 'image_results_enhanced_relevance?': flag } as const;

const common = {
  model: text({ min: 1 }),
  messages: list(message, { min: 1 }),
  'stream?': flag,
  'stream_mode?': oneOf('full', 'concise'),
  'max_tokens?': integer(1, 128_000),
  'temperature?': number(0, 2),
  'top_p?': number(0, 1),
  'stop?': choose((value) => (typeof value === 'string' ? text() : list(text()))),
  'response_format?': tagged('type', { text: {}, json_schema: jsonSchemaFormat('name?') }),
  ...filterFields,
  'search_mode?': oneOf('web', 'academic', 'sec'),
  'disable_search?': flag,
  'enable_search_classifier?': flag,
  'return_images?': flag,
  'image_domain_filter?': list(text({ min: 1 }), { max: 10 }),
  'image_format_filter?': list(oneOf('gif', 'jpg', 'png', 'webp'), { max: 10 }),
  'return_related_questions?': flag,
  'reasoning_effort?': oneOf('minimal', 'low', 'medium', 'high'),
  'language_preference?': text({ pattern: /^[a-z]{2}$/ }),
} as const satisfies Record<string, Check>;

/** Seed: the two search fields at the top. Public: inside `web_search_options`. Anything unknown is refused. */
const shapes = {
  reference: record({ ...common, ...sizing, 'web_search_options?': record(placing) }),
  public: record({ ...common, 'web_search_options?': record({ ...sizing, ...placing }) }),
} as const;

export function readChatRequest(context: SearchContext, body: unknown, background = false): ChatRequest {
  const checked = checkBody(context, body, (value, path) => {
    shapes[context.dialect](value, path);
    readFilters(value as Record<string, unknown>);
  });
  const models = Object.values(context.models.answer);
  const model = String(checked.model);
  if (!models.includes(model)) {
    refuse(400, 'invalid_model', `Invalid model '${model}'. Permitted models: ${models.join(', ')}`, 'model');
  }
  const messages = checked.messages as { role: string; content: unknown }[];
  checkTurns(messages);
  const options = (
    context.dialect === 'reference'
      ? checked
      : ((checked.web_search_options as Record<string, unknown> | undefined) ?? {})
  ) as { search_context_size?: ContextSize; search_type?: string };
  const stream = checked.stream === true;
  if (options.search_type === 'pro' && !stream && !background) {
    refuse(400, 'invalid_parameter', 'search_type pro requires stream true', 'search_type');
  }
  const deepOnly = context.dialect === 'reference' && model !== context.models.answer.deepResearch;
  if (checked.reasoning_effort !== undefined && deepOnly) {
    refuse(400, 'invalid_parameter', 'reasoning_effort is for the deep research model', 'reasoning_effort');
  }
  const texts = messages.map(({ content }) => textOf(content));
  const format = checked.response_format as
    | { type: string; json_schema?: { schema: Record<string, unknown> } }
    | undefined;
  return {
    model,
    question: texts[messages.findLastIndex(({ role }) => role === 'user')] ?? '',
    texts,
    stream,
    concise: checked.stream_mode === 'concise',
    maxTokens: (checked.max_tokens as number | undefined) ?? 128_000,
    stops: checked.stop === undefined ? [] : ([checked.stop].flat() as string[]),
    contextSize: options.search_context_size ?? 'low',
    proSearch: options.search_type === 'pro',
    filters: readFilters(checked),
    searches: checked.disable_search !== true,
    images:
      checked.return_images === true
        ? {
            domains: (checked.image_domain_filter as string[] | undefined) ?? [],
            formats: (checked.image_format_filter as string[] | undefined) ?? [],
          }
        : undefined,
    relatedQuestions: checked.return_related_questions === true,
    schema: format?.json_schema?.schema,
  };
}

/** After leading system messages, user (or tool) and assistant take turns, and the last word is not the assistant's. */
function checkTurns(messages: readonly { readonly role: string }[]): void {
  const roles = messages.map(({ role }) => role);
  const first = roles.findIndex((role) => role !== 'system');
  const turns = first < 0 ? [] : roles.slice(first);
  const complain = (text: string) => refuse(400, 'invalid_message', text, 'messages');
  if (turns.length === 0) complain('at least one user message is required');
  for (const [at, role] of turns.entries()) {
    const expected = at % 2 === 0 ? ['user', 'tool'] : ['assistant'];
    if (!expected.includes(role)) {
      complain(
        'After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).',
      );
    }
  }
  if (turns.at(-1) === 'assistant') complain('Last message must have role user or tool.');
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as { type: string; text?: string }[])
    .map((part) => (part.type === 'text' ? (part.text ?? '') : ''))
    .join('\n');
}
