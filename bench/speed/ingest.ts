// Ingest and query at size, in fresh processes: seconds, peak RSS, bytes per chunk beyond the text, query latency. The words are random, which
// costs postings and models more than real text does; bytes per chunk on real text are those of bench/speed/disk.ts.
//
//   node bench/speed/ingest.ts [--chunks=100000] [--queries=300]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IngestSource, type LoadedItem, openIndex } from '../../src/index.ts';
import { sha256 } from '../../src/ingest/folder-source.ts';
import { quantile, writeResults } from '../support/report.ts';
import { queryOf, randomFrom, syntheticCorpus, syntheticDocument } from '../support/synthetic.ts';

const flag = (name: string, otherwise: number): number =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const PARAGRAPHS = 10;

/** Each document is made when it is read, as a file would be: the corpus is never in memory. */
function source(documents: number): IngestSource {
  const loadDocument = (d: number): LoadedItem => {
    const { name, title, paragraphs } = syntheticDocument(d, PARAGRAPHS);
    const text = `# ${title}\n\n${paragraphs.join('\n\n')}`;
    const parts = {
      format: 'markdown',
      blocks: blocksOf(text),
      locators: [],
      firstLine: 1,
      metadata: {},
      warnings: [],
    };
    return { contentHash: sha256(text), document: { uri: name, title, text, ...parts } };
  };
  return {
    covers: () => true,
    async *items() {
      for (let d = 0; d < documents; d++) {
        const uri = `part-${d % 97}/document-${d}.md`;
        const load = async (): Promise<LoadedItem> => loadDocument(d);
        yield { uri, sizeBytes: 1, mtimeMs: 1, hash: async () => (await load()).contentHash, load };
      }
    },
  };
}

function blocksOf(text: string) {
  let start = 0;
  return text.split('\n\n').map((block, i) => {
    const span = { start, end: start + block.length };
    start = span.end + 2;
    return { ...span, kind: i === 0 ? ('heading' as const) : ('paragraph' as const), ...(i === 0 ? { level: 1 } : {}) };
  });
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

async function ingestChild(folder: string, documents: number): Promise<void> {
  await using index = await openIndex(folder, { create: true });
  let chunks = 0;
  const startedAt = performance.now();
  for await (const event of index.ingest(source(documents))) {
    if (event.type === 'done') chunks = event.summary.chunks;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(JSON.stringify({ chunks, seconds, peakRssMb: process.resourceUsage().maxRSS / 1024 }));
}

async function queryChild(folder: string, documents: number, queries: number): Promise<void> {
  const random = randomFrom(77);
  const texts: string[] = [];
  let i = 0;
  for (const document of syntheticCorpus(documents, PARAGRAPHS))
    if (i++ % Math.ceil(documents / queries) === 0) texts.push(queryOf(document, random));
  const startedAt = performance.now();
  await using index = await openIndex(folder);
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

const child = process.argv.find((arg) => arg.startsWith('--child='))?.slice(8);
const documents = Math.ceil(flag('chunks', 100_000) / PARAGRAPHS);
const queries = flag('queries', 300);
if (child) {
  const folder = process.argv.find((arg) => arg.startsWith('--folder='))!.slice(9);
  await (child === 'ingest' ? ingestChild(folder, documents) : queryChild(folder, documents, queries));
} else {
  const home = mkdtempSync(join(tmpdir(), 'ibid-bench-'));
  const folder = join(home, 'index');
  const run = (what: string): Record<string, unknown> =>
    JSON.parse(
      execFileSync(
        process.execPath,
        [import.meta.filename, `--child=${what}`, `--folder=${folder}`, ...process.argv.slice(2)],
        { encoding: 'utf8' },
      ),
    ) as Record<string, unknown>; // our own children
  try {
    const ingested = run('ingest') as { chunks: number; seconds: number; peakRssMb: number };
    let textBytes = 0;
    for (const { title, paragraphs } of syntheticCorpus(documents, PARAGRAPHS))
      textBytes += title.length + 4 + paragraphs.join('\n\n').length;
    const diskBytes = bytesIn(folder);
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
