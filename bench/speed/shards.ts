// A query over a corpus that is one index or so many shards: hybrid p50 and p95, processor time, first query, memory,
// disk and time of ingest. Chunks are synthetic; each size is ingested in one process and asked in a fresh one.
//
//   node bench/speed/shards.ts [--chunks=1000000] [--shards=1,2,4,16] [--threads=2] [--queries=100] [--out=FILE]
//
// 1 shard means an index without shards, asked in the caller's thread. An exponent over several sizes says what ten
// million would cost.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndex } from '../../src/index.ts';
import { seededRandom } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { exponentOf } from '../support/merge.ts';
import { bytesIn, quantile } from '../support/report.ts';
import { queryOf, syntheticDocument } from '../support/synthetic.ts';

const PARAGRAPHS = 10;
const MIB = 2 ** 20;

const { values } = readFlags(import.meta.filename, {
  options: {
    chunks: { type: 'string', default: '1000000' },
    shards: { type: 'string', default: '1,2,4,16' },
    threads: { type: 'string', default: '2' },
    queries: { type: 'string', default: '100' },
    out: { type: 'string' },
    child: { type: 'string' },
    address: { type: 'string', default: '' },
    documents: { type: 'string', default: '0' },
    of: { type: 'string', default: '1' },
  },
});

const shardsOf = (count: number): { shards?: number; threads: number } =>
  count === 1 ? { threads: 1 } : { shards: count, threads: Number(values.threads) };

async function* documents(count: number): AsyncGenerator<{ uri: string; title: string; text: string }> {
  for (let d = 0; d < count; d++) {
    const { title, paragraphs } = syntheticDocument(d, PARAGRAPHS);
    yield { uri: `note:${d}`, title, text: paragraphs.join('\n\n') };
  }
}

async function ingestChild(): Promise<object> {
  const startedAt = performance.now();
  await using index = await openIndex(values.address, { create: true, ...shardsOf(Number(values.of)) });
  const { chunks } = await index.add(documents(Number(values.documents)));
  return { chunks, ingestS: (performance.now() - startedAt) / 1000, peakMiB: process.resourceUsage().maxRSS / 1024 };
}

async function queryChild(): Promise<object> {
  const { threads } = shardsOf(Number(values.of));
  const random = seededRandom(7);
  const asked = Array.from({ length: Number(values.queries) }, () =>
    queryOf(syntheticDocument(Math.floor(random() * Number(values.documents)), PARAGRAPHS), random),
  );
  await using index = await openIndex(values.address, { threads });
  const startedAt = performance.now();
  await index.search(asked[0]!);
  const firstMs = performance.now() - startedAt;
  // threads take over once they have what they share: half a minute with ten million chunks
  const again = async (): Promise<number> => (await index.search(asked[1]!)).report.elapsedMs;
  const alone: number[] = [];
  for (let i = 0; i < 8; i++) alone.push(await again());
  const usual = quantile(alone.slice(3), 0.5);
  let faster = 0;
  for (const end = performance.now() + (threads > 1 ? 120_000 : 0); performance.now() < end && faster < 5; ) {
    faster = (await again()) < 0.7 * usual ? faster + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  for (const query of asked.slice(0, 20)) await index.search(query);
  const ms: number[] = [];
  const before = process.cpuUsage();
  for (const query of asked) {
    const from = performance.now();
    await index.search(query);
    ms.push(performance.now() - from);
  }
  const { user, system } = process.cpuUsage(before); // of all threads
  const cpuMs = (user + system) / 1000 / asked.length;
  return {
    cpuMs,
    p50Ms: quantile(ms, 0.5),
    p95Ms: quantile(ms, 0.95),
    firstMs,
    rssMiB: process.memoryUsage.rss() / MIB,
  };
}

function child(kind: string, address: string, count: number, of: number): Record<string, number> {
  const args = [`--child=${kind}`, `--address=${address}`, `--documents=${count}`, `--of=${of}`];
  const shared = [`--threads=${values.threads}`, `--queries=${values.queries}`];
  const given = execFileSync(process.execPath, [import.meta.filename, ...args, ...shared], { encoding: 'utf8' });
  return JSON.parse(given) as Record<string, number>; // our own child
}

if (values.child === 'ingest') console.log(JSON.stringify(await ingestChild()));
else if (values.child === 'query') console.log(JSON.stringify(await queryChild()));
else {
  const rows: Record<string, number>[] = [];
  for (const chunks of values.chunks.split(',').map(Number))
    for (const of of values.shards.split(',').map(Number)) {
      const home = mkdtempSync(join(tmpdir(), 'ibid-shards-'));
      try {
        const address = join(home, 'index');
        const count = Math.ceil(chunks / PARAGRAPHS);
        const made = child('ingest', address, count, of);
        const row = { shards: of, ...made, diskMiB: bytesIn(address) / MIB, ...child('query', address, count, of) };
        rows.push(row);
        console.log(JSON.stringify(row));
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    }
  for (const of of values.shards.split(',').map(Number)) {
    const own = rows.filter(({ shards }) => shards === of);
    if (own.length < 2) continue;
    const exponent = exponentOf(own.map(({ chunks = 0, p50Ms = 0 }) => ({ chunks, value: p50Ms })));
    const { chunks = 1, p50Ms = 0 } = own.at(-1)!;
    const tenMillion = p50Ms * (1e7 / chunks) ** exponent;
    console.log(JSON.stringify({ shards: of, exponent, 'p50 of 10 million, computed': tenMillion }));
  }
  if (values.out) writeFileSync(values.out, `${JSON.stringify(rows, null, 2)}\n`);
}
