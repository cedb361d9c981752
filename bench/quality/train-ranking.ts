/**
 * Fits the weights of the ranking on collections made of IBID_SHARED/data-train alone, and prints them beside the
 * weights that ship: mean nDCG@10 by shape, on sets that were held out, and on the collections of IBID_SHARED/data.
 *
 *   node bench/quality/train-ranking.ts [--sets name,name] [--held-out name,name] [--queries 40] [--no-judged]
 *
 * The same data gives the same weights. Weights that ship come from the sets whose terms allow it (`freeSets`).
 */
import type { Weights } from '../../src/index.ts';
import { defaultWeights, mean } from '../../src/internal.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import { indexCollection, loadCollection } from './collections.ts';
import { type FitSet, fitSet, fitWeights, meanGain } from './left-out.ts';
import { presentCollections } from './present.ts';
import { freeSets, heldOutSets, type RankingSet, rankingSets } from './ranking-sets.ts';

const { values: flags } = readFlags(import.meta.filename, {
  allowNegative: true,
  options: {
    sets: { type: 'string', default: freeSets.join(',') },
    'held-out': { type: 'string', default: heldOutSets.join(',') },
    queries: { type: 'string', default: '40' },
    judged: { type: 'boolean', default: true },
  },
});
const folder = dataFolder(import.meta.filename, undefined, 'data-train');
const go = async (): Promise<void> => {};

const trained = await fitSets(flags.sets);
const weights = await fitWeights(
  trained.map(({ set }) => set),
  go,
);
const rounded = Object.fromEntries(Object.entries(weights).map(([name, value]) => [name, Number(value.toFixed(2))]));
console.log(`weights: ${JSON.stringify(rounded)}`);
for (const [shape, own] of Map.groupBy(trained, ({ name }) => name.split('/')[1]!)) print(`fitted on: ${shape}`, own);
for (const one of await fitSets(flags['held-out'])) print(`held out: ${one.name}`, [one]);
if (flags.judged) {
  for (const { name, folder: at, split } of (await presentCollections()).found) {
    const collection = await loadCollection(at, { split, maxQueries: 400 });
    print(`judged: ${name}`, [{ name, set: await fitSet(collection, await indexCollection(collection), go) }]);
  }
}
process.exit(0); // threads of embedders wait for more

interface NamedSet {
  readonly name: string;
  readonly set: FitSet;
}

async function fitSets(names: string): Promise<NamedSet[]> {
  const sets: NamedSet[] = [];
  for (const name of names.split(',').filter(Boolean)) {
    for (const one of rankingSets(folder, name, Number(flags.queries))) sets.push(await made(one));
  }
  return sets;
}

async function made(one: RankingSet): Promise<NamedSet> {
  const set = await fitSet(one, await indexCollection(one), go);
  console.error(`${one.name}: ${one.ids.length} chunks, ${set.length} queries`);
  return { name: one.name, set };
}

function print(what: string, sets: readonly NamedSet[]): void {
  const worth = (ranked: Weights): string => mean(sets.map(({ set }) => meanGain(set, ranked))).toFixed(4);
  const words = { ...defaultWeights, cosine: 0, feedback: 0 };
  console.log(
    `${what.padEnd(32)} fitted ${worth(weights)}  shipped ${worth(defaultWeights)}  shipped, words alone ${worth(words)}`,
  );
}
