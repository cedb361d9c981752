import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openIndex } from '../../src/search-index/open-index.ts';
import type { ReembedSummary } from '../../src/search-index/reembed.ts';
import type { SearchIndex } from '../../src/search-index/search-index.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';
import { hashedEmbedder, type ServedEmbedder } from '../wire/service/search/embedder.ts';
import { ingestAll, keyed, library } from './support.ts';

const model = 'embed-context-v1-0.6b';
const DAY = 86_400_000;

/** Moves the clock that dates are read from; timers go on. */
function daysLater(days: number): void {
  const real = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + days * DAY);
  onTestFinished(() => clock.mockRestore());
}

async function vectorsOf(index: SearchIndex): Promise<readonly unknown[]> {
  const found = [];
  for await (const { uri, span, vector } of index.export({ vectors: true })) found.push({ uri, span, vector });
  return found;
}

async function shorten(index: SearchIndex, dimensions: number, dryRun: boolean = false): Promise<ReembedSummary> {
  const how = { to: { model, dimensions }, switch: 'always', sample: 0, dryRun } as const;
  for await (const event of index.reembed(how)) if (event.type === 'done') return event.summary;
  throw new Error('the run did not end');
}

describe('vectors that were paid for', () => {
  it('are dropped thirty days after no document was found to need them; those of the documents stay', async () => {
    const { service, open } = await keyed();
    const root = tempFolder(library(12));
    const address = join(root, 'index');
    const index = await open(address, { base: root, embedder: { model, dimensions: 128 } });
    const docs = [join(root, 'docs')];
    await ingestAll(index, docs);
    expect((await index.status()).keptVectors).toMatchObject({ entries: 12, unneeded: 0 });
    const edit = (n: number, to: string): void => {
      const file = join(root, `docs/${n % 7}/document-${n}.md`);
      writeFileSync(file, readFileSync(file, 'utf8').replace(/paragraph (?:3|three|drei):/, `paragraph ${to}:`));
    };
    for (const n of [1, 2, 3, 4]) edit(n, 'three');
    await ingestAll(index, docs);
    expect((await index.status()).keptVectors).toMatchObject({ entries: 16, unneeded: 4, bytes: expect.any(Number) });
    expect((await index.check()).find(({ check }) => check === 'paid vectors')).toMatchObject({ ok: true });
    expect((await runCli(['status', '--index', address], { cwd: root })).stdout).toMatch(
      /16 documents or windows, .* 4 no document/,
    );

    // an edit that is taken back within the month finds what it paid for
    edit(1, '3');
    service.clear();
    await ingestAll(index, docs);
    expect(service.requests).toEqual([]);

    daysLater(31);
    edit(5, 'drei');
    await ingestAll(index, docs);
    const { keptVectors } = await index.status();
    // of documents 2, 3 and 4 the first versions are gone; document 1's second and 5's first are found unneeded only
    // now
    expect(keptVectors).toMatchObject({ entries: 14, unneeded: 2 });
    service.clear();
    const rebuilt = await ingestAll(index, docs, { rebuild: true });
    expect(rebuilt.embedding).toMatchObject({ requests: 0, costUsd: 0, cachedChunks: rebuilt.chunks });
    expect(service.requests).toEqual([]);
  });

  it('are not changed for others by a rebuild without the key; it says what other embedder may be named', async () => {
    const { open } = await keyed();
    const root = tempFolder(library(3));
    const address = join(root, 'index');
    const docs = [join(root, 'docs')];
    await ingestAll(await open(address, { base: root, embedder: { model, dimensions: 128 } }), docs);
    await using keyless = await openIndex(address, { base: root });
    for (const dryRun of [true, false])
      await expect(ingestAll(keyless, docs, { rebuild: true, dryRun })).rejects.toMatchObject({ code: 'KEY_MISSING' });
    expect((await keyless.status()).embedder).toBe(`${model}@128`);
    const { stderr } = await runCli(['ingest', 'docs', '--rebuild', '--index', address], { cwd: root });
    const [named] = /(?<=`ibid )ingest --rebuild[^`]*/.exec(stderr) ?? [''];
    expect(await runCli([...named.split(' '), 'docs', '--index', address], { cwd: root })).toMatchObject({ status: 0 });
    expect((await keyless.status()).embedder).toMatch(/^local-/);
  });

  it('of a run that was cut short are there when it goes on', async () => {
    const { service, open } = await keyed();
    const root = tempFolder(library(40, 12));
    const docs = [join(root, 'docs')];
    const embedder = { model, dimensions: 128, requestTokens: 2000, concurrency: 1 };
    const index = await open(join(root, 'index'), { base: root, embedder });
    const whole = (await ingestAll(index, docs, { dryRun: true })).costUsd;
    await expect(ingestAll(index, docs, { budget: whole / 2 })).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    const { entries } = (await index.status()).keptVectors!;
    expect(entries).toBeGreaterThan(5);
    const receipt = await ingestAll(index, docs);
    const texts = [...service.ledger.timesPaid().values()];
    expect(texts.length).toBe(receipt.chunks);
    expect(new Set(texts)).toEqual(new Set([1]));
  });
});

