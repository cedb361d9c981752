import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EmbedUsage } from '../../src/embed/service/contract.ts';
import { openIndex } from '../../src/search-index/open-index.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { signsOf } from '../../src/vector/signs.ts';
import { createSearchService } from '../../src/wire/search/index.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';
import type { Fault } from '../wire/service/faults.ts';
import { childEmbedder } from './child-embedder.ts';
import { ingestAll, keyed, library, serviceEnvironment } from './support.ts';

const model = 'embed-context-v1-0.6b';

async function vectorsOf(index: SearchIndex): Promise<readonly unknown[]> {
  const found = [];
  for await (const { uri, span, vector } of index.export({ vectors: true })) found.push({ uri, span, vector });
  return found;
}

/** Ingests until a run ends well; what each run said it had paid. */
async function insist(index: SearchIndex, root: string): Promise<{ costUsd: number; maxUsd: number; runs: number }> {
  const sum = { costUsd: 0, maxUsd: 0, runs: 0 };
  for (let done = false; !done; sum.runs++) {
    expect(sum.runs, 'the run never ends').toBeLessThan(60);
    let billed: EmbedUsage | undefined;
    try {
      for await (const event of index.ingest([join(root, 'docs')])) {
        if (event.type === 'billed') billed = event.embedding;
        if (event.type === 'done') billed = event.summary.embedding;
        done ||= event.type === 'done';
      }
    } catch {}
    sum.costUsd += billed?.costUsd ?? 0;
    sum.maxUsd += billed?.unanswered.maxUsd ?? 0;
  }
  return sum;
}

