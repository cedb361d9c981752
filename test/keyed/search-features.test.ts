import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AskOptions, SearchIndex, WebFilters } from '../../src/index.ts';
import { createSearchService } from '../../src/wire/search/index.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { makeTempFolder } from '../support/temp.ts';
import type { RecordedRequest } from '../wire/service/contract.ts';
import type { SearchScript } from '../wire/service/search/script.ts';
import { type Service, startService } from '../wire/service/service.ts';
import { keyed } from './support.ts';

const question = 'Above which wave height does the Kittiwake stay in harbour?';
const webQuestion = 'How tall is the Harbour Tower?';
const folder = makeTempFolder();

beforeAll(async () => {
  await copyIndex(demo, join(folder, 'index'));
}, 120_000);

async function open(): Promise<{ index: SearchIndex; service: Service; script: SearchScript }> {
  const { service, open: openIndex } = await keyed();
  const index = await openIndex(join(folder, 'index'), { base: demo });
  return { index, service, script: service.search.script };
}

const body = <T>(service: Service): T => service.requests.findLast(({ method }) => method === 'POST')!.body as T;

interface ToolBody {
  readonly type: string;
  readonly config?: object;
  readonly user_location?: object;
}

const dates: WebFilters = {
  publishedAfter: '2026-01-02',
  publishedBefore: '2026-03-04',
  updatedAfter: '2026-05-06',
  updatedBefore: '2026-12-31',
};
const wireDates = {
  search_after_date_filter: '01/02/2026',
  search_before_date_filter: '03/04/2026',
  last_updated_after_filter: '05/06/2026',
  last_updated_before_filter: '12/31/2026',
};

describe('filters of the web are the same everywhere', () => {
  it('in a search, in an answer of the service and in research', async () => {
    const { index, service } = await open();
    const web: WebFilters = { ...dates, domains: ['-example.net'], country: 'DE' };
    await index.search(question, { web: { ...web, languages: ['en', 'de'] } });
    expect(body(service)).toMatchObject({
      ...wireDates,
      search_domain_filter: ['-example.net'],
      search_language_filter: ['en', 'de'],
      country: 'DE',
    });
    await index.ask(webQuestion, { mode: 'answer', web: { ...web, languages: ['en'] } });
    expect(body(service)).toMatchObject({
      ...wireDates,
      search_domain_filter: ['-example.net'],
      search_language_filter: ['en'],
      web_search_options: { user_location: { country: 'DE' } },
    });
    await index.ask(question, { mode: 'research', preset: 'fast-search', web });
    const tool = body<{ tools: ToolBody[] }>(service).tools.find(({ type }) => type === 'web_search');
    expect(tool).toEqual({
      type: 'web_search',
      config: { ...wireDates, search_domain_filter: ['-example.net'] },
      user_location: { country: 'DE' },
    });
    await index.ask(question, { mode: 'research', preset: 'fast-search', web: { recency: 'week' } });
    expect(body<{ tools: ToolBody[] }>(service).tools[0]!.config).toEqual({ search_recency_filter: 'week' });
  });

  it.each<[string, AskOptions, RegExp]>([
    ['a language in research', { mode: 'research', web: { languages: ['de'] } }, /research cannot filter .* language/],
    ['a day that is none', { mode: 'answer', web: { publishedAfter: '2026-02-30' } }, /publishedAfter must be a day/],
    ['a day as the service writes it', { mode: 'answer', web: { updatedBefore: '02/03/2026' } }, /as YYYY-MM-DD/],
    [
      'days the wrong way round',
      { mode: 'research', web: { ...dates, publishedBefore: '2026-01-01' } },
      /is later than/,
    ],
    ['a recency with days', { mode: 'answer', web: { ...dates, recency: 'day' } }, /cannot be combined/],
    ['a country in words', { mode: 'answer', web: { country: 'Germany' } }, /two capitals/],
    ['a chain of models for one answer', { mode: 'answer', model: ['a', 'b'] as never }, /no chain of models/],
    ['too long a chain', { mode: 'research', model: ['a', 'b', 'c', 'd', 'e', 'f'] }, /1 to 5 models/],
    ['an effort of a model that has none', { mode: 'answer', effort: 'high' }, /only the deep model takes an effort/],
    ['an effort that research does not know', { mode: 'research', effort: 'max' as never }, /xhigh, not max/],
    [
      'a function under our name',
      { mode: 'research', functions: { search_index: { handler: () => '' } } },
      /must not be named search_index/,
    ],
  ])('%s is refused with a sentence, and nothing is sent', async (_, options, message) => {
    const { index, service } = await open();
    await expect(index.ask(question, options)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(message),
    });
    expect(service.requests).toEqual([]);
  });

  it('what the service lets through although its day says otherwise is left out', async () => {
    const { index, service } = await open();
    const dated = (published: string) => (given: unknown) => ({
      ...(given as object),
      results: [{ title: 'Tower', url: 'https://a.example/', snippet: 'The Harbour Tower is 330 m.', date: published }],
    });
    const hits = async (published: string): Promise<number> => {
      service.script({ fault: { kind: 'json', edit: dated(published) } });
      const found = await index.search(webQuestion, { web: { publishedAfter: '2026-01-02' } });
      return found.hits.filter(({ origin }) => origin === 'web').length;
    };
    expect([await hits('2025-12-30'), await hits('2026-01-02')]).toEqual([0, 1]);
  });
});

