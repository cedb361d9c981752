/**
 * What an index costs on disk and how fast it is written, opened and read: synthetic Zipfian text, random vectors
 * (which do not compress).
 *
 *     node bench/speed/store.ts [--chunks 100000] [--dims 256,1024] [--save]
 *
 * `bytes` is everything under the index's folder after `finish`, less what the text alone takes in a table of its
 * own: LanceDB compresses text, so it is not the text's length. Each dimension runs in a fresh process.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectDatabase, type DocumentRecord, openStore, openWriter, seededRandom } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { bytesIn, median, writeResults } from '../support/report.ts';
import { syntheticCorpus } from '../support/synthetic.ts';

const chunksPerDocument = 8;

const { values } = readFlags(import.meta.filename, {
  options: {
    chunks: { type: 'string', default: '100000' },
    dims: { type: 'string', default: '256,1024' },
    save: { type: 'boolean', default: false },
    one: { type: 'boolean', default: false },
  },
});

function* records(chunks: number, dims: number): Generator<DocumentRecord> {
  const random = seededRandom(3);
  for (const { name, title, paragraphs } of syntheticCorpus(Math.ceil(chunks / chunksPerDocument), chunksPerDocument)) {
    let at = 0;
    yield {
      uri: name,
      title,
      format: 'markdown',
      metadata: { author: `Author ${Math.floor(random() * 500)}`, year: 2000 + Math.floor(random() * 25) },
      source: {
        sizeBytes: paragraphs.join('').length,
        mtimeMs: 1.7e12 + at,
        contentHash: `${Math.floor(random() * 1e15)}`.padStart(64, '0'),
      },
      chunks: paragraphs.map((text, position) => {
        const span = { start: at, end: at + text.length };
        at = span.end;
        const headings = [paragraphs[0]!.slice(0, 24), `Section ${Math.floor(position / 2)}`];
        return {
          position,
          span,
          text,
          headings,
          tokens: 150 + (position % 9),
          locators: [],
          firstLine: 1 + position * 4,
        };
      }),
      vectors: paragraphs.map(() =>
        Int8Array.from({ length: dims }, () => (random() + random() + random() - 1.5) * 80),
      ),
      warnings: [],
    };
  }
}

async function timed<T>(run: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  const value = await run();
  return { value, ms: Math.round((performance.now() - start) * 10) / 10 };
}

/** Bytes of the chunks' texts alone, as the database stores them. */
async function textBytes(folder: string): Promise<number> {
  const database = await connectDatabase(folder);
  const table = await database.open('chunks_1');
  const alone = join(folder, 'text');
  const { connect } = await import('@lancedb/lancedb');
  const other = await connect(alone);
  await other.createTable('text', await table.query().select(['text']).toArrow(), { mode: 'create' });
  const bytes = bytesIn(alone);
  rmSync(alone, { recursive: true });
  return bytes;
}

async function measureOne(chunks: number, dims: number): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-bench-'));
  try {
    const writer = await openWriter(folder, { fingerprint: { embedder: 'bench', dimensions: dims } });
    let batch: DocumentRecord[] = [];
    let writeMs = 0;
    let rawText = 0;
    const flush = async (): Promise<void> => {
      writeMs += (await timed(() => writer.current.replaceDocuments(batch))).ms;
      batch = [];
    };
    for (const record of records(chunks, dims)) {
      batch.push(record);
      for (const chunk of record.chunks) rawText += Buffer.byteLength(chunk.text);
      if (batch.length * chunksPerDocument >= 4096) await flush();
    }
    if (batch.length > 0) await flush();
    const finish = await timed(() => writer.finish());
    await writer.close();
    const peakRssMiB = Math.round(process.resourceUsage().maxRSS / 1024);
    const total = bytesIn(folder);
    const parts = Object.fromEntries(
      readdirSync(join(folder, 'lance')).map((name) => [
        name.replace(/(_1)?\.lance$/, ''),
        Math.round((10 * bytesIn(join(folder, 'lance', name))) / chunks) / 10,
      ]),
    );
    const text = await textBytes(folder);
    const again = await timed(() => openWriter(folder));
    const manifest = await timed(() => again.value.current.manifest());
    await again.value.close();
    const open = await timed(() => openStore(folder));
    const snapshot = await timed(() => open.value.snapshot());
    const random = seededRandom(9);
    const fetches: number[] = [];
    const filters: number[] = [];
    for (let i = 0; i < 20; i++) {
      const rows = Array.from({ length: 20 }, () => Math.floor(random() * chunks));
      fetches.push((await timed(() => snapshot.value.fetch(rows))).ms);
      filters.push((await timed(() => snapshot.value.filter(`metadata.year = ${2000 + i}`))).ms);
    }
    const refresh = await timed(() => open.value.snapshot());
    return {
      ...{ chunks, dims },
      bytesBeyondText: Math.round((total - text) / chunks),
      bytesBeyondRawText: Math.round((total - rawText) / chunks),
      textBytes: Math.round(text / chunks),
      bytesByTable: parts,
      chunksPerSecond: Math.round((1000 * chunks) / writeMs),
      finishMs: finish.ms,
      peakRssMiB,
      ms: {
        openWriter: again.ms,
        manifest: manifest.ms,
        openStore: open.ms,
        firstSnapshot: snapshot.ms,
        nextSnapshot: refresh.ms,
        fetch20: median(fetches),
        filterMetadata: median(filters),
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.one) {
  console.log(JSON.stringify(await measureOne(Number(values.chunks), Number(values.dims))));
} else {
  const results = values.dims.split(',').map((dims) => {
    const shape = ['--one', '--dims', dims, '--chunks', values.chunks];
    const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...shape], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`${shape.join(' ')}: ${run.stderr}`);
    const measured: unknown = JSON.parse(run.stdout);
    console.log(JSON.stringify(measured, null, 2));
    return measured;
  });
  if (values.save)
    writeResults('store', `node bench/speed/store.ts --chunks ${values.chunks} --dims ${values.dims}`, results);
}
