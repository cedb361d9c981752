import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citationOf, formatCitation } from '../../src/answer/citation.ts';
import { Meter } from '../../src/core/meter.ts';
import type { OpenIndexOptions } from '../../src/search-index/options.ts';
import { connectDatabase } from '../../src/store/index.ts';
import { StoredPages } from '../../src/web/stored-pages.ts';
import { runCli } from '../support/cli.ts';
import { copyIndex } from '../support/made-index.ts';
import { tempFolder } from '../support/temp.ts';
import { ingestAll, keyed } from './support.ts';

const documents = {
  'harbour/tower.md': '# Our tower\n\nThe harbour tower of our model village is 33 centimetres tall and made of birch.',
  'harbour/rules.md': '# Rules\n\nBoats stay in the harbour above 1.2 metres of waves.',
  'garden/roses.md': '# Roses\n\nRoses are cut back in March, when the forsythia blooms.',
};

async function opened(options: Parameters<typeof keyed>[0] = {}, more: OpenIndexOptions = {}) {
  const { service, open } = await keyed(options);
  const base = tempFolder(documents);
  const address = join(tempFolder(), 'index');
  if (!more.embedder) await copyIndex(base, address, { name: 'harbour and garden' });
  const index = await open(address, { base, ...more });
  if (more.embedder) await ingestAll(index, [base]);
  service.ledger.clear();
  return { service, index };
}

describe('the web beside an index', () => {
  it('ranks pages and documents in one list, says where each comes from, and pays once', async () => {
    const { service, index } = await opened();
    const meter = new Meter(1);
    const { hits, report } = await index.search('How tall is the harbour tower?', { web: true, budget: meter });
    const origins = new Set(hits.map(({ origin }) => origin));
    expect([...origins].sort()).toEqual(['local', 'web']);
    const page = hits.find(({ chunk }) => chunk.uri === 'https://example.org/tower')!;
    expect(page).toMatchObject({ origin: 'web', chunk: { title: 'Heights of the Harbour Tower', format: 'web' } });
    expect(page.web).toMatchObject({
      published: '2026-01-05',
      updated: '2026-02-01',
      query: 'How tall is the harbour tower?',
    });
    expect(hits.map(({ score }) => score)).toEqual([...hits].map(({ score }) => score).sort((a, b) => b - a));
    expect(report.web).toMatchObject({ status: 'ok', costUsd: 0.005 });
    expect(meter.spentUsd).toBe(0.005);
    expect(service.ledger.entries.map(({ operation }) => operation)).toEqual(['search']);
  });

  it('keeps what it showed, so that a citation shows the exact words later, in another process too', async () => {
    const { index } = await opened();
    const { hits } = await index.search('harbour tower height', { web: true });
    const hit = hits.find(({ origin }) => origin === 'web')!;
    const passage = await index.show(citationOf(hit));
    expect(passage.quote).toBe(hit.chunk.text);
    expect(passage).toMatchObject({ uri: hit.chunk.uri, source: 'is a web page, kept as it was read' });
    const { uri, span } = hit.chunk;
    await expect(index.show(formatCitation({ uri, span, snapshot: 'f'.repeat(32) }))).rejects.toMatchObject({
      code: 'CITATION_NOT_FOUND',
    });
  });
});

describe('pages that were kept', () => {
  it('are counted by status, checked by doctor, and dropped when asked to and never else', async () => {
    const { index } = await opened();
    expect(await index.status()).not.toHaveProperty('webPages');
    const hit = (await index.search('harbour tower height', { web: true })).hits.find(
      ({ origin }) => origin === 'web',
    )!;
    const { webPages } = await index.status();
    expect(webPages!.pages).toBeGreaterThan(0);
    expect(webPages!.bytes).toBeGreaterThan(100);
    const finding = async () => (await index.check()).find(({ check }) => check === 'web pages');
    expect(await finding()).toMatchObject({ ok: true, detail: expect.stringContaining(`${webPages!.pages} kept`) });

    expect(await index.removeWebPages(new Date(Date.now() - 86_400_000))).toBe(0); // all were read today
    expect((await index.show(citationOf(hit))).quote).toBe(hit.chunk.text);
    await expect(index.removeWebPages(new Date('yesterday'))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });

    // a page that is not what its id says
    const pages = new StoredPages(await connectDatabase(index.address));
    const page = {
      url: hit.chunk.uri,
      title: '',
      text: 'The tower is 3 metres tall.',
      fetchedAt: new Date().toISOString(),
    };
    await pages.put(new Map([['0'.repeat(32), Buffer.from(JSON.stringify(page))]]));
    expect(await finding()).toMatchObject({ ok: false, detail: expect.stringContaining('0'.repeat(32)) });

    expect(await index.removeWebPages(new Date(Date.now() + 86_400_000))).toBe(webPages!.pages + 1);
    await expect(index.show(citationOf(hit))).rejects.toMatchObject({ code: 'CITATION_NOT_FOUND' });
    expect(await index.status()).not.toHaveProperty('webPages');
  });

  it('are dropped from the command line by a date', async () => {
    const { index } = await opened();
    await index.search('harbour tower height', { web: true });
    const { pages } = (await index.status()).webPages!;
    const run = (...args: string[]) => runCli(['remove', ...args, '--index', index.address], { cwd: tempFolder() });
    const wrong = await run('--web-before', '1.1.2026');
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('a date such as 2026-01-31')]);
    const done = await run('--web-before', '2999-01-01', '--json');
    expect(JSON.parse(done.stdout)).toEqual({ removed: 0, uris: [], webPages: pages });
    expect(await index.status()).not.toHaveProperty('webPages');
  });
});

