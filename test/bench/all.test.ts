import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runBench } from '../../bench/all/child.ts';
import { headlineMarkdown, headlineOf, summaryOf } from '../../bench/all/headlines.ts';
import { syntheticCollection } from '../../bench/quality/control-suite.ts';
import { exponentOf, mergeRuns } from '../../bench/support/merge.ts';
import { beginRun, type RunOf, readRunFile, type Samples, type ScaleSeries } from '../../bench/support/run-file.ts';
import { reportRuns } from '../support/report-runs.ts';
import { tempFolder } from '../support/temp.ts';

const root = join(import.meta.dirname, '../..');

const samples = (values: readonly number[], value: number, of: Samples['of'] = 'round'): Samples => ({
  unit: 'ms',
  better: 'lower',
  values,
  of,
  value,
});

function speedRun(cpu: number, queries: readonly number[]): RunOf<'speed'> {
  const measures = { cpu: samples([cpu], cpu), p95: samples(queries, queries.at(-1)!, 'query') };
  const data = [{ name: 'files', sha256: {}, documents: 10, queries: queries.length }];
  const cases = [{ task: 'ingest', system: 'ibid', measures }];
  const skipped = [{ what: 'orama', reason: 'not installed' }];
  return beginRun({ kind: 'speed', command: 'one' }).finish({ data, results: { cases, skipped } });
}

function scaleRun(points: ScaleSeries['points']): RunOf<'scale'> {
  const series: ScaleSeries = { system: 'ibid', what: 'ingest', unit: 's', better: 'lower', points, exponent: 9 };
  return beginRun({ kind: 'scale', command: 'one' }).finish({ data: [], results: { series: [series], skipped: [] } });
}

describe('runs of one kind, merged', () => {
  it('rounds of a case come together: median of rounds, the named quantile of queries', () => {
    const runs = [speedRun(30, [1, 2, 3]), speedRun(10, [4, 5, 6]), speedRun(20, [7, 8, 9])];
    const { results, command, data, elapsedMs } = mergeRuns(runs, 'all of them');
    expect(command).toBe('all of them');
    expect(data).toHaveLength(1);
    expect(elapsedMs).toBe(runs.reduce((sum, run) => sum + run.elapsedMs, 0));
    expect(results.skipped).toEqual([{ what: 'orama', reason: 'not installed' }]);
    expect(results.cases).toHaveLength(1);
    const { cpu, p95 } = results.cases[0]!.measures;
    expect(cpu).toMatchObject({ values: [30, 10, 20], value: 20 });
    expect(p95).toMatchObject({ values: [1, 2, 3, 4, 5, 6, 7, 8, 9], value: 9 }); // the nearest rank of 0.95 · 9
  });

  it('points of a series come together by size, and the line is drawn through all of them', () => {
    const runs = [
      scaleRun([
        { chunks: 1000, value: 2 },
        { chunks: 10_000, value: 20 },
      ]),
      scaleRun([
        { chunks: 1000, value: 4 },
        { chunks: 100, value: 0.3 },
      ]),
      scaleRun([{ chunks: 1000, value: 3 }]),
    ];
    const [series] = mergeRuns(runs, 'all').results.series;
    expect(series!.points).toEqual([
      { chunks: 100, value: 0.3 },
      { chunks: 1000, value: 3, values: [2, 4, 3] },
      { chunks: 10_000, value: 20 },
    ]);
    expect(series!.exponent).toBe(exponentOf(series!.points));
  });

  it('the exponent is the power that a cost grows with', () => {
    const grown = (power: number) => [10, 100, 5000].map((chunks) => ({ chunks, value: 3 * chunks ** power }));
    for (const power of [0, 0.5, 1, 2]) expect(exponentOf(grown(power))).toBeCloseTo(power, 10);
  });
});

