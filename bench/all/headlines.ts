/** The main figures of a full run, small enough for the repository: one table for each kind, as JSON and Markdown. */
import { markdownTable } from '../report/render.ts';
import { provenanceOf, type ReportTable } from '../report/sections.ts';
import { median } from '../support/report.ts';
import type { QualityVariant, RunFile, RunOf } from '../support/run-file.ts';

export interface Headline extends ReportTable {
  readonly title: string;
  readonly note: string;
}

const three = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(3));
/** Three significant digits, no exponent. */
const short = (value: number | undefined): string =>
  value === undefined ? '' : Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 6 });

export function headlineOf(run: RunFile): Headline {
  switch (run.kind) {
    case 'quality':
      return qualityHeadline(run);
    case 'answers':
      return answersHeadline(run);
    case 'ann':
      return annHeadline(run);
    case 'speed':
      return speedHeadline(run);
    case 'scale':
      return scaleHeadline(run);
    case 'trials':
      return trialsHeadline(run);
  }
}

function trialsHeadline({ results }: RunOf<'trials'>): Headline {
  return {
    title: 'Attacks',
    note: 'How often what must hold did not.',
    head: ['attack', 'attempts', 'findings'],
    rows: results.sets.map(({ name, attempts, findings }) => [
      name,
      attempts.toLocaleString('en'),
      String(findings.length),
    ]),
  };
}

function qualityHeadline({ results }: RunOf<'quality'>): Headline {
  const metric = 'nDCG@10';
  const rows = results.collections.map(({ name, variants, comparisons, queryIds }) => {
    const of = (one: QualityVariant | undefined): number | undefined => one?.metrics[metric]?.mean;
    const named = (wanted: string): number | undefined => of(variants.find((one) => one.name === wanted));
    const best = variants
      .filter(({ family }) => family === 'alternative')
      .reduce<QualityVariant | undefined>((a, b) => ((of(b) ?? 0) > (of(a) ?? -1) ? b : a), undefined);
    const test = comparisons.find((one) => one.other === best?.name && one.metric === metric);
    return [
      name,
      String(queryIds.length),
      ...['BM25', 'lexical', 'dense', 'hybrid', 'hybrid, weights fitted on the others'].map((one) => three(named(one))),
      three(of(best)),
      best?.name ?? '',
      test === undefined
        ? ''
        : `${test.difference < 0 ? '+' : '−'}${Math.abs(test.difference).toFixed(3)} (p ${test.pValue.toFixed(4)})`,
    ];
  });
  return {
    title: 'Retrieval quality',
    note: `${metric}; the last column is the hybrid’s lead over the best text-search package, with the paired randomisation test.`,
    head: [
      ...['collection', 'queries', 'BM25', 'lexical', 'dense', 'hybrid', 'hybrid, others’ weights'],
      ...['best package', 'which', 'lead'],
    ],
    rows,
  };
}

function answersHeadline({ results }: RunOf<'answers'>): Headline {
  const figures = [
    'gold answer in the answer',
    'gold evidence cited',
    'citation precision',
    'citation recall',
    'citations letter for letter',
    'own questions refused',
    ...['look-alike', 'gold removed', 'foreign'].flatMap((kind) => [
      `refusal recall, ${kind}`,
      `refusal precision, ${kind}`,
    ]),
  ];
  return {
    title: 'Answers',
    note: 'Means over questions; an empty cell is a figure the set has no question for.',
    head: ['set', 'mode', ...figures],
    rows: results.sets.flatMap(({ name, modes }) =>
      modes.map((one) => [name, one.mode, ...figures.map((figure) => three(one.figures[figure]?.mean))]),
    ),
  };
}

/** Of each curve the fastest point with this recall at least, or the point with the best recall. */
const WANTED_RECALL = 0.99;

