/** Runs of the bench as sections of a report: a table behind every plot. */
import { median, quantile } from '../support/report.ts';
import type { QualityCollection, QualityComparison, RunFile, RunOf, Skipped } from '../support/run-file.ts';
import { deltaChart, flameChart, type IntervalRow, intervalChart, lineChart } from './charts.ts';
import { colourOf, type Plot, short } from './plot.ts';
import { trialParts } from './trials.ts';

export interface ReportTable {
  readonly head: readonly string[];
  /** The first cell names the row; the others are figures. */
  readonly rows: readonly (readonly string[])[];
}

export interface ReportPart {
  readonly title: string;
  readonly note?: string;
  readonly plots: readonly Plot[];
  readonly table: ReportTable;
}

export interface ReportSection {
  readonly id: string;
  readonly title: string;
  readonly run: RunFile;
  readonly parts: readonly ReportPart[];
  readonly skipped: readonly Skipped[];
}

const titles: Readonly<Record<RunFile['kind'], string>> = {
  quality: 'Retrieval quality',
  answers: 'Answers',
  ann: 'Nearest neighbours',
  speed: 'Speed',
  scale: 'Scaling',
  trials: 'Attacks',
};

export function sectionOf(run: RunFile, position: number): ReportSection {
  const id = `${run.kind}-${position}`;
  return { id, title: titles[run.kind], run, parts: partsOf(run, id), skipped: skippedOf(run) };
}

function partsOf(run: RunFile, id: string): ReportPart[] {
  switch (run.kind) {
    case 'quality':
      return run.results.collections.map((collection, i) => qualityPart(collection, run.results.metrics, `${id}-${i}`));
    case 'answers':
      return answerParts(run, id);
    case 'ann':
      return annParts(run, id);
    case 'speed':
      return speedParts(run, id);
    case 'scale':
      return scaleParts(run, id);
    case 'trials':
      return trialParts(run.results, id);
  }
}

function skippedOf(run: RunFile): Skipped[] {
  const own = [...run.results.skipped];
  if (run.kind !== 'quality') return own;
  const inside = run.results.collections.flatMap(({ name, skipped }) =>
    skipped.map(({ what, reason }) => ({ what: `${name}: ${what}`, reason })),
  );
  return [...own, ...inside];
}

const three = (value: number): string => value.toFixed(3);

/** Signed, three decimals, a real minus. */
function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

const families = ['main', 'baseline', 'alternative', 'context', 'vectors', 'fusion', 'chunks', 'embedder', 'control'];

function qualityPart(collection: QualityCollection, metrics: readonly string[], id: string): ReportPart {
  const { name, documents, chunks, queryIds, variants, comparisons } = collection;
  const metric = metrics.includes('nDCG@10') ? 'nDCG@10' : metrics[0]!;
  const ordered = [...variants].sort((a, b) => families.indexOf(a.family) - families.indexOf(b.family));
  const shown = ordered.filter(({ family, metrics: own }) => family !== 'control' && own[metric]);
  const rows = shown.map(({ name: variant, family, metrics: own }): IntervalRow => {
    const { mean, low, high } = own[metric]!;
    return { name: variant, value: mean, low, high, colour: colourOf(families.indexOf(family)) };
  });
  const plots: Plot[] = [
    intervalChart(
      {
        id: `${id}-means`,
        title: `${name}: ${metric} of each variant`,
        description: `Means over ${queryIds.length} queries with 95 % intervals: ${rows.map((row) => `${row.name} ${row.value.toFixed(3)}`).join(', ')}.`,
      },
      rows,
      {
        label: `${metric}, mean and 95 % interval`,
        format: three,
        colours: [...new Set(shown.map(({ family }) => family))].map((family) => ({
          name: family,
          colour: colourOf(families.indexOf(family)),
        })),
      },
    ),
  ];
  const pair = deltaPair(collection);
  if (pair) {
    const before = pair.base.perQuery[metric];
    const after = pair.other.perQuery[metric];
    if (before && after) {
      const compared = comparisonOf(comparisons, metric, pair.base.name, pair.other.name);
      const means = compared
        ? `mean ${signed(compared.difference)} [${signed(compared.low)}, ${signed(compared.high)}], p = ${compared.pValue.toFixed(4)}`
        : 'per-query difference';
      const differences = after.map((value, i) => value - before[i]!);
      plots.push(
        deltaChart(
          {
            id: `${id}-deltas`,
            title: `${name}: ${pair.other.name} minus ${pair.base.name}, query by query`,
            description: `Differences of ${metric} over ${queryIds.length} queries, sorted; ${means}.`,
          },
          differences,
          `${metric}: ${means}`,
        ),
      );
    }
  }
  const timed = ordered.some(({ msPerQuery }) => msPerQuery !== undefined);
  return {
    title: name,
    note: `${documents.toLocaleString('en')} documents, ${chunks.toLocaleString('en')} chunks, ${queryIds.length} judged queries.`,
    plots,
    table: {
      head: ['variant', 'kind', ...metrics, ...(timed ? ['ms/query'] : [])],
      rows: ordered.map(({ name: variant, family, metrics: own, msPerQuery }) => [
        variant,
        family,
        ...metrics.map((one) =>
          own[one] ? `${own[one].mean.toFixed(3)} [${own[one].low.toFixed(3)}, ${own[one].high.toFixed(3)}]` : '',
        ),
        ...(timed ? [msPerQuery === undefined ? '' : msPerQuery.toFixed(1)] : []),
      ]),
    },
  };
}