describe('what is asked of the web', () => {
  it('may be several wordings, each paid, each found page once and with the wordings that found it', async () => {
    const { service, index } = await opened();
    const queries = ['harbour tower height', 'contextual embedding chunk'];
    const { hits, report } = await index.search('harbour tower, contextual embedding', { web: { queries }, limit: 50 });
    const asked = service.requests
      .filter(({ path }) => path === '/search')
      .map(({ body }) => (body as { query: string }).query);
    expect(asked.sort()).toEqual([...queries].sort());
    expect(report.web).toMatchObject({ status: 'ok', costUsd: 0.01 });
    for (const query of queries) expect(hits.some(({ web }) => web?.query === query)).toBe(true);
  });

  describe('of an index that knows which words are rare', () => {
    const query = 'How many metres tall is the harbour tower, and how many seconds do its lifts take?';
    const filler = Array.from(
      { length: 520 },
      (_, i) => `## Day ${i}\n\nThe boats take many seconds, many metres and many lifts on day ${i}.`,
    ).join('\n\n');

    async function asked(multi: 'grouped' | 'flat' | 'first-only') {
      const { service, open } = await keyed({ search: { script: { search: { multi } } } });
      const base = tempFolder({ 'log.md': filler });
      const chunking = { maxTokens: 40, minTokens: 0 };
      const address = join(tempFolder(), 'index');
      await copyIndex(base, address, { name: 'a log of many days', chunking });
      const index = await open(address, { base, chunking });
      const meter = new Meter(1);
      const { hits, report } = await index.search(query, { web: true, budget: meter, limit: 30 });
      return { service, hits, meter, report: report.web! };
    }

    it.each(['grouped', 'flat', 'first-only'] as const)(
      'is the query and its rarest words, in one request for the price of one (%s reply)',
      async (multi) => {
        const { service, hits, meter, report } = await asked(multi);
        const bodies = service.requests.filter(({ path }) => path === '/search').map(({ body }) => body);
        expect(bodies).toHaveLength(1);
        const { query: wordings } = bodies[0] as { query: string[] };
        expect(wordings[0]).toBe(query);
        expect(wordings).toHaveLength(3);
        expect(wordings[2]).toBe('tall harbour tower'); // the others stand in every chunk
        expect(report).toMatchObject({ status: 'ok', costUsd: 0.005 });
        expect(meter.spentUsd).toBe(0.005);
        const tower = hits.find(({ chunk }) => chunk.uri === 'https://example.org/tower')!;
        expect(wordings).toContain(tower.web!.query);
      },
    );
  });

  it('may be bound to sites and to new pages; sites may not crowd the list', async () => {
    const { index } = await opened();
    const sites = async (web: object) =>
      (await index.search('tower request chunk tall', { web, limit: 50 })).hits.flatMap(({ origin, chunk }) =>
        origin === 'web' ? [new URL(chunk.uri).hostname] : [],
      );
    expect(new Set(await sites({ domains: ['docs.example.org'] }))).toEqual(new Set(['docs.example.org']));
    expect(await sites({ domains: ['-spam.example.net'] })).not.toContain('spam.example.net');
    expect(await sites({ recency: 'hour' })).toEqual([]);
    expect((await sites({ perSite: 1 })).filter((host) => host.endsWith('example.org'))).toHaveLength(1);
  });

  it.each([
    [{ domains: ['a.example', '-b.example'] }, 'web.domains'],
    [{ recency: 'decade' }, 'web.recency'],
    [{ limit: 0 }, 'web.limit'],
    [{ queries: [] }, 'web.queries'],
    [{ deadlineMs: 0 }, 'web.deadlineMs'],
    [{ country: 'usa' }, 'web.country'],
  ])('%j is refused before anything is asked', async (web, field) => {
    const { service, open } = await keyed();
    const index = await open(join(tempFolder(), 'index'));
    const wrong = index.search('x', { web: web as object });
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(field) });
    expect(service.requests).toEqual([]);
  });

  it('needs a client of the search service', async () => {
    const { open } = await keyed();
    const index = await open(join(tempFolder(), 'index'), { services: {} });
    await expect(index.search('x', { web: true })).rejects.toMatchObject({ code: 'KEY_MISSING' });
  });
});

