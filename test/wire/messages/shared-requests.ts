import type Anthropic from '@anthropic-ai/sdk';
import type { MessageRequest } from '../../../src/wire/messages/index.ts';
import { sign } from '../service/messages/signatures.ts';

const large = 'claude-opus-4-6';
const small = 'claude-haiku-4-5';
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const mark = { type: 'ephemeral' } as const;
const hour = { type: 'ephemeral', ttl: '1h' } as const;
const on = { enabled: true };
const weather = {
  name: 'get_weather',
  description: 'Of a place.',
  input_schema: { type: 'object' as const, properties: { place: { type: 'string' } } },
};
/** Requests that mean the same to both clients: their types agree, so one literal serves both. */
export const sharedRequests: Readonly<Record<string, Anthropic.MessageCreateParamsNonStreaming & MessageRequest>> = {
  'a string': { model: large, max_tokens: 50, messages: [{ role: 'user', content: 'Hello "wörld" 😀\n' }] },
  'every setting': {
    model: large,
    max_tokens: 50,
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Hello' }],
    temperature: 0,
    top_k: 0,
    stop_sequences: ['END'],
    metadata: { user_id: 'u-1' },
    service_tier: 'standard_only',
    inference_geo: 'us',
  },
  'documents of every source': {
    model: large,
    max_tokens: 50,
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'The lamp is red.' },
            title: 'T',
            context: 'C',
            citations: on,
          },
          {
            type: 'document',
            source: { type: 'content', content: [{ type: 'text', text: 'The lamp is old.' }] },
            citations: on,
          },
          { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' }, citations: on },
          { type: 'document', source: { type: 'content', content: 'One lamp.' }, citations: on, cache_control: mark },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'text', text: 'What of the lamp?' },
        ],
      },
    ],
  },
  'search results, cached': {
    model: large,
    max_tokens: 50,
    system: [{ type: 'text', text: 'Long.', cache_control: hour }],
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'search_result',
            source: 'kb://1',
            title: 'One',
            content: [{ type: 'text', text: 'The lamp is red.' }],
            citations: on,
          },
          {
            type: 'search_result',
            source: 'kb://2',
            title: 'Two',
            content: [{ type: 'text', text: 'It is old.' }],
            citations: on,
            cache_control: mark,
          },
          { type: 'text', text: 'What of the lamp?' },
        ],
      },
    ],
  },
  'a tool loop with thinking': {
    model: small, // for the larger ones the client warns that this form of thinking is an old one
    max_tokens: 4000,
    thinking: { type: 'enabled', budget_tokens: 1024, display: 'omitted' },
    tools: [weather, { ...weather, name: 'other', strict: true, cache_control: mark }],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: sign('Hm.') },
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { place: 'Bonn', n: [1, null] } },
          { type: 'tool_use', id: 'toolu_2', name: 'get_weather', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              {
                type: 'search_result',
                source: 'kb://w',
                title: 'W',
                content: [{ type: 'text', text: 'Sunny weather.' }],
                citations: on,
              },
            ],
          },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no such place', is_error: true },
        ],
      },
    ],
  },
  'a named tool': {
    model: large,
    max_tokens: 50,
    tools: [weather],
    tool_choice: { type: 'tool', name: 'get_weather' },
    messages: [{ role: 'user', content: 'Weather?' }],
  },
  'a native tool': {
    model: large,
    max_tokens: 50,
    tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2, allowed_domains: ['example.com'] }],
    messages: [{ role: 'user', content: 'News?' }],
  },
  'a cited answer sent back': {
    model: small,
    max_tokens: 50,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Red lamp.' }, citations: on },
          { type: 'text', text: 'Colour?' },
        ],
      },
      {
        role: 'assistant',
        content: [
          {
            type: 'text',
            text: 'Red.',
            citations: [
              {
                type: 'char_location',
                cited_text: 'Red lamp.',
                document_index: 0,
                document_title: null,
                start_char_index: 0,
                end_char_index: 9,
              },
            ],
          },
        ],
      },
      { role: 'user', content: 'Sure about the lamp?' },
    ],
  },
  'adaptive thinking and an automatic marker': {
    model: large,
    max_tokens: 50,
    thinking: { type: 'adaptive' },
    cache_control: mark,
    messages: [{ role: 'user', content: 'Hello' }],
  },
};