/** `other` minus `base`, whichever way round a run has tested them. */
function comparisonOf(
  comparisons: readonly QualityComparison[],
  metric: string,
  base: string,
  other: string,
): Pick<QualityComparison, 'difference' | 'low' | 'high' | 'pValue'> | undefined {
  const own = comparisons.filter((one) => one.metric === metric);
  const turned = own.find((one) => one.base === other && one.other === base);
  if (turned) {
    const { difference, low, high, pValue } = turned;
    return { difference: -difference, low: -high, high: -low, pValue };
  }
  return own.find((one) => one.base === base && one.other === other);
}

/** What ibid offers against the baseline, else the first two variants. */
function deltaPair({ variants }: QualityCollection) {
  const mains = variants.filter(({ family }) => family === 'main');
  const other = mains.find(({ name }) => /hybrid/.test(name)) ?? mains[0] ?? variants[1];
  const base = variants.find(({ family }) => family === 'baseline') ?? variants.find((one) => one !== other);
  return base && other ? { base, other } : undefined;
}

function answerParts({ results }: RunOf<'answers'>, id: string): ReportPart[] {
  return results.sets.map(({ name, modes }, i) => {
    const entries = modes.flatMap(({ mode, figures }) =>
      Object.entries(figures).map(([figure, value]) => ({ mode, figure, value })),
    );
    const kinds = [...new Set(modes.map(({ mode }) => mode))];
    const rows = entries.map(({ mode, figure, value: { mean, low, high } }): IntervalRow => {
      const label = kinds.length > 1 ? `${figure} (${mode})` : figure;
      return { name: label, value: mean, low, high, colour: colourOf(kinds.indexOf(mode)) };
    });
    return {
      title: name,
      plots: [
        intervalChart(
          {
            id: `${id}-${i}`,
            title: `${name}: answers`,
            description: rows.map((row) => `${row.name} ${row.value.toFixed(3)}`).join(', '),
          },
          rows,
          { label: 'share, with 95 % interval', format: three },
        ),
      ],
      table: {
        head: ['figure', 'mode', 'value', '95 % interval', 'questions', 'better'],
        rows: entries.map(({ mode, figure, value: { mean, low, high, n, better } }) => [
          figure,
          mode,
          mean.toFixed(3),
          `${low.toFixed(3)}–${high.toFixed(3)}`,
          String(n),
          better,
        ]),
      },
    };
  });
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

function annParts({ results: { cases, k } }: RunOf<'ann'>, id: string): ReportPart[] {
  const groups = groupBy(
    cases,
    ({ data, rows, dimensions }) => `${short(rows)} vectors of ${dimensions} dimensions, ${data}`,
  );
  return [...groups].map(([title, members], i) => {
    const points = members.flatMap(({ curve }) => curve);
    const worst = Math.min(...points.map(({ recall }) => recall));
    return {
      title,
      plots: [
        lineChart(
          {
            id: `${id}-${i}`,
            title: `${title}: recall@${k} over latency`,
            description: `${members.length} curves; up and to the left is better. Their highest recalls: ${members.map(({ engine, method, curve }) => `${engine} ${method} ${Math.max(...curve.map(({ recall }) => recall)).toFixed(3)}`).join(', ')}.`,
          },
          members.map(({ engine, method, curve }) => ({
            name: `${engine}: ${method}`,
            points: curve.map(({ p50Ms, recall }) => ({ x: p50Ms, y: recall })),
          })),
          { label: 'p50 of a query in ms (logarithmic)', log: true },
          { label: `recall@${k}`, domain: [Math.max(0, Math.floor(worst * 20 - 1) / 20), 1.005] },
        ),
      ],
      table: {
        head: ['engine', 'method', 'setting', `recall@${k}`, 'p50 ms', 'p95 ms', 'build s', 'disk MB'],
        rows: members.flatMap(({ engine, method, buildMs, diskBytes, curve }) =>
          curve.map(({ setting, recall, p50Ms, p95Ms }) => [
            engine,
            method,
            setting,
            recall.toFixed(4),
            short(p50Ms),
            short(p95Ms),
            short(buildMs / 1000),
            diskBytes === undefined ? '' : short(diskBytes / 1e6),
          ]),
        ),
      },
    };
  });
}

function speedParts({ results }: RunOf<'speed'>, id: string): ReportPart[] {
  const systems = [...new Set(results.cases.map(({ system }) => system))];
  return [...groupBy(results.cases, ({ task }) => task)].map(([task, members], i) => {
    const measures = [...new Set(members.flatMap((one) => Object.keys(one.measures)))];
    const plots = measures.flatMap((measure, m): Plot[] => {
      const having = members.filter((one) => one.measures[measure]);
      if (having.length < 2) return []; // one bar shows nothing a figure does not
      const { unit, better } = having[0]!.measures[measure]!;
      const rows = having.map(({ system, measures: own }): IntervalRow => {
        const { value, values } = own[measure]!;
        const spread = values.length > 1 ? { low: quantile(values, 0.25), high: quantile(values, 0.75) } : {};
        return { name: system, value, ...spread, colour: colourOf(systems.indexOf(system)) };
      });
      const chart = {
        id: `${id}-${i}-${m}`,
        title: `${task}: ${measure}`,
        description: `In ${unit}, ${better} is better: ${rows.map(({ name, value }) => `${name} ${short(value)}`).join(', ')}.`,
      };
      return [intervalChart(chart, rows, { label: `${unit}, ${better} is better; lines are quartiles`, from: 0 })];
    });
    const phased = members.filter(({ phases }) => phases && phases.length > 0);
    if (phased.length > 0) {
      const rows = phased.map(({ system, phases }) => ({ name: system, phases: phases! }));
      const description = rows
        .map(
          ({ name, phases }) => `${name}: ${phases.map((phase) => `${phase.name} ${short(phase.ms)} ms`).join(', ')}`,
        )
        .join('; ');
      plots.push(flameChart({ id: `${id}-${i}-phases`, title: `${task}: where the time goes`, description }, rows));
    }
    return {
      title: task,
      plots,
      table: {
        head: ['system', 'measure', 'value', 'median', 'quartiles', 'rounds', 'unit', 'better'],
        rows: [
          ...members.flatMap(({ system, measures: own }) =>
            Object.entries(own).map(([measure, { value, values, unit, better }]) => [
              system,
              measure,
              short(value),
              short(median(values)),
              `${short(quantile(values, 0.25))}–${short(quantile(values, 0.75))}`,
              String(values.length),
              unit,
              better,
            ]),
          ),
          ...phased.flatMap(({ system, phases }) =>
            phases!.map(({ name, ms, parent }) => [
              system,
              `phase: ${parent === undefined ? '' : `${parent} › `}${name}`,
              short(ms),
              '',
              '',
              '',
              'ms',
              'lower',
            ]),
          ),
        ],
      },
    };
  });
}

function scaleParts({ results }: RunOf<'scale'>, id: string): ReportPart[] {
  return [...groupBy(results.series, ({ what, unit }) => `${what} (${unit})`)].map(([title, members], i) => ({
    title,
    plots: [
      lineChart(
        {
          id: `${id}-${i}`,
          title: `${title} over the number of chunks`,
          description: `Both axes are logarithmic; an exponent of 1 is linear growth. ${members.map(({ system, exponent }) => `${system} ${exponent.toFixed(2)}`).join(', ')}.`,
        },
        members.map(({ system, exponent, points }) => ({
          name: `${system}, ~ n^${exponent.toFixed(2)}`,
          points: points.map(({ chunks, value }) => ({ x: chunks, y: value })),
        })),
        { label: 'chunks (logarithmic)', log: true },
        { label: `${title}, logarithmic`, log: true },
      ),
    ],
    table: {
      head: ['system', 'chunks', 'value', 'unit', 'fitted exponent'],
      rows: members.flatMap(({ system, unit, exponent, points }) =>
        points.map(({ chunks, value }) => [
          system,
          chunks.toLocaleString('en'),
          short(value),
          unit,
          exponent.toFixed(2),
        ]),
      ),
    },
  }));
}

/** Where the figures come from, as name and value. */
export function provenanceOf({
  machine,
  versions,
  commit,
  dirty,
  seed,
  startedAt,
  elapsedMs,
  command,
  data,
}: RunFile): [string, string][] {
  return [
    ['command', command],
    ['commit', `${commit.slice(0, 12)}${dirty ? ' with changes' : ''}`],
    ['started', `${startedAt.slice(0, 16).replace('T', ' ')} UTC, took ${(elapsedMs / 60_000).toFixed(1)} min`],
    [
      'machine',
      `${machine.cpus} × ${machine.model}, ${Math.round(machine.memoryBytes / 2 ** 30)} GiB, ${machine.platform} ${machine.arch}; load ${machine.load.map((load) => load.toFixed(1)).join(' to ')}`,
    ],
    [
      'versions',
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ],
    ['seed', String(seed)],
    [
      'data',
      data
        .map(({ name, documents, queries, sha256 }) => {
          const sums = Object.entries(sha256).map(([file, sum]) => `${file} ${sum.slice(0, 8)}`);
          return `${name}: ${documents.toLocaleString('en')} documents, ${queries.toLocaleString('en')} queries${sums.length > 0 ? ` (${sums.join(', ')})` : ''}`;
        })
        .join('; '),
    ],
  ];
}
