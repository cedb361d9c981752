// Ingest and query at size, in fresh processes: seconds, peak RSS, bytes per chunk beyond the text, query latency.
// The words are random, which costs postings and models more than real text does.
//
//   node bench/speed/ingest.ts [--chunks=100000] [--queries=300]
//
// The figures go to bench/results/, for 100,000 chunks to ingest-100k.json.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndex } from '../../src/index.ts';
import { seededRandom } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { bytesIn, quantile, writeResults } from '../support/report.ts';
import { queryOf, syntheticCorpus, writeDocuments } from '../support/synthetic.ts';

const { values } = readFlags(import.meta.filename, {
  options: {
    chunks: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '300' },
    child: { type: 'string' },
    home: { type: 'string', default: '' },
  },
});
const PARAGRAPHS = 10;

async function ingestChild(home: string): Promise<void> {
  await using index = await openIndex(join(home, 'index'), { create: true, base: home });
  let chunks = 0;
  const startedAt = performance.now();
  for await (const event of index.ingest([join(home, 'docs')])) {
    if (event.type === 'done') chunks = event.summary.chunks;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(JSON.stringify({ chunks, seconds, peakRssMb: process.resourceUsage().maxRSS / 1024 }));
}

async function queryChild(home: string, documents: number, queries: number): Promise<void> {
  const random = seededRandom(77);
  const texts: string[] = [];
  let i = 0;
  for (const document of syntheticCorpus(documents, PARAGRAPHS))
    if (i++ % Math.ceil(documents / queries) === 0) texts.push(queryOf(document, random));
  const startedAt = performance.now();
  await using index = await openIndex(join(home, 'index'));
  await index.search(texts[0]!);
  const firstMs = performance.now() - startedAt;
  const times: Record<string, number[]> = { hybrid: [], lexical: [] };
  for (const text of texts.slice(1, 30)) await index.search(text); // warm
  for (const text of texts.slice(30)) {
    for (const mode of ['hybrid', 'lexical'] as const) {
      const at = performance.now();
      await index.search(text, { mode });
      times[mode]!.push(performance.now() - at);
    }
  }
  const summary = Object.fromEntries(
    Object.entries(times).map(([mode, ms]) => [
      mode,
      { p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99) },
    ]),
  );
  console.log(JSON.stringify({ firstMs, ...summary, peakRssMb: process.resourceUsage().maxRSS / 1024 }));
}

const documents = Math.ceil(Number(values.chunks) / PARAGRAPHS);
const queries = Number(values.queries);
if (values.child !== undefined) {
  await (values.child === 'ingest' ? ingestChild(values.home) : queryChild(values.home, documents, queries));
} else {
  const home = mkdtempSync(join(tmpdir(), 'ibid-bench-'));
  const run = (what: string): Record<string, unknown> =>
    JSON.parse(
      execFileSync(
        process.execPath,
        [import.meta.filename, `--child=${what}`, `--home=${home}`, ...process.argv.slice(2)],
        { encoding: 'utf8' },
      ),
    ) as Record<string, unknown>; // our own children
  try {
    // here, so that it costs the measured process nothing
    const textBytes = writeDocuments(join(home, 'docs'), 0, documents, PARAGRAPHS);
    const ingested = run('ingest') as { chunks: number; seconds: number; peakRssMb: number };
    const diskBytes = bytesIn(join(home, 'index'));
    const results = {
      ...ingested,
      chunksPerSecond: ingested.chunks / ingested.seconds,
      textBytesPerChunk: textBytes / ingested.chunks,
      bytesPerChunkBeyondText: (diskBytes - textBytes) / ingested.chunks,
      diskBytesPerChunk: diskBytes / ingested.chunks,
      query: run('query'),
    };
    console.log(JSON.stringify(results, null, 2));
    writeResults(
      `ingest-${Math.round(ingested.chunks / 1000)}k`,
      `node bench/speed/ingest.ts ${process.argv.slice(2).join(' ')}`.trim(),
      results,
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
