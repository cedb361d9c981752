import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import Perplexity from '@perplexity-ai/perplexity_ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openIndex, type SearchIndex } from '../../src/index.ts';
import { documentFilter } from '../../src/serve/dialects/filters.ts';
import { type RunningServer, serve } from '../../src/serve.ts';
import { fakeEmbedder } from '../../src/testing.ts';
import { makeTempFolder, tempFolder, writeFiles } from '../support/temp.ts';
import { call, docs, madeIndex, started } from './support.ts';

const question = 'Who is the harbour master?';

describe('the official clients, with the base address changed and nothing else', () => {
  const folder = makeTempFolder();
  let index: SearchIndex;
  let server: RunningServer;
  let openai: OpenAI;
  let perplexity: Perplexity;
  beforeAll(async () => {
    writeFiles(folder, {
      ...docs,
      'old/harbour.md': '---\ndate: 2019-03-01\nlanguage: en\n---\nThe harbour was dredged in spring.\n',
      'new/harbour.md': '---\ndate: 2024-03-01\nlanguage: de\n---\nThe harbour was dredged again.\n',
    });
    index = await openIndex(join(folder, '.ibid'), { create: true });
    await index.ingest(folder);
    server = await serve({ indexes: index, port: 0 });
    openai = new OpenAI({ apiKey: 'any', baseURL: `${server.url}/v1`, maxRetries: 0 });
    perplexity = new Perplexity({ apiKey: 'any', baseURL: server.url, maxRetries: 0 });
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await index.close();
  });

  it('openai: chat completions, whole and streamed, say the same', async () => {
    const messages = [
      { role: 'system' as const, content: 'You are helpful.' },
      { role: 'user' as const, content: question },
    ];
    const whole = await openai.chat.completions.create({ model: 'gpt-4o', messages });
    expect(whole.choices[0]!.message.content).toContain('Ines Okafor');
    expect(whole.model).toBe('gpt-4o');
    const { prompt_tokens, completion_tokens, total_tokens } = whole.usage!;
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    const stream = openai.chat.completions.stream({ model: 'extractive', messages });
    expect((await stream.finalChatCompletion()).choices[0]!.message.content).toBe(whole.choices[0]!.message.content);
    const counted = await openai.chat.completions.create({
      ...{ model: 'extractive', messages, stream: true },
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(counted);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    expect(chunks.slice(0, -1).filter(({ choices, usage }) => choices.length !== 1 || usage)).toEqual([]);
  });

  it('openai: responses, whole and streamed, with citations as annotations of the words they prove', async () => {
    const whole = await openai.responses.create({ model: 'extractive', input: question });
    expect(whole.output_text).toContain('Ines Okafor');
    const [message] = whole.output;
    const [part] = message?.type === 'message' ? message.content : [];
    const [annotation] = part?.type === 'output_text' ? part.annotations : [];
    expect(annotation).toMatchObject({ type: 'url_citation' });
    if (annotation?.type !== 'url_citation') throw new Error('no citation');
    expect(whole.output_text.slice(annotation.start_index, annotation.end_index)).toContain('Ines Okafor');
    const ref = new URL(annotation.url).searchParams.get('ref')!;
    expect((await call(server, `/api/show?ref=${encodeURIComponent(ref)}`)).json.quote).toContain('Ines Okafor');
    const stream = openai.responses.stream({ model: 'extractive', input: [{ role: 'user', content: question }] });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types.at(0)).toBe('response.created');
    expect((await stream.finalResponse()).output_text).toBe(whole.output_text);
  });

  it('openai: embeddings are those of the index, of length 1, in both encodings', async () => {
    const input = ['the harbour', 'rapeseed oil'];
    let embedded = 0;
    const { embedQuery, ...rest } = fakeEmbedder();
    const embedder = {
      ...rest,
      embedQuery: async (query: string) => {
        embedded++;
        return await embedQuery(query);
      },
    };
    await using small = await openIndex(join(tempFolder(), 'index'), { create: true, embedder });
    await small.add([{ uri: 'note:1', text: 'The lamp burns rapeseed oil.' }]);
    await using other = await serve({ indexes: small, port: 0 });
    const client = new OpenAI({ apiKey: 'any', baseURL: `${other.url}/v1`, maxRetries: 0 });
    const coded = await client.embeddings.create({ model: 'any', input });
    const plain = await client.embeddings.create({ model: 'any', input, encoding_format: 'float' });
    const own = await small.embed(input);
    for (const [i, { embedding }] of coded.data.entries()) {
      const norm = Math.hypot(...own[i]!) || 1;
      expect(embedding).toHaveLength(own[i]!.length);
      const unit = Array.from(own[i]!, (component) => Math.fround(component / norm));
      expect([...embedding]).toEqual(unit);
      expect(plain.data[i]!.embedding).toEqual(unit);
    }
    expect(Math.hypot(...coded.data[0]!.embedding)).toBeCloseTo(1, 5);
    const before = embedded;
    await expect(client.embeddings.create({ model: 'any', input, dimensions: 7 })).rejects.toMatchObject({
      status: 400,
    });
    expect(embedded).toBe(before); // with a service it would have been paid
    expect((await client.embeddings.create({ model: 'any', input, dimensions: own[0]!.length })).data).toHaveLength(2);
  });

  it('openai: models are the modes that may be used, and the embedder', async () => {
    const models = await Array.fromAsync(openai.models.list());
    expect(models.map(({ id }) => id)).toEqual(['extractive', 'ibid-embedder']);
    expect(await openai.models.retrieve('extractive')).toMatchObject({ id: 'extractive', object: 'model' });
    await expect(openai.models.retrieve('gpt-4o')).rejects.toMatchObject({ status: 404 });
  });

  it('openai: a conversation goes on in which another model called a tool', async () => {
    const calls = [{ id: 'call_1', type: 'function' as const, function: { name: 'clock', arguments: '{}' } }];
    const messages = [
      { role: 'user' as const, content: 'What time is it?' },
      { role: 'assistant' as const, tool_calls: calls },
      { role: 'tool' as const, tool_call_id: 'call_1', content: '12:00' },
      { role: 'assistant' as const, content: 'It is noon.' },
      { role: 'user' as const, content: question },
    ];
    const { choices } = await openai.chat.completions.create({ model: 'extractive', messages });
    expect(choices[0]!.message.content).toContain('Ines Okafor');
    const output = { type: 'function_call_output' as const, call_id: 'call_1', output: '12:00' };
    const input = [
      { role: 'user' as const, content: 'What time is it?' },
      { type: 'function_call' as const, call_id: 'call_1', name: 'clock', arguments: '{}' },
      output,
      { role: 'user' as const, content: question },
    ];
    expect((await openai.responses.create({ model: 'extractive', input })).output_text).toContain('Ines Okafor');
  });

  it('openai: errors are read as errors of the dialect', async () => {
    const create = (messages: never[]): Promise<unknown> => openai.chat.completions.create({ model: 'x', messages });
    await expect(create([])).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_ARGUMENT',
      type: 'invalid_request_error',
    });
    const paid = openai.chat.completions.create({ model: 'grounded', messages: [{ role: 'user', content: question }] });
    await expect(paid).rejects.toMatchObject({ status: 403 });
  });

  it('bound questions in every dialect, and not what was said before', async () => {
    await using strict = await serve({ indexes: index, port: 0, limits: { questionChars: 40 } });
    const long = { role: 'user', content: `${question} `.repeat(3) };
    const short = { role: 'user', content: question };
    const asked: [string, object, number][] = [
      ['/v1/chat/completions', { messages: [long] }, 400],
      ['/chat/completions', { messages: [long], stream: true }, 400],
      ['/v1/responses', { input: long.content }, 400],
      ['/search', { query: [question, long.content] }, 400],
      ['/v1/chat/completions', { messages: [long, { role: 'assistant', content: long.content }, short] }, 200],
      ['/v1/responses', { input: question }, 200],
      ['/search', { query: [question] }, 200],
    ];
    for (const [path, json, status] of asked) {
      const answered = await call(strict, path, { json });
      expect([path, answered.status], JSON.stringify(json)).toEqual([path, status]);
      if (status === 400) expect(answered.json.error.message).toContain('allowed are 40');
    }
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ask', arguments: { question: long.content } },
    };
    const answered = await call(strict, '/mcp', { json: message });
    expect([answered.status, answered.json.error.message]).toEqual([400, expect.stringContaining('allowed are 40')]);
  });

  it('let questions be as long as the server allows, and describe that', async () => {
    await using wide = await serve({ indexes: index, port: 0, limits: { questionChars: 6000 } });
    const long = `${question} ${'x'.repeat(5000)}`;
    const asked: [string, object][] = [
      ['/api/search', { query: long }],
      ['/api/ask', { question: long }],
      ['/search', { query: [long] }],
      ['/v1/chat/completions', { messages: [{ role: 'user', content: long }] }],
    ];
    for (const [path, json] of asked) expect([path, (await call(wide, path, { json })).status]).toEqual([path, 200]);
    const tooLong = await call(wide, '/api/search', { json: { query: 'x'.repeat(6001) } });
    expect([tooLong.status, tooLong.json.error.message]).toEqual([400, expect.stringContaining('allowed are 6000')]);
    const { json } = await call(wide, '/openapi.json', {});
    expect(JSON.stringify(json)).toContain('"maxLength":6000');
  });

  it('search service: raw search, one query and several, with its filters', async () => {
    const found = await perplexity.search.create({ query: 'rapeseed oil', max_results: 2 });
    expect(found.results[0]).toMatchObject({ title: 'The lighthouse', snippet: expect.stringContaining('rapeseed') });
    expect(new URL(found.results[0]!.url).searchParams.get('ref')).toMatch(/^docs\/lighthouse\.md#/);
    const urls = async (filter: object): Promise<string[]> => {
      const { results } = await perplexity.search.create({
        query: ['harbour dredged', 'harbour'],
        max_results: 20,
        ...filter,
      });
      return [...new Set(results.map(({ url }) => new URL(url).searchParams.get('ref')!.split('#')[0]!))].sort();
    };
    expect(await urls({})).toEqual(expect.arrayContaining(['docs/harbour.txt', 'new/harbour.md', 'old/harbour.md']));
    expect(await urls({ search_domain_filter: ['old', 'new'] })).toEqual(['new/harbour.md', 'old/harbour.md']);
    expect(await urls({ search_domain_filter: ['-docs'] })).toEqual(['new/harbour.md', 'old/harbour.md']);
    expect(await urls({ search_after_date_filter: '3/1/2024' })).toEqual(['new/harbour.md']);
    expect(await urls({ search_before_date_filter: '03/01/2019' })).toEqual(['old/harbour.md']);
    expect(await urls({ search_language_filter: ['de'] })).toEqual(['new/harbour.md']);
    expect(await urls({ search_recency_filter: 'hour' })).toEqual([]);
    await expect(urls({ search_after_date_filter: '2024-01-01' })).rejects.toMatchObject({ status: 400 });
    await expect(urls({ search_domain_filter: ["x' OR '1'='1"] })).resolves.toEqual([]);
  });

  it('search service: answers with citations by number and search results, whole and streamed', async () => {
    const messages = [{ role: 'user' as const, content: question }];
    const whole = await perplexity.chat.completions.create({ model: 'sonar', messages });
    const { content } = whole.choices[0]!.message;
    expect(content).toMatch(/Ines Okafor.*\[1\]/s);
    expect(new URL(whole.citations![0]!).searchParams.get('ref')).toMatch(/^docs\/harbour\.txt#/);
    expect(whole.search_results![0]).toMatchObject({
      url: whole.citations![0],
      snippet: expect.stringContaining('Ines Okafor'),
    });
    const stream = await perplexity.chat.completions.create({ model: 'sonar', messages, stream: true });
    let text = '';
    let citations: readonly string[] | null | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta?.content ?? '';
      citations = chunk.citations ?? citations;
    }
    expect(text).toBe(content);
    expect(citations).toEqual(whole.citations);
  });
});

