import { describe, expect, it } from 'vitest';
import {
  clearToolUses,
  compaction,
  type MessageRequest,
  publicProfile,
  referenceProfile,
  serialiseCount,
  serialiseMessage,
} from '../../../src/wire/messages/index.ts';

const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
const request: MessageRequest = {
  model: 'assistant-large-4-6',
  max_tokens: 300,
  system: 'Be short.',
  messages: [{ role: 'user', content: 'Hello.' }],
  tools: [
    { name: 'look', description: 'Looks.', input_schema: schema, cache_control: { type: 'ephemeral' } },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
  ],
  tool_choice: { type: 'auto' },
  effort: 'low',
  temperature: 0,
  stop_sequences: ['END'],
  metadata: { user_id: 'u-1' },
  service_tier: 'auto',
  inference_geo: 'us',
  container: 'container_1',
};
const common = {
  model: 'assistant-large-4-6',
  max_tokens: 300,
  system: 'Be short.',
  messages: [{ role: 'user', content: 'Hello.' }],
  temperature: 0,
  stop_sequences: ['END'],
  metadata: { user_id: 'u-1' },
  service_tier: 'auto',
  inference_geo: 'us',
  container: 'container_1',
};
const native = { type: 'web_search_20250305', name: 'web_search', max_uses: 2 };
const seed = (value: object): Record<string, unknown> =>
  serialiseMessage({ ...request, ...value } as MessageRequest, referenceProfile).body;
const open = (value: object): Record<string, unknown> =>
  serialiseMessage({ ...request, ...value } as MessageRequest, publicProfile).body;