describe('headlines', () => {
  it.each(reportRuns().map((run) => [run.kind, run] as const))(
    'of a run of kind %s: a table, JSON, Markdown',
    (_, run) => {
      const { head, rows } = headlineOf(run);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row).toHaveLength(head.length);
      const table = headlineMarkdown(run).filter((line) => line.startsWith('|'));
      expect(table).toHaveLength(rows.length + 2);
      expect(JSON.stringify(summaryOf(run)).length).toBeLessThan(60_000);
    },
  );

  it('the lead of the hybrid is over the best package, and has its sign', () => {
    const run = reportRuns().find((one) => one.kind === 'quality')! as RunOf<'quality'>;
    const collection = run.results.collections[0]!;
    const variant = (name: string, family: 'main' | 'alternative', mean: number) => ({
      name,
      family,
      metrics: { 'nDCG@10': { mean, low: mean, high: mean } },
      perQuery: {},
    });
    const test = (other: string, difference: number) => ({
      ...{ metric: 'nDCG@10', base: 'hybrid', other, difference, low: difference, high: difference, pValue: 0.01 },
    });
    const changed = {
      ...collection,
      variants: [
        variant('hybrid', 'main', 0.7),
        variant('weak', 'alternative', 0.4),
        variant('strong', 'alternative', 0.65),
      ],
      comparisons: [test('weak', -0.3), test('strong', -0.05)],
    };
    const { rows } = headlineOf({ ...run, results: { ...run.results, collections: [changed] } });
    expect(rows[0]!.slice(-3)).toEqual(['0.650', 'strong', '+0.050 (p 0.0100)']);
  });
});

describe('a bench under a deadline', () => {
  const bench = (script: string, limitMs: number, abort = new AbortController()) => {
    const folder = tempFolder({ 'bench.mjs': script });
    const lines: string[] = [];
    const ended = runBench([join(folder, 'bench.mjs'), folder], {
      ...{ limitMs, graceMs: 1500, log: join(folder, 'log'), signal: abort.signal },
      onProgress: (line) => lines.push(line),
    });
    return { folder, lines, ended };
  };

  it('tells how it ended, and what it said', async () => {
    const { folder, lines, ended } = bench(
      "console.log('figures'); console.error('half way'); console.error('Error: broken'); process.exitCode = 3;",
      60_000,
    );
    expect(await ended).toMatchObject({ status: 3, cut: undefined, stdout: 'figures\n', complaint: 'Error: broken' });
    expect(lines).toEqual(['half way', 'Error: broken']);
    const log = readFileSync(join(folder, 'log'), 'utf8');
    for (const said of ['figures', 'half way', 'Error: broken']) expect(log).toContain(said);
  });

  it('lets one that knows how to end write what it has', async () => {
    const { folder, ended } = bench(
      `import { writeFileSync } from 'node:fs';
       process.on('SIGINT', () => { writeFileSync(process.argv[2] + '/kept', 'kept'); process.exit(130); });
       setInterval(() => {}, 1000);`,
      2500,
    );
    expect(await ended).toMatchObject({ cut: 'deadline' });
    expect(existsSync(join(folder, 'kept'))).toBe(true);
  });

  it('kills one that does not, and what it started', async () => {
    const abort = new AbortController();
    const { lines, ended } = bench(
      `import { spawn } from 'node:child_process';
       process.on('SIGINT', () => {});
       const stubborn = "process.on('SIGINT', () => {}); console.error(process.pid); setInterval(() => {}, 1000);";
       spawn(process.execPath, ['-e', stubborn], { stdio: ['ignore', 'ignore', 'inherit'] });
       setInterval(() => {}, 1000);`,
      60_000,
      abort,
    );
    while (lines.length === 0) await sleep(20);
    abort.abort();
    // it is told to have ended once nobody holds its stderr any more: what it started has ended, too
    expect(await ended).toMatchObject({ cut: 'interrupted', status: null });
  });
});