it('addresses of sources are those of the proxy before the server', async () => {
  const server = await started({ indexes: (await madeIndex()).index, hosts: ['search.example'] });
  const urlFor = async (more: Record<string, string>): Promise<string> => {
    const body = JSON.stringify({ query: 'harbour master' });
    const headers = { host: 'search.example', 'content-type': 'application/json', ...more };
    const request = httpRequest(`${server.url}/search`, { method: 'POST', headers });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return ((await json(response)) as { results: { url: string }[] }).results[0]!.url;
  };
  expect(await urlFor({})).toMatch(/^http:\/\/search\.example\/source\?/);
  expect(await urlFor({ 'x-forwarded-proto': 'https' })).toMatch(/^https:\/\/search\.example\/source\?/);
});

it('a source without a title is called by its address, in every dialect', async () => {
  const { index } = await madeIndex({});
  await index.add([{ uri: 'note:7', text: 'The bellringer of Wick is Una Moss.' }]);
  const server = await started({ indexes: index });
  const input = 'Who is the bellringer of Wick?';
  const answered = async (path: string, body: object) => (await call(server, path, { json: body })).json;
  const chat = await answered('/v1/chat/completions', { messages: [{ role: 'user', content: input }] });
  const { output } = await answered('/v1/responses', { input });
  const { results } = await answered('/search', { query: 'bellringer' });
  const list = await answered('/mcp', { jsonrpc: '2.0', id: 1, method: 'resources/list' });
  const titles = [chat.search_results[0], output[0].content[0].annotations[0], results[0], list.result.resources[0]];
  expect(titles.map(({ title }) => title)).toEqual(['note:7', 'note:7', 'note:7', 'note:7']);
});

