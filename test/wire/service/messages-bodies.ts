import type { Dialect } from './contract.ts';
import { sign } from './messages/signatures.ts';

/** Request bodies of the messages service, right and wrong, for the tests of its stand-in. */
const large = 'assistant-large-4-6';
const small = 'assistant-small-4-5';

export const hi: readonly unknown[] = [{ role: 'user', content: 'Hi' }];
export const ask = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  model: large,
  max_tokens: 5000,
  messages: hi,
  ...more,
});
export const user = (...content: unknown[]): unknown => ({ role: 'user', content });
export const assistant = (...content: unknown[]): unknown => ({ role: 'assistant', content });
export const text = (value: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 'text',
  text: value,
  ...more,
});
const call = (id: string): unknown => ({ type: 'tool_use', id, name: 'f', input: {} });
export const result = (id: string, more: Record<string, unknown> = {}): unknown => ({
  type: 'tool_result',
  tool_use_id: id,
  ...more,
});
const document = (enabled: boolean): unknown => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: 'Words.' },
  citations: { enabled },
});
const found = (enabled: boolean): unknown => ({
  type: 'search_result',
  source: 's',
  title: 't',
  content: [text('Words.')],
  citations: { enabled },
});
export const tools: readonly unknown[] = [{ name: 'f', parameters: { type: 'object' } }];
const mark = { cache_control: { type: 'ephemeral' } };
const long = { cache_control: { type: 'ephemeral', ttl: '1h' } };

