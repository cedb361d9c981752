import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/search-index/open-index.ts';
import type { ReembedEvent, ReembedOptions, ReembedSummary } from '../../src/search-index/reembed.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { cliEntry, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';
import { hashedEmbedder, type ServedEmbedder } from '../wire/service/search/embedder.ts';
import { ingestAll, keyed, library, serviceEnvironment } from './support.ts';

const to = 'embed-context-v1-0.6b';

async function reembedAll(index: SearchIndex, options: ReembedOptions): Promise<ReembedSummary> {
  for await (const event of index.reembed(options)) if (event.type === 'done') return event.summary;
  throw new Error('the run did not end');
}

async function vectorsOf(index: SearchIndex): Promise<Map<string, readonly number[]>> {
  const vectors = new Map<string, readonly number[]>();
  for await (const { uri, span, vector } of index.export({ vectors: true }))
    vectors.set(`${uri} ${span.start}`, vector!);
  return vectors;
}

/** Tables of the index that belong to a generation. */
const generations = (address: string): string[] =>
  readdirSync(join(address, 'lance')).filter((name) => /^chunks_\d+/.test(name));

/** Honest as the small model; as the large one it gives each document the vectors of another. */
const misleading: ServedEmbedder = {
  embed: async (documents, options) => {
    const honest = await hashedEmbedder.embed(documents, options);
    if (!options.model.includes('4b') || documents.length === 1) return honest;
    return documents.map((chunks, i) => {
      const other = honest[(i + 1) % honest.length]!;
      return chunks.map((_, at) => other[at % other.length]!);
    });
  },
};

