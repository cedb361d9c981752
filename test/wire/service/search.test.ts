import { describe, expect, it } from 'vitest';
import { countText } from './search/context.ts';
import { type Driven, drive } from './search/drive.ts';
import { hashedEmbedder } from './search/embedder.ts';
import { packSigns } from './search/embeddings.ts';
import { defaultPages } from './search/pages.ts';
import type { Fields } from './shape.ts';

/** What stands at `data.2.index` of a body. */
function pick<T>(body: unknown, path: string): T {
  let value = body;
  for (const key of path.split('.')) value = (value as Fields | undefined)?.[key];
  // The tests say what they expect to find there.
  return value as T;
}

interface Embedded {
  readonly index: number;
  readonly data: readonly Embedded[];
}

const user = (content: string) => [{ role: 'user', content }];
const research = { model: 'provider-a/model-x', input: 'How tall is the Harbour Tower?' };

const cosine = (a: Int8Array, b: Int8Array): number => {
  let dot = 0;
  let squaresA = 0;
  let squaresB = 0;
  a.forEach((value, at) => {
    dot += value * b[at]!;
    squaresA += value * value;
    squaresB += b[at]! * b[at]!;
  });
  return dot / Math.sqrt(squaresA * squaresB);
};

const embed = async (documents: string[][], dimensions = 1024) =>
  hashedEmbedder.embed(documents, { model: 'm', dimensions, nativeDimensions: 1024 });

describe('the stand-in embedder', () => {
  const near = ['The tower is 330 metres tall.', 'How tall is the tower in metres?'];
  const far = 'A colony needs honey to live through a cold winter.';

  it('puts similar texts near each other', async () => {
    const [[a], [b], [c]] = (await embed([[near[0]!], [near[1]!], [far]])) as [Int8Array[], Int8Array[], Int8Array[]];
    expect(cosine(a!, b!)).toBeGreaterThan(0.3);
    expect(Math.abs(cosine(a!, c!))).toBeLessThan(0.2);
  });

  it('gives prefixes for fewer dimensions, and does not normalise', async () => {
    const [[whole]] = (await embed([[far]])) as [[Int8Array]];
    const [[short]] = (await embed([[far]], 128)) as [[Int8Array]];
    expect([...short]).toEqual([...whole.subarray(0, 128)]);
    const norms = (await embed([[near[0]!], [far]])).map(([v]) => Math.hypot(...v!));
    expect(norms[0]).not.toBeCloseTo(norms[1]!, 0);
  });

  it("shows a chunk's document, and the order within it", async () => {
    const [alone, together, swapped] = await embed([[near[0]!], [near[0]!, far, 'Third.'], [near[0]!, 'Third.', far]]);
    const chunk = alone![0]!;
    expect(cosine(chunk, together![0]!)).toBeGreaterThan(0.7);
    expect(cosine(chunk, together![0]!)).toBeLessThan(0.999);
    expect([...together![0]!]).not.toEqual([...swapped![0]!]);
  });

  it('packs signs least significant bit first', () => {
    // Components 0, 3 and 8 are at least 0.
    expect([...packSigns(Int8Array.of(0, -1, -2, 5, -1, -1, -1, -128, 127, -1))]).toEqual([0b1001, 0b1]);
  });
});

