import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelMedia, ModelRequest } from '../../../src/answer/language-model.ts';
import {
  mediaBlocks,
  messageRequest,
  modelEvents,
  thinkingTokens,
  usageOf,
} from '../../../src/services/language-model.ts';
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

  it('names a page by no half of a character where its title is cut', () => {
    const page = {
      id: 'p1',
      title: '🐦'.repeat(400),
      mediaType: 'application/pdf',
      bytes: new Uint8Array(1),
      digest: '',
    };
    for (const shift of ['', 'x']) {
      const [block] = mediaBlocks({ ...page, title: shift + page.title } as ModelMedia);
      const { title } = block as { readonly title: string };
      expect(title.length).toBe(500);
      expect(title.isWellFormed()).toBe(true);
    }
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

  it.each([
    [{ source: undefined }, 'a citation names no source'],
    [{ source: 7 }, 'a citation names no source'],
    [{ cited_text: 7 }, 'a citation of s1 has no words'],
    [{ type: 'page_location', document_index: 0, document_title: 7 }, 'there is no document 0'],
    [
      { type: 'page_location', document_index: 0, document_title: 'p1: A', cited_text: 7 },
      'a citation of p1 has no words',
    ],
  ])('say what is wrong with a citation whose fields are of another kind: %j', (fields, why) => {
    const delta = { type: 'citations_delta', citation: { ...citation, ...fields } };
    const event = { type: 'content_block_delta', index: 0, delta } as unknown as StreamEvent;
    expect([...modelEvents(event, 0, ['p1'])]).toEqual([{ type: 'unusable', block: 0, why }]);
  });

  it('take a citation that names its place without words, as those of a served model do', () => {
    const { cited_text: _, ...place } = citation;
    expect(
      read({ type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: place } }),
    ).toEqual([{ type: 'citation', block: 100, citation: { source: 's1', first: 1, end: 2 } }]);
  });

  it('pass over a text that is none', () => {
    const start = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: null } };
    expect([...modelEvents(start as unknown as StreamEvent)]).toEqual([]);
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
