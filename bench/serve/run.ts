// What serving costs beside the library in process, in one run: the same index, the same queries, in turns.
//
//   node bench/serve/run.ts [--chunks=100000] [--queries=200] [--seconds=10] [--files=10000] [--requests=100000] [--write]
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndex, type SearchIndex } from '../../src/index.ts';
import { seededRandom } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { quantile, writeResults } from '../support/report.ts';
import { queryOf, syntheticCorpus, writeDocuments } from '../support/synthetic.ts';

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    chunks: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '10' },
    files: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '100000' },
    write: { type: 'boolean', default: false },
  },
});
const PARAGRAPHS = 10;
const CALLERS = 16;
const cli = join(import.meta.dirname, '../../src/cli/main.ts');
const documents = Math.ceil(Number(flags.chunks) / PARAGRAPHS);

interface Served extends AsyncDisposable {
  readonly url: string;
  readonly readyMs: number;
}

/** `ibid serve` in a process of its own, as a user starts it. */
async function serveIndex(address: string): Promise<Served> {
  const startedAt = performance.now();
  const child: ChildProcess = spawn(process.execPath, [cli, 'serve', '--port', '0', '--json', '--index', address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  while ((await get(`${url}/ready`)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 5));
  return {
    url,
    readyMs: performance.now() - startedAt,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });

interface Timed {
  readonly status: number;
  readonly text: string;
  readonly firstMs: number;
  readonly ms: number;
}

/** A request over a connection that stays open; `firstMs`: until the first byte of the body. */
function get(url: string): Promise<Timed> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      let text = '';
      let firstMs = 0;
      response.setEncoding('utf8').on('data', (piece: string) => {
        firstMs ||= performance.now() - startedAt;
        text += piece;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode!, text, firstMs, ms: performance.now() - startedAt }),
      );
    })
      .on('error', reject)
      .end();
  });
}

/** Calls from several callers at a time, for so long. */
async function during(
  seconds: number,
  callers: number,
  call: (i: number) => Promise<unknown>,
): Promise<{ perSecond: number; times: number[] }> {
  const times: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const caller = async (): Promise<void> => {
    while (performance.now() - startedAt < seconds * 1000) {
      const at = performance.now();
      await call(next++);
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { perSecond: times.length / ((performance.now() - startedAt) / 1000), times };
}

async function residentMb(url: string): Promise<number> {
  const { text } = await get(`${url}/metrics`);
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]) / 2 ** 20;
}

async function measure(
  home: string,
  index: SearchIndex,
  server: Served,
  texts: readonly string[],
): Promise<Record<string, unknown>> {
  const { url } = server;
  const text = (i: number): string => texts[i % texts.length]!;
  const overHttp = async (i: number, path = 'search?query'): Promise<Timed> => {
    const told = await get(`${url}/api/${path}=${encodeURIComponent(text(i))}`);
    if (told.status !== 200) throw new Error(`${told.status}: ${told.text.slice(0, 200)}`);
    return told;
  };
  for (let i = 0; i < 30; i++) await Promise.all([index.search(text(i)), overHttp(i)]); // warm
  const own: number[] = [];
  const served: number[] = [];
  const first: number[] = [];
  for (let i = 0; i < texts.length; i++) {
    const at = performance.now();
    await index.search(text(i));
    own.push(performance.now() - at);
    served.push((await overHttp(i)).ms);
    first.push((await overHttp(i, 'ask?stream=true&question')).firstMs);
  }
  const seconds = Number(flags.seconds);
  let sent = served.length * 2;
  while (sent < 1000) sent += (await during(1, CALLERS, (i) => overHttp(i))).times.length;
  const memoryFirst = { firstMb: await residentMb(url), first: sent };
  const alone = await during(seconds, 1, (i) => index.search(text(i)));
  const many = await during(seconds, CALLERS, (i) => overHttp(i));
  sent += many.times.length;
  const requests = Number(flags.requests);
  while (sent < requests) sent += (await during(5, CALLERS, (i) => overHttp(i))).times.length;
  const lastMb = await residentMb(url);
  const ingest = spawn(
    process.execPath,
    [cli, 'ingest', join(home, 'more'), '--index', join(home, 'index'), '--quiet', '--json'],
    { stdio: 'ignore' },
  );
  let running = true;
  void once(ingest, 'close').then(() => {
    running = false;
  });
  const busy: number[] = [];
  for (let round = 0; running && round < 60; round++)
    busy.push(...(await during(1, CALLERS, (i) => overHttp(i))).times);
  if (running) await once(ingest, 'close');
  return {
    readyMs: server.readyMs,
    inProcess: { p50: quantile(own, 0.5), p95: quantile(own, 0.95), perSecond: alone.perSecond },
    overHttp: {
      p50: quantile(served, 0.5),
      p95: quantile(served, 0.95),
      beyondP50: quantile(served, 0.5) - quantile(own, 0.5),
    },
    at16: {
      perSecond: many.perSecond,
      timesInProcess: many.perSecond / alone.perSecond,
      p50: quantile(many.times, 0.5),
      p99: quantile(many.times, 0.99),
    },
    duringIngest: {
      searches: busy.length,
      p99: quantile(busy, 0.99),
      timesIdle: quantile(busy, 0.99) / quantile(many.times, 0.99),
    },
    firstEvent: { p50: quantile(first, 0.5), beyondSearchP50: quantile(first, 0.5) - quantile(served, 0.5) },
    memory: {
      ...{ ...memoryFirst, lastMb, requests: sent, ratio: lastMb / memoryFirst.firstMb },
      afterIngestMb: await residentMb(url),
    },
  };
}

const home = mkdtempSync(join(tmpdir(), 'ibid-bench-'));
try {
  writeDocuments(join(home, 'docs'), 0, documents, PARAGRAPHS);
  const files = Number(flags.files);
  writeDocuments(join(home, 'more'), documents, documents + files, 1);
  execFileSync(
    process.execPath,
    [cli, 'ingest', join(home, 'docs'), '--index', join(home, 'index'), '--quiet', '--json'],
    { cwd: home },
  );
  const random = seededRandom(77);
  const queries = Number(flags.queries);
  const texts: string[] = [];
  let i = 0;
  for (const document of syntheticCorpus(documents, PARAGRAPHS))
    if (i++ % Math.max(1, Math.floor(documents / queries)) === 0) texts.push(queryOf(document, random));
  await using index = await openIndex(join(home, 'index'));
  await using server = await serveIndex(join(home, 'index'));
  const results = {
    chunks: documents * PARAGRAPHS,
    files,
    cpus: cpus().length,
    loadBefore: loadavg()[0],
    ...(await measure(home, index, server, texts)),
  };
  console.log(JSON.stringify(results, null, 2));
  if (flags.write) writeResults('serve', `node bench/serve/run.ts ${process.argv.slice(2).join(' ')}`.trim(), results);
  agent.destroy();
} finally {
  rmSync(home, { recursive: true, force: true });
}