describe('npm run bench', { timeout: 300_000 }, () => {
  const run = async (args: readonly string[], env: NodeJS.ProcessEnv, onLine?: (text: string, pid: number) => void) => {
    const child = spawn(process.execPath, [join(root, 'bench/all.ts'), ...args], { env: { ...process.env, ...env } });
    let stderr = '';
    let stdout = '';
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr += data;
      onLine?.(stderr, child.pid!);
    });
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, stdout, stderr };
  };

  /** The collection of the controls in BEIR layout, as the only one there is. */
  const sharedFolder = (): string => {
    const { documents, ids, queries, qrels } = syntheticCollection(30);
    const texts = documents.flatMap(({ title, chunks }) => chunks.map(({ text }) => ({ title, text })));
    const json = (list: readonly object[]): string => list.map((one) => `${JSON.stringify(one)}\n`).join('');
    const shared = tempFolder();
    const set = join(shared, 'data/made');
    mkdirSync(join(set, 'qrels'), { recursive: true });
    writeFileSync(join(set, 'corpus.jsonl'), json(ids.map((id, i) => ({ _id: id, ...texts[i] }))));
    writeFileSync(join(set, 'queries.jsonl'), json(queries.map(({ id, text }) => ({ _id: id, text }))));
    const judged = [...qrels].flatMap(([query, grades]) =>
      [...grades].map(([id, grade]) => `${query}\t${id}\t${grade}\n`),
    );
    writeFileSync(join(set, 'qrels/test.tsv'), `query-id\tcorpus-id\tscore\n${judged.join('')}`);
    return shared;
  };

  it('refuses parts and times that are none', async () => {
    const { stderr, ...refused } = await run(['--only', 'taste'], {});
    expect(refused).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('quality, answers, services, speed, scale, ann');
    expect((await run(['--minutes', '0'], {})).status).toBe(2);
    expect((await run(['--minuets', '5'], {})).stderr).toContain('usage: npm run bench');
  });

  it('measures a part within its time, and writes the run, the summary and the report', async () => {
    const out = tempFolder();
    const { status, stderr } = await run(['--only', 'quality', '--minutes', '2', '--out', out], {
      IBID_SHARED: sharedFolder(),
    });
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/^\d\d:\d\d {2}quality: .*main.*left of it, \d\d:\d\d of all\)$/m);
    const file = readRunFile(join(out, 'quality.json')) as RunOf<'quality'>;
    expect(file.results.collections.map(({ name }) => name)).toEqual(['made']);
    expect(file.command).not.toContain(out);
    const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as {
      parts: { part: string }[];
      runs: { kind: string; figures: Record<string, string>[] }[];
    };
    expect(summary.parts.map(({ part }) => part)).toEqual(['quality']);
    const hybrid = file.results.collections[0]!.variants.find(({ name }) => name === 'hybrid')!;
    expect(summary.runs[0]!.figures[0]!.hybrid).toBe(hybrid.metrics['nDCG@10']!.mean.toFixed(3));
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('made');
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('| made |');
  });

  it('a Ctrl-C keeps what was measured, and says what was not', async () => {
    const out = tempFolder();
    let sent = false;
    const { status, stderr } = await run(
      ['--only', 'quality,scale', '--minutes', '3', '--out', out],
      { IBID_SHARED: sharedFolder() },
      (text, pid) => {
        if (sent || !text.includes('made: fusion')) return;
        sent = true;
        process.kill(pid, 'SIGINT');
      },
    );
    expect(status, stderr).toBe(130);
    expect(stderr).toContain('not measured: scale: the run was interrupted');
    const file = readRunFile(join(out, 'quality.json')) as RunOf<'quality'>;
    const [made] = file.results.collections;
    expect(made!.variants.map(({ name }) => name)).toContain('hybrid');
    expect(made!.skipped).toContainEqual({ what: 'embedder', reason: 'the run was interrupted' });
    expect(existsSync(join(out, 'report.html'))).toBe(true);
  });
});
