// Says of each figure of two runs whether the second is better, worse, or no different beyond noise.
//
//   node bench/compare.ts A.json B.json [--json] [--across-data] [--across-machines]
//
// Exit status: 0 nothing worse, 1 something worse, 2 not comparable or usage.
import { readFileSync } from 'node:fs';
import { bootstrapInterval, comparePaired, mean } from '../src/internal.ts';
import { headOf } from './support/flags.ts';
import { median, quantile } from './support/report.ts';
import { type RunFile, readRunFile } from './support/run-file.ts';

export type Verdict = 'better' | 'worse' | 'noise';

export interface Row {
  /** Collection and variant, task and system, … */
  readonly where: string;
  readonly metric: string;
  readonly unit?: string;
  /** Means, or medians of times. */
  readonly a: number;
  readonly b: number;
  /** b minus a, with its 95 % interval where values pair up; the quartiles of both sides otherwise. */
  readonly difference: number;
  readonly low?: number;
  readonly high?: number;
  readonly spread?: { readonly a: readonly [number, number]; readonly b: readonly [number, number] };
  /** Of the paired test. */
  readonly pValue?: number;
  readonly verdict: Verdict;
  readonly note?: string;
}

export interface RunComparison {
  readonly kind: RunFile['kind'];
  readonly rows: readonly Row[];
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  /** What makes the comparison worth less. */
  readonly notices: readonly string[];
}

export interface CompareOptions {
  /** Compare although the data differ. @default false */
  readonly acrossData?: boolean;
  /** Compare times although the machines differ. @default false */
  readonly acrossMachines?: boolean;
}

/** The runs must not be held against each other as they are. */
class NotComparable extends Error {}

/** What one figure of a run is made of. `ids` pair the values of two runs; without them they are rounds. */
interface Series {
  readonly where: string;
  readonly metric: string;
  readonly unit?: string;
  readonly better: 'higher' | 'lower';
  readonly values: readonly number[];
  readonly ids?: readonly string[];
  /** Time, memory, bytes: what the machine has a part in. */
  readonly measured: boolean;
}

/** Share of false discoveries among what is called better or worse in one comparison. */
const FALSE_DISCOVERIES = 0.05;
/** A difference of times below this share is noise whatever the rounds say: a machine does not repeat itself better. */
const LEAST_CHANGE = 0.1;
/** With a single value on a side its spread is unknown; only this much counts. */
const LEAST_CHANGE_UNREPEATED = 0.5;
/** A machine with more runnable threads than this share of its cores was busy with something else. */
const BUSY = 1.5;

/** @throws NotComparable */
export function compareRuns(a: RunFile, b: RunFile, options: CompareOptions = {}): RunComparison {
  if (a.kind !== b.kind) throw new NotComparable(`one run is of kind "${a.kind}", the other of kind "${b.kind}"`);
  const notices: string[] = [];
  const data = dataDifferences(a, b);
  if (data.length > 0 && !options.acrossData) {
    throw new NotComparable(`the data differ: ${data.join('; ')} (--across-data compares all the same)`);
  }
  notices.push(...data.map((one) => `the data differ: ${one}`));
  const machines = machineDifference(a, b);
  const timed = a.kind === 'speed' || a.kind === 'scale' || a.kind === 'ann';
  if (machines !== undefined && timed && !options.acrossMachines) {
    throw new NotComparable(`the machines differ: ${machines} (--across-machines compares all the same)`);
  }
  if (machines !== undefined) notices.push(`the machines differ: ${machines}`);
  for (const [name, run] of [
    ['A', a],
    ['B', b],
  ] as const) {
    const load = Math.max(...run.machine.load);
    if (timed && load > BUSY * run.machine.cpus)
      notices.push(`${name} ran on a busy machine: load ${load.toFixed(1)} on ${run.machine.cpus} cores`);
    if (run.dirty) notices.push(`${name} was measured with changes that are not in commit ${run.commit.slice(0, 9)}`);
  }
  if (a.seed !== b.seed) notices.push(`the seeds differ: ${a.seed} and ${b.seed}`);
  const [inA, inB] = [seriesOf(a), seriesOf(b)];
  const key = ({ where, metric }: Series): string => `${where}: ${metric}`;
  const others = new Map(inB.map((series) => [key(series), series]));
  const drafts = inA.flatMap((series) => {
    const other = others.get(key(series));
    return other === undefined ? [] : [draft(series, other)];
  });
  const level = discoveryLevel(drafts.flatMap(({ pValue }) => (pValue === undefined ? [] : [pValue])));
  const rows = drafts.map(({ better, verdict, ...row }): Row => {
    if (row.pValue === undefined) return { ...row, verdict: verdict ?? 'noise' };
    if (row.difference === 0 || row.pValue > level) return { ...row, verdict: 'noise' };
    return { ...row, verdict: row.difference > 0 === (better === 'higher') ? 'better' : 'worse' };
  });
  const known = new Set(inA.map(key));
  return {
    kind: a.kind,
    rows,
    onlyA: inA.map(key).filter((name) => !others.has(name)),
    onlyB: inB.map(key).filter((name) => !known.has(name)),
    notices,
  };
}

