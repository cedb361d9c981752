import {
  cacheControl,
  clearThinking,
  clearToolUses,
  compaction,
  webSearchTool,
} from '../../../src/wire/messages/index.ts';

export type Json = Record<string, unknown>;

export const base: Json = {
  model: 'assistant-large-4-6',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello.' }],
};
const small = { ...base, model: 'assistant-small-4-5' };
export const user = (...content: unknown[]): Json => ({ role: 'user', content });
const assistant = (...content: unknown[]): Json => ({ role: 'assistant', content });
const text = { type: 'text', text: 'x' };
const marked = (ttl?: '5m' | '1h'): Json => ({ ...text, cache_control: cacheControl(ttl) });
const result = (enabled?: boolean): Json => ({
  type: 'search_result',
  source: 'kb://1',
  title: 'One',
  content: [text],
  ...(enabled === undefined ? {} : { citations: { enabled } }),
});
export const document = (fields: Json = {}): Json => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: 'words' },
  ...fields,
});
const use = (id: string): Json => ({ type: 'tool_use', id, name: 'look', input: {} });
const answer = (id: string, fields: Json = {}): Json => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'done',
  ...fields,
});
const look = { name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: {} } };
const asked = { role: 'user', content: 'Look.' };
const format = (schema: Json): Json => ({ output_config: { format: { type: 'json_schema', schema } } });
const object = { type: 'object', properties: {}, additionalProperties: false };
const image = (media_type: string, data = 'AAAA'): Json => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});

