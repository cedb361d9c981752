/**
 * Ranking quality over every collection that is there, every variant, with intervals and paired tests.
 *
 *   npm run bench:quality -- [--only name,name] [--families main,context] [--minutes 25] [--queries 1500] [--metric nDCG@10]
 *                            [--seed 1] [--remote-budget USD] [--out file] [--json]
 *
 * Families: baseline, main, alternative, control, context, fusion, vectors, chunks, embedder. Past `--minutes` only the first four are
 * still measured. Services' embedders are measured where IBID_SEARCH_API_KEY is set, within `--remote-budget` (default 0.5); an
 * address on this machine is a stand-in, whose vectors mean nothing, and is skipped.
 * Progress goes to stderr, the table (or `--json`: the run file) to stdout. Exit 1 when a control scores as well as what it controls,
 * or judgements seem to have leaked into a collection.
 */
import { parseArgs } from 'node:util';
import { openServices } from '../../src/cli/services.ts';
import { Meter } from '../../src/core/meter.ts';
import { openServiceEmbedder } from '../../src/services/embedder.ts';
import {
  beginRun,
  type DataSource,
  type QualityCollection,
  type Skipped,
  type VariantFamily,
  writeRunFile,
} from '../support/run-file.ts';
import { alternativePackages } from './alternatives.ts';
import { loadCollection } from './collections.ts';
import { controlFaults, leakSigns, textsOf } from './controls.ts';
import { presentCollections, sourceOf } from './present.ts';
import { aheadOfAlternatives, qualityTable } from './table.ts';
import { evidenceMetric, families, measureCollection, type RemoteEmbedder } from './variants.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    families: { type: 'string' },
    minutes: { type: 'string', default: '25' },
    queries: { type: 'string', default: '1500' },
    metric: { type: 'string', default: 'nDCG@10' },
    seed: { type: 'string', default: '1' },
    'remote-budget': { type: 'string', default: '0.5' },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const seed = Number(flags.seed);
const deadline = performance.now() + Number(flags.minutes) * 60_000;
const only = flags.only?.split(',');
const chosen = flags.families?.split(',');
for (const family of chosen ?? []) {
  if (!(families as readonly string[]).includes(family)) {
    console.error(`there is no family "${family}": ${families.join(', ')}`);
    process.exit(2);
  }
}

const run = beginRun({
  kind: 'quality',
  command: ['npm run bench:quality', ...process.argv.slice(2)].join(' '),
  seed,
  packages: alternativePackages,
});
const present = await presentCollections();
const unknown = only?.filter((name) => !present.found.some((one) => one.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`not there: ${unknown.join(', ')}; there are ${present.found.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const skipped: Skipped[] = [...present.skipped];
await using services = await openServices();
const remote = remoteEmbedders();
const collections: QualityCollection[] = [];
const data: DataSource[] = [];
const faults: string[] = [];
for (const one of present.found) {
  if (only && !only.includes(one.name)) continue;
  const collection = await loadCollection(one.folder, {
    split: one.split,
    queriesInCorpus: one.queriesInCorpus,
    maxQueries: Number(flags.queries),
  });
  data.push(sourceOf(one, collection));
  for (const sign of leakSigns(collection.queries, collection.qrels, textsOf(collection)))
    faults.push(`${one.name}: ${sign}`);
  const started = performance.now();
  collections.push(
    await measureCollection(collection, {
      ...(chosen && { families: chosen as VariantFamily[] }), // checked above
      remote,
      seed,
      hasTime: () => performance.now() < deadline,
      progress: (what) => console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${what}`),
    }),
  );
}
const results = {
  metrics: [...new Set(collections.flatMap(({ variants }) => variants.flatMap((one) => Object.keys(one.metrics))))],
  collections,
  skipped,
};
const file = run.finish({ data, results });
const path = writeRunFile(file, flags.out);
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

function remoteEmbedders(): RemoteEmbedder[] {
  const { search } = services.services;
  const name = 'embedders of the search service';
  if (search === undefined) {
    skipped.push({ what: name, reason: 'no key: IBID_SEARCH_API_KEY and IBID_SEARCH_BASE_URL are not set' });
    return [];
  }
  const { hostname } = new URL(process.env.IBID_SEARCH_BASE_URL ?? '');
  if (/^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(hostname)) {
    skipped.push({ what: name, reason: 'the address is this machine’s own: a stand-in, whose vectors are no figure' });
    return [];
  }
  const meter = new Meter(Number(flags['remote-budget']));
  return search.profile.models
    .filter(({ kind }) => kind === 'contextual' || kind === 'embedding')
    .map(({ name: model }) => ({ name: model, open: () => openServiceEmbedder(search, { model, meter }) }));
}
