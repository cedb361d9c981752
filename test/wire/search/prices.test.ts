import { describe, expect, it } from 'vitest';
import {
  answerListPrice,
  estimateAnswerCost,
  estimateResearchCost,
  type OwnSearchPrices,
  publicPrices,
  referencePrices,
} from '../../../src/wire/search/prices.ts';
import { createSearchService } from '../../../src/wire/search/service.ts';
import { prepared } from './fake.ts';

const messages = [{ role: 'user', content: 'one two three' }] as const;

describe('prices of the reference', () => {
  it.each([
    ['answer-base', 'low', 1_000 / 1e6 + 500 / 1e6 + 5 / 1e3],
    ['answer-base', 'medium', 1_000 / 1e6 + 500 / 1e6 + 8 / 1e3],
    ['answer-base', 'high', 1_000 / 1e6 + 500 / 1e6 + 12 / 1e3],
    ['answer-pro', 'low', (1_000 * 3 + 500 * 15) / 1e6 + 6 / 1e3],
    ['answer-pro', 'high', (1_000 * 3 + 500 * 15) / 1e6 + 14 / 1e3],
    ['answer-reasoning-pro', 'medium', (1_000 * 2 + 500 * 8) / 1e6 + 10 / 1e3],
  ] as const)('%s with %s context', (model, size, usd) => {
    // Citation and reasoning tokens are not billed with these models.
    const quantities = {
      prompt_tokens: 1_000,
      completion_tokens: 500,
      citation_tokens: 9_999,
      reasoning_tokens: 9_999,
      num_search_queries: 5,
    };
    expect(answerListPrice(referencePrices.answers[model], quantities, size).usd).toBeCloseTo(usd, 12);
  });

  it('deep research: the typical request costs about what the reference says', () => {
    const quantities = {
      prompt_tokens: 100,
      completion_tokens: 7_000,
      reasoning_tokens: 74_000,
      num_search_queries: 18,
      citation_tokens: 20_000,
    };
    const cost = answerListPrice(referencePrices.answers['answer-deep-research'], quantities);
    expect(cost.usd).toBeCloseTo((100 * 2 + 7_000 * 8 + 74_000 * 3 + 20_000 * 2) / 1e6 + 18 * 0.005, 12);
    expect(cost.usd).toBeGreaterThan(0.38);
    expect(cost.usd).toBeLessThan(0.43);
    expect(cost.parts.map(({ name }) => name)).toEqual(['input', 'output', 'citation', 'reasoning', 'search']);
  });

  it('a typical deep run is estimated at 0.41 USD, as the reference says, and its range is named', () => {
    const estimate = estimateAnswerCost(referencePrices.answers['answer-deep-research'], { inputTokens: 0 });
    expect(estimate.usd).toBeCloseTo(0.41, 12);
    expect(estimate.maxUsd).toBe(1.3);
  });

  it('prices are data of the profile: another list gives other estimates', () => {
    const own = { ...referencePrices, sandbox: 0.1, tools: { web_search: 0.02, fetch_url: 0 } };
    const { service } = prepared({ profile: { prices: own } });
    const tools = [{ type: 'web_search' }, { type: 'sandbox' }] as const;
    expect(service.research.estimateCost({ model: 'a/b', input: 'q', tools, max_steps: 3 }).usd).toBeCloseTo(
      3 * 0.02 + 0.1,
      12,
    );
  });

  it('prices of the caller go before those of the profile, by any name of a model', () => {
    const models = {
      'answer-pro': { input: 1, output: 2 },
      'pplx-embed-v1-0.6b': { input: 9 },
      'no-model': { input: 5 },
    };
    const open = (profile: 'reference' | 'public', prices: OwnSearchPrices) =>
      createSearchService({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1', profile, prices }).profile.prices;
    const fees = { search: 0.004, web_search: 0.01 };
    const { answers, embeddings, search, tools, sandbox } = open('public', { models, fees });
    const { perRequest } = publicPrices.answers['answer-pro']!;
    expect(answers['answer-pro']).toEqual({ inputPerMillion: 1, outputPerMillion: 2, perRequest });
    expect(embeddings).toEqual({ ...publicPrices.embeddings, 'embed-v1-0.6b': 9 });
    expect({ search, tools, sandbox }).toEqual({
      search: 0.004,
      tools: { web_search: 0.01, fetch_url: publicPrices.tools.fetch_url },
      sandbox: publicPrices.sandbox,
    });
    for (const wrong of [{ fees: { search: -1 } }, { models: { 'answer-pro': { input: Number.NaN } } }])
      expect(() => open('reference', wrong)).toThrow('must be numbers of USD');
  });

  it('knows the most an answer can cost once its length is bounded', () => {
    const { service } = prepared({});
    const request = { model: 'answer-pro', messages, search_context_size: 'medium', max_tokens: 2_000 } as const;
    const { usd, maxUsd, parts } = service.answers.estimateCost(request);
    const input = parts.find(({ name }) => name === 'input')?.quantity ?? 0;
    expect(input).toBeGreaterThanOrEqual(3);
    expect(usd).toBeCloseTo((input * 3 + 1_000 * 15) / 1e6 + 0.01, 12);
    expect(maxUsd).toBeCloseTo((input * 3 + 2_000 * 15) / 1e6 + 0.01, 12);
    expect(service.answers.estimateCost({ ...request, max_tokens: undefined }).maxUsd).toBeUndefined();
  });

  it('research: fees per step, tokens where their price is given', () => {
    expect(estimateResearchCost(referencePrices, { preset: 'pro-search' }).usd).toBeCloseTo(3 * (0.005 + 0.0005), 12);
    const steps = { fast: 1, low: 3, medium: 10, high: 20, xhigh: 20, 'preset of next year': 20 };
    for (const [preset, count] of Object.entries(steps)) {
      expect(estimateResearchCost(referencePrices, { preset }).usd).toBeCloseTo(count * (0.005 + 0.0005), 12);
    }
    expect(estimateResearchCost(referencePrices, { maxSteps: 10, tools: ['web_search'] }).usd).toBeCloseTo(0.05, 12);
    const tokenPrices = { inputPerMillion: 1, outputPerMillion: 5 };
    const estimate = { maxSteps: 1, tools: [], inputTokens: 1_000, outputTokens: 200, tokenPrices };
    expect(estimateResearchCost(referencePrices, estimate).usd).toBeCloseTo(0.002, 12);
    const { service } = prepared({});
    expect(service.research.estimateCost({ model: 'a/b', input: 'q' }).usd).toBe(0);
    expect(
      service.research.estimateCost({ model: 'a/b', input: 'q', tools: [{ type: 'fetch_url' }], max_steps: 4 }).usd,
    ).toBeCloseTo(0.002, 12);
  });

  it('embeddings: by model and profile', () => {
    const input = ['word '.repeat(1_000)];
    const cost = (profile: 'reference' | 'public', model: string, contextual: boolean): number =>
      prepared({ profile }).service.embeddings.estimateCost({ model, input: contextual ? [input] : input } as never)
        .usd;
    expect(cost('reference', 'embed-v1-0.6b', false)).toBeCloseTo(0.004e-3, 12);
    expect(cost('reference', 'embed-context-v1-4b', true)).toBeCloseTo(0.03e-3, 12);
    expect(cost('public', 'embed-context-v1-0.6b', true)).toBeCloseTo(0.008e-3, 12);
    expect(cost('public', 'embed-context-v1-4b', true)).toBeCloseTo(0.05e-3, 12);
    expect(publicPrices.embeddings['embed-v1-4b']).toBe(0.03);
  });

  it("an answer's list price stands in where the service names no cost", async () => {
    const usage = { prompt_tokens: 14, completion_tokens: 12, search_context_size: 'high' };
    const { service } = prepared({}, { choices: [{ message: { content: 'a' } }], usage });
    const { cost } = await service.answers.create({ model: 'answer-base', messages });
    expect(cost).toMatchObject({ source: 'table' });
    expect(cost.usd).toBeCloseTo(26 / 1e6 + 0.012, 12);
  });
});