/** Field, limit or reason named by the refusal; the request; the dialect unless it is the reference's. */
export const refused: readonly (readonly [problem: string, request: Json, profile?: 'public'])[] = [
  ['model: is required', { ...base, model: undefined }],
  ['model: "gpt" is not a model of this service (assistant-large-4-6, ', { ...base, model: 'gpt' }],
  ['max_tokens: is required', { ...base, max_tokens: undefined }],
  ['max_tokens: must be a whole number from 1 to 128000, got 128001', { ...base, max_tokens: 128_001 }],
  ['max_tokens: must be a whole number from 1 to 64000, got 64001', { ...small, max_tokens: 64_001 }],
  ['max_tokens: must be a whole number from 1 to 128000, got 0', { ...base, max_tokens: 0 }],
  ['max_tokens: must be a whole number at least 0, got 1.5', { ...base, max_tokens: 1.5 }],
  [
    'max_tokens: 0 (warming the cache) cannot be combined with thinking',
    { ...base, max_tokens: 0, thinking: { type: 'enabled', budget_tokens: 1024 } },
    'public',
  ],
  ['maxTokens: is not a field of this request', { ...base, maxTokens: 5 }],
  ['stream: is not set here', { ...base, stream: true }],
  ['messages: holds 0 entries, at least 1 needed', { ...base, messages: [] }],
  ['messages[0].role: must be "user" in the first message', { ...base, messages: [assistant(text)] }],
  [
    'messages[0].role: must be one of "user", "assistant", got "system"',
    { ...base, messages: [{ role: 'system', content: 'x' }] },
  ],
  [
    'messages[0].content: must not be empty or only white space',
    { ...base, messages: [{ role: 'user', content: ' \n' }] },
  ],
  ['messages[0].content: holds 0 entries, at least 1 needed', { ...base, messages: [user()] }],
  [
    'messages[0].content[1].text: must not be empty or only white space',
    { ...base, messages: [user(text, { type: 'text', text: '\t' })] },
  ],
  ['messages[0].content[0].type: must be one of', { ...base, messages: [user({ type: 'video' })] }],
  ['messages[0].content[0].type: must be one of', { ...base, messages: [user(use('a'))] }],
  [
    'messages[1].content[0].type: "search_result" belongs in a user message',
    { ...base, messages: [asked, assistant(result()), asked] },
  ],
  ['system: must not be empty or only white space', { ...base, system: '' }],
  ['system: must be a string or a list, got null', { ...base, system: null }],
  ['system[0].type: must be one of "text", got "image"', { ...base, system: [image('image/png')] }],
  ['temperature: must be a number from 0 to 1, got 1.5', { ...base, temperature: 1.5 }],
  ['top_p: cannot be combined with temperature', { ...base, temperature: 0, top_p: 0.5 }],
  ['top_k: must be a whole number at least 0', { ...base, top_k: -1 }],
  ['stop_sequences[1]: must not be empty or only white space', { ...base, stop_sequences: ['END', '\n'] }],
  ['service_tier: must be one of', { ...base, service_tier: 'fast' }],
  ['inference_geo: must be one of "us", "global"', { ...base, inference_geo: 'eu' }],
  ['inference_geo: is not known to assistant-small-4-5', { ...small, inference_geo: 'us' }],
  ['metadata.email: is not a field', { ...base, metadata: { email: 'a@b' } }],
  ['container: must not be empty', { ...base, container: '' }],
  // images and documents
  [
    'source.media_type: must be one of "image/jpeg", "image/png", "image/gif", "image/webp", got "image/tiff"',
    { ...base, messages: [user(image('image/tiff'))] },
  ],
  ['source.data: must be bare base64', { ...base, messages: [user(image('image/png', 'data:image/png;base64,AAAA'))] }],
  ['source.data: is over 10 MB', { ...base, messages: [user(image('image/png', 'A'.repeat(13_333_340)))] }],
  [
    'hold 101 images, the limit of assistant-small-4-5 is 100',
    { ...small, messages: [user(...Array(101).fill(image('image/png')))] },
  ],
  [
    'source.url: must be an http or https address',
    { ...base, messages: [user({ type: 'image', source: { type: 'url', url: 'file:///a.png' } })] },
  ],
  [
    'source.media_type: must be one of "application/pdf"',
    { ...base, messages: [user(document({ source: { type: 'base64', media_type: 'text/csv', data: 'AA' } }))] },
  ],
  [
    'source.content[0].cache_control: stands inside another block',
    { ...base, messages: [user(document({ source: { type: 'content', content: [marked()] } }))] },
  ],
  [
    'title: has 501 characters, allowed are 0 to 500',
    { ...base, messages: [user(document({ title: 'x'.repeat(501) }))] },
  ],
  // search results and citations
  ['.source: is required', { ...base, messages: [user({ ...result(), source: undefined })] }],
  ['.title: must not be empty', { ...base, messages: [user({ ...result(), title: '' })] }],
  ['.content: holds 0 entries, at least 1 needed', { ...base, messages: [user({ ...result(), content: [] })] }],
  [
    '.content[0].type: must be one of "text"',
    { ...base, messages: [user({ ...result(), content: [image('image/png')] })] },
  ],
  [
    'messages[0].content[1]: has citations off while messages[0].content[0] has them on',
    { ...base, messages: [user(result(true), result(false))] },
  ],
  [
    'messages[0].content[1]: has citations off',
    { ...base, messages: [user(document({ citations: { enabled: true } }), result())] },
  ],
  [
    'messages[2].content[0].content[0]: has citations off',
    { ...base, messages: [user(result(true)), assistant(use('a')), user(answer('a', { content: [result()] }))] },
  ],
  [
    'must have citations on, because the web_search tool is',
    { ...base, tools: [webSearchTool()], messages: [user(result())] },
  ],
  [
    'mixes search_result blocks with others',
    { ...base, messages: [asked, assistant(use('a')), user(answer('a', { content: [result(), text] }))] },
  ],
  // tools
  ['tools[0].name: must be 1 to 64 letters', { ...base, tools: [{ ...look, name: 'look up' }] }],
  ['tools[1].name: "look" is used twice', { ...base, tools: [look, look] }],
  [
    'tools[0].input_schema.type: must be one of "object", got "string"',
    { ...base, tools: [{ ...look, input_schema: { type: 'string' } }] },
  ],
  [
    'tools[0].parameters: is written input_schema here',
    { ...base, tools: [{ name: 'look', parameters: { type: 'object' } }] },
  ],
  [
    'tools[0].inputSchema: is written input_schema here',
    { ...base, tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
  ],
  [
    'tools[0].blocked_domains: cannot be combined with allowed_domains',
    { ...base, tools: [webSearchTool({ allowedDomains: ['a.com'], blockedDomains: ['b.com'] })] },
  ],
  [
    'tools[0].allowed_domains[0]: must be a domain without scheme',
    { ...base, tools: [webSearchTool({ allowedDomains: ['https://a.com'] })] },
  ],
  ['tools[0].name: must be "web_search"', { ...base, tools: [{ ...webSearchTool(), name: 'search' }] }],
  [
    'tools[0].allowed_callers: must be ["direct"]',
    { ...small, tools: [{ type: 'web_search_20260209', name: 'web_search' }] },
  ],
  [
    'tools: holds 21 strict tools, the limit is 20',
    { ...base, tools: Array.from({ length: 21 }, (_, n) => ({ ...look, name: `t${n}`, strict: true })) },
  ],
  ['tool_choice: "any" needs tools', { ...base, tool_choice: 'any' }],
  ['tool_choice: must be one of "auto", "any", "none", got "tool"', { ...base, tools: [look], tool_choice: 'tool' }],
  [
    'tool_choice.name: must be the name of a tool of this request, got "find"',
    { ...base, tools: [look], tool_choice: { type: 'tool', name: 'find' } },
  ],
  [
    'tool_choice.disable_parallel_tool_use: cannot be said with "auto"',
    { ...base, tools: [look], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  ],
  // tool results
  [
    'messages[1].content[0]: (tool_use "a") has no tool_result',
    { ...base, messages: [asked, assistant(use('a')), asked] },
  ],
  [
    'messages[1].content[1]: (tool_use "b") has no tool_result',
    { ...base, messages: [asked, assistant(use('a'), use('b')), user(answer('a'))] },
  ],
  ['messages[1].content[0]: (tool_use "a") has no tool_result', { ...base, messages: [asked, assistant(use('a'))] }],
  [
    'messages[2].content[0].tool_use_id: "z" is no tool_use of the message before',
    { ...base, messages: [asked, assistant(use('a')), user(answer('z'))] },
  ],
  [
    'messages[2].content[1].tool_use_id: "a" is answered twice',
    { ...base, messages: [asked, assistant(use('a')), user(answer('a'), answer('a'))] },
  ],
  [
    'messages[2].content[1]: stands after messages[2].content[0]; tool_result blocks come first',
    { ...base, messages: [asked, assistant(use('a')), user(text, answer('a'))] },
  ],
  [
    'messages[2].content[1]: stands beside the answers to a turn with an unfinished server tool',
    {
      ...base,
      messages: [
        asked,
        assistant({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, use('a')),
        user(answer('a'), text),
      ],
    },
  ],
  [
    'messages[1].content[0].signature: is required',
    { ...base, messages: [asked, assistant({ type: 'thinking', thinking: 'hm' }, text), asked] },
  ],
  // caching
  ['is cache marker number 5 of 5; a request may hold 4', { ...base, messages: [user(...Array(5).fill(marked()))] }],
  [
    'request.cache_control: is cache marker number 5 of 5',
    { ...base, cache_control: cacheControl(), messages: [user(...Array(4).fill(marked()))] },
  ],
  [
    'messages[0].content[1].cache_control: of 1h stands after one of 5m (messages[0].content[0].cache_control)',
    { ...base, messages: [user(marked(), marked('1h'))] },
  ],
  [
    'of 1h stands after one of 5m (tools[0].cache_control)',
    { ...base, tools: [{ ...look, cache_control: cacheControl('5m') }], system: [marked('1h')] },
  ],
  [
    'cache_control: may not stand on a thinking block',
    {
      ...base,
      messages: [
        asked,
        assistant({ type: 'thinking', thinking: '', signature: 's', cache_control: cacheControl() }, text),
        asked,
      ],
    },
  ],
  [
    'cache_control: stands on an empty text block',
    { ...base, messages: [asked, assistant({ type: 'text', text: '', cache_control: cacheControl() }, text), asked] },
  ],
  [
    'cache_control.ttl: must be one of "5m", "1h"',
    { ...base, messages: [user({ ...text, cache_control: { type: 'ephemeral', ttl: '2h' } })] },
  ],
  [
    'content[0].cache_control: stands inside another block; mark messages[0].content[0] instead',
    { ...base, messages: [user({ ...result(), content: [marked()] })] },
  ],
  // thinking, effort
  [
    'thinking.budget_tokens: must be a whole number at least 1024, got 1023',
    { ...base, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1023 } },
  ],
  [
    'thinking.budget_tokens: 2000 must be below max_tokens (2000)',
    { ...base, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
  ],
  ['thinking.type: must be one of "enabled", "disabled", got "adaptive"', { ...small, thinking: { type: 'adaptive' } }],
  ['thinking.display: is not a field', { ...base, thinking: { type: 'disabled', display: 'omitted' } }],
  [
    'tool_choice: cannot force a tool while thinking is "enabled"',
    {
      ...base,
      max_tokens: 2000,
      tools: [look],
      tool_choice: 'any',
      thinking: { type: 'enabled', budget_tokens: 1024 },
    },
  ],
  [
    'temperature: cannot be changed while thinking is on',
    { ...base, temperature: 0.5, thinking: { type: 'adaptive' } },
  ],
  ['top_k: cannot be set while thinking is on', { ...base, top_k: 5, thinking: { type: 'adaptive' } }],
  ['top_p: must be from 0.95 to 1 while thinking is on', { ...base, top_p: 0.9, thinking: { type: 'adaptive' } }],
  ['effort: is not known to assistant-small-4-5', { ...small, effort: 'low' }],
  ['effort: must be one of "low", "medium", "high", "max", got "xhigh"', { ...base, effort: 'xhigh' }],
  [
    'effort: must be one of "low", "medium", "high", got "max"',
    { ...base, model: 'assistant-medium-4-6', effort: 'max' },
  ],
  ['effort: must be one of', { ...base, effort: 'adaptive' }],
  ['output_config.effort: is written `effort` on the request', { ...base, output_config: { effort: 'low' } }],
  // structured output
  [
    'output_config.format.schema.additionalProperties: must be false',
    { ...base, ...format({ type: 'object', properties: {} }) },
  ],
  [
    'schema.properties.a.minimum: is not supported',
    { ...base, ...format({ ...object, properties: { a: { type: 'number', minimum: 1 } } }) },
  ],
  [
    'schema.properties.a.minItems: must be 0 or 1',
    { ...base, ...format({ ...object, properties: { a: { type: 'array', minItems: 2 } } }) },
  ],
  ['$ref: must be local', { ...base, ...format({ ...object, properties: { a: { $ref: 'https://example.com' } } }) }],
  [
    '$ref: "#/$defs/a" leads back to itself',
    {
      ...base,
      ...format({
        ...object,
        properties: { a: { $ref: '#/$defs/a' } },
        $defs: { a: { ...object, properties: { a: { $ref: '#/$defs/a' } } } },
      }),
    },
  ],
  ['$ref: "#/$defs/b" leads nowhere', { ...base, ...format({ ...object, properties: { a: { $ref: '#/$defs/b' } } }) }],
  [
    'output_config.format: cannot be combined with citations',
    { ...base, ...format(object), messages: [user(result(true))] },
  ],
  [
    'output_config.format: cannot be combined with citations',
    { ...base, ...format(object), citations: true, messages: [user(result())] },
  ],
  [
    'output_config.format: cannot be combined with a last assistant message',
    { ...base, ...format(object), messages: [asked, assistant(text)] },
  ],
  // prefill
  [
    'messages[1].role: must be "user": assistant-large-4-6 does not continue an assistant message',
    { ...base, messages: [asked, assistant(text)] },
    'public',
  ],
  // context management
  [
    'context_management.edits[0].trigger.value: must be a whole number at least 50000, got 49999',
    { ...base, context_management: { edits: [compaction({ triggerTokens: 49_999 })] } },
  ],
  [
    '(compact_20260112) is not known to assistant-small-4-5',
    { ...small, context_management: { edits: [compaction()] } },
  ],
  [
    '(clear_thinking_20251015) must come first',
    { ...base, context_management: { edits: [clearToolUses(), clearThinking()] } },
  ],
];

export const allowed: readonly (readonly [name: string, request: Json, profile?: 'public'])[] = [
  ['prefill in the reference dialect', { ...base, messages: [asked, assistant(text)] }],
  ['prefill on the small model of the public one', { ...small, messages: [asked, assistant(text)] }, 'public'],
  [
    'a paused server turn on a model without prefill',
    {
      ...base,
      tools: [webSearchTool()],
      messages: [asked, assistant({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} })],
    },
    'public',
  ],
  ['a model nobody has heard of, in the public dialect', { ...base, model: 'assistant-next-5' }, 'public'],
  ['a dated name of a known model', { ...base, model: 'assistant-large-4-6-20260204' }],
  ['neighbouring turns of one role', { ...base, messages: [asked, asked, assistant(text), assistant(text), asked] }],
  [
    'results in two neighbouring user turns, text behind them',
    { ...base, messages: [asked, assistant(use('a'), use('b')), user(answer('a')), user(answer('b'), text)] },
  ],
  [
    'four markers, long-lived first',
    {
      ...base,
      tools: [{ ...look, cache_control: cacheControl('1h') }],
      system: [marked('1h')],
      messages: [user(marked(), marked())],
    },
  ],
  [
    'temperature 0 and an empty tool result',
    { ...base, temperature: 0, messages: [asked, assistant(use('a')), user(answer('a', { content: '' }))] },
  ],
  [
    'forced tools with adaptive thinking',
    { ...base, tools: [look], tool_choice: 'any', thinking: { type: 'adaptive' } },
  ],
  ['temperature 1 with thinking', { ...base, temperature: 1, thinking: { type: 'adaptive' } }],
  ['warming the cache in the public dialect', { ...base, max_tokens: 0 }, 'public'],
  [
    'a schema used twice by reference',
    {
      ...base,
      ...format({
        ...object,
        properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#/$defs/a' } },
        $defs: { a: { type: 'string' } },
      }),
    },
  ],
  [
    'mixed settings under the one switch of the request',
    { ...base, citations: true, messages: [user(result(true), result(false), document())] },
  ],
  [
    'blocks of a later version in an assistant turn',
    { ...base, messages: [asked, assistant({ type: 'later_block', value: 1 }, text), asked] },
  ],
];