describe('the stand-in embeddings operations', () => {
  const contextual = { model: 'embed-context-v1-0.6b', input: [['one', 'two', 'three'], ['four'], ['five', 'six']] };

  it('agrees between int8 and binary, and bills each chunk once', async () => {
    const { send, harness } = await drive();
    const int8 = await send('POST', '/v1/contextualizedembeddings', { ...contextual, dimensions: 128 });
    const binary = await send('POST', '/v1/contextualizedembeddings', {
      ...contextual,
      dimensions: 128,
      encoding_format: 'base64_binary',
    });
    const bytes = Buffer.from(pick<string>(int8.body, 'data.2.data.1.embedding'), 'base64');
    const signs = Buffer.from(pick<string>(binary.body, 'data.2.data.1.embedding'), 'base64');
    expect([...packSigns(new Int8Array(bytes))]).toEqual([...signs]);
    expect(harness.ledger.timesPaid('contextualizedembeddings').get('five')).toBe(2);
    expect(harness.ledger.timesPaid('contextualizedembeddings').size).toBe(6);
    const total = harness.ledger.totals();
    expect(total.inputTokens).toBe(2 * pick<number>(int8.body, 'usage.prompt_tokens'));
    // 0.004 USD per million tokens.
    const cost = (pick<number>(int8.body, 'usage.prompt_tokens') * 0.004) / 1e6;
    expect(pick(int8.body, 'usage.cost.total_cost')).toBeCloseTo(cost, 12);
  });

  it('shuffles, doubles and forgets by script', async () => {
    const { send, service } = await drive();
    const indices = async () => {
      const { body } = await send('POST', '/v1/contextualizedembeddings', contextual);
      return pick<Embedded[]>(body, 'data').map((entry) => [entry.index, entry.data.map(({ index }) => index)]);
    };
    expect(await indices()).toEqual([
      [0, [0, 1, 2]],
      [1, [0]],
      [2, [0, 1]],
    ]);
    service.script.embeddings = { shuffle: true };
    expect(await indices()).toEqual([
      [2, [1, 0]],
      [1, [0]],
      [0, [2, 1, 0]],
    ]);
    service.script.embeddings = { duplicate: true };
    expect((await indices()).map(([index]) => index)).toEqual([0, 1, 0]);
    service.script.embeddings = { missing: true };
    expect(await indices()).toEqual([
      [0, [0, 1]],
      [1, []],
    ]);
  });

  const long = 'word '.repeat(32_001);
  it.each<[string, Fields, string]>([
    ['float vectors', { encoding_format: 'float' }, 'encoding_format'],
    ['plain base64', { encoding_format: 'base64' }, 'encoding_format'],
    ['too few dimensions', { dimensions: 127 }, 'dimensions'],
    ['too many dimensions', { dimensions: 1025 }, 'dimensions'],
    ['bits that fill no byte', { dimensions: 130, encoding_format: 'base64_binary' }, 'dimensions'],
    ['an empty text', { input: ['a', ''] }, 'input[1]'],
    ['no text', { input: [] }, 'input'],
    ['too many texts', { input: Array.from({ length: 513 }, () => 'a') }, 'input'],
    ['a long text', { input: ['a', long] }, 'input[1]'],
    ['too much in all', { input: Array.from({ length: 4 }, () => 'word '.repeat(31_000)) }, 'input'],
    ['an unknown field', { truncate: true }, 'truncate'],
    ['a contextual model', { model: 'embed-context-v1-0.6b' }, 'model'],
  ])('refuses %s', async (_, change, param) => {
    const { send, harness } = await drive();
    const answer = await send('POST', '/v1/embeddings', { model: 'embed-v1-0.6b', input: ['a'], ...change });
    expect([answer.status, pick(answer.body, 'error.param')]).toEqual([400, param]);
    expect(harness.ledger.entries).toEqual([]);
  });

  it('names the place in a list of details by script', async () => {
    const { send } = await drive({ script: { detailErrors: true } });
    const answer = await send('POST', '/v1/embeddings', { model: 'embed-v1-0.6b', input: ['a', ''] });
    expect(answer.status).toBe(422);
    expect(pick(answer.body, 'detail.0.loc')).toEqual(['body', 'input', 1]);
  });

  it('limits chunks and tokens per document', async () => {
    const { send } = await drive();
    const many = await send('POST', '/v1/contextualizedembeddings', {
      ...contextual,
      input: [Array.from({ length: 16_001 }, () => 'a')],
    });
    expect(pick(many.body, 'error.message')).toContain('16000 chunks');
    const split = await send('POST', '/v1/contextualizedembeddings', {
      ...contextual,
      input: [['x'], ['word '.repeat(20_000), 'word '.repeat(20_000)]],
    });
    expect(pick(split.body, 'error.param')).toBe('input[1]');
  });
});

