import { join } from 'node:path';
import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSettings } from '../../src/cli/config/settings.ts';
import { webOptions } from '../../src/cli/web.ts';
import { openIndex } from '../../src/search-index/open-index.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { createMessagesService } from '../../src/wire/messages/index.ts';
import { tempFolder } from '../support/temp.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import type { StandIn } from '../wire/service/messages/model.ts';
import { webSearcher } from '../wire/service/messages/web-searcher.ts';
import { type Service, startService } from '../wire/service/service.ts';
import { ingestAll } from './support.ts';

const question = 'How tall is the harbour tower?';
const pages = [
  {
    url: 'https://example.org/tower',
    title: 'Harbour tower',
    sentences: ['The harbour tower is 61 metres tall.', 'It was built in 1903.'],
    age: 'April 30, 2025',
  },
  { url: 'https://example.net/lamp', title: 'Lamp', sentences: ['The lamp of the tower burns oil.'] },
];

/** An index of one document, with a key of the messages service alone. */
async function opened(model: StandIn): Promise<{ service: Service; index: SearchIndex }> {
  const service = await startService({ only: ['messages'], messages: { model } });
  const messages = createMessagesService({ apiKey: 'test-key', baseUrl: service.url });
  const folder = tempFolder({ 'docs/boat.md': '# Boat\n\nThe boat is red and burns 28 litres an hour.\n' });
  const index = await openIndex(join(folder, '.ibid'), { create: true, base: folder, services: { messages } });
  onTestFinished(async () => {
    await index.close();
    await messages.close();
    await service.close();
  });
  await ingestAll(index, [join(folder, 'docs')]);
  return { service, index };
}

describe('the web with a key of the messages service alone', () => {
  it('is searched by its tool, in one list with the index, and billed by search and token', async () => {
    const { service, index } = await opened(webSearcher(pages, extractiveAnswerer().model));
    const { hits, report } = await index.search(question, { web: true, budget: 1 });
    expect(hits.filter(({ origin }) => origin === 'web').map(({ chunk }) => chunk.uri)).toContain(pages[0]!.url);
    expect(hits.find(({ chunk }) => chunk.uri === pages[0]!.url)!.web).toMatchObject({ published: '2025-04-30' });
    expect(report.web).toMatchObject({ status: 'ok', pages: 2 });
    expect(report.web!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    expect(report.web!.costUsd).toBeGreaterThan(0.01);
    const { body } = service.messages.received[0]!;
    expect(body.model).toBe('assistant-small-4-5');
    const theirs: Anthropic.WebSearchTool20250305 = { type: 'web_search_20250305', name: 'web_search', max_uses: 1 };
    expect(body.tools).toEqual([theirs]);
    // no word of a document is sent
    expect(JSON.stringify(body)).not.toContain('litres');
  });

  it('gives citations that are proven against what was read, and kept', async () => {
    const { index } = await opened(webSearcher(pages, extractiveAnswerer({ sentences: 1 }).model));
    const answer = await index.ask(question, { mode: 'grounded', web: true });
    const [citation] = answer.citations;
    expect(citation).toMatchObject({
      uri: pages[0]!.url,
      origin: 'web',
      quote: 'The harbour tower is 61 metres tall.',
      verified: true,
    });
    const passage = await index.show(citation!.reference);
    expect(passage.quote).toBe(citation!.quote);
    expect(passage.source).toContain('web page');
  });

  it('passes its filters on, and lets nothing through that they exclude', async () => {
    const { service, index } = await opened(webSearcher(pages, extractiveAnswerer().model));
    const web = { domains: ['example.org'], country: 'DE' };
    const { hits } = await index.search(question, { web });
    expect(service.messages.received[0]!.body.tools).toMatchObject([
      { allowed_domains: ['example.org'], user_location: { type: 'approximate', country: 'DE' } },
    ]);
    const uris = hits.flatMap(({ origin, chunk }) => (origin === 'web' ? [chunk.uri] : []));
    expect(new Set(uris)).toEqual(new Set([pages[0]!.url]));
    await index.search(question, { web: { domains: ['-example.org'] } });
    expect(service.messages.received[1]!.body.tools).toMatchObject([{ blocked_domains: ['example.org'] }]);
  });

  it('takes no page that the tool has not found, whatever the model cites', async () => {
    const searcher = webSearcher(pages, extractiveAnswerer().model);
    const forging: StandIn = async (request) => {
      const draft = await searcher(request);
      if (!request.tools.some(({ native }) => native)) return draft;
      const cited_text = 'The tower is 900 metres tall.';
      const forged = {
        type: 'web_search_result_location',
        cited_text,
        url: 'https://evil.test/',
        title: 'x',
        encrypted_index: 'x',
      };
      return {
        ...draft,
        content: [...draft.content, { type: 'text', text: cited_text, citations: [forged as never] }],
      };
    };
    const { index } = await opened(forging);
    const { hits } = await index.search(question, { web: true });
    expect(JSON.stringify(hits)).not.toContain('900');
  });

  it('leaves the hits of the index when the tool fails, and says why', async () => {
    const { index } = await opened(webSearcher({ error: 'unavailable' }, extractiveAnswerer().model));
    const { hits, report } = await index.search('red boat', { web: true });
    expect(hits.map(({ origin }) => origin)).toEqual(['local']);
    expect(report.web!.error?.message).toContain('unavailable');
  });

  it('is refused before it is asked when the budget does not cover it', async () => {
    const { service, index } = await opened(webSearcher(pages, extractiveAnswerer().model));
    const { report } = await index.search('red boat', { web: true, budget: 0.01 });
    expect(report.web).toMatchObject({ status: 'failed', error: { code: 'BUDGET_EXCEEDED' } });
    expect(service.requests).toEqual([]);
  });

  it('is what --web means on the command line without a key of the search service', () => {
    const flags = (environment: Record<string, string>) => ({
      web: true,
      settings: readSettings(environment, tempFolder()),
    });
    expect(webOptions(flags({ IBID_MESSAGES_API_KEY: 'k' }))).toEqual(expect.any(Object));
    expect(() => webOptions(flags({}))).toThrow('--web needs a key');
  });
});
