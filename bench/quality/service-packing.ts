/**
 * Requests of an ingest with a service's embedder: how full they are, and whether the ingest costs what was foretold.
 * Folders are ingested through the real client and a stand-in service that counts and bills as the reference says.
 *
 *   node bench/quality/service-packing.ts [--only name] [--write]
 *
 * `--only` takes the variants whose names begin so. Reading a file may take ten minutes: a file given up on a busy
 * machine would make the estimate wrong. Folders: the documents and SciFact below `IBID_SHARED`, the latter also in
 * batches of the usual size.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beirSource, readBeirFolder } from '../../src/eval.ts';
import { type IngestSource, type IngestSummary, openIndex, type SearchIndexIngestOptions } from '../../src/index.ts';
import { createSearchService } from '../../src/wire.ts';
import { startService } from '../../test/wire/service/service.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import { writeResults } from '../support/report.ts';

const { values: flags } = readFlags(import.meta.filename, {
  options: { only: { type: 'string', default: '' }, write: { type: 'boolean', default: false } },
});
const shared = join(dataFolder(import.meta.filename, undefined, 'data'), '..');

/** Vectors do not matter here: they are counted, not searched. */
const service = await startService({
  only: ['search'],
  search: {
    rateLimit: 1_000_000,
    embedder: {
      embed: (documents, { dimensions }) =>
        documents.map((chunks) => chunks.map(() => new Int8Array(dimensions).fill(1))),
    },
  },
});
const search = createSearchService({ apiKey: 'test-search-key', baseUrl: service.url });

async function run(
  from: readonly string[] | IngestSource,
  model: string,
  options: SearchIndexIngestOptions = {},
): Promise<Record<string, number | boolean>> {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-packing-'));
  try {
    const embedder = { model, dimensions: 128 };
    await using index = await openIndex(join(folder, 'index'), {
      create: true,
      base: shared,
      services: { search },
      reader: { timeoutMs: 600_000 },
      embedder,
    });
    const ingest = async (more: SearchIndexIngestOptions): Promise<IngestSummary> => {
      for await (const event of index.ingest(from, { ...options, ...more })) {
        if (event.type === 'done') return event.summary;
      }
      throw new Error('the run did not end');
    };
    const foretold = (await ingest({ dryRun: true })).embedding!;
    service.clear();
    const { documents, chunks, embedding } = await ingest({});
    const paid = service.ledger.totals();
    const { requests, tokens, costUsd, fill } = embedding!;
    return {
      ...{ documents, chunks, tokens, requests, costUsd, fill },
      contextShare: embedding!.chunks / chunks - 1,
      foretoldExactly: foretold.tokens === paid.inputTokens && foretold.requests === paid.requests,
      receiptExact: tokens === paid.inputTokens && requests === paid.requests && Math.abs(costUsd - paid.usd) < 1e-9,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const scifact = beirSource(await readBeirFolder(join(shared, 'data/scifact')), () => {});
const docs = [join(shared, 'docs')];
const usual = { commit: { chunks: 4096, characters: 12 * 2 ** 20, ageMs: 30_000 } };
const context = 'embed-context-v1-0.6b';
const runs = {
  'SciFact, contextual': () => run(scifact, context),
  'docs, contextual': () => run(docs, context),
  'docs, contextual, batches of 4,096 chunks': () => run(docs, context, usual),
  'SciFact, contextual, batches of 4,096 chunks': () => run(scifact, context, usual),
  'docs, each chunk alone': () => run(docs, 'embed-v1-0.6b'),
};
const results: Record<string, Record<string, number | boolean>> = {};
for (const [name, measure] of Object.entries(runs)) {
  if (!name.startsWith(flags.only)) continue;
  const figures = await measure();
  results[name] = figures;
  console.log(name);
  for (const [key, value] of Object.entries(figures)) {
    console.log(`  ${key.padEnd(16)}${typeof value === 'number' ? Number(value.toFixed(6)) : value}`);
  }
  if (flags.write) writeResults('service-packing', 'node bench/quality/service-packing.ts --write', results); // so far
}
await search.close();
await service.close();