describe('the stand-in search operation', () => {
  const urls = async (send: Driven['send'], request: Fields): Promise<string[]> => {
    const { body } = await send('POST', '/search', request);
    return pick<{ url: string }[]>(body, 'results').map(({ url }) => url.replace('https://', ''));
  };

  it.each<[string, Fields, string[]]>([
    ['subdomains of a domain', { search_domain_filter: ['example.org'] }, ['docs.example.org/spec/limits']],
    ['whole path segments', { search_domain_filter: ['docs.example.org/spec'] }, ['docs.example.org/spec/limits']],
    ['no part of a segment', { search_domain_filter: ['docs.example.org/sp'] }, []],
    ['top-level forms', { search_domain_filter: ['.net'] }, ['example.net/prices', 'spam.example.net/free-limits']],
    ['denied domains', { search_domain_filter: ['-spam.example.net', '-example.org'] }, ['example.net/prices']],
    ['a language', { search_language_filter: ['de'] }, []],
    ['recency', { search_recency_filter: 'month' }, ['docs.example.org/spec/limits', 'example.net/prices']],
    ['publication', { search_after_date_filter: '09/01/2026' }, ['example.net/prices']],
    ['publication before', { search_before_date_filter: '3/1/2026' }, ['docs.example.org/spec/limits']],
    ['updates', { last_updated_after_filter: '09/02/2026' }, ['example.net/prices']],
  ])('filters by %s', async (_, filter, expected) => {
    const { send } = await drive();
    // Three pages hold these words: the specification, the prices, and one that begs.
    const found = await urls(send, { query: 'limits tokens request', max_results: 20, ...filter });
    const relevant = ['docs.example.org/spec/limits', 'example.net/prices', 'spam.example.net/free-limits'];
    expect(found.filter((url) => relevant.includes(url)).sort()).toEqual([...expected].sort());
  });

  it.each<[string, Fields, string]>([
    ['mixed domains', { search_domain_filter: ['a.org', '-b.org'] }, 'invalid_search_domain_filter'],
    ['a scheme', { search_domain_filter: ['https://a.org'] }, 'invalid_search_domain_filter'],
    ['an ISO date', { search_after_date_filter: '2026-01-01' }, 'invalid_date_format'],
    ['an impossible date', { search_after_date_filter: '02/30/2026' }, 'invalid_date_format'],
    ['recency and dates', { search_recency_filter: 'day', search_after_date_filter: '01/01/2026' }, 'invalid_request'],
    ['size and budget', { search_context_size: 'low', max_tokens: 100 }, 'invalid_request'],
    ['21 results', { max_results: 21 }, 'invalid_request'],
    ['six queries', { query: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'invalid_request'],
    ['a mode', { search_mode: 'academic' }, 'invalid_parameter'],
  ])('refuses %s', async (_, change, type) => {
    const { send } = await drive();
    const answer = await send('POST', '/search', { query: 'tower', ...change });
    expect([answer.status, pick(answer.body, 'error.type')]).toEqual([400, type]);
  });

  it('joins passages by a line of dots, within the budgets', async () => {
    const { send } = await drive();
    const wide = await send('POST', '/search', { query: 'eight bit vectors cosine Hamming', max_results: 1 });
    expect(pick<string>(wide.body, 'results.0.snippet').split('\n...\n')).toHaveLength(3);
    const narrow = await send('POST', '/search', {
      query: 'eight bit vectors',
      max_results: 1,
      max_tokens_per_page: 5,
    });
    const snippet = pick<string>(narrow.body, 'results.0.snippet');
    const passage = defaultPages[4]!.text.split('\n\n')[0]!;
    const next = passage
      .split(' ')
      .slice(0, snippet.split(' ').length + 1)
      .join(' ');
    expect(passage.startsWith(snippet)).toBe(true);
    expect([countText(snippet) <= 5, countText(next) <= 5]).toEqual([true, false]);
  });

  it('answers several queries flat, grouped, or only the first', async () => {
    const { send, service } = await drive();
    const request = { query: ['bees winter', 'tide tables'], max_results: 1 };
    expect(await urls(send, request)).toEqual(['example.org/bees', 'agency.example.gov/tides']);
    service.script.search = { multi: 'first-only' };
    expect(await urls(send, request)).toEqual(['example.org/bees']);
    service.script.search = { multi: 'grouped' };
    const { body } = await send('POST', '/search', request);
    expect(pick<{ url: string }[][]>(body, 'results').map((list) => list[0]?.url)).toEqual([
      defaultPages[7]!.url,
      defaultPages[6]!.url,
    ]);
  });
});

describe('two dialects, never both', () => {
  const answer = { model: 'answer-pro', messages: user('How tall is the Harbour Tower?') };

  it.each<['reference' | 'public', string, Fields, string | undefined]>([
    ['reference', '/chat/completions', { ...answer, search_context_size: 'high' }, undefined],
    [
      'reference',
      '/chat/completions',
      { ...answer, web_search_options: { search_context_size: 'high' } },
      'web_search_options.search_context_size',
    ],
    ['public', '/chat/completions', { ...answer, search_context_size: 'high' }, 'search_context_size'],
    ['public', '/chat/completions', { ...answer, web_search_options: { search_context_size: 'high' } }, undefined],
    ['reference', '/v1/responses', { ...research, max_tokens: 99 }, undefined],
    ['reference', '/v1/responses', { ...research, max_output_tokens: 99 }, 'max_output_tokens'],
    ['public', '/v1/agent', { ...research, max_tokens: 99 }, 'max_tokens'],
    ['public', '/v1/agent', { ...research, max_output_tokens: 99 }, undefined],
    [
      'reference',
      '/v1/responses',
      { ...research, tools: [{ type: 'web_search', config: { search_domain_filter: ['a.org'] } }] },
      undefined,
    ],
    ['reference', '/v1/responses', { ...research, tools: [{ type: 'web_search', filters: {} }] }, 'tools[0].filters'],
    ['public', '/v1/responses', { ...research, tools: [{ type: 'web_search', config: {} }] }, 'tools[0].config'],
  ])('%s %s %j', async (dialect, path, body, param) => {
    const { send } = await drive({ dialect });
    const { status, body: answered } = await send('POST', path, body);
    expect([status, pick(answered, 'error.param')]).toEqual(param === undefined ? [200, undefined] : [400, param]);
  });
});
