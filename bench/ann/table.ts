import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AnnCase, type AnnPoint, type RunOf, readRunFile } from '../support/run-file.ts';

const ENOUGH = 0.99;

/** The cheapest setting that finds enough, or else the one that finds most. */
export function pointOfInterest({ curve }: Pick<AnnCase, 'curve'>): AnnPoint {
  const enough = curve.filter(({ recall }) => recall >= ENOUGH).sort((a, b) => a.p50Ms - b.p50Ms)[0];
  return enough ?? [...curve].sort((a, b) => b.recall - a.recall || a.p50Ms - b.p50Ms)[0]!;
}

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

type Shape = Pick<AnnCase, 'rows' | 'dimensions'>;

const nameOf = ({ rows, dimensions }: Shape): string =>
  `${rows.toLocaleString('en')} × ${dimensions.toLocaleString('en')}`;

/** The largest set of the dimensions where there is one, else the largest of all. */
function largest(cases: readonly AnnCase[], preferred: number): Shape {
  const size = ({ rows, dimensions }: Shape): number => rows * (dimensions === preferred ? Infinity : dimensions);
  return cases.reduce((best, one) =>
    size(one) > size(best) || (size(one) === size(best) && one.rows > best.rows) ? one : best,
  );
}

/**
 * One set of a run, one line a way to search it: those that find enough first, by speed; and what was left out, with
 * its reason.
 * @param preferred dimensions of the set, where the run has such
 */
export function neighboursTable({ command, results: { cases, skipped } }: RunOf<'ann'>, preferred = 1024): string {
  const shape = largest(cases, preferred);
  const members = cases
    .filter(({ rows, dimensions }) => rows === shape.rows && dimensions === shape.dimensions)
    .map((one) => ({ ...one, point: pointOfInterest(one) }))
    .sort(
      (a, b) => Number(b.point.recall >= ENOUGH) - Number(a.point.recall >= ENOUGH) || a.point.p50Ms - b.point.p50Ms,
    );
  const { rows, dimensions, data } = members[0]!;
  const missing = skipped.filter(({ what }) => what.includes(`${rows} × ${dimensions}`));
  return [
    `Nearest neighbours among ${nameOf(shape)} vectors (${data}), each way at its cheapest setting with recall@10 ≥ ${ENOUGH}, or its best (\`${command}\`):`,
    '',
    '| | setting | recall@10 | p50 ms | p95 ms | file cache emptied: p50 ms | disk GB | build, s of CPU |',
    '| --- | --- | --: | --: | --: | --: | --: | --: |',
    ...members.map(({ engine, method, point, coldQueryMs, diskBytes, buildCpuMs, buildMs }) => {
      const cells = [
        `${engine}: ${method}`,
        point.setting,
        point.recall.toFixed(3),
        number(point.p50Ms),
        number(point.p95Ms),
        coldQueryMs === undefined ? '' : number(coldQueryMs),
        diskBytes === undefined ? '' : (diskBytes / 1e9).toFixed(2),
        ((buildCpuMs ?? buildMs) / 1000).toFixed(0),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    ...(missing.length === 0
      ? []
      : [
          '',
          `Not measured: ${missing.map(({ what, reason }) => `${what.replace(/, \d+ × \d+, .*/, '')} (${reason})`).join('; ')}.`,
        ]),
  ].join('\n');
}

/**
 * All sets of a run, one line each, one column a way to search: recall@k at the median latency, as `pointOfInterest`
 * chooses.
 */
export function curvesTable({ results: { cases } }: RunOf<'ann'>): string {
  const ways = [...new Set(cases.map(({ engine, method }) => `${engine}: ${method}`))];
  const sets = [...new Map(cases.map((one) => [nameOf(one), one])).values()].sort(
    (a, b) => a.rows - b.rows || a.dimensions - b.dimensions,
  );
  const lines = sets.map((set) => {
    const cells = ways.map((way) => {
      const one = cases.find((other) => nameOf(other) === nameOf(set) && `${other.engine}: ${other.method}` === way);
      if (one === undefined) return '';
      const { recall, p50Ms } = pointOfInterest(one);
      return `${recall.toFixed(3)} at ${number(p50Ms)}`;
    });
    return `| ${[nameOf(set), ...cells].join(' | ')} |`;
  });
  return [`| | ${ways.join(' | ')} |`, `| --- |${' --: |'.repeat(ways.length)}`, ...lines].join('\n');
}

/** The tables of the recorded run, for the README; where none is recorded, how to get one. */
export function neighboursSection(): string {
  const path = join(import.meta.dirname, '../results/ann.json');
  if (!existsSync(path)) return 'No run is recorded in `bench/results/ann.json`: `npm run bench:ann` makes one.';
  const run = readRunFile(path);
  if (run.kind !== 'ann') throw new Error(`${path} is a run of kind ${run.kind}`);
  const all = 'All sets, each way at such a setting: recall@10 at the median of milliseconds a query.';
  return `${neighboursTable(run)}\n\n${all}\n\n${curvesTable(run)}`;
}