describe('what the answer service gives beside its text', () => {
  it('pictures and further questions, where they are asked for', async () => {
    const { index, service } = await open();
    const plain = await index.ask(webQuestion, { mode: 'answer' });
    expect(plain.grounding).not.toHaveProperty('images');
    expect(plain.grounding).not.toHaveProperty('relatedQuestions');
    const images = { formats: ['png', 'jpg'] } as const;
    const { grounding } = await index.ask(webQuestion, { mode: 'answer', images, relatedQuestions: true });
    expect(body(service)).toMatchObject({ return_images: true, image_format_filter: ['png', 'jpg'] });
    expect(grounding!.relatedQuestions!.length).toBeGreaterThan(0);
    expect(grounding!.images!.length).toBeGreaterThan(0);
    for (const { url, width } of grounding!.images!)
      expect([url, typeof width]).toEqual([expect.stringMatching(/^https:.*\.(?:png|jpg)$/), 'number']);
  });

  it('no picture whose address is none', async () => {
    const { index, service } = await open();
    service.script({
      match: { path: '/chat/completions' },
      fault: {
        kind: 'events',
        edit: (events) =>
          events.map((event) => ({
            ...event,
            data: {
              ...(event.data as object),
              images: [{ image_url: 'javascript:alert(1)' }, { image_url: 'https://a.example/b.png' }, { title: 'x' }],
            },
          })),
      },
    });
    const { grounding } = await index.ask(webQuestion, { mode: 'answer', images: true });
    expect(grounding!.images).toEqual([{ url: 'https://a.example/b.png' }]);
  });
});

