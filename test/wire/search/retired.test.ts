import { beforeEach, describe, expect, it } from 'vitest';
import { type AnswerRequest, createSearchService } from '../../../src/wire/search/index.ts';
import { serve } from '../service/harness.ts';
import { searchService } from '../service/search/search-service.ts';
import { loopback } from './loopback.ts';

const { harness, service, script } = await loopback();

const request: AnswerRequest = {
  model: 'answer-pro',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'How tall is the Harbour Tower?' }] },
  ],
  max_tokens: 500,
  search_domain_filter: ['example.org'],
  return_related_questions: true,
};

describe('a retired answer operation', () => {
  beforeEach(() => {
    script.answer = { retired: true };
  });

  it.each(['create', 'stream'] as const)('%s: is an error of its own', async (method) => {
    const error = { code: 'OPERATION_RETIRED', status: 403, type: 'chat_completions_not_available', retryable: false };
    await expect(service.answers[method](request)).rejects.toMatchObject(error);
    await expect(service.answers.async.create(request)).rejects.toMatchObject(error);
  });

  it('lets research answer on demand, marked as such', async () => {
    const answer = await service.answers.create(request, { onRetired: 'research' });
    expect(answer).toMatchObject({
      via: 'research',
      text: expect.stringMatching(/330 metres tall/),
      finishReason: 'stop',
    });
    expect(answer.citations.length).toBeGreaterThan(0);
    expect(answer.notes).toEqual([
      'the answer operation is retired: research answered (pro-search)',
      'return_related_questions has no place in research and was left out',
    ]);
    expect(harness.requests.map(({ path, status }) => [path, status])).toEqual([
      ['/chat/completions', 403],
      ['/v1/responses', 200],
    ]);
    expect(harness.requests[1]?.body).toEqual({
      preset: 'pro-search',
      input: [
        { type: 'message', role: 'system', content: 'Be brief.' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'How tall is the Harbour Tower?' }] },
      ],
      tools: [{ type: 'web_search', config: { search_domain_filter: ['example.org'] } }, { type: 'fetch_url' }],
      max_tokens: 500,
    });
    expect(answer.cost.usd).toBeCloseTo(harness.ledger.totals('responses').usd, 10);
  });

  it('streams the same answer', async () => {
    const fallback = { model: 'provider-a/model-x' };
    const whole = await service.answers.create(request, { onRetired: fallback });
    const stream = await service.answers.stream(request, { onRetired: fallback });
    let text = '';
    for await (const event of stream) if (event.type === 'text') text += event.text;
    expect(text).toBe(whole.text);
    expect(await stream.final()).toMatchObject({ via: 'research', text, sources: whole.sources });
    expect(harness.requests.at(-1)?.body).toMatchObject({
      tool_choice: { type: 'web_search' },
      max_steps: 3,
      stream: true,
    });
  });

  it('says which wishes of a search research has no place for', async () => {
    const left = async (fields: object): Promise<readonly string[]> => {
      const stream = await service.answers.stream({ ...request, ...fields }, { onRetired: 'research' });
      return (await stream.final()).notes.filter((note) => /^(search_type|stream_mode|image)/.test(note));
    };
    const note = (field: string): string => `${field} has no place in research and was left out`;
    expect(await left({})).toEqual([]);
    expect(await left({ search_type: 'pro' })).toEqual([note('search_type')]);
    expect(
      await left({
        stream_mode: 'concise',
        web_search_options: { search_type: 'pro', image_results_enhanced_relevance: true },
      }),
    ).toEqual([note('stream_mode'), note('search_type'), note('image_results_enhanced_relevance')]);
  });

  it('asks elsewhere only when the operation is retired', async () => {
    await using other = await serve([searchService()]);
    await using client = createSearchService({
      apiKey: 'wrong-key',
      baseUrl: other.url,
      maxRetries: 0,
      onRetired: 'research',
    });
    await expect(client.answers.create(request)).rejects.toMatchObject({ code: 'KEY_REJECTED' });
    expect(other.requests).toHaveLength(1);
  });

  it('refuses what research has no place for, before it is paid', async () => {
    const file = { type: 'file_url', file_url: { url: 'https://x.example/a.pdf' } } as const;
    const messages = [{ role: 'user', content: [file, { type: 'text', text: 'q' }] }] as const;
    const call = service.answers.create({ model: 'answer-base', messages }, { onRetired: 'research' });
    await expect(call).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('file_url'),
    });
  });
});
