/** A quality run as text: one line per variant, one column per collection. */

import { mean } from '../../src/internal.ts';
import type { QualityCollection, QualityResults, VariantFamily } from '../support/run-file.ts';
import { families } from './variants.ts';

const three = (value: number): string => value.toFixed(3);

const titles: Partial<Record<VariantFamily, string>> = {
  context: 'the hybrid without what surrounds a chunk',
  fusion: 'other ways to merge lists',
  vectors: 'precision of vectors (against int8 vectors)',
  chunks: 'the documents cut anew (told in the collection’s own units)',
  embedder: 'other embedders',
  control: 'control: must score low',
};

/**
 * nDCG@10 (or another metric) of all variants. A mark says how the paired randomisation test sees the difference to
 * the hybrid (vectors: to int8; chunk sizes: to the chunks as given): `*` p < 0.05, `**` p < 0.01, not corrected for
 * the number of tests.
 */
export function qualityTable(
  { collections: all, skipped }: QualityResults,
  metric = 'nDCG@10',
  shown: readonly VariantFamily[] = families,
): string {
  const collections = all
    .map((one) => ({
      ...one,
      variants: one.variants.filter(({ family, metrics }) => shown.includes(family) && metric in metrics),
    }))
    .filter(({ variants }) => variants.length > 0);
  const names = [...new Set(collections.flatMap(({ variants }) => variants.map(({ name }) => name)))];
  const width = Math.max(...names.map((name) => name.length), 12) + 2;
  const lines = [
    `${metric.padEnd(width)}${collections.map(({ name }) => name.slice(0, 15).padStart(17)).join('')}             mean`,
  ];
  for (const family of families) {
    const own = names.filter((name) => collections.some((one) => familyOf(one, name) === family));
    if (own.length === 0) continue;
    if (titles[family]) lines.push('', titles[family]);
    for (const name of own) {
      const values = collections.map(
        ({ variants }) => variants.find((variant) => variant.name === name)?.metrics[metric]?.mean,
      );
      const cells = collections.map((one, i) =>
        values[i] === undefined ? '–'.padStart(17) : `${three(values[i])}${markOf(one, name, metric)}`.padStart(17),
      );
      const known = values.filter((value) => value !== undefined);
      const last = known.length < collections.length ? '–' : three(mean(known));
      lines.push(`${name.padEnd(width)}${cells.join('')}${last.padStart(17)}`);
    }
  }
  const notes = [
    ...skipped,
    ...collections.flatMap(({ name, skipped: own }) =>
      own.map(({ what, reason }) => ({ what: `${name}: ${what}`, reason })),
    ),
  ];
  if (notes.length > 0) lines.push('', 'skipped', ...notes.map(({ what, reason }) => `  ${what}: ${reason}`));
  return lines.join('\n');
}

function familyOf({ variants }: QualityCollection, name: string): VariantFamily | undefined {
  return variants.find((variant) => variant.name === name)?.family;
}

function markOf({ comparisons }: QualityCollection, name: string, metric: string): string {
  const found = comparisons.find((one) => one.other === name && one.metric === metric);
  if (found === undefined) return '   ';
  const mark = found.pValue < 0.01 ? '**' : found.pValue < 0.05 ? '*' : '';
  return `${found.difference < 0 ? '-' : '+'}${mark.padEnd(2)}`;
}

/** What is kept of a run: means, and how each variant differs from what it is held against. */
export function meansOf({ collections }: QualityResults): Record<string, unknown> {
  const round = (value: number): number => Number(value.toFixed(4));
  const kept = ({
    variants,
    comparisons,
    queryIds,
    documents,
    chunks,
    skipped,
  }: QualityResults['collections'][number]) => ({
    documents,
    chunks,
    queries: queryIds.length,
    variants: Object.fromEntries(
      variants.map(({ name, family, metrics }) => {
        const test = comparisons.find(({ other, metric }) => other === name && metric === 'nDCG@10');
        const means = Object.entries(metrics).map(([metric, { mean }]) => [metric, round(mean)] as const);
        const interval = metrics['nDCG@10'];
        return [
          name,
          {
            family,
            ...Object.fromEntries(means),
            ...(interval && { interval: [round(interval.low), round(interval.high)] }),
            ...(test && { against: test.base, difference: round(test.difference), pValue: round(test.pValue) }),
          },
        ];
      }),
    ),
    ...(skipped.length > 0 && { skipped }),
  });
  return Object.fromEntries(collections.map((one) => [one.name, kept(one)]));
}

/** Whether ibid's hybrid is ahead of every text-search alternative, collection by collection. */
export function aheadOfAlternatives({ collections }: QualityResults, metric = 'nDCG@10'): string[] {
  return collections.flatMap(({ name, variants, comparisons }) => {
    const others = variants.filter(({ family }) => family === 'alternative');
    const best = others.reduce(
      (a, b) => ((b.metrics[metric]?.mean ?? 0) > (a?.metrics[metric]?.mean ?? -1) ? b : a),
      others[0],
    );
    const hybrid = variants.find((variant) => variant.name === 'hybrid');
    if (best === undefined || hybrid === undefined) return [];
    const test = comparisons.find((one) => one.other === best.name && one.metric === metric);
    const lead = hybrid.metrics[metric]!.mean - best.metrics[metric]!.mean;
    const verdict = lead <= 0 ? 'BEHIND' : (test?.pValue ?? 1) < 0.05 ? 'ahead' : 'ahead, within noise';
    return [
      `${name}: ${verdict} of ${best.name} by ${lead.toFixed(3)}${test ? ` [${(-test.high).toFixed(3)}, ${(-test.low).toFixed(3)}], p ${test.pValue.toFixed(4)}` : ''}`,
    ];
  });
}
