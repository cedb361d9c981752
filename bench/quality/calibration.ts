/**
 * Fits the logistic function that calibrates a score. Each index is asked its own questions, questions of the other
 * collections, and random words. Half of the questions are fitted, the other half is reported.
 *
 *   node bench/quality/calibration.ts [folder of collections]
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { groupCorpus, readBeirFolder } from '../../src/eval.ts';
import {
  auroc,
  calibrateScore,
  judgedQueryIds,
  type QueryPredictors,
  searchWithPredictors,
  seededRandom,
} from '../../src/internal.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import { quantile } from '../support/report.ts';
import { type CutDocument, storedSnapshot } from '../support/stored-snapshot.ts';

const QUERIES = 80;
const { positionals } = readFlags(import.meta.filename, { allowPositionals: true });
const root = dataFolder(import.meta.filename, positionals[0], 'data');
const random = seededRandom(5);

const collections = await Promise.all(
  readdirSync(root)
    .filter((name) => existsSync(join(root, name, 'qrels/test.tsv')))
    .sort()
    .map(async (name) => {
      const dataset = await readBeirFolder(join(root, name));
      const documents: CutDocument[] = [];
      for await (const { id, title, chunks } of groupCorpus(dataset)) {
        documents.push({
          uri: id,
          title,
          chunks: chunks.map(({ text, heading }) => ({ text, headings: heading === undefined ? [] : [heading] })),
        });
      }
      const judged = new Set(judgedQueryIds(dataset.qrels));
      const queries = dataset.queries.filter(({ id }) => judged.has(id));
      const step = Math.max(1, queries.length / QUERIES);
      const texts = queries
        .filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
        .map(({ text }) => text);
      return { name, documents, queries: texts };
    }),
);

/** Words of many questions in no order: each may be known, together they ask nothing. */
function nonsense(): string {
  const words = Array.from({ length: 6 }, () => {
    const { queries } = collections[Math.floor(random() * collections.length)]!;
    const words = queries[Math.floor(random() * queries.length)]!.split(/\s+/);
    return words[Math.floor(random() * words.length)]!;
  });
  return words.join(' ');
}

interface Case {
  readonly predictors: QueryPredictors;
  readonly own: boolean;
  readonly held: boolean;
}

const cases: Case[] = [];
for (const { name, documents, queries } of collections) {
  const snapshot = await storedSnapshot(documents);
  const add = async (text: string, own: boolean, held: boolean): Promise<void> => {
    const { predictors } = await searchWithPredictors(snapshot, undefined, text, { limit: 1 });
    cases.push({ predictors, own, held });
  };
  for (const [i, text] of queries.entries()) await add(text, true, i % 2 === 1);
  for (const other of collections) {
    if (other.name !== name)
      for (const [i, text] of other.queries.slice(0, 12).entries()) await add(text, false, i % 2 === 1);
  }
  for (let i = 0; i < 20; i++) await add(nonsense(), false, i % 2 === 1);
}

const inputs = ({ coverage, strength }: QueryPredictors): number[] => [1, coverage, strength];
const weights = [0, 0, 0];
const fit = cases.filter(({ held }) => !held);
const share = fit.filter(({ own }) => own).length / fit.length;
for (let step = 0; step < 20_000; step++) {
  const gradient = [0, 0, 0];
  for (const { predictors, own } of fit) {
    const x = inputs(predictors);
    const p = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * weights[i]!, 0)));
    const error = (p - (own ? 1 : 0)) / (own ? share : 1 - share); // both classes weigh the same
    for (let i = 0; i < x.length; i++) gradient[i]! += (error * x[i]!) / fit.length;
  }
  for (let i = 0; i < weights.length; i++) weights[i]! -= 2 * gradient[i]!;
}
console.log(
  `fit: intercept ${weights[0]!.toFixed(2)}, coverage ${weights[1]!.toFixed(2)}, strength ${weights[2]!.toFixed(2)}`,
);
const held = cases.filter((one) => one.held);
const measures: Record<string, (predictors: QueryPredictors) => number> = {
  'trust as shipped': calibrateScore,
  coverage: ({ coverage }) => coverage,
  strength: ({ strength }) => strength,
  'first coverage': ({ firstCoverage }) => firstCoverage,
  known: ({ unknown }) => 1 - unknown,
};
for (const [name, measure] of Object.entries(measures)) {
  const own = held.filter((one) => one.own).map((one) => measure(one.predictors));
  const foreign = held.filter((one) => !one.own).map((one) => measure(one.predictors));
  const at = (values: readonly number[], q: number): string => quantile(values, q).toFixed(3);
  console.log(
    `${name.padEnd(18)} AUROC ${auroc(own, foreign)!.toFixed(4)}  own 5% ${at(own, 0.05)} median ${at(own, 0.5)}  other median ${at(foreign, 0.5)} 95% ${at(foreign, 0.95)}`,
  );
}