describe('shorter vectors of a model whose longer ones are paid for', () => {
  it('are cut from those, once a comparison has shown that they are their beginning', async () => {
    const { service, open } = await keyed();
    const root = tempFolder(library(25));
    const docs = [join(root, 'docs')];
    const index = await open(join(root, 'index'), { base: root, embedder: { model, dimensions: 512 } });
    const { chunks, tokens } = await ingestAll(index, docs);
    const foretold = await shorten(index, 256, true);
    expect(foretold.embedding).toMatchObject({ cachedChunks: 0, chunks }); // nothing has been compared yet
    service.ledger.clear();
    const first = await shorten(index, 256);
    const paid = service.ledger.totals();
    expect(paid.requests).toBe(1); // one document, to compare
    expect(paid.inputTokens).toBeLessThan(tokens / 20);
    expect(first.costUsd).toBeCloseTo(paid.usd, 9);
    expect((await index.status()).embedder).toBe(`${model}@256`);

    const other = await open(join(root, 'other'), { base: root, embedder: { model, dimensions: 256 } });
    await ingestAll(other, docs);
    expect(await vectorsOf(index)).toEqual(await vectorsOf(other));

    service.ledger.clear();
    expect((await shorten(index, 128, true)).embedding).toMatchObject({
      requests: 0,
      cachedChunks: chunks,
      costUsd: 0,
    });
    expect((await shorten(index, 128)).costUsd).toBe(0);
    expect(service.ledger.entries).toEqual([]);
  });

  it('are paid for where they are something else, and none is made up', async () => {
    // as a model whose shorter vectors are rotated first
    const turned: ServedEmbedder = {
      embed: async (documents, options) => {
        const rows = await hashedEmbedder.embed(documents, options);
        return options.dimensions === 512 ? rows : rows.map((chunks) => chunks.map((row) => row.toReversed()));
      },
    };
    const { service, open } = await keyed({ search: { embedder: turned } });
    const root = tempFolder(library(10));
    const docs = [join(root, 'docs')];
    const index = await open(join(root, 'index'), { base: root, embedder: { model, dimensions: 512 } });
    const { chunks } = await ingestAll(index, docs);
    service.ledger.clear();
    await shorten(index, 256);
    expect([...service.ledger.timesPaid().values()]).toEqual(Array.from({ length: chunks }, () => 1));
    const other = await open(join(root, 'other'), { base: root, embedder: { model, dimensions: 256 } });
    await ingestAll(other, docs);
    expect(await vectorsOf(index)).toEqual(await vectorsOf(other));
    service.ledger.clear();
    await shorten(index, 128);
    expect([...service.ledger.timesPaid().values()]).toEqual(Array.from({ length: chunks }, () => 1));
  });
});
