/**
 * What the official clients send and what this one sends for the same call, field by field. They speak the public
 * dialect with neutral model names, which the stand-in is told to use.
 */
import Perplexity from '@perplexity-ai/perplexity_ai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { referenceModels } from '../../../src/wire/search/index.ts';
import type { RecordedRequest } from '../service/contract.ts';
import { apiKey, loopback } from './loopback.ts';

const profile = { dialect: 'public', models: referenceModels } as const;
const { harness, service: ours } = await loopback({ profile }, { dialect: 'public' });
const theirs = new Perplexity({ apiKey, baseURL: harness.url, maxRetries: 0 });
const openai = new OpenAI({ apiKey, baseURL: `${harness.url}/v1`, maxRetries: 0 });

const sent = ({ method, path, query, body, headers }: RecordedRequest) => ({
  method,
  path,
  query: [...query],
  body,
  authorization: headers.authorization,
  contentType: headers['content-type'],
});

/** Makes both calls and compares what arrived. */
async function same(theirCall: () => PromiseLike<unknown>, ourCall: () => Promise<unknown>): Promise<void> {
  await theirCall();
  await ourCall();
  expect(harness.requests).toHaveLength(2);
  const [their, our] = harness.requests.map(sent);
  expect(our).toEqual(their);
}

const drain = async (stream: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of stream);
};
const messages = [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content: 'How tall is the Harbour Tower?' },
];

describe('the same call is the same request', () => {
  it('answer with options', () => {
    const request = {
      model: 'answer-pro',
      messages,
      max_tokens: 200,
      temperature: 0,
      search_domain_filter: ['-example.net'],
      search_recency_filter: 'year' as const,
      return_images: true,
      image_format_filter: ['png' as const],
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: 'height', schema: { type: 'object' } },
      },
    };
    const user_location = { country: 'DE' };
    const web_search_options = { search_context_size: 'medium' as const, user_location };
    return same(
      () => theirs.chat.completions.create({ ...request, web_search_options }),
      () => ours.answers.create({ ...request, search_context_size: 'medium', web_search_options: { user_location } }),
    );
  });

  it('streamed answer', () => {
    const request = { model: 'answer-pro', messages, stream_mode: 'concise' as const };
    const web_search_options = { search_type: 'pro' as const };
    return same(
      async () => drain(await theirs.chat.completions.create({ ...request, stream: true, web_search_options })),
      async () => drain(await ours.answers.stream({ ...request, search_type: 'pro' })),
    );
  });

  it('queued answer, its poll and the list', async () => {
    const request = { model: 'answer-deep-research', messages, reasoning_effort: 'low' as const };
    const job = await theirs.async.chat.completions.create({ request, idempotency_key: 'k1' });
    await ours.answers.async.create(request, { idempotencyKey: 'k1' });
    await theirs.async.chat.completions.get(job.id ?? '');
    await ours.answers.async.get(job.id ?? '');
    await theirs.async.chat.completions.list();
    await ours.answers.async.list();
    const all = harness.requests.map(sent);
    for (let i = 0; i < 6; i += 2) expect(all[i + 1]).toEqual({ ...all[i], contentType: all[i + 1]?.contentType });
    expect(all[1]?.contentType).toBe(all[0]?.contentType);
  });

  it('research with tools, by both official clients', async () => {
    const tools = [
      { type: 'web_search' as const, filters: { search_domain_filter: ['example.org'] }, max_tokens: 4_000 },
      { type: 'fetch_url' as const, max_urls: 2 },
      {
        type: 'function' as const,
        name: 'local_lookup',
        description: 'search local docs',
        strict: true,
        parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
      },
    ];
    const request = {
      model: 'provider-a/model-x',
      input: 'Find the limit',
      instructions: 'Be brief.',
      tools,
      max_output_tokens: 300,
    };
    await same(
      () => theirs.responses.create(request),
      () => ours.research.create({ ...request, max_output_tokens: undefined, max_tokens: 300 }),
    );
    harness.clear();
    // The tool types of that client are its own service's; these go through it untouched.
    await same(
      () => openai.responses.create(request as never),
      () => ours.research.create(request),
    );
  });

  it('streamed research', () =>
    same(
      async () => drain(await theirs.responses.create({ preset: 'fast-search', input: 'tower', stream: true })),
      async () => drain(await ours.research.stream({ preset: 'fast-search', input: 'tower' })),
    ));

  it('background run: poll, cancel, files', async () => {
    const run = await theirs.responses.create({ preset: 'fast-search', input: 'tower', background: true });
    await ours.research.create({ preset: 'fast-search', input: 'tower', background: true });
    await theirs.responses.retrieve(run.id);
    await ours.research.get(run.id);
    await theirs.responses.files.list(run.id);
    await ours.research.files(run.id);
    const all = harness.requests.map(sent);
    for (let i = 0; i < 6; i += 2) expect(all[i + 1]).toEqual({ ...all[i], contentType: all[i + 1]?.contentType });
    const cancelled = await theirs.responses.create({ preset: 'fast-search', input: 'tower', background: true });
    const other = await ours.research.create({ preset: 'fast-search', input: 'tower', background: true });
    harness.clear();
    await theirs.responses.cancel(cancelled.id);
    await ours.research.cancel(other.id);
    const paths = harness.requests.map(({ method, path, body }) => [method, path.replace(/resp_\d+/, '*'), body]);
    expect(paths[1]).toEqual(paths[0]);
  });

  it('a run heard again from an event on', async () => {
    const { id } = await ours.research.create({ preset: 'fast-search', input: 'tower', background: true });
    harness.clear();
    await drain(await openai.responses.retrieve(id, { stream: true, starting_after: 2 }));
    await drain(await ours.research.resume(id, { startingAfter: 2 }));
    const [their, our] = harness.requests.map(sent);
    expect(our).toEqual({ ...their, contentType: our?.contentType });
  });

  it('a file of a run', async () => {
    await theirs.responses.files.content('f_1', { response_id: 'resp_1' }).catch(() => undefined);
    await ours.research.fileContent('resp_1', 'f_1').catch(() => undefined);
    const [their, our] = harness.requests.map(sent);
    expect(our).toEqual({ ...their, contentType: our?.contentType });
  });

  it('models', async () => {
    await openai.models.list();
    await ours.models();
    const [their, our] = harness.requests.map(sent);
    expect(our).toEqual({ ...their, contentType: our?.contentType });
  });

  it('search', () => {
    const request = {
      query: ['tower', 'bees'],
      max_results: 3,
      country: 'DE',
      search_domain_filter: ['-example.net'],
    };
    return same(
      () => theirs.search.create(request),
      () => ours.search(request, { several: 'together' }),
    );
  });

  // The official types list the public names of models only.
  it('embeddings', () => {
    const request = { model: 'embed-v1-4b' as never, input: ['a', 'b'], dimensions: 256 };
    return same(
      () => theirs.embeddings.create({ ...request, encoding_format: 'base64_int8' }),
      () => ours.embeddings.create(request),
    );
  });

  it('contextual embeddings', () => {
    const request = {
      model: 'embed-context-v1-0.6b' as never,
      input: [['a', 'b'], ['c']],
      encoding_format: 'base64_binary' as const,
    };
    return same(
      () => theirs.contextualizedEmbeddings.create(request),
      () => ours.embeddings.contextual(request),
    );
  });
});
