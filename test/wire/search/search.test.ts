import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/wire/http/errors.ts';
import { mergeResults, snippetPassages } from '../../../src/wire/search/index.ts';
import { resolveProfile } from '../../../src/wire/search/profile.ts';
import { searchDialect } from '../../../src/wire/search/service.ts';
import { prepared } from './fake.ts';
import { loopback } from './loopback.ts';

const { harness, service, script } = await loopback({ maxRetries: 2 });

const page = (url: string): { url: string; title: string } => ({ url: `https://${url}`, title: url });

describe('several rankings as one', () => {
  it('orders by best rank, then by query, and counts address variants as one page', () => {
    const lists = [
      [page('a.example/1'), page('b.example'), page('www.a.example/1/')],
      [page('c.example'), page('a.example/1?utm_source=x'), page('d.example')],
    ];
    expect(
      mergeResults(lists, true).map(({ page: { url }, found }) => [
        url,
        found.map(({ query, rank }) => `${query}:${rank}`).join(),
      ]),
    ).toEqual([
      ['https://a.example/1', '0:1,1:2'],
      ['https://c.example', '1:1'],
      ['https://b.example', '0:2'],
      ['https://d.example', '1:3'],
    ]);
    expect(mergeResults(lists, false).every(({ found }) => found.length === 0)).toBe(true);
    expect(mergeResults([], true)).toEqual([]);
  });
});

describe('passages of a snippet', () => {
  it.each([
    ['First passage.\n...\nSecond passage.', ['First passage.', 'Second passage.']],
    ['One.\r\n ... \r\nTwo.\n…\nThree.', ['One.', 'Two.', 'Three.']],
    ['Wait ... what?\nA list:\n....\nend', ['Wait ... what?\nA list:\n....\nend']],
    ['...\nonly\n...', ['only']],
    ['', []],
  ])('%j', (snippet, passages) => expect(snippetPassages(snippet)).toEqual(passages));
});

describe('answers of the search operation', () => {
  it.each([
    [{}, 'results is nothing, array was expected'],
    [{ results: [{ title: 'no address' }] }, 'results[0].url is nothing, string was expected'],
    [{ results: [[page('a')], page('b')] }, 'results holds'],
    ['<html>', 'the body is string, object was expected'],
  ])('%j is invalid', async (body, message) => {
    const call = prepared({}, body).service.search({ query: ['x'] }, { several: 'together' });
    await expect(call).rejects.toMatchObject({ code: 'RESPONSE_INVALID', message: expect.stringContaining(message) });
  });

  it('keeps unknown fields', async () => {
    const body = { id: 's', results: [{ ...page('a.example'), score: 3, date: null }], server_time: null, extra: 1 };
    const { results, responses } = await prepared({}, body).service.search({ query: 'x' });
    expect(responses).toEqual([body]);
    expect(results).toEqual([{ page: body.results[0], found: [{ query: 0, rank: 1 }] }]);
  });
});

describe('one query of several that fails', () => {
  const found = (url: string) => ({ id: 's', results: [page(url)] });
  const failure = new WireError('OVERLOADED', 'search: HTTP 529');

  it('is reported beside what the others found', async () => {
    const { service, sent } = prepared({}, found('a.example'), failure, found('c.example'));
    const answer = await service.search({ query: ['one', 'two', 'three'] }, { concurrency: 1 });
    expect(sent).toHaveLength(3);
    expect(answer.queries).toEqual([
      { query: 'one', results: [page('a.example')] },
      { query: 'two', results: undefined, error: failure },
      { query: 'three', results: [page('c.example')] },
    ]);
    expect(answer.results.map(({ found: places }) => places)).toEqual([
      [{ query: 0, rank: 1 }],
      [{ query: 2, rank: 1 }],
    ]);
    expect([answer.cost.usd, answer.responses.length, answer.infos.length]).toEqual([0.01, 2, 2]);
  });

  it('is thrown when no other has an answer', async () => {
    const second = new WireError('TIMEOUT', 'search: late');
    const { service } = prepared({}, failure, second);
    await expect(service.search({ query: ['one', 'two'] }, { concurrency: 1 })).rejects.toBe(failure);
  });

  it('for a reason that holds for all, keeps the rest from being sent', async () => {
    const rejected = new WireError('BILLING', 'search: HTTP 402');
    const { service, sent } = prepared({}, found('a.example'), rejected, found('c.example'));
    const { queries } = await service.search({ query: ['one', 'two', 'three'] }, { concurrency: 1 });
    expect(sent).toHaveLength(2);
    expect(queries.map(({ error }) => error)).toEqual([undefined, rejected, rejected]);
  });

  it('is no excuse for an abort or a fault of ours', async () => {
    const fault = new RangeError('ours');
    const broken = prepared({}, found('a.example'), fault).service;
    await expect(broken.search({ query: ['one', 'two'] }, { concurrency: 1 })).rejects.toBe(fault);
    const abort = new AbortController();
    const reason = new Error('enough');
    const aborting = (): object => {
      abort.abort(reason);
      return found('b.example');
    };
    const { service } = prepared({}, found('a.example'), aborting, found('c.example'));
    const call = service.search({ query: ['one', 'two', 'three'] }, { concurrency: 1, signal: abort.signal });
    await expect(call).rejects.toBe(reason);
  });
});