describe('reembedding', () => {
  it("gives local vectors away for a service's, reports both side by side, and back again for nothing", async () => {
    const { service, open } = await keyed();
    const root = tempFolder(library(40));
    const address = join(root, 'index');
    const index = await open(address, { base: root });
    await ingestAll(index, [join(root, 'docs')]);
    const { chunks, embedder: local } = await index.status();
    const summary = await reembedAll(index, { to, sample: 30 });
    expect(summary).toMatchObject({ from: local, to: `${to}@1024`, chunks, documents: 40, switched: true });
    const { before, after, queries, overlapAt10 } = summary.comparison!;
    expect(queries).toEqual({ given: 0, judged: 0, generated: expect.any(Number) });
    expect(queries.generated).toBeGreaterThan(10);
    for (const scores of [before!, after!]) {
      expect(scores.hybrid['recall@10']).toBeGreaterThan(0.8);
      expect(scores.dense!['nDCG@10']).toBeGreaterThan(0);
    }
    expect(overlapAt10.dense).toBeLessThan(1);
    const paid = service.ledger.totals();
    expect(summary.costUsd).toBeCloseTo(paid.usd, 9);
    expect(summary.embedding!.chunks - queries.generated).toBe(chunks); // each query is a chunk of its own
    expect((await index.status()).embedder).toBe(`${to}@1024`);
    expect(generations(address)).toHaveLength(1);
    const vectors = await vectorsOf(index);
    expect(new Set([...vectors.values()].map(({ length }) => length))).toEqual(new Set([1024]));

    // the same as an ingest with that embedder would have made
    const other = await open(join(root, 'other'), { base: root, embedder: to });
    await ingestAll(other, [join(root, 'docs')]);
    expect(vectors).toEqual(await vectorsOf(other));

    const back = await reembedAll(index, { to: 'local', switch: 'always', sample: 5 });
    expect(back).toMatchObject({ switched: true, reason: 'always', from: `${to}@1024` });
    expect((await index.status()).embedder).not.toContain(to);
    service.ledger.clear();
    const again = await reembedAll(index, { to, switch: 'always', sample: 0 });
    expect(again.embedding).toMatchObject({ requests: 0, cachedChunks: chunks, costUsd: 0 });
    expect(service.ledger.entries).toEqual([]);
    expect(await vectorsOf(index)).toEqual(vectors);
  });

  it('keeps the old vectors where the new ones rank significantly worse, and exits with 1', async () => {
    const { service, open } = await keyed({ search: { embedder: misleading } });
    const root = tempFolder(library(60));
    const address = join(root, '.ibid');
    const index = await open(address, { base: root, embedder: { model: to, dimensions: 256 } });
    await ingestAll(index, [join(root, 'docs')]);
    const vectors = await vectorsOf(index);
    const { embedder } = await index.status();
    const queries = await wordsOfDocuments(index);
    const worse = { model: 'embed-context-v1-4b', dimensions: 256 };
    const summary = await reembedAll(index, { to: worse, queries });
    expect(summary.comparison!.difference!.difference).toBeLessThan(0);
    expect(summary.comparison!.difference!.pValue).toBeLessThan(0.05);
    expect(summary.comparison!.after!.dense!['nDCG@10']).toBeLessThan(
      summary.comparison!.before!.dense!['nDCG@10'] / 2,
    );
    expect(summary).toMatchObject({ switched: false, reason: 'worse' });
    expect((await index.status()).embedder).toBe(embedder);
    expect(await vectorsOf(index)).toEqual(vectors);
    expect(generations(address)).toHaveLength(1);

    const file = join(root, 'queries.jsonl');
    writeFileSync(file, queries.map((query) => JSON.stringify(query)).join('\n'));
    const args = ['reembed', '--to', worse.model, '--dimensions', '256', '--queries', file];
    const environment = { cwd: root, env: serviceEnvironment(service.url) };
    const kept = await runCli(args, environment);
    expect(kept.status).toBe(1);
    expect(kept.stderr).toContain('ranks significantly worse');
    expect(kept.stdout).toContain('kept: the index has');
    const forced = await runCli([...args, '--yes', '--json'], environment);
    expect(forced.status).toBe(0);
    expect(JSON.parse(forced.stdout)).toMatchObject({ switched: true, reason: 'always', costUsd: expect.any(Number) });
    expect((await index.status()).embedder).toBe(`${worse.model}@256`);
  }, 180_000);

  it('says in a dry run what it would cost, to the token, and changes nothing', async () => {
    const { service, open } = await keyed();
    const root = tempFolder(library(25));
    const address = join(root, 'index');
    const index = await open(address, { base: root });
    await ingestAll(index, [join(root, 'docs')]);
    const { chunks, embedder } = await index.status();
    const { embedding, ...rest } = await reembedAll(index, { to, dryRun: true });
    expect(rest).toMatchObject({ documents: 25, chunks, switched: false, reason: 'dry-run' });
    expect(service.requests).toEqual([]);
    expect((await index.status()).embedder).toBe(embedder);
    await reembedAll(index, { to, sample: 0 });
    const paid = service.ledger.totals();
    expect([embedding!.tokens, embedding!.requests]).toEqual([paid.inputTokens, paid.requests]);
    expect(rest.costUsd).toBeCloseTo(paid.usd, 9);
  });

  it("lets the user's own judgements decide: a uri is any passage of a document, a citation is a passage", async () => {
    const { open } = await keyed();
    const root = tempFolder(library(12));
    const index = await open(join(root, 'index'), { base: root });
    await ingestAll(index, [join(root, 'docs')]);
    const { hits } = await index.search('document 7', { limit: 3 });
    const [hit] = hits;
    const { uri, span } = hit!.chunk;
    const summary = await reembedAll(index, {
      to,
      switch: 'never',
      queries: [
        { text: 'document 7', relevant: [`${uri}#${span.start}-${span.end}`] },
        { text: 'document 7', relevant: [uri] },
        { text: 'document 7', relevant: ['docs/nowhere.md'] },
        { text: 'winch and cable' },
      ],
    });
    expect(summary).toMatchObject({ switched: false, reason: 'never' });
    expect(summary.comparison!.queries).toEqual({ given: 4, judged: 3, generated: 0 });
    // found first, found first, never found
    expect(summary.comparison!.before!.hybrid['nDCG@10']).toBeCloseTo((1 + 1 + 0) / 3, 9);
    await expect(reembedAll(index, { to, queries: [{ text: 'x', relevant: ['a#9-3'] }] })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('leaves the index as it was when the budget ends it, when it is left, and when it is interrupted', async () => {
    const { service, open } = await keyed();
    const root = tempFolder(library(25));
    const address = join(root, 'index');
    const index = await open(address, { base: root });
    await ingestAll(index, [join(root, 'docs')]);
    const { embedder } = await index.status();
    const unchanged = async (): Promise<void> => {
      expect((await index.status()).embedder).toBe(embedder);
      expect(generations(address)).toHaveLength(1);
      expect((await index.check()).filter(({ ok }) => !ok)).toEqual([]);
    };
    await expect(reembedAll(index, { to, budget: 0.00001 })).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    await unchanged();
    for (const stop of ['embedded', 'comparing', 'compared'] as const) {
      for await (const event of index.reembed({ to, sample: 3 })) if (event.type === stop) break;
      await unchanged();
    }
    const abort = new AbortController();
    const run = async (): Promise<void> => {
      for await (const event of index.reembed({ to, signal: abort.signal })) {
        if ((event as ReembedEvent).type === 'embedded') abort.abort(new Error('enough'));
      }
    };
    await expect(run()).rejects.toThrow('enough');
    await unchanged();
    expect(
      [...service.ledger.timesPaid().entries()].filter(([text, n]) => n > 1 && text.includes('paragraph')),
    ).toEqual([]);
  });

  it('killed at any instant, leaves an index that searches, and ends as if it had not been', async () => {
    const { service, open } = await keyed();
    service.script({ fault: { kind: 'delay', ms: 60 }, times: Infinity });
    const root = tempFolder(library(60));
    const address = join(root, '.ibid');
    await ingestAll(await open(address, { base: root }), [join(root, 'docs')]);
    const args = [cliEntry, 'reembed', '--to', to, '--sample', '20', '--quiet', '--yes'];
    const env = serviceEnvironment(service.url);
    const seen = new Set<string>();
    for (const afterMs of [500, 700, 900, 1100, 1400, 1800]) {
      const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
      const exit = once(child, 'exit');
      await Promise.race([exit, sleep(afterMs)]);
      child.kill('SIGKILL');
      await exit;
      await using index = await openIndex(address, { services: (await keyedServices(service.url)).services });
      seen.add((await index.status()).embedder!.startsWith(to) ? 'new' : 'old');
      expect((await index.search('salinity of document 11', { limit: 3 })).hits).toHaveLength(3);
      expect((await index.check()).filter(({ ok }) => !ok)).toEqual([]);
      if (seen.has('new')) break;
    }
    if (!seen.has('new')) {
      const last = await runCli(args.slice(1), { cwd: root, env });
      expect([last.status, last.stderr]).toEqual([0, '']);
    }
    expect(seen.has('old'), 'no kill fell before the switch, so the test has shown nothing').toBe(true);
    await using index = await openIndex(address, { services: (await keyedServices(service.url)).services });
    const vectors = await vectorsOf(index);
    const other = await open(join(root, 'other'), { base: root, embedder: to });
    await ingestAll(other, [join(root, 'docs')]);
    expect(vectors).toEqual(await vectorsOf(other));
  }, 300_000);

  it('refuses what it has already, an empty index, and a service without a key', async () => {
    const { open } = await keyed();
    const root = tempFolder(library(5));
    const index = await open(join(root, 'index'), { base: root });
    await ingestAll(index, [join(root, 'docs')]);
    await expect(reembedAll(index, { to: 'local' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(reembedAll(index, { to: 'embed-9' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(reembedAll(index, { to: { model: to, dimensions: 100 } })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await reembedAll(index, { to: { model: to, dimensions: 128 }, sample: 0 });
    await expect(reembedAll(index, { to: { model: to, dimensions: 128 } })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    expect((await reembedAll(index, { to: { model: to, dimensions: 256 }, sample: 0 })).switched).toBe(true);
    await using bare = await openIndex(join(root, 'index'));
    await expect(reembedAll(bare, { to })).rejects.toMatchObject({ code: 'KEY_MISSING' });
    expect((await reembedAll(bare, { to: 'local', sample: 0 })).switched).toBe(true); // without the key there is still a way back
  });
});

/** For each document some words of its second paragraph, in another order: words alone do not decide. */
async function wordsOfDocuments(index: SearchIndex): Promise<{ text: string; relevant: string[] }[]> {
  const texts = new Map<string, string>();
  for await (const { uri, text } of index.export()) texts.set(uri, (texts.get(uri) ?? '') + text);
  return [...texts].map(([uri, text]) => {
    const words = text.split('paragraph 1: ')[1]!.split(' ').slice(0, 60);
    return {
      text: words
        .filter((_, i) => i % 3 === 0)
        .reverse()
        .join(' '),
      relevant: [uri],
    };
  });
}

async function keyedServices(url: string) {
  const { createSearchService } = await import('../../src/wire/search/index.ts');
  return { services: { search: createSearchService({ apiKey: 'test-search-key', baseUrl: url }) } };
}

it('a service that refuses the old model leaves words to answer, and the way to the local embedder open', async () => {
  const { service, open } = await keyed();
  const root = tempFolder(library(12));
  const index = await open(join(root, 'index'), { base: root, embedder: { model: to, dimensions: 256 } });
  await ingestAll(index, [join(root, 'docs')]);
  for (const [status, code] of [
    [400, 'REQUEST_REJECTED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'REMOTE_NOT_FOUND'],
    [401, 'KEY_REJECTED'],
  ] as const) {
    const times = status === 401 ? Infinity : 1;
    service.script({ match: { path: /embeddings/ }, fault: { kind: 'status', status }, times });
    const { hits, report } = await index.search(`document number ${status}`);
    expect(hits.length).toBeGreaterThan(0);
    expect(report.warnings.map((warning) => warning.code)).toEqual([code]);
  }
  const summary = await reembedAll(index, { to: 'local', sample: 20 });
  expect(summary.comparison!.oldFailed).toMatchObject({ code: 'KEY_REJECTED' });
  expect(summary.comparison!.before!.dense).toBeUndefined();
  expect(summary.comparison!.before!.hybrid['recall@10']).toBeGreaterThan(0);
  expect(summary.switched).toBe(summary.reason !== 'worse');
}, 60_000);
