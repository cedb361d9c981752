import { describe, expect, it } from 'vitest';
import { costOf, noCost, perMillion, perThousand, sumCosts } from '../../../src/wire/http/cost.ts';
import { proxyFromEnvironment } from '../../../src/wire/http/environment.ts';
import { eachItem } from '../../../src/wire/http/pages.ts';
import { createTransport } from '../../../src/wire/http/transport.ts';
import { collect, dialect, errorOf, KEY, noLimits, ok, operation, refusingProxy, scripted } from './support.ts';

describe('costs', () => {
  it('are sums of their parts, without the dust of binary fractions', () => {
    const cost = costOf([
      { name: 'input', usd: perMillion(1_000, 3), quantity: 1_000 }, // 0.003
      { name: 'output', usd: perMillion(2_000, 15), quantity: 2_000 }, // 0.03
      { name: 'request', usd: perThousand(1, 5), quantity: 1 }, // 0.005
      { name: 'cache-read', usd: 0, quantity: 0 },
    ]);
    expect(cost).toMatchObject({ usd: 0.038, credits: 0, source: 'table' });
    expect(cost.parts.map(({ name }) => name)).toEqual(['input', 'output', 'request']);
    expect(sumCosts([costOf([{ name: 'a', usd: 0.1 }]), costOf([{ name: 'a', usd: 0.2 }])]).usd).toBe(0.3);
  });

  it('add up by name, dollars and credits apart', () => {
    const speech = costOf([{ name: 'characters', credits: 120, quantity: 240 }], 'service');
    const answer = costOf([{ name: 'request', usd: 0.005, quantity: 1 }], 'service');
    expect(sumCosts([speech, answer, speech])).toEqual({
      usd: 0.005,
      credits: 240,
      source: 'service',
      parts: [
        { name: 'characters', usd: undefined, credits: 240, quantity: 480 },
        { name: 'request', usd: 0.005, credits: undefined, quantity: 1 },
      ],
    });
    expect(sumCosts([speech, { ...answer, source: 'table' }]).source).toBe('table');
    expect(sumCosts([])).toEqual(noCost);
  });

  it('refuse what is no number', () => {
    expect(() => costOf([{ name: 'input', usd: Number.NaN }])).toThrow(
      'the cost of input must be a number from 0, not NaN',
    );
    expect(() => costOf([{ name: 'input', quantity: -1 }])).toThrow('input');
  });
});

describe('pages', () => {
  it('are asked for when the one before is used up', async () => {
    const asked: (string | undefined)[] = [];
    const following = new Map<string | undefined, { data: number[]; next: string | undefined }>([
      [undefined, { data: [1, 2], next: 'b' }],
      ['b', { data: [], next: 'c' }],
      ['c', { data: [3], next: undefined }],
    ]);
    const pages = eachItem({
      fetch: async (cursor: string | undefined) => {
        asked.push(cursor);
        return following.get(cursor)!;
      },
      items: ({ data }) => data,
      next: ({ next }) => next,
    });
    expect((await pages.next()).value).toBe(1);
    expect(asked).toEqual([undefined]);
    expect(await collect(pages)).toEqual([2, 3]);
    expect(asked).toEqual([undefined, 'b', 'c']);
  });

  it('that repeat their cursor end in an error', async () => {
    const pages = eachItem({
      fetch: async (_cursor: string | undefined) => [1],
      items: (page) => page,
      next: () => 'a',
    });
    expect(await errorOf(collect(pages))).toMatchObject({ code: 'RESPONSE_INVALID' });
  });
});

describe('a proxy', () => {
  it('is read from an environment given as an object', () => {
    expect(
      proxyFromEnvironment({ HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:2', NO_PROXY: 'x', http_proxy: '' }),
    ).toEqual({
      http: undefined,
      https: 'http://b:2',
      noProxy: 'x',
    });
  });

  it('is asked for a tunnel, and never sees the key', async () => {
    await using proxy = await refusingProxy();
    await using transport = createTransport(dialect, {
      apiKey: KEY,
      baseUrl: 'https://api.example.test',
      proxy: { https: proxy.url },
      timeouts: noLimits,
      maxRetries: 0,
    });
    expect(await errorOf(transport.json(operation('always'), { json: {} }))).toMatchObject({
      code: 'CONNECTION_FAILED',
    });
    expect(proxy.heads).toHaveLength(1);
    expect(proxy.heads[0]).toContain('CONNECT api.example.test:443');
    expect(proxy.heads[0]).not.toContain(KEY);
  });

  it('is not used for loopback, nor taken from the process by itself', async () => {
    await using server = await scripted(ok);
    process.env.http_proxy = 'http://127.0.0.1:9';
    try {
      for (const proxy of [undefined, { http: 'http://127.0.0.1:9' }]) {
        await using transport = createTransport(dialect, { apiKey: KEY, baseUrl: server.baseUrl, proxy });
        expect((await transport.json(operation('always', 'GET'), {})).status).toBe(200);
      }
    } finally {
      delete process.env.http_proxy;
    }
  });

  it('that is no address is refused', () => {
    expect(() =>
      createTransport(dialect, { apiKey: KEY, baseUrl: 'https://a.example', proxy: { https: 'socks5://a:1' } }),
    ).toThrow('proxy.https');
  });
});