type Draft = Omit<Row, 'verdict'> & { readonly better: 'higher' | 'lower'; readonly verdict?: Verdict };

function draft(a: Series, b: Series): Draft {
  const { where, metric, unit, better } = a;
  const head = { where, metric, better, ...(unit !== undefined && { unit }) };
  if (a.ids && b.ids) return { ...head, ...pairedDraft(a, b) };
  const [from, to] = [median(a.values), median(b.values)];
  const quartiles = ({ values }: Series): readonly [number, number] => [quantile(values, 0.25), quantile(values, 0.75)];
  const spread = { a: quartiles(a), b: quartiles(b) };
  const change = Math.abs(to - from) / (Math.abs(from) || 1);
  const repeated = Math.min(a.values.length, b.values.length) > 1;
  const apart = spread.a[1] < spread.b[0] || spread.b[1] < spread.a[0];
  const real = a.measured ? change > (repeated ? LEAST_CHANGE : LEAST_CHANGE_UNREPEATED) && apart : apart && change > 0;
  const verdict = !real ? 'noise' : to > from === (better === 'higher') ? 'better' : 'worse';
  const note = repeated ? {} : { note: 'one value: spread unknown' };
  return { ...head, a: from, b: to, difference: to - from, spread, verdict, ...note };
}

function pairedDraft(a: Series, b: Series): Omit<Draft, 'where' | 'metric' | 'better'> {
  const at = new Map(b.ids!.map((id, i) => [id, b.values[i]!]));
  const pairs = a.ids!.flatMap((id, i) => (at.has(id) ? [[a.values[i]!, at.get(id)!] as const] : []));
  const lost = Math.max(a.ids!.length, b.ids!.length) - pairs.length;
  const note = lost > 0 ? { note: `${lost} of the queries are not in both` } : {};
  if (pairs.length === 0) return { a: mean(a.values), b: mean(b.values), difference: 0, verdict: 'noise', ...note };
  const before = pairs.map(([value]) => value);
  const after = pairs.map(([, value]) => value);
  let { difference, pValue } = comparePaired(before, after);
  // at the floor of the random test more arrangements tell a strong difference from the strongest of many
  if (pValue < 0.0005 && pValue > 0) pValue = comparePaired(before, after, { permutations: 100_000 }).pValue;
  const { low, high } = bootstrapInterval(after.map((value, i) => value - before[i]!));
  return { a: mean(before), b: mean(after), difference, low, high, pValue, ...note };
}

/**
 * The largest p-value that still counts as a discovery.
 * @see Benjamini & Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x
 */
