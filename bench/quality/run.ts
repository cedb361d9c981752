/**
 * Ranking quality over every collection that is present, in every variant, with intervals and paired tests.
 *
 *   npm run bench:quality -- [--only name,name] [--families main,context] [--no-left-out] [--minutes 25]
 *                            [--queries 1500] [--metric nDCG@10] [--seed 1] [--remote-budget USD]
 *                            [--out file] [--write] [--json]
 *
 * Families: baseline, main, control, alternative, fusion, vectors, context, chunks, embedder; then the hybrid under
 * weights that were fitted on the other collections. Each family is measured on all collections before the next one:
 * the end of `--minutes`, or a Ctrl-C, leaves all collections with the same families. Missing variants are named.
 *
 * Embedders of a service are measured where IBID_SEARCH_API_KEY is set, within `--remote-budget` (default 0.5). A
 * service at an address of this machine is a stand-in: its vectors mean nothing, and it is skipped.
 *
 * Progress goes to stderr, the table (or `--json`: the run file) to stdout. `--write` keeps the means of a whole run in
 * `bench/results/quality.json`; with `--families` the rows of the others stay as they were. Exit 1 when a control scores as well as the variant it controls, or judgements seem to
 * have leaked into a collection; 130 after a Ctrl-C.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Meter } from '../../src/index.ts';
import { openServiceEmbedder } from '../../src/internal.ts';
import { createSearchService } from '../../src/wire.ts';
import { readFlags } from '../support/flags.ts';
import { givenFlags, writeResults } from '../support/report.ts';
import { beginRun, type DataSource, type QualityResults, type Skipped, writeRunFile } from '../support/run-file.ts';
import { settingsOf } from '../support/services.ts';
import { stopAfter } from '../support/stop.ts';
import { evidenceMetric, otherWeights, type RemoteEmbedder } from './ablations.ts';
import { alternativePackages } from './alternatives.ts';
import { loadCollection } from './collections.ts';
import { controlFaults, leakSigns, textsOf } from './controls.ts';
import { type FitSet, fitSet, fitWeights } from './left-out.ts';
import { Measurement } from './measurement.ts';
import { type PresentCollection, presentCollections, sizeOf, sourceOf } from './present.ts';
import { aheadOfAlternatives, meansOf, qualityTable } from './table.ts';
import { families, measureFamily } from './variants.ts';

const { values: flags } = readFlags(import.meta.filename, {
  allowNegative: true,
  options: {
    only: { type: 'string' },
    families: { type: 'string' },
    'left-out': { type: 'boolean', default: true },
    minutes: { type: 'string', default: '25' },
    queries: { type: 'string', default: '1500' },
    metric: { type: 'string', default: 'nDCG@10' },
    seed: { type: 'string', default: '1' },
    'remote-budget': { type: 'string', default: '0.5' },
    out: { type: 'string' },
    write: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
/** Collections of more than this together are not held in memory at once, but measured one after the other. */
const TOGETHER_BYTES = 300 * 2 ** 20;

