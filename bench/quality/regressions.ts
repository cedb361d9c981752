/** Figures of quality that are worse than a baseline beyond noise, where both runs measured the same data. */
import { compareRuns, type Row } from '../compare.ts';
import type { RunOf } from '../support/run-file.ts';

/** What chance does not explain and is still too small to stop a change for. */
const leastLoss = 0.01;

export interface Changes {
  readonly worse: readonly Row[];
  readonly better: readonly Row[];
  /** What could not be compared, and why. */
  readonly skipped: readonly string[];
  /** How many figures were compared. */
  readonly figures: number;
}

/** `bench:compare` of two quality runs, without collections that one has not measured or whose data have changed. */
export function qualityChanges(base: RunOf<'quality'>, now: RunOf<'quality'>): Changes {
  const skipped: string[] = [];
  const common = base.results.collections.flatMap(({ name }) => {
    const reason = now.results.collections.some((one) => one.name === name)
      ? differentData(base, now, name)
      : 'not measured now';
    if (reason !== undefined) skipped.push(`${name}: ${reason}`);
    return reason === undefined ? [name] : [];
  });
  const { rows } = compareRuns(restricted(base, common), restricted(now, common));
  const gross = (sign: number): Row[] =>
    rows
      .filter(({ verdict, difference }) => verdict !== 'noise' && difference * sign >= leastLoss)
      .sort((a, b) => sign * (b.difference - a.difference));
  return { worse: gross(-1), better: gross(1), skipped, figures: rows.length };
}

/** As one line. */
export function sentenceOf({ where, metric, a, b, pValue }: Row): string {
  const p = pValue === undefined ? '' : ` (p ${pValue.toFixed(4)})`;
  return `${where}: ${metric} ${a.toFixed(3)} → ${b.toFixed(3)}${p}`;
}

function restricted(run: RunOf<'quality'>, names: readonly string[]): RunOf<'quality'> {
  const kept = ({ name }: { readonly name: string }): boolean => names.includes(name);
  return {
    ...run,
    data: run.data.filter(kept),
    results: { ...run.results, collections: run.results.collections.filter(kept) },
  };
}

function differentData(base: RunOf<'quality'>, now: RunOf<'quality'>, name: string): string | undefined {
  const [a, b] = [base, now].map(({ data }) => data.find((source) => source.name === name)?.sha256 ?? {});
  const changed = Object.keys({ ...a, ...b }).filter((file) => a![file] !== b![file]);
  return changed.length === 0 ? undefined : `other data than then (${changed.join(', ')})`;
}