export function discoveryLevel(pValues: readonly number[], rate: number = FALSE_DISCOVERIES): number {
  const sorted = [...pValues].sort((x, y) => x - y);
  for (let i = sorted.length; i > 0; i--) if (sorted[i - 1]! <= (i / sorted.length) * rate) return sorted[i - 1]!;
  return 0;
}

function seriesOf(run: RunFile): Series[] {
  switch (run.kind) {
    case 'quality':
      return run.results.collections.flatMap(({ name, queryIds, variants }) =>
        variants
          .filter(({ family }) => family !== 'control')
          .flatMap((variant) =>
            Object.entries(variant.perQuery).map(([metric, values]): Series => {
              const where = `${name}, ${variant.name}`;
              return { where, metric, better: 'higher', values, ids: queryIds, measured: false };
            }),
          ),
      );
    case 'answers':
      return run.results.sets.flatMap((set) =>
        set.modes.flatMap(({ mode, figures }) =>
          Object.entries(figures).map(([metric, { mean: value, better, ids, values }]): Series => {
            const where = `${set.name}, ${mode}`;
            const paired = ids && values ? { values, ids } : { values: [value] };
            return { where, metric, better, measured: false, ...paired };
          }),
        ),
      );
    case 'ann':
      return run.results.cases.flatMap((one) => {
        const of = `${one.data}, ${one.rows} × ${one.dimensions}, ${one.engine} ${one.method}`;
        const whole: Series = {
          where: of,
          metric: 'build',
          unit: 'ms',
          better: 'lower',
          values: [one.buildMs],
          measured: true,
        };
        const disk: Series[] =
          one.diskBytes === undefined
            ? []
            : [{ where: of, metric: 'disk', unit: 'bytes', better: 'lower', values: [one.diskBytes], measured: true }];
        const points = one.curve.flatMap(({ setting, recall, recalls, p50Ms, ms }): Series[] => {
          const where = `${of}, ${setting}`;
          const ids = recalls?.map((_, i) => String(i));
          return [
            {
              where,
              metric: 'recall',
              better: 'higher',
              values: recalls ?? [recall],
              measured: false,
              ...(ids && { ids }),
            },
            { where, metric: 'time', unit: 'ms', better: 'lower', values: ms ?? [p50Ms], measured: true },
          ];
        });
        return [whole, ...disk, ...points];
      });
    case 'speed':
      return run.results.cases.flatMap(({ task, system, measures }) =>
        Object.entries(measures).map(([metric, { unit, better, values }]): Series => {
          return { where: `${task}, ${system}`, metric, unit, better, values, measured: true };
        }),
      );
    case 'scale':
      return run.results.series.flatMap(({ system, what, unit, better, points }) =>
        points.map(({ chunks, value, values }): Series => {
          const where = `${system}, ${chunks} chunks`;
          return { where, metric: what, unit, better, values: values ?? [value], measured: true };
        }),
      );
    case 'trials':
      return run.results.sets.map(({ name, findings }): Series => {
        return { where: name, metric: 'findings', better: 'lower', values: [findings.length], measured: false };
      });
  }
}

function dataDifferences(a: RunFile, b: RunFile): string[] {
  const others = new Map(b.data.map((source) => [source.name, source]));
  return a.data.flatMap((source) => {
    const other = others.get(source.name);
    if (other === undefined) return [];
    const files = new Set([...Object.keys(source.sha256), ...Object.keys(other.sha256)]);
    const changed = [...files].filter((file) => source.sha256[file] !== other.sha256[file]);
    if (changed.length > 0) return [`${source.name} has another ${changed.join(', ')}`];
    if (source.documents !== other.documents) {
      return [`${source.name} has ${source.documents} documents in one run, ${other.documents} in the other`];
    }
    return [];
  });
}

