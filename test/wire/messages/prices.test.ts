import { describe, expect, it } from 'vitest';
import {
  addUsage,
  cacheControl,
  compaction,
  estimateInputTokens,
  estimateMessageCost,
  type MessageRequest,
  messageCost,
  type Usage,
  webSearchTool,
} from '../../../src/wire/messages/index.ts';

const usage = (fields: Partial<Usage> = {}): Usage => ({ input_tokens: 1000, output_tokens: 500, ...fields });
const usd = (value: Usage, model = 'assistant-large-4-6', options = {}): number | undefined =>
  messageCost(value, model, options)?.usd;

describe('what an answer cost', () => {
  it.each([
    ['assistant-large-4-6', 5, 25],
    ['assistant-medium-4-6', 3, 15],
    ['assistant-small-4-5', 1, 5],
    ['assistant-small-4-5-20251001', 1, 5],
  ])('%s: %d in, %d out per million', (model, input, output) => {
    expect(usd(usage(), model)).toBeCloseTo((1000 * input + 500 * output) / 1e6, 12);
  });

  it('adds fresh input, cache writes of both kinds and reads, which do not overlap', () => {
    const value = usage({
      cache_creation_input_tokens: 3000,
      cache_read_input_tokens: 10_000,
      cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 2000 },
    });
    const input = (1000 + 1000 * 1.25 + 2000 * 2 + 10_000 * 0.1) * 5;
    expect(usd(value)).toBeCloseTo((input + 500 * 25) / 1e6, 12);
    expect(messageCost(value, 'assistant-large-4-6')?.parts.map(({ name, quantity }) => [name, quantity])).toEqual([
      ['input', 1000],
      ['cache-write-5m', 1000],
      ['cache-write-1h', 2000],
      ['cache-read', 10_000],
      ['output', 500],
    ]);
  });

  it('takes writes without a breakdown as short-lived', () => {
    const value = usage({ cache_creation_input_tokens: 3000, cache_creation: null });
    expect(usd(value)).toBeCloseTo(((1000 + 3000 * 1.25) * 5 + 500 * 25) / 1e6, 12);
  });

  it('halves a batch, adds a tenth for the US, and leaves searches as they are', () => {
    const plain = (1000 * 5 + 500 * 25) / 1e6;
    expect(usd(usage({ service_tier: 'batch' }))).toBeCloseTo(plain * 0.5, 12);
    expect(usd(usage(), undefined, { batch: true })).toBeCloseTo(plain * 0.5, 12);
    expect(usd(usage({ inference_geo: 'us' }))).toBeCloseTo(plain * 1.1, 12);
    const all = usage({ inference_geo: 'us', service_tier: 'batch', server_tool_use: { web_search_requests: 3 } });
    expect(usd(all)).toBeCloseTo(plain * 0.55 + 0.03, 12);
  });

  it('charges a cached read in a batch 0.1 times 0.5', () => {
    const value: Usage = {
      input_tokens: 0,
      output_tokens: 0,
      cache_read_input_tokens: 1_000_000,
      service_tier: 'batch',
    };
    expect(usd(value)).toBeCloseTo(5 * 0.1 * 0.5, 12);
  });

  it('sums the iterations of a compaction, which the top level leaves out', () => {
    const value = usage({
      iterations: [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 },
        { type: 'message', input_tokens: 1000, output_tokens: 500 },
      ],
    });
    expect(usd(value)).toBeCloseTo((181_000 * 5 + 4000 * 25) / 1e6, 12);
  });

  it('is not known for a model without a price, and takes own prices', () => {
    expect(usd(usage(), 'other')).toBeUndefined();
    expect(usd(usage(), 'other', { prices: { other: { input: 2, output: 4 } } })).toBeCloseTo(
      (1000 * 2 + 500 * 4) / 1e6,
      12,
    );
  });
});