const seed = Number(flags.seed);
const only = flags.only?.split(',');
const chosen = flags.families?.split(',');
for (const family of chosen ?? []) {
  if (!(families as readonly string[]).includes(family)) {
    console.error(`there is no family "${family}": ${families.join(', ')}`);
    process.exit(2);
  }
}
const stop = stopAfter(Number(flags.minutes));
const command = `npm run bench:quality -- ${givenFlags()}`.trim();
const run = beginRun({ kind: 'quality', command, seed, packages: alternativePackages });
const present = await presentCollections();
const unknown = only?.filter((name) => !present.found.some((one) => one.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`not there: ${unknown.join(', ')}; there are ${present.found.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const skipped: Skipped[] = [...present.skipped];
const settings = settingsOf('search');
await using service = settings && createSearchService(settings);
const remote = remoteEmbedders();
const data: DataSource[] = [];
const faults: string[] = [];
const say = (what: string): void => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${what}`);

const taken = present.found.filter(({ name }) => only === undefined || only.includes(name));
const atOnce = taken.reduce((sum, one) => sum + sizeOf(one.folder), 0) <= TOGETHER_BYTES;
const measurements: Measurement[] = [];
for (const wave of atOnce ? [taken] : taken.map((one) => [one])) measurements.push(...(await measureWave(wave)));

const collections = measurements.filter(({ variants }) => variants.length > 0).map((one) => one.result());
for (const { collection, variants } of measurements)
  if (variants.length === 0) skipped.push({ what: collection.name, reason: stop.reason ?? 'nothing was measured' });
const results: QualityResults = {
  metrics: [...new Set(collections.flatMap(({ variants }) => variants.flatMap((one) => Object.keys(one.metrics))))],
  collections,
  skipped,
};
const file = run.finish({ data, results });
const path = writeRunFile(file, flags.out);
if (flags.write && stop.reason === undefined)
  writeResults('quality', command, chosen ? overEarlier(meansOf(results)) : meansOf(results));
else if (flags.write) console.error(`not kept, for ${stop.reason}`);
if (flags.json) console.log(JSON.stringify(file));
else {
  console.log(qualityTable(results, flags.metric));
  const ahead = aheadOfAlternatives(results, flags.metric);
  if (results.metrics.includes(evidenceMetric))
    console.log(`\n${qualityTable({ ...results, skipped: [] }, evidenceMetric, ['chunks'])}`);
  if (ahead.length > 0)
    console.log(
      ['', 'hybrid against the best text-search alternative', ...ahead.map((line) => `  ${line}`)].join('\n'),
    );
}
console.error(`${(file.elapsedMs / 60_000).toFixed(1)} minutes; ${path}`);
faults.push(...collections.flatMap(controlFaults));
for (const fault of faults) console.error(`control failed: ${fault}`);
if (faults.length > 0) process.exitCode = 1;
if (stop.interrupted) process.exitCode = 130;

/** The rows that were measured now, over those of an earlier run. */
function overEarlier(now: Record<string, unknown>): Record<string, unknown> {
  type Rows = Record<string, { readonly variants: Record<string, unknown> } | undefined>;
  const path = join(import.meta.dirname, '../results/quality.json');
  const earlier = JSON.parse(readFileSync(path, 'utf8')).results as Rows; // as `meansOf` makes it
  const merged = Object.entries(now as Rows).map(([name, one]) => {
    const before = earlier[name];
    return [name, { ...before, ...one, variants: { ...before?.variants, ...one?.variants } }] as const;
  });
  return { ...earlier, ...Object.fromEntries(merged) };
}

/** Family by family over all of them. */
async function measureWave(wave: readonly PresentCollection[]): Promise<Measurement[]> {
  const loaded: Measurement[] = [];
  for (const one of wave) {
    if (stop.reason !== undefined) {
      skipped.push({ what: one.name, reason: stop.reason });
      continue;
    }
    const { folder, split, queriesInCorpus } = one;
    const collection = await loadCollection(folder, { split, queriesInCorpus, maxQueries: Number(flags.queries) });
    data.push(sourceOf(one, collection));
    for (const sign of leakSigns(collection.queries, collection.qrels, textsOf(collection)))
      faults.push(`${one.name}: ${sign}`);
    loaded.push(new Measurement(collection, { stop, seed }));
  }
  for (const family of families) {
    if (chosen && !chosen.includes(family)) continue;
    for (const measurement of loaded) {
      if (stop.reason === undefined) say(`${measurement.collection.name}: ${family}`);
      await measureFamily(measurement, family, remote);
    }
  }
  if (flags['left-out']) await leaveOneOut(loaded);
  for (const measurement of loaded) measurement.release();
  return loaded;
}

/** Each under weights fitted on the others. */
async function leaveOneOut(all: readonly Measurement[]): Promise<void> {
  if (all.length < 2) return;
  const sets = new Map<Measurement, FitSet>();
  for (const one of all) {
    if (stop.reason === undefined) say(`${one.collection.name}: what weights are fitted on`);
    await one.add('what weights are fitted on', async () => {
      sets.set(one, await fitSet(one.collection, await one.open(), () => stop.check()));
    });
  }
  if (sets.size < all.length) return; // the time was up, and each of them says so
  for (const one of all) {
    if (stop.reason === undefined) say(`${one.collection.name}: weights of the others`);
    await one.add('weights fitted on the others', async () => {
      const others = [...sets].flatMap(([other, set]) => (other === one ? [] : [set]));
      await otherWeights(one, await fitWeights(others, () => stop.check()));
    });
  }
}

function remoteEmbedders(): RemoteEmbedder[] {
  const name = 'embedders of the search service';
  if (service === undefined) {
    skipped.push({ what: name, reason: 'no key: IBID_SEARCH_API_KEY and IBID_SEARCH_BASE_URL are not set' });
    return [];
  }
  const { hostname } = new URL(process.env.IBID_SEARCH_BASE_URL ?? '');
  if (/^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(hostname)) {
    skipped.push({ what: name, reason: 'the address is this machine’s own: a stand-in, whose vectors are no figure' });
    return [];
  }
  const meter = new Meter(Number(flags['remote-budget']));
  return service.profile.models
    .filter(({ kind }) => kind === 'contextual' || kind === 'embedding')
    .map(({ name: model }) => ({ name: model, open: () => openServiceEmbedder(service, { model, meter }) }));
}