function annHeadline({ results }: RunOf<'ann'>): Headline {
  const rows = results.cases.map(
    ({ rows: count, dimensions, engine, method, curve, buildMs, diskBytes, searchRssBytes }) => {
      const good = curve.filter(({ recall }) => recall >= WANTED_RECALL).sort((a, b) => a.p50Ms - b.p50Ms)[0];
      const shown = good ?? [...curve].sort((a, b) => b.recall - a.recall)[0];
      return [
        `${count.toLocaleString('en')} × ${dimensions.toLocaleString('en')}`,
        `${engine}: ${method}`,
        shown?.setting ?? '',
        shown === undefined ? '' : shown.recall.toFixed(4),
        short(shown?.p50Ms),
        short(shown?.p95Ms),
        short(buildMs / 1000),
        short(diskBytes === undefined ? undefined : diskBytes / 2 ** 20),
        short(searchRssBytes === undefined ? undefined : searchRssBytes / 2 ** 20),
      ];
    },
  );
  return {
    title: 'Nearest neighbours',
    note: `Of each curve the fastest setting with recall@${results.k} of ${WANTED_RECALL} at least, else the one with the best recall.`,
    head: [
      ...['vectors', 'engine', 'setting', `recall@${results.k}`, 'p50 ms', 'p95 ms', 'build s', 'disk MiB'],
      'memory MiB',
    ],
    rows,
  };
}

function speedHeadline({ results }: RunOf<'speed'>): Headline {
  const rows = results.cases.flatMap(({ task, system, measures }) =>
    Object.entries(measures)
      .filter(([name]) =>
        ['throughput', 'documents', 'cpu', 'peak', 'disk', 'p50', 'p95', 'p99', 'time'].includes(name),
      )
      .map(([name, { value, unit, values, of }]) => [
        task,
        system,
        name,
        short(value),
        unit,
        of === 'query'
          ? `${values.length} queries`
          : `${values.length} rounds, ${short(Math.min(...values))} to ${short(Math.max(...values))}`,
      ]),
  );
  return {
    title: 'Speed',
    note: 'Medians over rounds, or the quantile that is named over queries.',
    head: ['task', 'system', 'measure', 'value', 'unit', 'of'],
    rows,
  };
}

function scaleHeadline({ results }: RunOf<'scale'>): Headline {
  const sizes = [...new Set(results.series.flatMap(({ points }) => points.map(({ chunks }) => chunks)))].sort(
    (a, b) => a - b,
  );
  return {
    title: 'Scaling',
    note: 'The exponent of least squares of log cost over log chunks: 1 is linear.',
    head: ['what', 'unit', ...sizes.map((chunks) => `${chunks.toLocaleString('en')} chunks`), 'exponent'],
    rows: results.series.map(({ what, unit, points, exponent }) => [
      what,
      unit,
      ...sizes.map((chunks) => {
        const own = points.filter((point) => point.chunks === chunks).flatMap(({ value, values = [value] }) => values);
        return own.length === 0 ? '' : short(median(own));
      }),
      exponent.toFixed(2),
    ]),
  };
}

/** As JSON: what it was measured with, and the table as records by column. */
export function summaryOf(run: RunFile): Record<string, unknown> {
  const { title, head, rows } = headlineOf(run);
  const { kind, commit, dirty, versions, seed, machine, startedAt, elapsedMs, command } = run;
  const { skipped } = run.results;
  return {
    kind,
    title,
    ...{ commit, dirty, versions, seed, machine, startedAt, elapsedMs, command },
    data: run.data.map(({ name, documents, queries, sha256 }) => ({ name, documents, queries, sha256 })),
    figures: rows.map((row) => Object.fromEntries(row.flatMap((cell, i) => (cell === '' ? [] : [[head[i]!, cell]])))),
    skipped,
  };
}

export function headlineMarkdown(run: RunFile): string[] {
  const { title, note, head, rows } = headlineOf(run);
  return [
    `## ${title}`,
    '',
    note,
    '',
    ...markdownTable({ head, rows }),
    '',
    ...provenanceOf(run)
      .filter(([name]) => name !== 'data')
      .map(([name, value]) => `- ${name}: ${value}`),
    '',
  ];
}