describe('search over the loopback service', () => {
  const query = ['tower tall', 'honey winter'];

  it.each(['grouped', 'flat', 'first-only'] as const)('reads a joint answer that is %s', async (multi) => {
    script.search = { multi };
    const { queries, results, cost } = await service.search({ query, max_results: 2 }, { several: 'together' });
    expect(harness.requests.map(({ body }) => body)).toEqual([{ query, max_results: 2 }]);
    const alone = await Promise.all(
      query.map(async (one) => (await service.search({ query: one, max_results: 2 })).queries[0]),
    );
    expect(queries).toEqual(multi === 'grouped' ? alone : query.map((one) => ({ query: one, results: undefined })));
    expect(results.some(({ found }) => found.length > 0)).toBe(multi === 'grouped');
    expect(cost.usd).toBe(0.005);
  });

  it('splits into a request each, pays each, and keeps the order', async () => {
    harness.script({ fault: { kind: 'delay', ms: 300 } });
    const many = ['tower tall', 'honey winter', 'tower', 'winter', 'bees'];
    const { queries, cost, responses } = await service.search({ query: many, max_results: 1 }, { concurrency: 2 });
    expect(harness.peakInFlight).toBe(2);
    expect(queries.map((entry) => entry.query)).toEqual(many);
    expect(queries[0]?.results?.[0]?.url).toBe('https://example.com/heights');
    expect(queries[1]?.results?.[0]?.url).toBe('https://example.org/bees');
    expect(responses).toHaveLength(5);
    expect(cost.usd).toBeCloseTo(5 * 0.005, 12);
    expect(harness.ledger.totals('search').usd).toBeCloseTo(cost.usd, 12);
    expect(service.estimateSearchCost({ query: many }).usd).toBeCloseTo(cost.usd, 12);
    expect(service.estimateSearchCost({ query: many }, { several: 'together' }).usd).toBe(0.005);
  });

  it('counts address variants as one page', async () => {
    script.search = { variants: true };
    const { results, queries } = await service.search({ query: 'tower tall', max_results: 2 });
    expect(queries[0]?.results).toHaveLength(6);
    expect(results.map(({ found }) => found.map(({ rank }) => rank))).toEqual([[1], [4]]);
  });

  it('finds nothing without complaint', async () => {
    script.search = { empty: true };
    expect((await service.search({ query })).results).toEqual([]);
  });

  it('sends every filter as it stands', async () => {
    const request = {
      query: 'tower',
      max_tokens: 900,
      max_tokens_per_page: 300,
      search_domain_filter: ['-example.net', '-.gov'],
      search_language_filter: ['en', 'de'],
      country: 'DE',
      search_after_date_filter: '1/2/2020',
      search_before_date_filter: '12/31/2030',
      last_updated_after_filter: '01/02/2020',
      last_updated_before_filter: '12/31/2030',
      search_type: 'web',
      display_server_time: true,
    } as const;
    await service.search(request);
    expect(harness.requests[0]?.body).toEqual(request);
  });

  it('begins at most 50 at once, and 50 a second', () => {
    const { burst, requestsPerMinute } = searchDialect(resolveProfile(undefined)).limits!.search!;
    expect([burst, requestsPerMinute! / 60]).toEqual([50, 50]);
  });

  it('is sent again after a cut: a repeat costs half a cent', async () => {
    harness.script({ fault: { kind: 'reset' } });
    expect((await service.search({ query: 'tower' })).results.length).toBeGreaterThan(0);
    expect(harness.requests).toHaveLength(2);
  });
});
