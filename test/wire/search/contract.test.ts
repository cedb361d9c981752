import { describe, expect, it } from 'vitest';
import {
  createSearchService,
  publicProfile,
  type SearchOperationName,
  searchOperationNames,
} from '../../../src/wire/search/index.ts';
import { serve } from '../service/harness.ts';
import { defaultModels } from '../service/search/context.ts';
import { searchService } from '../service/search/search-service.ts';
import { examples } from './examples.ts';
import { apiKey, loopback } from './loopback.ts';

const { harness: seen, service, script } = await loopback({ experimental: { sandbox: true } });

/** Method and path of every request of the test, ids masked. */
const asked = (): string[] => seen.requests.map(({ method, path }) => `${method} ${path.replace(/\w+_\d+/g, '*')}`);

/** What must be true of an example's result, and the requests it may send (the last ones count). */
const contracts: Readonly<
  Record<SearchOperationName | 'research.wait' | 'runResearch', { requests: string[]; check: (result: never) => void }>
> = {
  'answers.create': {
    requests: ['POST /chat/completions'],
    check({ answer, cited }: { answer: { text: string; cost: { usd: number; source: string } }; cited: string[] }) {
      expect(answer.text).toMatch(/330 metres tall\.\[1\]/);
      expect(cited[0]).toBe('[1] https://example.org/tower');
      expect(answer.cost).toMatchObject({ source: 'service' });
      expect(answer.cost.usd).toBeCloseTo(seen.ledger.totals().usd, 10);
      expect(answer.cost.usd).toBeGreaterThan(0.005);
    },
  },
  'answers.stream': {
    requests: ['POST /chat/completions'],
    check({ text, cost }: { text: string; cost: { usd: number } }) {
      expect(text).toMatch(/330 metres tall\.\[1\]/);
      expect(cost.usd).toBeCloseTo(seen.ledger.totals().usd, 10);
    },
  },
  'answers.async.create': {
    requests: ['POST /async/chat/completions', ...new Array(2).fill('GET /async/chat/completions/*')],
    check(answer: { text: string; reasoning: string }) {
      expect(answer.reasoning.length).toBeGreaterThan(0);
      expect(answer.text).not.toContain('think>');
      expect(seen.requests[0]?.body).toMatchObject({ idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    },
  },
  'answers.async.get': {
    requests: ['GET /async/chat/completions/*'],
    check: (result: unknown) => expect(result).toEqual({ status: 'IN_PROGRESS', answer: undefined }),
  },
  'answers.async.list': {
    requests: ['GET /async/chat/completions'],
    check({ requests }: { requests: { id: string; status: string }[] }) {
      expect(requests.map(({ status }) => status)).toEqual(['COMPLETED', 'IN_PROGRESS']);
    },
  },
  'research.create': {
    requests: ['POST /v1/responses'],
    check({ outputText, sources, cost }: { outputText: string; sources: { url: string }[]; cost: { usd: number } }) {
      expect(outputText).toMatch(/330 metres tall/);
      expect(sources.length).toBeGreaterThan(0);
      expect(sources.map(({ url }) => new URL(url).hostname.endsWith('example.org'))).not.toContain(false);
      expect(cost.usd).toBeCloseTo(seen.ledger.totals().usd, 10);
    },
  },
  runResearch: {
    requests: ['POST /v1/responses', 'POST /v1/responses'],
    check({ outputText, rounds }: { outputText: string; rounds: { results: { output: string; error: unknown }[] }[] }) {
      expect(rounds.map(({ results }) => results.length)).toEqual([1, 0]);
      expect(rounds[0]?.results[0]).toMatchObject({
        error: undefined,
        output: expect.stringContaining('"metres":330'),
      });
      expect(outputText).toContain('330');
    },
  },
  'research.stream': {
    requests: ['POST /v1/responses'],
    check: (text: string) => expect(text).toMatch(/330 metres tall.* \(\d+ sources\)$/s),
  },
  'research.get': {
    requests: ['GET /v1/responses/*'],
    check: (result: unknown) => expect(result).toEqual({ status: 'queued', outputText: '' }),
  },
  'research.wait': {
    requests: ['POST /v1/responses', ...new Array(3).fill('GET /v1/responses/*')],
    check: (run: { status: string; outputText: string }) => {
      expect(run.status).toBe('completed');
      expect(run.outputText).toMatch(/metres tall/);
    },
  },
  'research.resume': {
    requests: ['GET /v1/responses/*'],
    check(run: { status: string; outputText: string }) {
      expect(run.status).toBe('completed');
      expect(run.outputText).toMatch(/metres tall/);
      expect(Object.fromEntries(seen.requests.at(-1)!.query)).toEqual({ stream: 'true', starting_after: '2' });
    },
  },
  'research.cancel': {
    requests: ['POST /v1/responses/*/cancel', 'GET /v1/responses/*'],
    check: (status: string) => expect(status).toBe('cancelled'),
  },
  'research.files': {
    requests: ['GET /v1/responses/*/files'],
    check: (files: unknown) => expect(files).toMatchObject([{ filename: 'table.csv', bytes: 8 }]),
  },
  'research.fileContent': {
    requests: ['GET /v1/responses/*/files/*/content'],
    check: (content: string) => expect(content).toBe('a,b\n1,2\n'),
  },
  search: {
    requests: ['POST /search', 'POST /search'],
    check({
      results,
      queries,
    }: {
      results: { page: { url: string }; found: unknown[] }[];
      queries: { query: string; results: { url: string }[] }[];
    }) {
      expect(queries.map(({ query }) => query)).toEqual(['tower tall', 'honey winter']);
      expect(queries[0]?.results[0]?.url).toBe('https://example.com/heights');
      expect(queries[1]?.results[0]?.url).toBe('https://example.org/bees');
      expect(results.slice(0, 2).map(({ page, found }) => [page.url, found[0]])).toEqual([
        ['https://example.com/heights', { query: 0, rank: 1 }],
        ['https://example.org/bees', { query: 1, rank: 1 }],
      ]);
    },
  },
  'embeddings.create': {
    requests: ['POST /v1/embeddings'],
    check({ vectors, cost }: { vectors: Int8Array[]; cost: { usd: number } }) {
      expect(vectors.map((vector) => [vector.constructor.name, vector.length])).toEqual([
        ['Int8Array', 256],
        ['Int8Array', 256],
      ]);
      expect(cost.usd).toBeCloseTo(seen.ledger.totals().usd, 12);
    },
  },
  'embeddings.contextual': {
    requests: ['POST /v1/contextualizedembeddings'],
    check({ vectors, bits }: { vectors: Uint8Array[][]; bits: Uint8Array }) {
      expect(vectors.map((document) => document.length)).toEqual([2, 1]);
      expect(bits).toBeInstanceOf(Uint8Array);
      expect(bits).toHaveLength(2560 / 8);
    },
  },
  models: {
    requests: ['GET /v1/models'],
    check: (models: { id: string }[]) => expect(models.map(({ id }) => id)).toEqual(defaultModels.research),
  },
  'sandbox.create': {
    requests: ['POST /v1/sandbox/sessions'],
    check: (session: unknown) => expect(session).toMatchObject({ status: 'running', network_enabled: false }),
  },
  'sandbox.get': {
    requests: ['GET /v1/sandbox/sessions/*'],
    check: (status: string) => expect(status).toBe('running'),
  },
  'sandbox.delete': {
    requests: ['DELETE /v1/sandbox/sessions/*'],
    check: (id: string) => expect(id).toMatch(/^sandbox_/),
  },
  'sandbox.execute': {
    requests: ['POST /v1/sandbox/sessions/*/execute'],
    check(result: unknown) {
      expect(result).toEqual({ stdout: 'hello\n', exit_code: 0 });
      expect(seen.requests.at(-1)?.body).toEqual({ code: 'cHJpbnQoImhlbGxvIik=', language: 'python' });
    },
  },
  'sandbox.pause': {
    requests: ['POST /v1/sandbox/sessions/*/pause', 'GET /v1/sandbox/sessions/*'],
    check: (status: string) => expect(status).toBe('paused'),
  },
  'sandbox.resume': {
    requests: ['POST /v1/sandbox/sessions/*/resume', 'GET /v1/sandbox/sessions/*'],
    check: (status: string) => expect(status).toBe('running'),
  },
  'sandbox.readFile': {
    requests: ['GET /v1/sandbox/sessions/*/files'],
    check: (content: string) => expect(content).toBe('a,b\n'),
  },
  'sandbox.writeFile': {
    requests: ['POST /v1/sandbox/sessions/*/files', 'GET /v1/sandbox/sessions/*/files/list'],
    check: (paths: string[]) => expect(paths).toEqual(['data.csv']),
  },
  'sandbox.listFiles': {
    requests: ['GET /v1/sandbox/sessions/*/files/list'],
    check: (entries: unknown) => expect(entries).toEqual([{ path: 'data.csv', size: 4, type: 'file' }]),
  },
  'sandbox.modifiedFiles': {
    requests: ['GET /v1/sandbox/sessions/*/files/modified'],
    check: (paths: unknown) => expect(paths).toEqual(['data.csv']),
  },
  'sandbox.processes': {
    requests: ['GET /v1/sandbox/sessions/*/processes'],
    check: (processes: unknown) => expect(processes).toMatchObject([{ command: 'sleep 60', status: 'running' }]),
  },
  'sandbox.process': {
    requests: ['GET /v1/sandbox/sessions/*/processes/*'],
    check: (process: unknown) => expect(process).toEqual({ command: 'sleep 60', status: 'running' }),
  },
  'sandbox.kill': {
    requests: ['DELETE /v1/sandbox/sessions/*/processes/*', 'GET /v1/sandbox/sessions/*/processes'],
    check: (processes: unknown) => expect(processes).toEqual([]),
  },
};

describe('every operation works against the strict loopback service', () => {
  for (const [name, { requests, check }] of Object.entries(contracts)) {
    it(name, async () => {
      script.research = { files: [{ filename: 'table.csv', content: 'a,b\n1,2\n' }] };
      if (name.startsWith('answers.async')) script.answer = { polls: 1 };
      const result = await examples[name as SearchOperationName](service);
      expect(asked().slice(-requests.length)).toEqual(requests);
      expect(seen.requests.every(({ headers }) => headers.authorization === `Bearer ${apiKey}`)).toBe(true);
      check(result as never);
    });
  }

  it('has a contract and an example for every row of the operation table', () => {
    for (const name of searchOperationNames) expect(Object.keys(contracts)).toContain(name);
    expect(Object.keys(examples).sort()).toEqual(Object.keys(contracts).sort());
  });
});

describe('the public dialect', () => {
  it('sends its own names and spellings, which a service of that dialect takes', async () => {
    const models = {
      ...defaultModels,
      answer: {
        base: 'sonar',
        pro: 'sonar-pro',
        reasoningPro: 'sonar-reasoning-pro',
        deepResearch: 'sonar-deep-research',
      },
      embedding: { small: 'pplx-embed-v1-0.6b', large: 'pplx-embed-v1-4b' },
      contextual: { small: 'pplx-embed-context-v1-0.6b', large: 'pplx-embed-context-v1-4b' },
    };
    await using other = await serve([searchService({ dialect: 'public', models })]);
    await using client = createSearchService({ apiKey, baseUrl: other.url, profile: 'public', maxRetries: 0 });
    for (const name of [
      'answers.create',
      'answers.stream',
      'research.create',
      'search',
      'embeddings.contextual',
    ] as const) {
      await examples[name](client);
    }
    await client.research.create({ preset: 'fast-search', input: 'tower', max_tokens: 500 });
    expect(other.requests.at(-1)?.body).toEqual({ preset: 'fast-search', input: 'tower', max_output_tokens: 500 });
    expect(other.requests.every(({ status }) => status === 200)).toBe(true);
    expect(publicProfile.models.every(({ wireName, name }) => wireName !== name)).toBe(true);
  });

  it('is refused by a service of the reference dialect: the two are never mixed', async () => {
    await using client = createSearchService({ apiKey, baseUrl: seen.url, profile: 'public', maxRetries: 0 });
    const call = client.research.create({ preset: 'fast-search', input: 'tower', max_tokens: 500 });
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_REJECTED', param: 'max_output_tokens' });
  });
});