describe('a service that fails one request in three', () => {
  const faults: Readonly<Record<string, Fault>> = {
    'with 429': { kind: 'status', status: 429, retryAfter: { ms: 5 } },
    'with 500, for good': { kind: 'status', status: 500, headers: { 'x-should-retry': 'false' } },
    'by a reset before it is carried out': { kind: 'reset', billed: false },
  };

  it.each(Object.entries(faults))('%s is paid for every chunk exactly once', async (_, fault) => {
    const { service, open } = await keyed();
    const root = tempFolder(library(60));
    const index = await open(join(root, 'index'), { base: root, embedder: childEmbedder });
    service.script({ fault, every: 3 });
    const said = await insist(index, root);
    const failed = service.requests.filter(({ faults }) => faults.length > 0).length;
    expect(failed).toBeGreaterThan(3);
    const { chunks } = await index.status();
    const paid = service.ledger.timesPaid();
    expect(paid.size).toBe(chunks);
    expect([...paid.values()].filter((times) => times !== 1)).toEqual([]);
    expect(said.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    const reference = await open(join(root, 'reference'), { base: root, embedder: childEmbedder });
    service.clear();
    await ingestAll(reference, [join(root, 'docs')]);
    expect(await vectorsOf(index)).toEqual(await vectorsOf(reference));
  });

  it('by a reset after it was carried out bills those chunks again, and the budget knows', async () => {
    const { service, open } = await keyed();
    const root = tempFolder(library(60));
    const index = await open(join(root, 'index'), { base: root, embedder: childEmbedder });
    service.script({ fault: { kind: 'reset', billed: true }, every: 3 });
    const said = await insist(index, root);
    const resets = service.requests.filter(({ faults }) => faults.includes('reset'));
    expect(resets.length).toBeGreaterThan(3);
    const lost = resets.flatMap(({ body }) => (body as { input: string[][] }).input.flat());
    const { chunks } = await index.status();
    const billed = [...service.ledger.timesPaid().values()].reduce((sum, times) => sum + times, 0);
    expect(billed).toBe(chunks + lost.length); // twice what nobody could know, once all else
    const { usd } = service.ledger.totals();
    expect(said.costUsd).toBeLessThan(usd);
    expect(said.costUsd + said.maxUsd).toBeCloseTo(usd, 9); // every reset was billed here: the bound is met
  });
});

describe('after an edit', () => {
  it('a document is embedded again as a whole, for what it costs, and no other', async () => {
    const { service, open } = await keyed();
    const root = tempFolder(library(30));
    const index = await open(join(root, 'index'), { base: root, embedder: { model, dimensions: 128 } });
    await ingestAll(index, [join(root, 'docs')]);
    const before = (await index.status()).paid!;
    service.clear();
    const file = join(root, 'docs/3/document-10.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('paragraph 3:', 'paragraph three:'));
    const receipt = await ingestAll(index, [join(root, 'docs')]);
    const [request, ...more] = service.requests;
    expect(more).toEqual([]);
    const { input } = request!.body as { input: string[][] };
    expect(input).toHaveLength(1);
    expect(input[0]!.join('')).toBe(`Document 10\n\n${readFileSync(file, 'utf8')}`); // the first chunk is told the title
    expect(receipt.embedding).toMatchObject({ requests: 1, chunks: input[0]!.length });
    const { paid } = await index.status();
    expect(paid!.costUsd).toBeCloseTo(before.costUsd + receipt.costUsd, 9);
    expect(paid!.requests).toBe(before.requests + 1);
  });
});

it.each([undefined, 2])('a dry run foretells what a folder with copies costs, with shards %s', async (shards) => {
  const { service, open } = await keyed();
  const files = library(20);
  const copies = Object.entries(files).map(([name, text]) => [name.replace('docs/', 'docs/copy/'), text]);
  const root = tempFolder({ ...files, ...Object.fromEntries(copies) });
  const index = await open(join(root, 'index'), { base: root, embedder: childEmbedder, shards });
  const docs = [join(root, 'docs')];
  const foretold = (await ingestAll(index, docs, { dryRun: true })).embedding!;
  const paid = (await ingestAll(index, docs)).embedding!;
  expect(paid.cachedChunks).toBe(paid.chunks); // of each text one was free
  const { requests, chunks, cachedChunks, tokens } = paid;
  expect(foretold).toMatchObject({ requests, chunks, cachedChunks, tokens });
  expect(service.requests).toHaveLength(requests);
  expect(foretold.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
});

describe('a budget', () => {
  it('is never exceeded, ends the run, and what it bought is not bought again', async () => {
    const { service, open } = await keyed();
    const root = tempFolder(library(60));
    const index = await open(join(root, 'index'), { base: root, embedder: childEmbedder });
    const docs = [join(root, 'docs')];
    const { costUsd } = await ingestAll(index, docs, { dryRun: true });
    const paid: number[] = [];
    const run = async (budget: number): Promise<void> => {
      let last: number | undefined;
      try {
        for await (const event of index.ingest(docs, { budget })) {
          if (event.type === 'billed') last = event.embedding.costUsd;
        }
      } finally {
        if (last !== undefined) paid.push(last);
      }
    };
    for (const part of [1, 2]) {
      await expect(run(costUsd / 3)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
      expect(paid).toHaveLength(part);
      expect(paid.at(-1)).toBeGreaterThan(0);
      expect(paid.at(-1)).toBeLessThanOrEqual(costUsd / 3);
    }
    await run(costUsd); // what is left is less
    const times = service.ledger.timesPaid();
    expect(times.size).toBe((await index.status()).chunks);
    expect([...times.values()].filter((n) => n !== 1)).toEqual([]);
    expect((await index.status()).paid!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
  });
});

describe('the command line', () => {
  it('says what it would cost, asks for a key, keeps to the budget, pays, and tells what was paid', async () => {
    const { service } = await keyed();
    const root = tempFolder(library(40));
    const environment = { cwd: root, env: serviceEnvironment(service.url) };
    const paidFlags = ['ingest', 'docs', '--embedder', model, '--dimensions', '128'];
    const bare = await runCli(paidFlags, { cwd: root });
    expect(bare.status).toBe(2);
    expect(bare.stderr).toContain('IBID_SEARCH_API_KEY');
    const wrong = await runCli(['ingest', 'docs', '--dimensions', '128'], environment);
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--dimensions is for embedders of the search service'),
    ]);

    const table = await runCli([...paidFlags, '--dry-run'], environment);
    expect(table.status).toBe(0);
    for (const name of ['documents  40', 'chunks ', 'tokens ', 'requests   1', 'price ', 'about 4 s, assuming 4 s']) {
      expect(table.stdout).toContain(name);
    }
    const dry = JSON.parse((await runCli([...paidFlags, '--dry-run', '--json'], environment)).stdout);
    expect(dry.embedding.expected).toMatchObject({ ms: 4000, basis: 'assumed', concurrency: 4 });
    expect(service.requests).toEqual([]);

    const broke = await runCli([...paidFlags, '--budget', '0'], environment);
    expect([broke.status, broke.stderr]).toEqual([1, expect.stringContaining('BUDGET_EXCEEDED')]);
    expect(service.requests).toEqual([]);

    const done = await runCli([...paidFlags, '--json', '--budget', String(dry.costUsd)], environment);
    expect(done.status).toBe(0);
    const receipt = JSON.parse(done.stdout);
    const paid = service.ledger.totals();
    expect([receipt.embedding.requests, receipt.embedding.tokens]).toEqual([paid.requests, paid.inputTokens]);
    expect(receipt.costUsd).toBeCloseTo(paid.usd, 9);
    expect(dry.costUsd).toBeCloseTo(paid.usd, 9);
    const status = await runCli(['status'], environment);
    expect(status.stdout).toContain(`embedder ${model}@128`);
    expect(status.stdout).toMatch(/paid for vectors in all runs: 0\.\d+ USD, 1 request,/);

    writeFileSync(join(root, 'docs/new.md'), '# New\n\nThe lighthouse was painted in May.');
    const later = await runCli(['ingest', 'docs'], environment); // the embedder is the index's own
    expect(later.stdout).toMatch(/1 request, 1 chunk sent, 0 cached/);
    const keyless = await runCli(['search', 'lighthouse', '--json'], { cwd: root });
    expect(JSON.parse(keyless.stdout).hits[0].uri).toBe('docs/new.md');
  }, 240_000);
});

describe('the bits of a vector', () => {
  it("are the service's own but where a component is 0: so ours are always made from the int8 components", async () => {
    const { service, services } = await keyed();
    const input = Object.values(library(4)).map((text) => text.split('\n\n'));
    const dimensions = 1024;
    const ask = <E extends 'base64_int8' | 'base64_binary'>(encoding_format: E) =>
      services.search!.embeddings.contextual({ model, dimensions, input, encoding_format });
    const exact = (await ask('base64_int8')).vectors.flat();
    const bits = (await ask('base64_binary')).vectors.flat();
    let zeros = 0;
    exact.forEach((vector, i) => {
      const ours = signsOf(vector, dimensions, dimensions / 8);
      for (let at = 0; at < dimensions; at++) {
        const [a, b] = [ours, bits[i]!].map((bytes) => (bytes[at >> 3]! >> (at & 7)) & 1);
        if (vector[at] === 0) zeros++;
        expect(a !== b).toBe(vector[at] === 0);
      }
    });
    expect(zeros).toBeGreaterThan(0);
    expect(service.ledger.totals().requests).toBe(2); // and they would have to be paid for a second time
  });
});

describe('a model of a service', () => {
  it('may have any name: what was paid for is searched, and the next run goes on', async () => {
    const { service, services } = await keyed();
    const models = services.search.profile.models.map((one) =>
      one.name === model ? { ...one, name: 'vectors-2' } : one,
    );
    const prices = { ...services.search.profile.prices };
    const profile = { ...services.search.profile, models, prices };
    const search = createSearchService({ apiKey: 'test-search-key', baseUrl: service.url, profile });
    onTestFinished(() => search.close());
    const root = tempFolder(library(8));
    const options = { create: true, base: root, services: { search }, embedder: 'vectors-2' };
    await using index = await openIndex(join(root, 'index'), options);
    await ingestAll(index, [join(root, 'docs')]);
    const asked = service.requests.length;
    await using again = await openIndex(join(root, 'index'), { services: { search } });
    const { report } = await again.search('tide turbine');
    expect(service.requests.length).toBe(asked + 1); // the query's vector
    expect(report).toMatchObject({ mode: 'hybrid', warnings: [] });
    expect((await again.check()).filter(({ ok }) => !ok)).toEqual([]);
    expect(again.base).toBe(root);
    writeFileSync(join(root, 'docs/new.md'), '# New\n\nA new document.');
    expect(await ingestAll(again, [join(root, 'docs')])).toMatchObject({ added: 1, failed: [] });
  });
});