describe('the body of a request', () => {
  it('has the seed spelling by default', () => {
    expect(seed({})).toEqual({
      ...common,
      tools: [
        { name: 'look', description: 'Looks.', parameters: schema, cache_control: { type: 'ephemeral' } },
        native,
      ],
      tool_choice: 'auto',
      effort: 'low',
    });
  });

  it('has the public spelling in the public dialect', () => {
    expect(open({})).toEqual({
      ...common,
      model: 'claude-opus-4-6',
      tools: [
        { name: 'look', description: 'Looks.', input_schema: schema, cache_control: { type: 'ephemeral' } },
        native,
      ],
      tool_choice: { type: 'auto' },
      output_config: { effort: 'low' },
    });
  });

  it('never holds both spellings, whichever switches are mixed', () => {
    for (const toolSchemaKey of ['parameters', 'input_schema'] as const) {
      for (const effortPlacement of ['top', 'output_config'] as const) {
        const { body } = serialiseMessage(request, { ...referenceProfile, toolSchemaKey, effortPlacement });
        const [tool] = body.tools as Record<string, unknown>[];
        expect([tool?.parameters, tool?.input_schema].filter((value) => value !== undefined)).toEqual([schema]);
        const nested = (body.output_config as { effort?: unknown } | undefined)?.effort;
        expect([body.effort, nested].filter((value) => value !== undefined)).toEqual(['low']);
      }
    }
  });

  it('says a named tool as an object in both dialects, the string form cannot', () => {
    const tool_choice = { type: 'tool', name: 'look' };
    expect(seed({ tool_choice }).tool_choice).toEqual(tool_choice);
    expect(open({ tool_choice }).tool_choice).toEqual(tool_choice);
    expect(seed({ tool_choice: 'none' }).tool_choice).toBe('none');
    expect(open({ tool_choice: 'none' }).tool_choice).toEqual({ type: 'none' });
  });

  it('puts format and effort side by side in the public dialect only', () => {
    const format = { type: 'json_schema', schema: { type: 'object', properties: {}, additionalProperties: false } };
    expect(seed({ output_config: { format } })).toMatchObject({ effort: 'low', output_config: { format } });
    expect(open({ output_config: { format } }).output_config).toEqual({ effort: 'low', format });
  });

  it('joins neighbouring turns of one role', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'user', content: [{ type: 'text', text: 'b' }] },
      { role: 'assistant', content: 'c' },
      { role: 'user', content: 'd' },
    ];
    expect(seed({ messages }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: 'c' },
      { role: 'user', content: 'd' },
    ]);
  });

  it('drops the white-space text of an assistant turn, and the turn when nothing is left', () => {
    const messages = [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: '\n\n' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'user', content: 'c' },
      { role: 'assistant', content: [{ type: 'text', text: '\n' }] },
      { role: 'user', content: 'd' },
    ];
    expect(seed({ messages }).messages).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'c' },
          { type: 'text', text: 'd' },
        ],
      },
    ]);
  });

  it('sends an answer back unchanged but for the file_id of three kinds of citation', () => {
    const char = {
      type: 'char_location',
      cited_text: 'x',
      document_index: 0,
      document_title: null,
      start_char_index: 0,
      end_char_index: 1,
    };
    const web = {
      type: 'web_search_result_location',
      cited_text: 'x',
      url: 'https://a.com',
      title: null,
      encrypted_index: 'E',
    };
    const later = { type: 'later_location', file_id: 'kept' };
    const blocks = [
      { type: 'thinking', thinking: '', signature: 's' },
      { type: 'redacted_thinking', data: 'r' },
      { type: 'text', text: 'x', citations: [{ ...char, file_id: null }, web, later] },
      { type: 'text', text: 'y', citations: null },
    ];
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: blocks },
      { role: 'user', content: 'b' },
    ];
    const sent = seed({ messages }).messages as { content: unknown[] }[];
    expect(sent[1]?.content).toEqual([
      blocks[0],
      blocks[1],
      { type: 'text', text: 'x', citations: [char, web, later] },
      blocks[3],
    ]);
    expect(blocks[2]).toHaveProperty('citations[0].file_id', null); // the caller's own is untouched
  });

  it('writes one citation switch on every source, in tool results too', () => {
    const result = { type: 'search_result', source: 'kb://1', title: 'One', content: [{ type: 'text', text: 'x' }] };
    const document = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'words' },
      citations: { enabled: false },
    };
    const messages = [
      { role: 'user', content: [document, result] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [result] }] },
    ];
    const on = { enabled: true };
    expect(seed({ messages, citations: true }).messages).toEqual([
      {
        role: 'user',
        content: [
          { ...document, citations: on },
          { ...result, citations: on },
        ],
      },
      messages[1],
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ ...result, citations: on }] }] },
    ]);
    expect(seed({ messages, citations: true })).not.toHaveProperty('citations');
  });

  it('leaves out what a tool result does not say', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: ' ' }] },
    ];
    expect((seed({ messages }).messages as unknown[])[2]).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a' }],
    });
  });

  it('passes fields newer than this client on, and refuses to overwrite its own', () => {
    expect(serialiseMessage(request, referenceProfile, { extraBody: { later: 1 } }).body.later).toBe(1);
    expect(() => serialiseMessage(request, referenceProfile, { extraBody: { model: 'x' } })).toThrow(
      /extraBody\.model/,
    );
    expect(() => serialiseMessage(request, referenceProfile, { extraBody: { stream: true } })).toThrow(
      /extraBody\.stream/,
    );
  });

  it('spells a token count the same way, without what a count does not take', () => {
    const { max_tokens, temperature, stop_sequences, metadata, service_tier, inference_geo, container, ...count } =
      request;
    expect(serialiseCount(count, publicProfile).body).toEqual({
      model: 'claude-opus-4-6',
      system: common.system,
      messages: common.messages,
      tools: open({}).tools,
      tool_choice: { type: 'auto' },
      output_config: { effort: 'low' },
    });
  });
});

describe('the beta features of a request', () => {
  const betas = (value: object, profile = referenceProfile, options = {}): readonly string[] =>
    serialiseMessage({ ...request, ...value } as MessageRequest, profile, options).betas;
  const file = {
    messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'file_1' } }] }],
  };

  it('are none without need', () => {
    expect(betas({})).toEqual([]);
  });

  it('name the files where they are a beta, also inside tool results', () => {
    expect(betas(file)).toEqual(['files-api-2025-04-14']);
    expect(betas(file, publicProfile)).toEqual([]);
    expect(betas({ messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'file_1' }] }] })).toEqual(
      ['files-api-2025-04-14'],
    );
  });

  it('name compaction, context editing and those the caller adds, each once', () => {
    const context_management = { edits: [clearToolUses(), compaction({ triggerTokens: 50_000 })] };
    expect(
      betas({ ...file, context_management }, referenceProfile, { betas: ['own-1', 'compact-2026-01-12'] }),
    ).toEqual(['own-1', 'compact-2026-01-12', 'files-api-2025-04-14', 'context-management-2025-06-27']);
  });

  it('raise the output limit in batches only', () => {
    expect(betas({ max_tokens: 200_000 }, referenceProfile, { batch: true })).toEqual(['output-300k-2026-03-24']);
    expect(betas({ max_tokens: 128_000 }, referenceProfile, { batch: true })).toEqual([]);
    expect(() => betas({ max_tokens: 200_000 })).toThrow(/max_tokens/);
  });
});