describe('a web that does not do as it should', () => {
  const uris = (hits: readonly { chunk: { uri: string } }[]) => hits.map(({ chunk }) => chunk.uri);

  it('is waited for until its deadline and no longer; the hits are the index’s own', async () => {
    const { service, index } = await opened();
    const own = await index.search('harbour waves');
    service.script({ match: { path: '/search' }, fault: { kind: 'delay', ms: 20_000 } });
    const started = performance.now();
    const meter = new Meter(1);
    const { hits, report } = await index.search('harbour waves', { web: { deadlineMs: 200 }, budget: meter });
    expect(performance.now() - started).toBeLessThan(3000);
    expect(uris(hits)).toEqual(uris(own.hits));
    expect(report.web).toEqual(expect.objectContaining({ status: 'late', pages: 0, hits: 0 }));
    expect(report.web!.error).toMatchObject({ code: 'TIMEOUT' });
  });

  it('is reported when it fails, and costs no hit of the index', async () => {
    const { service, index } = await opened();
    const own = await index.search('harbour waves');
    service.script({ match: { path: '/search' }, fault: { kind: 'status', status: 401 } });
    const meter = new Meter(1);
    const { hits, report } = await index.search('harbour waves', { web: true, budget: meter });
    expect(uris(hits)).toEqual(uris(own.hits));
    expect(report.web).toEqual(expect.objectContaining({ status: 'failed', costUsd: 0 }));
    expect(report.web!.error).toMatchObject({ code: 'KEY_REJECTED' });
    expect(meter.spentUsd).toBe(0);
  });

  it('is in part there when one of several wordings fails', async () => {
    const { service, index } = await opened();
    const fails = (body: unknown): boolean => (body as { query?: string }).query === 'lost';
    service.script({ match: { path: '/search', body: fails }, fault: { kind: 'status', status: 403 }, times: 9 });
    const { hits, report } = await index.search('harbour tower', { web: { queries: ['harbour tower', 'lost'] } });
    expect(hits.some(({ origin }) => origin === 'web')).toBe(true);
    expect(report.web).toMatchObject({ status: 'ok', error: { code: 'PERMISSION_DENIED' } });
  });

  it('is not asked beyond the budget', async () => {
    const { service, index } = await opened();
    const { report } = await index.search('harbour', { web: true, budget: 0.004 });
    expect(report.web).toMatchObject({ status: 'failed', error: { code: 'BUDGET_EXCEEDED' } });
    expect(service.requests).toHaveLength(service.requests.filter(({ path }) => path !== '/search').length);
  });

  it('is left at once when the caller leaves, with the caller’s own reason', async () => {
    const { service, index } = await opened();
    service.script({ match: { path: '/search' }, fault: { kind: 'delay', ms: 20_000 } });
    const reason = new Error('enough');
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 50);
    await expect(index.search('harbour', { web: true, signal: abort.signal })).rejects.toBe(reason);
  });
});

describe('passages that are embedded for money', () => {
  it('are compared by the index’s own model, and their price is in the report', async () => {
    const { service, index } = await opened({}, { embedder: 'embed-context-v1-0.6b' });
    const { report } = await index.search('tower', { web: true });
    const spent = service.ledger.totals().usd;
    const query = service.ledger.entries.filter(({ operation }) => operation !== 'search');
    expect(query.length).toBeGreaterThanOrEqual(2); // the query, and the passages
    expect(report.web!.status).toBe('ok');
    expect(report.web!.costUsd).toBeGreaterThan(0.005);
    expect(report.web!.costUsd).toBeLessThanOrEqual(spent);
    service.ledger.clear();
    await index.search('tower', { web: true });
    expect(service.ledger.entries.map(({ operation }) => operation)).toEqual(['search']); // vectors are kept
  });

  it('decide by words, theirs and the index’s, when the model is away', async () => {
    const { service, index } = await opened({}, { embedder: 'embed-context-v1-0.6b' });
    await index.search('tower'); // the query is known now
    service.script({ match: { path: /embeddings/ }, fault: { kind: 'status', status: 403 }, times: 9 });
    const { hits, report } = await index.search('tower', { web: true, explain: true });
    expect(report.web).toMatchObject({ status: 'ok', error: { code: 'PERMISSION_DENIED' } });
    expect(new Set(hits.map(({ origin }) => origin))).toEqual(new Set(['local', 'web']));
    expect(hits.every(({ trace }) => trace.every(({ list }) => list !== 'cosine'))).toBe(true);
  });
});
