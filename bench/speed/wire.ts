// Our clients beside the official ones against the same loopback service: time and memory to consume a long event
// stream and a long results file, and small requests per second. Each figure is of a fresh process, the variants take
// turns, the order alternates.
//
//   node bench/speed/wire.ts [--rounds=5] [--events=200000] [--lines=100000] [--requests=4000] [--only=chat] [--write]
//
// `--only` measures one of chat, messages, results, requests and sequential. `--write` keeps the figures in
// bench/results/wire.json.
// `cpu` is what the client's process used, all threads; on a machine that does other things too it is steadier than
// the clock.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { readFlags, wrongUse } from '../support/flags.ts';
import { median, provenance, writeResults } from '../support/report.ts';
import { type Variant, workloads } from '../support/wire-clients.ts';

const { values } = readFlags(import.meta.filename, {
  options: {
    rounds: { type: 'string', default: '5' },
    events: { type: 'string', default: '200000' },
    lines: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '4000' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    one: { type: 'string' },
    base: { type: 'string', default: '' },
    count: { type: 'string', default: '0' },
  },
});

interface Measured {
  readonly ms: number;
  readonly cpuMs: number;
  /** Highest resident set, less what it was before the measured part. */
  readonly peakGrowthMb: number;
  /**
   * Live heap after a forced collection, at a quarter, a half and three quarters of the way: flat if nothing piles
   * up.
   */
  readonly liveMb: readonly number[];
  readonly collections: number;
  readonly items: number;
}

/** One variant, measured in this process. */
async function measure(variant: Variant, base: string, count: number): Promise<Measured> {
  const warm = Math.ceil(count / 10);
  if ((await variant.run(base, warm, () => {})) !== warm) throw new Error('the warm-up came out short');
  const collect = globalThis.gc ?? ((): void => {});
  // Live memory needs collections, which would be counted as time: a run of its own.
  const liveMb: number[] = [];
  const marks = [1, 2, 3].map((quarter) => Math.floor((count * quarter) / 4));
  await variant.run(base, count, (item) => {
    if (!marks.includes(item)) return;
    collect();
    liveMb.push(process.memoryUsage().heapUsed / 2 ** 20);
  });
  collect();
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().length;
  });
  observer.observe({ entryTypes: ['gc'] });
  const rss = process.memoryUsage.rss();
  let peak = rss;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const items = await variant.run(base, count, () => {});
  const ms = performance.now() - startedAt;
  const used = process.cpuUsage(cpu);
  peak = Math.max(peak, process.memoryUsage.rss());
  clearInterval(sampler);
  await new Promise((resolve) => setTimeout(resolve, 20)); // for the observer
  observer.disconnect();
  return {
    ms,
    cpuMs: (used.user + used.system) / 1000,
    peakGrowthMb: (peak - rss) / 2 ** 20,
    liveMb,
    collections,
    items,
  };
}

async function startServer(): Promise<{ base: string; stop: () => void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../support/wire-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { port } = JSON.parse(line) as { port: number }; // our own server
    return { base: `http://127.0.0.1:${port}`, stop: () => void child.stdin.end() };
  }
  throw new Error('the server did not start');
}

if (values.one !== undefined) {
  const [workload, name] = values.one.split('/') as [string, string];
  const variant = workloads[workload]!.find((other) => other.name === name)!;
  console.log(JSON.stringify(await measure(variant, values.base, Number(values.count))));
  process.exit(0);
}

const rounds = Number(values.rounds);
const { only } = values;
if (only !== '' && workloads[only] === undefined) wrongUse(import.meta.filename, `there is no workload "${only}"`);
const counts: Readonly<Record<string, number>> = {
  chat: Number(values.events),
  messages: Number(values.events),
  results: Number(values.lines),
  requests: Number(values.requests),
  sequential: Number(values.requests) / 2,
};
const command = (workload: string): string =>
  `node bench/speed/wire.ts${only === '' ? '' : ` --only=${workload}`} --rounds=${rounds} --write`;
const server = await startServer();
const results: Record<string, unknown> = {};
try {
  for (const [workload, variants] of Object.entries(workloads)) {
    if (only !== '' && only !== workload) continue;
    const count = counts[workload]!;
    const seen = new Map<string, Measured[]>(variants.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const { name } of round % 2 === 0 ? variants : [...variants].reverse()) {
        const args = [
          '--expose-gc',
          import.meta.filename,
          `--one=${workload}/${name}`,
          `--base=${server.base}`,
          `--count=${count}`,
        ];
        const child = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 300_000 });
        if (child.status !== 0) throw new Error(`${workload}/${name}: ${child.stderr}`);
        const figures = JSON.parse(child.stdout) as Measured; // our own process
        if (figures.items !== count) throw new Error(`${workload}/${name}: ${figures.items} of ${count} arrived`);
        seen.get(name)!.push(figures);
      }
    }
    const official = variants[0]!.name;
    console.log(`\n${workload}, ${count.toLocaleString('en')} each, median of ${rounds} (least to most)`);
    const rows: Record<string, unknown> = {};
    for (const { name, beside = official } of variants) {
      const all = seen.get(name)!;
      const of = (pick: (figures: Measured) => number): { median: number; min: number; max: number } => {
        const values = all.map(pick);
        return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
      };
      // Round by round against the official client of the same round, so that a slow minute weighs on both.
      const against = (pick: (figures: Measured) => number): number =>
        median(all.map((figures, i) => pick(seen.get(beside)![i]!) / pick(figures)));
      const row = {
        ms: of(({ ms }) => ms),
        cpuMs: of(({ cpuMs }) => cpuMs),
        perSecond: count / (of(({ ms }) => ms).median / 1000),
        peakGrowthMb: of(({ peakGrowthMb }) => peakGrowthMb),
        liveMb: [0, 1, 2].map((i) => median(all.map(({ liveMb }) => liveMb[i] ?? Number.NaN))),
        collections: of(({ collections }) => collections).median,
        beside,
        timesFaster: against(({ ms }) => ms),
        timesLessCpu: against(({ cpuMs }) => cpuMs),
      };
      rows[name] = row;
      const spread = ({ median: mid, min, max }: { median: number; min: number; max: number }): string =>
        `${mid.toFixed(0)} (${min.toFixed(0)}-${max.toFixed(0)})`.padStart(18);
      console.log(
        `${name.padEnd(22)} ms${spread(row.ms)}  cpu${spread(row.cpuMs)}  ${row.timesFaster.toFixed(2)}x  cpu ${row.timesLessCpu.toFixed(2)}x  ` +
          `${Math.round(row.perSecond).toLocaleString('en').padStart(9)}/s  peak +${row.peakGrowthMb.median.toFixed(0)} MB  live ${row.liveMb.map((mb) => mb.toFixed(1)).join(' ')} MB  gc ${row.collections}${beside === official ? '' : `  (beside ${beside})`}`,
      );
    }
    const { commit } = provenance('');
    results[workload] = { command: command(workload), commit, count, rounds, variants: rows };
  }
} finally {
  server.stop();
}
if (values.write) {
  // One workload measured again leaves the figures of the others, each with the commit it was taken at.
  const file = join(import.meta.dirname, '../results/wire.json');
  // our own file
  const before = only === '' ? {} : (JSON.parse(readFileSync(file, 'utf8')) as { results: object }).results;
  writeResults('wire', command(only), { ...before, ...results });
}
