/** Runs of one kind, measured in several processes, as one run. */

import { mean } from '../../src/internal.ts';
import { median, quantile } from './report.ts';
import type { AnnResults, RunFile, RunKind, RunOf, Samples, ScaleSeries, SpeedCase, SpeedResults } from './run-file.ts';

/**
 * Cases and sets stand one after the other; rounds of the same speed case, and points of the same scaling series,
 * come together. The head is the first run's; elapsed times add up.
 * @throws Error for no run
 */
export function mergeRuns<K extends RunKind>(runs: readonly RunOf<K>[], command: string): RunOf<K> {
  const [first] = runs;
  const last = runs.at(-1);
  if (first === undefined || last === undefined) throw new Error('there is no run to merge');
  const sources = runs.flatMap((run) => run.data);
  return {
    ...first,
    command,
    dirty: runs.some(({ dirty }) => dirty),
    versions: Object.assign({}, ...runs.map(({ versions }) => versions)) as RunFile['versions'],
    elapsedMs: runs.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
    machine: { ...first.machine, load: [first.machine.load[0], last.machine.load[1]] },
    data: sources.filter(({ name }, i) => sources.findIndex((one) => one.name === name) === i),
    results: mergeResults(runs as readonly RunFile[]),
  } as RunOf<K>; // the results are of the kind that all runs have
}

function mergeResults(runs: readonly RunFile[]): RunFile['results'] {
  const skipped = unique(runs.flatMap(({ results }) => results.skipped));
  const of = <K extends RunKind>(kind: K) => runs.filter((run): run is RunOf<K> => run.kind === kind);
  switch (runs[0]!.kind) {
    case 'ann': {
      const all = of('ann');
      const results: AnnResults = { k: all[0]!.results.k, cases: all.flatMap((run) => run.results.cases), skipped };
      return results;
    }
    case 'speed': {
      const results: SpeedResults = { cases: joinCases(of('speed').flatMap((run) => run.results.cases)), skipped };
      return results;
    }
    case 'scale':
      return { series: joinSeries(of('scale').flatMap((run) => run.results.series)), skipped };
    case 'trials':
      return { sets: of('trials').flatMap((run) => run.results.sets), skipped };
    case 'answers':
      return { sets: of('answers').flatMap((run) => run.results.sets), skipped };
    case 'quality': {
      const all = of('quality');
      const metrics = [...new Set(all.flatMap((run) => run.results.metrics))];
      return { metrics, collections: all.flatMap((run) => run.results.collections), skipped };
    }
  }
}

function unique<T>(list: readonly T[]): T[] {
  return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
}

function joinCases(cases: readonly SpeedCase[]): SpeedCase[] {
  const joined = new Map<string, SpeedCase[]>();
  for (const one of cases) {
    const key = `${one.task}\n${one.system}`;
    joined.set(key, [...(joined.get(key) ?? []), one]);
  }
  return [...joined.values()].map((rounds) => {
    const { task, system } = rounds[0]!;
    const names = [...new Set(rounds.flatMap(({ measures }) => Object.keys(measures)))];
    const { phases } = rounds[Math.floor(rounds.length / 2)]!;
    const measures = names.map((name): [string, Samples] => {
      const samples = rounds.flatMap((round) => round.measures[name] ?? []);
      const values = samples.flatMap((one) => one.values);
      return [name, { ...samples[0]!, values, value: quoted(name, values) }];
    });
    return { task, system, measures: Object.fromEntries(measures), ...(phases && { phases }) };
  });
}

/** The quantile that the name says ('p95'), else the median. */
function quoted(name: string, values: readonly number[]): number {
  const [, percent] = /^p(\d+)$/.exec(name) ?? [];
  return percent === undefined ? median(values) : quantile(values, Number(percent) / 100);
}

function joinSeries(all: readonly ScaleSeries[]): ScaleSeries[] {
  const joined = new Map<string, ScaleSeries[]>();
  for (const one of all) {
    const key = `${one.system}\n${one.what}`;
    joined.set(key, [...(joined.get(key) ?? []), one]);
  }
  return [...joined.values()].map((parts) => {
    const values = new Map<number, number[]>();
    for (const { points } of parts) {
      for (const { chunks, value, values: own = [value] } of points)
        values.set(chunks, [...(values.get(chunks) ?? []), ...own]);
    }
    const points = [...values]
      .sort(([a], [b]) => a - b)
      .map(([chunks, own]) => ({ chunks, value: median(own), ...(own.length > 1 && { values: own }) }));
    return { ...parts[0]!, points, exponent: exponentOf(points) };
  });
}

/** Least squares of log value over log chunks: cost ~ chunks^exponent. */
export function exponentOf(points: ScaleSeries['points']): number {
  const xs = points.map(({ chunks }) => Math.log(chunks));
  const ys = points.map(({ value }) => Math.log(value));
  const [mx, my] = [mean(xs), mean(ys)];
  const across = xs.reduce((sum, x, i) => sum + (x - mx) * (ys[i]! - my), 0);
  return across / xs.reduce((sum, x) => sum + (x - mx) ** 2, 0);
}