describe('research and what it may call', () => {
  it('a function of the caller’s own, with its arguments checked, beside the index', async () => {
    const { index, service, script } = await open();
    script.research = { parallelCalls: true };
    const asked: unknown[] = [];
    const functions = {
      tide_table: {
        description: 'the tide of a day',
        parameters: { type: 'object', properties: { day: { type: 'string' } } },
        handler: (args: unknown) => {
          asked.push(args);
          return { high: '12:04' };
        },
      },
    };
    const events = await Array.fromAsync(index.ask(question, { mode: 'research', preset: 'fast-search', functions }));
    expect(asked).toEqual([{ day: question }]);
    const steps = events.flatMap((event) => (event.type === 'step' ? [event.tool] : []));
    expect(steps).toEqual(expect.arrayContaining(['search_index', 'tide_table']));
    const { input } = body<{ input: { type: string; name?: string; output?: string }[] }>(service);
    expect(input.find(({ type, name }) => type === 'function_call_output' && name === 'tide_table')!.output).toBe(
      '{"high":"12:04"}',
    );
    const last = events.at(-1)!;
    expect(last.type === 'done' && last.answer.citations.length).toBeGreaterThan(0);
  });

  it('a chain of models, of which the first that works answers', async () => {
    const { index, service } = await open();
    const chain = ['provider-b/model-down', 'provider-a/model-y'];
    const { grounding } = await index.ask(question, { mode: 'research', model: chain, maxSteps: 1 });
    expect(body(service)).toMatchObject({ models: chain });
    expect(grounding!.model).toBe('provider-a/model-y');
  });

  it('the sandbox: numbers that stand in the documents are cited, others are named, code and output are shown', async () => {
    const { index, service, script } = await open();
    const code = ['limit = 1.2  # [s1.1]', 'made_up = 7.77  # [s1.1]', 'print(limit * 100)'].join('\n');
    // the passage that holds 1.2 is looked up in what the model was shown
    await index.ask(question, { mode: 'research', preset: 'fast-search', web: false });
    const { input } = body<{ input: { type: string; output?: string }[] }>(service);
    const shown = input.find(({ type }) => type === 'function_call_output')!.output!;
    const [, mark] = /\[(s\d+\.\d+)\][^\n]*1\.2 metres/.exec(shown)!;
    script.research = { sandbox: { code: code.replaceAll('s1.1', mark!), stdout: '120.0\n' }, text: 'It is 120 cm.' };
    service.ledger.clear();
    const answer = await index.ask(question, { mode: 'research', preset: 'fast-search', web: false, sandbox: true });
    const [computation] = answer.grounding!.computations!;
    const { n } = answer.citations.find(({ quote }) => quote.includes('1.2 metres'))!;
    expect(computation).toEqual({
      language: 'python',
      code: code.replaceAll('s1.1', mark!),
      output: '120.0\n',
      errors: '',
      exitCode: 0,
      inputs: [{ value: '1.2', n }],
      unproven: ['7.77', '100'],
    });
    expect(answer.answer).toContain(`Computed from 1.2. [${n}]`);
    expect(answer.grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    expect(service.ledger.totals().usd).toBeGreaterThan(0.03);
  });
});

describe('with the official client as judge', () => {
  it('nothing is sent that its types do not let through', async () => {
    const service = await startService({ only: ['search'], search: { dialect: 'public' } });
    const { open: openIndex } = await keyed();
    // the public dialect under neutral names, which the stand-in knows
    const search = createSearchService({
      apiKey: 'test-search-key',
      baseUrl: service.url,
      profile: { dialect: 'public', models: createModels() },
    });
    try {
      const index = await openIndex(join(folder, 'index'), { base: demo, services: { search } });
      const web = { ...dates, domains: ['example.org'], country: 'DE' };
      await index.search(question, { web: { ...web, languages: ['en'] } });
      await index.search(question, { web: { queries: ['tower', 'harbour'], recency: 'year' } });
      const functions = { tide_table: { description: 'tides', handler: () => 'high' } };
      const research = {
        mode: 'research',
        preset: 'pro-search',
        web,
        sandbox: true,
        functions,
        instructions: 'Write for sailors.',
        language: 'de',
        metadata: { team: 'ops' },
        effort: 'high',
      } as const;
      await index.ask(question, { ...research, history: [{ role: 'user', text: 'Hello.' }] });
      await index.ask(question, { mode: 'research', model: ['provider-a/model-x', 'provider-b/model-z'], maxSteps: 1 });
      const images = { domains: ['example.org'], formats: ['png'] } as const;
      await index.ask(webQuestion, {
        mode: 'answer',
        web: { ...web, languages: ['en'] },
        images,
        relatedQuestions: true,
        searchMode: 'academic',
        language: 'de',
      });
      await index.ask(webQuestion, { mode: 'answer', model: 'answer-deep-research', effort: 'low', pollMs: 2 });
      await judge(service.requests);
    } finally {
      await search.close();
      await service.close();
    }
  }, 120_000);
});

function createModels(): ReturnType<typeof createSearchService>['profile']['models'] {
  return createSearchService({ apiKey: 'x', baseUrl: 'https://a.example' }).profile.models;
}

const typeOf: Readonly<Record<string, string>> = {
  '/v1/responses': 'ResponsesRequestInput',
  '/search': 'ApiSearchRequestInput',
  '/chat/completions': 'ApiChatCompletionsRequestInput',
  '/async/chat/completions': 'AsyncApiChatCompletionsRequestInput',
};

/** Compiles each body as a literal of the client's own type: a field or a value that it does not know is an error. */
async function judge(requests: readonly RecordedRequest[]): Promise<void> {
  const root = join(import.meta.dirname, '../..');
  const types = join(realpathSync(join(root, 'node_modules/@perplexity-ai/perplexity_ai')), 'dist/generated/api.js');
  const posts = requests.filter(({ method }) => method === 'POST');
  const used = [...new Set(posts.map(({ path }) => typeOf[path]!))];
  expect(used.sort()).toEqual(Object.values(typeOf).sort());
  // of the other client's format, which the service accepts: the types of this one leave them out
  const literal = ({ body: sent }: RecordedRequest): string => {
    const { tool_choice: _, metadata: __, ...rest } = sent as { tool_choice?: unknown; metadata?: unknown };
    return JSON.stringify(rest, null, 1);
  };
  const lines = posts.map((request, i) => `export const body${i}: ${typeOf[request.path]} = ${literal(request)};`);
  const head = `import type { ${used.join(', ')} } from ${JSON.stringify(types)};`;
  expect(await compilerErrors(root, [head, ...lines])).toBe('');
  // a judge that lets everything through would be none
  const stray = 'export const stray: ApiSearchRequestInput = { query: "x", search_recency: "day" };';
  expect(await compilerErrors(root, [head, stray])).toContain("'search_recency' does not exist");
}

async function compilerErrors(root: string, lines: readonly string[]): Promise<string> {
  const file = join(mkdtempSync(join(folder, 'judge-')), 'bodies.ts');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'esnext',
    '--module',
    'nodenext',
    '--types',
    '',
  ];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, ...options, file]).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }),
  );
  return stdout;
}