/** Bodies that differ from a good one in one thing, the status, and what the message names. */
export const refused: [string, Record<string, unknown>, number, string][] = [
  ['an unknown key', ask({ colour: 'red' }), 400, 'colour: Extra inputs are not permitted'],
  [
    'an unknown key in a block',
    ask({ messages: [user(text('a', { colour: 1 }))] }),
    400,
    'messages.0.content.0.colour: Extra inputs',
  ],
  [
    'an unknown key deep inside',
    ask({
      messages: [user({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x', y: 1 } })],
    }),
    400,
    'source.y: Extra inputs',
  ],
  ['a missing max_tokens', { model: large, messages: hi }, 400, 'max_tokens: Field required'],
  ['max_tokens 0', ask({ max_tokens: 0 }), 400, 'max_tokens: Input should be greater than or equal to 1'],
  ['too many max_tokens', ask({ max_tokens: 128_001 }), 400, 'max_tokens: 128001 > 128000'],
  ['an unknown model', ask({ model: 'nobody' }), 404, 'not_found_error: model: nobody'],
  ['no messages', ask({ messages: [] }), 400, 'messages: at least one'],
  ['temperature above 1', ask({ temperature: 1.1 }), 400, 'temperature'],
  ['temperature and top_p', ask({ temperature: 0.5, top_p: 0.5 }), 400, '`temperature` and `top_p`'],
  ['a blank text', ask({ messages: [user(text(' \n'))] }), 400, 'non-whitespace'],
  ['a blank stop sequence', ask({ stop_sequences: ['\n'] }), 400, 'stop_sequences.0'],
  ['an assistant first', ask({ messages: [assistant(text('Hi'))] }), 400, 'first message must use the "user" role'],
  ['a system role', ask({ messages: [{ role: 'system', content: 'Hi' }] }), 400, 'messages.0.role'],
  [
    'a search result of an assistant',
    ask({ messages: [...hi, assistant(found(true)), ...hi] }),
    400,
    'messages.1.content.0.type',
  ],
  [
    'a URL for plain text',
    ask({ messages: [user({ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: 'AAAA' } })] }),
    400,
    'media_type',
  ],
  [
    'damaged base64',
    ask({ messages: [user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A%' } })] }),
    400,
    'base64',
  ],
  [
    'an unknown file',
    ask({ messages: [user({ type: 'document', source: { type: 'file', file_id: 'file_1' } })] }),
    400,
    'beta files-api-2025-04-14',
  ],
  [
    'an empty search result',
    ask({ messages: [user({ type: 'search_result', source: 's', title: 't', content: [] })] }),
    400,
    'messages.0.content.0.content',
  ],
  [
    'tool calls without results',
    ask({ tools, messages: [...hi, assistant(call('a'), call('b')), user(result('a'))] }),
    400,
    'ids were found without `tool_result` blocks immediately after: b',
  ],
  ['a result without its call', ask({ tools, messages: [user(result('a'))] }), 400, 'unexpected `tool_use_id`'],
  [
    'a result too late',
    ask({
      tools,
      messages: [...hi, assistant(call('a')), user(text('wait')), assistant(text('ok')), user(result('a'))],
    }),
    400,
    'without `tool_result`',
  ],
  [
    'text before the results',
    ask({ tools, messages: [...hi, assistant(call('a')), user(text('so'), result('a'))] }),
    400,
    'must come first',
  ],
  [
    'two results of one call',
    ask({ tools, messages: [...hi, assistant(call('a')), user(result('a'), result('a'))] }),
    400,
    'single result',
  ],
  [
    'a mixed tool result',
    ask({ tools, messages: [...hi, assistant(call('a')), user(result('a', { content: [found(true), text('and')] }))] }),
    400,
    'all its blocks must be',
  ],
  [
    'mixed citation switches',
    ask({ messages: [user(document(true), found(false), text('?'))] }),
    400,
    'messages.0.content.1: Citations must be enabled',
  ],
  [
    'mixed switches over turns',
    ask({
      tools,
      messages: [user(document(true), text('?')), assistant(call('a')), user(result('a', { content: [found(false)] }))],
    }),
    400,
    'Citations must be enabled',
  ],
  [
    'citations with a schema',
    ask({
      messages: [user(document(true), text('?'))],
      output_config: { format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false } } },
    }),
    400,
    'Citations cannot be used',
  ],
  [
    'citations off with web search',
    ask({ messages: [user(found(false), text('?'))], tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
    400,
    'must be enabled when the web_search',
  ],
  [
    'five cache markers',
    ask({ system: [text('s', mark)], messages: [user(...['a', 'b', 'c', 'd'].map((value) => text(value, mark)))] }),
    400,
    'Found 5',
  ],
  [
    'the automatic marker as the fifth',
    ask({ ...mark, messages: [user(...['a', 'b', 'c', 'd'].map((value) => text(value, mark)))] }),
    400,
    'Found 5',
  ],
  [
    'an hour after five minutes',
    ask({ system: [text('s', mark)], messages: [user(text('a', long))] }),
    400,
    "ttl='1h'",
  ],
  [
    'a marker on thinking',
    ask({ messages: [...hi, assistant({ type: 'thinking', thinking: '', signature: sign(''), ...mark }), ...hi] }),
    400,
    'cache_control: Extra inputs',
  ],
  [
    'thinking beyond max_tokens',
    ask({ thinking: { type: 'enabled', budget_tokens: 5000 } }),
    400,
    'must be greater than `thinking.budget_tokens`',
  ],
  ['too little thinking', ask({ thinking: { type: 'enabled', budget_tokens: 1023 } }), 400, 'thinking.budget_tokens'],
  [
    'a display with disabled thinking',
    ask({ thinking: { type: 'disabled', display: 'omitted' } }),
    400,
    'thinking.display',
  ],
  ['temperature with thinking', ask({ thinking: { type: 'adaptive' }, temperature: 0.5 }), 400, 'temperature'],
  ['top_k with thinking', ask({ thinking: { type: 'adaptive' }, top_k: 5 }), 400, 'top_k'],
  [
    'thinking with a forced tool',
    ask({ thinking: { type: 'enabled', budget_tokens: 1024 }, tools, tool_choice: 'any' }),
    400,
    'tool_choice forces',
  ],
  [
    'adaptive thinking on the small model',
    ask({ model: small, thinking: { type: 'adaptive' } }),
    400,
    'adaptive thinking is not supported',
  ],
  ['effort on the small model', ask({ model: small, effort: 'low' }), 400, 'does not support the effort'],
  ['effort xhigh', ask({ effort: 'xhigh' }), 400, "'xhigh' is not supported"],
  ['geography on the small model', ask({ model: small, inference_geo: 'us' }), 400, 'inference_geo'],
  [
    'an invented signature',
    ask({ messages: [...hi, assistant({ type: 'thinking', thinking: 'x', signature: 'y' }, text('z')), ...hi] }),
    400,
    'Invalid `signature`',
  ],
  [
    'a changed thought',
    ask({
      messages: [
        ...hi,
        assistant({ type: 'thinking', thinking: 'changed', signature: sign('thought') }, text('z')),
        ...hi,
      ],
    }),
    400,
    'Invalid `signature`',
  ],
  ['tools of one name', ask({ tools: [...tools, ...tools] }), 400, 'unique'],
  ['a bad tool name', ask({ tools: [{ name: 'a b', parameters: { type: 'object' } }] }), 400, 'tools.0.name'],
  [
    'a tool schema that is no object',
    ask({ tools: [{ name: 'f', parameters: { type: 'string' } }] }),
    400,
    'tools.0.parameters.type',
  ],
  ['a choice without tools', ask({ tool_choice: 'any' }), 400, 'tool_choice'],
  ['an unknown named tool', ask({ tools, tool_choice: { type: 'tool', name: 'g' } }), 400, "'g' not found"],
  [
    'a nameless choice among several',
    ask({ tools: [...tools, { name: 'g', parameters: { type: 'object' } }], tool_choice: 'tool' }),
    400,
    'exactly one tool',
  ],
  [
    'both domain lists',
    ask({
      tools: [
        { type: 'web_search_20250305', name: 'web_search', allowed_domains: ['a.org'], blocked_domains: ['b.org'] },
      ],
    }),
    400,
    'only one of',
  ],
  [
    'a domain with a scheme',
    ask({ tools: [{ type: 'web_search_20250305', name: 'web_search', allowed_domains: ['https://a.org'] }] }),
    400,
    'scheme',
  ],
  [
    'an unknown native tool',
    ask({ tools: [{ type: 'web_search_19990101', name: 'web_search' }] }),
    400,
    'tools.0.type',
  ],
  [
    'an open output schema',
    ask({ output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }),
    400,
    'additionalProperties',
  ],
  [
    'bounds in an output schema',
    ask({ output_config: { format: { type: 'json_schema', schema: { type: 'integer', minimum: 1 } } } }),
    400,
    "'minimum' is not supported",
  ],
  [
    'a recursive output schema',
    ask({
      output_config: {
        format: {
          type: 'json_schema',
          schema: { type: 'object', additionalProperties: false, properties: { me: { $ref: '#' } } },
        },
      },
    }),
    400,
    'recursive',
  ],
  [
    'a continuation that ends in a space',
    ask({ messages: [...hi, assistant(text('So '))] }),
    400,
    'trailing whitespace',
  ],
  [
    'context management without its beta',
    ask({ context_management: { edits: [{ type: 'compact_20260112' }] } }),
    400,
    'compact-2026-01-12',
  ],
  ['two turns of one role', ask({ messages: [...hi, ...hi] }), 400, 'roles must alternate'],
  ['the other dialect’s effort', ask({ output_config: { effort: 'low' } }), 400, 'output_config.effort: Extra inputs'],
  [
    'the other dialect’s tool key',
    ask({ tools: [{ name: 'f', input_schema: { type: 'object' } }] }),
    400,
    'tools.0.parameters: Field required',
  ],
  [
    'both tool keys',
    ask({ tools: [{ name: 'f', parameters: { type: 'object' }, input_schema: { type: 'object' } }] }),
    400,
    'input_schema: Extra inputs',
  ],
  ['the other dialect’s tool choice', ask({ tools, tool_choice: { type: 'auto' } }), 400, 'tool_choice'],
];

/** The same for the public dialect, where the spelling differs. */
const publicTools = [{ name: 'f', input_schema: { type: 'object' } }];
export const refusedPublic: [string, Record<string, unknown>, string][] = [
  ['the reference’s effort', ask({ effort: 'low' }), 'effort: Extra inputs'],
  ['the reference’s tool key', ask({ tools }), 'tools.0.input_schema: Field required'],
  [
    'both tool keys',
    ask({ tools: [{ name: 'f', parameters: { type: 'object' }, ...publicTools[0] }] }),
    'parameters: Extra inputs',
  ],
  ['the reference’s tool choice', ask({ tools: publicTools, tool_choice: 'any' }), 'tool_choice'],
  ['a continued answer on a model without it', ask({ messages: [...hi, assistant(text('So'))] }), 'prefill'],
];

/** Bodies that are taken, by dialect. */
export const taken: [string, Record<string, unknown>, Dialect][] = [
  [
    'every field of the reference',
    ask({
      system: 's',
      temperature: 0.5,
      tools,
      tool_choice: 'auto',
      effort: 'max',
      inference_geo: 'us',
      metadata: { user_id: 'u' },
      service_tier: 'auto',
      stop_sequences: ['END'],
    }),
    'reference',
  ],
  [
    'every field of the public wire',
    ask({
      system: [text('s', mark)],
      top_p: 0.9,
      top_k: 3,
      tools: publicTools,
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      output_config: { effort: 'low' },
      ...mark,
    }),
    'public',
  ],
  ['neighbouring turns in the public dialect', ask({ messages: [...hi, ...hi] }), 'public'],
  ['a continued answer in the reference dialect', ask({ messages: [...hi, assistant(text('So'))] }), 'reference'],
  ['a continued answer of the small model', ask({ model: small, messages: [...hi, assistant(text('So'))] }), 'public'],
  [
    'a true signature',
    ask({
      messages: [...hi, assistant({ type: 'thinking', thinking: 't', signature: sign('t') }, text('z')), ...hi],
    }),
    'reference',
  ],
  [
    'results in order',
    ask({
      tools,
      messages: [
        ...hi,
        assistant(call('a'), call('b')),
        user(result('b', { content: [found(true)] }), result('a', { is_error: true }), text('and?')),
      ],
    }),
    'reference',
  ],
  [
    'four markers, the hours first',
    ask({ system: [text('s', long)], messages: [user(text('a', long), text('b', mark), text('c', mark))] }),
    'reference',
  ],
  ['a named tool by object', ask({ tools, tool_choice: { type: 'tool', name: 'f' } }), 'reference'],
];
