import { mean } from '../../src/internal.ts';
import { type Figures, results, three } from './results.ts';

/**
 * nDCG@10 of a row of the retrieval table, from the variants of one collection; undefined where it was not measured.
 */
export type Ndcg = (variants: Figures) => number | undefined;

const ndcgOf =
  (name: string): Ndcg =>
  (variants) =>
    variants[name]?.['nDCG@10'];

const bestPackage: Ndcg = (variants) => {
  const others = Object.values<Figures>(variants).filter(({ family }) => family === 'alternative');
  return others.length === 0 ? undefined : Math.max(...others.map((one) => one['nDCG@10']));
};

export const retrievalRows: readonly (readonly [name: string, ndcg: Ndcg])[] = [
  ['plain BM25', ndcgOf('BM25')],
  ['best of the text-search packages', bestPackage],
  ['lexical', ndcgOf('lexical')],
  ['dense', ndcgOf('dense')],
  ['hybrid', ndcgOf('hybrid')],
  ['hybrid, weights fitted on the others', ndcgOf('hybrid, weights fitted on the others')],
];

/** One value a collection, then their mean, which takes all of them. */
export function retrievalValues(ndcg: Ndcg): (number | undefined)[] {
  const { results: collections } = results('quality');
  const values = Object.keys(collections)
    .sort()
    .map((set) => ndcg(collections[set].variants));
  const known = values.filter((value) => value !== undefined);
  return [...values, known.length === values.length ? mean(known) : undefined];
}

export const cellOf = (value: number | undefined): string => (value === undefined ? '–' : three(value));

/** Ranking of every collection. */
export function retrievalTable(): string {
  const { command, machine, node, results: collections } = results('quality');
  const sets = Object.keys(collections).sort();
  return [
    `nDCG@10, embedder trained on the collection, no model (\`${command}\`):`,
    '',
    `| | ${sets.join(' | ')} | mean |`,
    `| --- |${' --: |'.repeat(sets.length + 1)}`,
    ...(['documents', 'chunks', 'queries'] as const).map(
      (size) => `| ${size} | ${sets.map((set) => collections[set][size].toLocaleString('en')).join(' | ')} | |`,
    ),
    ...retrievalRows.map(([name, ndcg]) => `| ${name} | ${retrievalValues(ndcg).map(cellOf).join(' | ')} |`),
    '',
    `${machine}, Node ${node}. The commit of each figure stands in \`bench/results/\`.`,
  ].join('\n');
}