describe('what a request can cost', () => {
  const request: MessageRequest = {
    model: 'assistant-large-4-6',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'x'.repeat(300) }],
  };

  it('is all of max_tokens, and every prefix written', () => {
    expect(estimateMessageCost(request, { inputTokens: 100 })?.usd).toBeCloseTo((100 * 5 + 1000 * 25) / 1e6, 12);
    const system = (ttl: '5m' | '1h'): MessageRequest => ({
      ...request,
      system: [{ type: 'text', text: 'x', cache_control: cacheControl(ttl) }],
    });
    expect(estimateMessageCost(system('5m'), { inputTokens: 100 })?.usd).toBeCloseTo(
      (100 * 5 * 1.25 + 1000 * 25) / 1e6,
      12,
    );
    expect(estimateMessageCost(system('1h'), { inputTokens: 100, batch: true })?.usd).toBeCloseTo(
      (100 * 5 * 2 + 1000 * 25) / 2e6,
      12,
    );
    const searching = { ...request, tools: [webSearchTool({ maxUses: 4 })], inference_geo: 'us' as const };
    expect(estimateMessageCost(searching, { inputTokens: 100 })?.usd).toBeCloseTo(
      ((100 * 5 + 1000 * 25) / 1e6) * 1.1 + 0.04,
      12,
    );
  });

  it('guesses the input from its characters, images and pages apart', () => {
    // 300 characters of text and the 4 of "user", three to a token.
    expect(estimateInputTokens(request)).toBe(Math.ceil(304 / 3));
    const image = { type: 'image' as const, source: { type: 'url' as const, url: 'https://a.com/b.png' } };
    const more = estimateInputTokens({ messages: [{ role: 'user', content: [image] }] });
    expect(more).toBeGreaterThanOrEqual(1568);
  });
});

describe('a request whose conversation may be summed up', () => {
  it('counts the input twice and a summary once the input passes the threshold, and neither below it', () => {
    const request: MessageRequest = {
      model: 'assistant-large-4-6',
      max_tokens: 1000,
      messages: [{ role: 'user', content: 'Hello' }],
      context_management: { edits: [compaction({ triggerTokens: 50_000 })] },
    };
    const plain = (tokens: number): number => (tokens * 5 + 1000 * 25) / 1e6;
    expect(estimateMessageCost(request, { inputTokens: 49_999 })?.usd).toBeCloseTo(plain(49_999), 12);
    const summary = (50_000 * 5 + 8000 * (5 + 25)) / 1e6;
    expect(estimateMessageCost(request, { inputTokens: 50_000 })?.usd).toBeCloseTo(plain(50_000) + summary, 12);
    // without a threshold of its own, the service's
    const usual = { ...request, context_management: { edits: [compaction()] } };
    expect(estimateMessageCost(usual, { inputTokens: 149_999 })?.usd).toBeCloseTo(plain(149_999), 12);
    expect(estimateMessageCost(usual, { inputTokens: 150_000 })?.usd).toBeGreaterThan(2 * plain(150_000) - 0.03);
  });
});

describe('adding usage up', () => {
  it('sums counts at every level and keeps what one side lacks', () => {
    const left = usage({
      cache_read_input_tokens: null,
      server_tool_use: { web_search_requests: 1 },
      service_tier: 'standard',
    });
    const right = usage({
      cache_read_input_tokens: 7,
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
      service_tier: 'priority',
    });
    expect(addUsage(left, right)).toEqual({
      input_tokens: 2000,
      output_tokens: 1000,
      cache_read_input_tokens: 7,
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 1 },
      service_tier: 'priority',
    });
  });

  it('costs as much as the answers one by one, also when only one of them was compacted', () => {
    const compacted = usage({
      iterations: [
        { type: 'compaction', input_tokens: 50_000, output_tokens: 10 },
        { type: 'message', input_tokens: 1000, output_tokens: 500 },
      ],
    });
    expect(usd(addUsage(usage(), compacted))).toBeCloseTo(usd(usage())! + usd(compacted)!, 12);
  });
});
