import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSettings } from '../../src/cli/config/settings.ts';
import { openServices } from '../../src/cli/services.ts';
import { openIndex } from '../../src/search-index/open-index.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { createMessagesService, publicProfile } from '../../src/wire/messages/index.ts';
import { tempFolder } from '../support/temp.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { toolUser } from '../wire/service/messages/tool-user.ts';
import { type Service, startService } from '../wire/service/service.ts';
import { ingestAll, scoresByOverlap } from './support.ts';

const question = 'At which pressure does the valve open?';

/** An index with one document and the service that `IBID_MESSAGES_PROFILE=public` speaks to. */
async function opened(): Promise<{ service: Service; index: SearchIndex }> {
  const service = await startService({ only: ['messages'], dialect: 'public' });
  const settings = readSettings({
    IBID_MESSAGES_API_KEY: 'test-key',
    IBID_MESSAGES_BASE_URL: service.url,
    IBID_MESSAGES_PROFILE: 'public',
  });
  const clients = await openServices(settings);
  const folder = tempFolder({
    'manual.md': '# Manual\n\nThe valve opens above 45 bar.\n',
    'pump.md': '# Pump\n\nThe pump is water cooled, its pressure is 40 bar.\n',
  });
  const index = await openIndex(join(folder, '.ibid'), { create: true, base: folder, services: clients.services });
  onTestFinished(async () => {
    await index.close();
    await clients[Symbol.asyncDispose]();
    await service.close();
  });
  await ingestAll(index, [folder]);
  return { service, index };
}

/** Names of models in the types of the official client. */
function typedModels(): readonly string[] {
  const main = createRequire(import.meta.url).resolve('@anthropic-ai/sdk');
  const types = readFileSync(join(dirname(main), 'resources/messages/messages.d.ts'), 'utf8');
  const [, union] = /^export type Model = (.+);$/m.exec(types)!;
  return [...union!.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
}

describe('the public profile of the messages service', () => {
  it('names models, default models and prices as the official client and the live service do', () => {
    const known = typedModels();
    expect(known.length).toBeGreaterThan(10);
    const { models, defaults, prices } = publicProfile;
    for (const name of [...Object.keys(models), ...Object.values(defaults)]) expect(known).toContain(name);
    expect(Object.keys(prices)).toEqual(Object.keys(models));
  });

  it('reaches the live service from the environment alone: grounded, reranked, agent', async () => {
    const { service, index } = await opened();
    const asked = () => service.requests.filter(({ path }) => path === '/v1/messages');
    service.messages.model = extractiveAnswerer().model;
    const grounded = await index.ask(question, { mode: 'grounded', budget: 1 });
    expect(grounded.citations.map(({ quote }) => quote)).toContain('The valve opens above 45 bar.');
    expect(grounded.grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    expect(grounded.grounding!.costUsd).toBeGreaterThan(0);

    service.messages.model = (request) =>
      request.format ? scoresByOverlap(request) : extractiveAnswerer().model(request);
    await index.search(question, { rerank: true, budget: 1 });
    service.messages.model = toolUser({
      rounds: [[{ name: 'search_index', input: { query: 'valve' } }]],
      answer: extractiveAnswerer().model,
    });
    const agent = await index.ask(question, { mode: 'agent', budget: 1 });
    expect(agent.citations).not.toEqual([]);

    // the official client sends the same headers and no other model
    const theirs = new Anthropic({
      apiKey: 'test-key',
      authToken: null,
      baseURL: service.url,
      maxRetries: 0,
      defaultHeaders: { 'anthropic-version': publicProfile.version }, // the reference's, not the newest
    });
    const models = [...new Set(asked().map(({ body }) => (body as { model: string }).model))];
    expect(models).toEqual(Object.values(publicProfile.defaults));
    const ours = asked();
    await theirs.messages.create({
      model: models[0]!,
      max_tokens: 10,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    const own = asked().at(-1)!.headers;
    const prefixed = (headers: object): string[] =>
      Object.keys(headers).filter((name) => name.startsWith('anthropic-'));
    for (const { headers, status } of ours) {
      expect(status).toBe(200);
      expect(prefixed(own)).toEqual(expect.arrayContaining(prefixed(headers)));
      expect(Object.keys(headers).filter((name) => name.startsWith('x-service'))).toEqual([]);
    }
  });

  it('takes the names of the reference too, and sends the live ones', async () => {
    const { service, index } = await opened();
    service.messages.model = extractiveAnswerer().model;
    const { grounding } = await index.ask(question, {
      mode: 'grounded',
      model: { model: 'assistant-small-4-5' },
      budget: 1,
    });
    expect(grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    expect(service.messages.received.at(-1)!.body.model).toBe('claude-haiku-4-5');
  });
});

describe('prices of the caller', () => {
  const open = (prices: Parameters<typeof createMessagesService>[0]['prices']) =>
    createMessagesService({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1', profile: 'public', prices });
  const request = { max_tokens: 1000, messages: [{ role: 'user' as const, content: 'x'.repeat(2996) }] };

  it('stand before the profile’s, for a model it does not know and for one by either name', () => {
    const service = open({ 'claude-next-5': { input: 2, output: 10 }, 'assistant-large-4-6': { input: 1, output: 1 } });
    // 1,000 tokens of input at three characters a token (the role is counted too), 1,000 of output
    expect(service.estimateCost({ ...request, model: 'claude-next-5' })!.usd).toBeCloseTo((2 + 10) / 1000, 9);
    expect(service.estimateCost({ ...request, model: 'claude-opus-4-6' })!.usd).toBeCloseTo((1 + 1) / 1000, 9);
    expect(service.estimateCost({ ...request, model: 'claude-haiku-4-5' })!.usd).toBeCloseTo((1 + 5) / 1000, 9);
    expect(service.estimateCost({ ...request, model: 'claude-unknown' })).toBeUndefined();
  });

  it('of a search of the model stand before the reference’s', () => {
    const webSearchUsd = 0.5;
    const cheap = { prices: { 'claude-haiku-4-5': { input: 0, output: 0 } }, webSearchUsd };
    const service = createMessagesService({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1', profile: 'public', ...cheap });
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }] as const;
    expect(service.estimateCost({ ...request, model: 'claude-haiku-4-5', tools })!.usd).toBeCloseTo(1.5, 9);
    const usage = { input_tokens: 1, output_tokens: 1, server_tool_use: { web_search_requests: 2 } };
    expect(service.costOf({ usage, model: 'claude-haiku-4-5' })!.usd).toBeCloseTo(1, 9);
  });

  it.each([{ input: -1, output: 1 }, { input: 1 }, { input: Number.NaN, output: 1 }, null])('refuse %o', (price) => {
    expect(() => open({ model: price as never })).toThrow(/prices\["model"\]/);
  });
});
