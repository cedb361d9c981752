/**
 * The bench that every change passes: two small collections and the demo folder, the controls, and a comparison with
 * the checked-in baseline. Quality that fell beyond noise fails; times never do.
 *
 *   npm run bench:quick -- [--out file] [--write-baseline]
 *
 * Exit 1 for a regression, a control that was not noticed, or nothing to compare with. A collection that is not there
 * is skipped, with the reason.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readFlags } from '../support/flags.ts';
import {
  beginRun,
  type DataSource,
  type QualityCollection,
  type RunOf,
  readRunFile,
  type Skipped,
  writeRunFile,
} from '../support/run-file.ts';
import { loadCollection } from './collections.ts';
import { controls } from './control-suite.ts';
import { controlFaults, leakSigns, textsOf } from './controls.ts';
import { measureDemo } from './demo-collection.ts';
import { presentCollections, sourceOf } from './present.ts';
import { qualityChanges, sentenceOf } from './regressions.ts';
import { qualityTable } from './table.ts';
import { measureCollection } from './variants.ts';

const small = ['clapnq-dev', 'cranfield'];
const baselinePath = join(import.meta.dirname, '../baselines/quick.json');
/** What the baseline keeps: the file is checked in. */
const keptMetrics = ['nDCG@10', 'recall@10', 'recall@100', 'answerCited'];

const { values: flags } = readFlags(import.meta.filename, {
  options: { out: { type: 'string' }, 'write-baseline': { type: 'boolean', default: false } },
});
const faults: string[] = [];
const run = beginRun({ kind: 'quality', command: 'npm run bench:quick' });
const seconds = (): string => `${((Date.now() - run.startedAt.getTime()) / 1000).toFixed(0).padStart(4)} s `;

for (const { name, notice } of controls) {
  const how = await notice();
  console.error(`${seconds()} control, ${name}: ${how === undefined ? 'NOT NOTICED' : `noticed (${how})`}`);
  if (how === undefined) faults.push(`control not noticed: ${name}`);
}

const collections: QualityCollection[] = [];
const data: DataSource[] = [];
const skipped: Skipped[] = [];
const present = await presentCollections();
for (const name of small) {
  const one = present.found.find((each) => each.name === name);
  if (one === undefined) {
    skipped.push({ what: name, reason: 'not there; IBID_SHARED names the folder whose data/ has it' });
    continue;
  }
  const collection = await loadCollection(one.folder);
  console.error(`${seconds()} ${name}`);
  for (const sign of leakSigns(collection.queries, collection.qrels, textsOf(collection)))
    faults.push(`${name}: ${sign}`);
  data.push(sourceOf(one, collection));
  collections.push(await measureCollection(collection, { families: ['baseline', 'main', 'control'] }));
}
console.error(`${seconds()} demo`);
const demo = await measureDemo();
collections.push(demo.collection);
data.push(demo.source);

const results = { metrics: keptMetrics, collections, skipped };
const file = run.finish({ data, results });
console.log(qualityTable(results));
faults.push(...collections.flatMap(controlFaults));
if (flags['write-baseline']) console.error(`baseline: ${writeRunFile(slim(file), baselinePath)}`);
else if (!existsSync(baselinePath)) faults.push('there is no baseline: npm run bench:quick -- --write-baseline');
else {
  const baseline = readRunFile(baselinePath);
  if (baseline.kind !== 'quality') throw new Error(`${baselinePath} is of kind ${baseline.kind}`);
  const { worse, better, skipped: left, figures } = qualityChanges(baseline, file);
  const [date, commit] = [baseline.startedAt.slice(0, 10), baseline.commit.slice(0, 9)];
  console.log(`\nagainst the baseline of ${date} (${commit}): ${figures} figures`);
  for (const row of worse) console.log(`  worse: ${sentenceOf(row)}`);
  for (const row of better) console.log(`  better: ${sentenceOf(row)}`);
  if (worse.length + better.length === 0) console.log('  nothing beyond noise');
  for (const sentence of left) console.log(`  not compared: ${sentence}`);
  faults.push(...worse.map((row) => `regression: ${sentenceOf(row)}`));
  if (figures === 0) faults.push('nothing could be compared with the baseline');
}
console.error(`${seconds()} ${writeRunFile(file, flags.out)}`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

/** Without what the comparison does not use. */
function slim(full: RunOf<'quality'>): RunOf<'quality'> {
  const kept = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([metric]) => keptMetrics.includes(metric)));
  return {
    ...full,
    results: {
      ...full.results,
      collections: full.results.collections.map((one) => ({
        ...one,
        comparisons: [],
        variants: one.variants
          .filter(({ family }) => family === 'main')
          .map(({ name, family, metrics, perQuery }) => ({
            name,
            family,
            metrics: kept(metrics),
            perQuery: Object.fromEntries(
              Object.entries(kept(perQuery)).map(([metric, values]) => [
                metric,
                values.map((value) => Number(value.toFixed(4))),
              ]),
            ),
          })),
      })),
    },
  };
}