function machineDifference({ machine: a }: RunFile, { machine: b }: RunFile): string | undefined {
  const parts = (['cpus', 'model', 'platform', 'arch'] as const)
    .filter((name) => a[name] !== b[name])
    .map((name) => `${name} ${a[name]} and ${b[name]}`);
  const ratio = a.memoryBytes / b.memoryBytes;
  if (ratio < 0.95 || ratio > 1 / 0.95) parts.push(`memory ${gib(a.memoryBytes)} and ${gib(b.memoryBytes)}`);
  return parts.length > 0 ? parts.join(', ') : undefined;
}

const gib = (bytes: number): string => `${Math.round(bytes / 2 ** 30)} GiB`;

/** As few digits as tell the value. */
function show(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && size < 0.0005) return value.toExponential(1);
  return size >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 3);
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${show(Math.abs(value))}`;

export function formatComparison({ kind, rows, onlyA, onlyB, notices }: RunComparison): string {
  const lines = notices.map((notice) => `note: ${notice}`);
  const cells = rows.map((row) => [
    row.verdict,
    row.where,
    row.metric,
    `${show(row.a)} → ${show(row.b)}${row.unit === undefined ? '' : ` ${row.unit}`}`,
    row.low === undefined || row.high === undefined
      ? `quartiles ${row.spread?.a.map(show).join('–')} and ${row.spread?.b.map(show).join('–')}`
      : `${signed(row.difference)} [${signed(row.low)}, ${signed(row.high)}]`,
    [
      row.pValue === undefined ? '' : `p = ${row.pValue < 0.001 ? row.pValue.toExponential(0) : row.pValue.toFixed(3)}`,
      row.note ?? '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  ]);
  const moved = cells.filter(([verdict]) => verdict !== 'noise');
  const shown = moved.length > 0 && cells.length > 40 ? moved : cells;
  const widths = [0, 1, 2, 3, 4].map((i) => Math.max(0, ...shown.map((row) => row[i]!.length)));
  for (const row of shown)
    lines.push(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  if (shown !== cells) lines.push(`… and ${cells.length - shown.length} that differ by no more than noise`);
  if (onlyA.length > 0)
    lines.push(
      `only in A: ${onlyA.slice(0, 10).join('; ')}${onlyA.length > 10 ? ` and ${onlyA.length - 10} more` : ''}`,
    );
  if (onlyB.length > 0)
    lines.push(
      `only in B: ${onlyB.slice(0, 10).join('; ')}${onlyB.length > 10 ? ` and ${onlyB.length - 10} more` : ''}`,
    );
  const count = (verdict: Verdict): number => rows.filter((row) => row.verdict === verdict).length;
  lines.push(`${kind}: ${count('better')} better, ${count('worse')} worse, ${count('noise')} noise`);
  return lines.join('\n');
}

/** @returns the exit status */
export function main(args: readonly string[]): number {
  const flags = args.filter((arg) => arg.startsWith('--'));
  const paths = args.filter((arg) => !arg.startsWith('--'));
  if (flags.includes('--help')) {
    console.log(headOf(readFileSync(import.meta.filename, 'utf8')));
    return 0;
  }
  const unknown = flags.find((flag) => !['--json', '--across-data', '--across-machines'].includes(flag));
  if (unknown !== undefined || paths.length !== 2) {
    console.error(unknown === undefined ? 'two run files are needed' : `there is no flag ${unknown}`);
    console.error('usage: npm run bench:compare -- A.json B.json [--json] [--across-data] [--across-machines]');
    return 2;
  }
  try {
    const [a, b] = paths.map(readRunFile) as [RunFile, RunFile]; // two paths, see above
    const comparison = compareRuns(a, b, {
      acrossData: flags.includes('--across-data'),
      acrossMachines: flags.includes('--across-machines'),
    });
    if (comparison.rows.length === 0) throw new NotComparable('the runs have no figure in common');
    console.log(flags.includes('--json') ? JSON.stringify(comparison, null, 2) : formatComparison(comparison));
    return comparison.rows.some(({ verdict }) => verdict === 'worse') ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
