import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../../../src/answer/language-model.ts';
import { messageRequest, modelEvents, thinkingTokens, usageOf } from '../../../src/services/language-model.ts';
import { type StreamEvent, totalInputTokens, type Usage } from '../../../src/wire/messages/index.ts';

const model = 'assistant-medium-4-6';
const cache = { type: 'ephemeral' };
const source = { id: 's1', title: 'Manual › Data', passages: ['The pump is cooled. ', 'It runs at 40 bar.'] };
const request: ModelRequest = {
  instructions: 'Answer.',
  turns: [{ role: 'user', text: 'How much pressure?' }],
  sources: [source],
  maxTokens: 300,
};
const block = {
  type: 'search_result',
  source: 's1',
  title: 'Manual › Data',
  content: [
    { type: 'text', text: 'The pump is cooled. ' },
    { type: 'text', text: 'It runs at 40 bar.' },
  ],
};

describe('a request to the messages service', () => {
  it('holds rules, sources as citable blocks, and the question behind them', () => {
    expect(messageRequest(request, { model }, true)).toEqual({
      model,
      max_tokens: 300,
      citations: true,
      system: [{ type: 'text', text: 'Answer.', cache_control: cache }],
      messages: [{ role: 'user', content: [block, { type: 'text', text: 'How much pressure?' }] }],
    });
  });

  it('marks the conversation for the cache, and the question only when it will be sent again', () => {
    const turns = [
      { role: 'user', text: 'What is it?', sources: [source] },
      { role: 'assistant', text: 'A pump.' },
      { role: 'user', text: 'How much pressure?' },
    ] as const;
    const once = messageRequest({ ...request, turns, sources: [] }, { model }, true);
    expect(once.messages).toEqual([
      { role: 'user', content: [block, { type: 'text', text: 'What is it?' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'A pump.', cache_control: cache }] },
      { role: 'user', content: [{ type: 'text', text: 'How much pressure?' }] },
    ]);
    expect(once.citations).toBe(true); // of the earlier sources
    const kept = messageRequest({ ...request, turns, sources: [], continues: true }, { model }, true);
    expect(kept.messages.slice(0, 2)).toEqual(once.messages.slice(0, 2));
    expect(kept.messages[2]).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'How much pressure?', cache_control: cache }],
    });
    // of four marks that the service takes at most
    expect(JSON.stringify(kept).match(/cache_control/g)).toHaveLength(3);
  });

  it('says nothing of citations without sources', () => {
    expect(messageRequest({ ...request, sources: [] }, { model }, true)).not.toHaveProperty('citations');
    expect(messageRequest(request, { model }, false).citations).toBe(false);
  });

  it('leaves room for thoughts beside the answer', () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 } as const;
    expect(messageRequest(request, { model, thinking }, true)).toMatchObject({ max_tokens: 2300, thinking });
    expect(thinkingTokens({ type: 'adaptive' })).toBeGreaterThan(0);
    expect([thinkingTokens(undefined), thinkingTokens({ type: 'disabled' })]).toEqual([0, 0]);
  });
});

describe("the events of the service's stream", () => {
  const read = (...events: readonly unknown[]): ModelEvent[] =>
    events.flatMap((event) => [...modelEvents(event as StreamEvent, 100)]); // only the fields that are read
  const citation = {
    type: 'search_result_location',
    cited_text: 'It runs at 40 bar.',
    search_result_index: 0,
    source: 's1',
    title: null,
    start_block_index: 1,
    end_block_index: 2,
  };

  it('become text, thoughts, citations and ends, block by block', () => {
    expect(
      read(
        { type: 'message_start', message: {} },
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'x' } },
        { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'It ', citations: [citation] } },
        { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'runs.' } },
        { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation } },
        { type: 'content_block_stop', index: 1 },
        { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{' } },
        { type: 'ping' },
      ),
    ).toEqual([
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', block: 101, text: 'It ' },
      { type: 'citation', block: 101, citation: { source: 's1', first: 1, end: 2, quoted: 'It runs at 40 bar.' } },
      { type: 'text', block: 101, text: 'runs.' },
      { type: 'citation', block: 101, citation: { source: 's1', first: 1, end: 2, quoted: 'It runs at 40 bar.' } },
      { type: 'blockEnd', block: 101 },
    ]);
  });

  it.each([[null], [{}], ['x'], [[null]], [[7]]])('bear citations of nonsense: %j', (citations) => {
    const content_block = { type: 'text', text: 'A pump.', citations };
    // a service may send anything where its reference has a list
    const start = { type: 'content_block_start', index: 0, content_block } as unknown as StreamEvent;
    const delta = { type: 'citations_delta', citation: null };
    const cited = { type: 'content_block_delta', index: 0, delta } as unknown as StreamEvent;
    const told = [...modelEvents(start), ...modelEvents(cited)];
    expect(told[0]).toEqual({ type: 'text', block: 0, text: 'A pump.' });
    expect(new Set(told.slice(1).map(({ type }) => type))).toEqual(new Set(['unusable']));
  });

  it('name a citation that cannot be checked', () => {
    const delta = { type: 'citations_delta', citation: { type: 'web_search_result_location', url: 'https://x' } };
    expect(read({ type: 'content_block_delta', index: 0, delta })).toEqual([
      { type: 'unusable', block: 100, why: 'a web_search_result_location is no source of this answer' },
    ]);
  });
});

describe('usage', () => {
  it('counts all input, cached or not', () => {
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 300, cache_creation_input_tokens: 40 };
    expect(usageOf(usage)).toEqual({ inputTokens: 350, outputTokens: 5, cacheReadTokens: 300, cacheWriteTokens: 40 });
    const odd = {
      input_tokens: Object.create(null),
      output_tokens: -1,
      cache_read_input_tokens: '7',
      iterations: [[]],
    };
    for (const wrong of [odd, { ...odd, iterations: {} }]) {
      const { inputTokens, outputTokens, cacheReadTokens } = usageOf(wrong as unknown as Usage);
      expect([inputTokens, outputTokens, cacheReadTokens]).toEqual([0, 0, 0]);
      expect(totalInputTokens(wrong as unknown as Usage)).toBe(0);
    }
    expect(usageOf(undefined)).toEqual({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });
  });
});
