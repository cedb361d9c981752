/** One collection, ranked in every way worth comparing, scored and tested. */
import type { QualityCollection, VariantFamily } from '../support/run-file.ts';
import { chunks, context, embedders, fusion, type RemoteEmbedder, vectors } from './ablations.ts';
import { openAlternatives } from './alternatives.ts';
import type { Collection } from './collections.ts';
import { Measurement, type MeasurementOptions } from './measurement.ts';
import { PlainBm25 } from './plain-bm25.ts';
import { runDepth } from './score.ts';

/** In the order they are measured: should the time run out, it is the last ones that are missing. */
export const families: readonly VariantFamily[] = [
  'baseline',
  'main',
  'control',
  'alternative',
  'fusion',
  'vectors',
  'context',
  'chunks',
  'embedder',
];

export interface MeasureOptions extends MeasurementOptions {
  /** @default all */
  readonly families?: readonly VariantFamily[];
  readonly remote?: readonly RemoteEmbedder[];
  readonly progress?: (what: string) => void;
}

export async function measureCollection(
  collection: Collection,
  options: MeasureOptions = {},
): Promise<QualityCollection> {
  const { progress = () => {}, remote = [] } = options;
  const measurement = new Measurement(collection, options);
  for (const family of families) {
    if (options.families && !options.families.includes(family)) continue;
    progress(`${collection.name}: ${family}`);
    await measureFamily(measurement, family, remote);
  }
  return measurement.result();
}

export async function measureFamily(
  measurement: Measurement,
  family: VariantFamily,
  remote: readonly RemoteEmbedder[] = [],
): Promise<void> {
  const measures: Readonly<Record<VariantFamily, (measurement: Measurement) => Promise<void>>> = {
    baseline,
    main,
    control,
    alternative,
    fusion,
    vectors,
    context,
    chunks,
    embedder: (one) => embedders(one, remote),
  };
  await measurement.add(family, measures[family]);
}

/**
 * What a search without any notion of documents sees: the chunk's text, with the title where the chunk is the
 * document.
 */
async function baseline(measurement: Measurement): Promise<void> {
  const { grouped, collection } = measurement;
  const bm25 = new PlainBm25(
    collection.documents.flatMap(({ title, chunks: own }) =>
      own.map(({ text }) => (grouped ? text : `${title} ${text}`)),
    ),
  );
  await measurement.scoreAndKeep('BM25', 'baseline', (query) => bm25.scored(query, runDepth));
}

async function main(measurement: Measurement): Promise<void> {
  const index = await measurement.open();
  const { documents } = measurement.collection;
  for (const mode of ['lexical', 'dense', 'hybrid'] as const)
    await measurement.scoreAndKeep(mode, 'main', (query) => measurement.search(index, documents, query, { mode }));
}

/** The hybrid's own hits in random order: whatever else is wrong with the scoring, this must come out low. */
async function control(measurement: Measurement): Promise<void> {
  const lists = measurement.lists.get('hybrid');
  if (lists === undefined) {
    measurement.skip('control', 'needs the main family');
    return;
  }
  const { random } = measurement;
  await measurement.score('shuffled', 'control', (_, id) => shuffled(lists.get(id)?.rows ?? [], random));
}

async function alternative(measurement: Measurement): Promise<void> {
  const documents = measurement.collection.documents.flatMap(({ title, chunks: own }) =>
    own.map(({ text, headings = [] }) => ({ title, headings: headings.join(' '), text })),
  );
  const { opened, skipped } = await openAlternatives(documents);
  for (const { what, reason } of skipped) measurement.skip(what, reason);
  for (const { name, search: find } of opened)
    await measurement.score(name, 'alternative', (query) => find(query, runDepth + 1));
}

/** Fisher–Yates. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}