describe('filters of the search service', () => {
  it('bind their values, and say nothing where there is none', () => {
    expect(documentFilter({})).toBeUndefined();
    expect(documentFilter({ search_domain_filter: null, search_recency_filter: null })).toBeUndefined();
    expect(documentFilter({ search_language_filter: ["d'e"] })).toBe("(metadata.language IN ('d''e'))");
  });

  it('refuse a day that no calendar has: nothing would be found, and nothing said why', () => {
    for (const date of ['25/12/2026', '13/45/2026', '02/30/2026', '0/1/2026', '2/29/2025'])
      expect(() => documentFilter({ search_after_date_filter: date }), date).toThrow('MM/DD/YYYY');
    expect(documentFilter({ last_updated_before_filter: '2/29/2024' })).toContain('2024-02-29');
  });

  it('compare days, also of mails, and find nothing by a date that is not written as one', async () => {
    const mail = (date: string, word: string): string =>
      `From: a@b.example\nTo: c@d.example\nDate: ${date}\nSubject: ${word}\n\nThe ferry report says ${word}.\n`;
    const { index } = await madeIndex({
      'old.eml': mail('Sun, 17 Nov 2024 04:10:22 +0000', 'stormy'),
      'new.eml': mail('Mon, 30 Jun 2025 09:15:00 +0100', 'calm'),
      'note.md': '---\ndate: 2025-01-15\n---\nThe ferry report says fog.\n',
      'odd.md': '---\ndate: Easter of 2025\n---\nThe ferry report says ice.\n',
      'late.md': '---\ndate: (2025)\n---\nThe ferry report says hail.\n',
    });
    const server = await started({ indexes: index });
    const found = async (filter: object): Promise<string[]> => {
      const { json } = await call(server, '/search', { json: { query: 'ferry report', ...filter } });
      const results = json.results as { url: string; date: string | null }[];
      return results.map(({ url, date }) => `${new URL(url).searchParams.get('ref')!.split('#')[0]} ${date}`).sort();
    };
    const all = ['late.md null', 'new.eml 2025-06-30', 'note.md 2025-01-15', 'odd.md null', 'old.eml 2024-11-17'];
    expect(await found({})).toEqual(all);
    expect(await found({ search_after_date_filter: '1/1/2025' })).toEqual([all[1], all[2]]);
    expect(await found({ search_before_date_filter: '1/15/2025' })).toEqual([all[2], all[4]]);
    expect(await found({ search_recency_filter: 'day' })).toEqual([]);
  });
});
