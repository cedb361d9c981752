/** The controls, which must fail: each spoils something on purpose, and tells whether the bench noticed. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndex } from '../../src/index.ts';
import { search, seededRandom } from '../../src/internal.ts';
import { compareRuns, type Row } from '../compare.ts';
import { median } from '../support/report.ts';
import { beginRun, type QualityCollection } from '../support/run-file.ts';
import { storedSnapshot } from '../support/stored-snapshot.ts';
import { syntheticDocument } from '../support/synthetic.ts';
import type { Collection } from './collections.ts';
import { controlFaults, leakSigns } from './controls.ts';
import { compareVariants, scoreVariant } from './score.ts';
import { measureCollection, shuffled } from './variants.ts';

export interface Control {
  /** What is spoilt. */
  readonly name: string;
  /** @returns how the bench noticed, or undefined: it did not */
  notice(): Promise<string | undefined>;
}

/** A collection that words can search, whose truth is known: each query asks for two words of one document. */
export function syntheticCollection(documents = 120, seed = 7): Collection {
  const random = seededRandom(seed);
  const made = Array.from({ length: documents }, (_, d) => syntheticDocument(d, 2, seed));
  const counts = new Map<string, number>();
  const wordsOf = made.map(({ paragraphs }) =>
    paragraphs.map((text) => [...new Set(text.toLowerCase().match(/\p{L}+/gu) ?? [])]),
  );
  for (const words of wordsOf.flat()) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const ids = made.flatMap((_, d) => [`d${d}-0`, `d${d}-1`]);
  const queries = made.slice(0, 60).map((_, d) => {
    const at = Math.floor(random() * 2);
    // common words of this paragraph: several documents hold both, so that no search finds every one
    const known = wordsOf[d]![at]!.filter((word) => counts.get(word)! >= 10 && counts.get(word)! <= 80);
    const text = shuffled(known, random).slice(0, 2).join(' ');
    return { id: `query-${d}`, text, relevant: `d${d}-${at}` };
  });
  return {
    name: 'synthetic',
    ids,
    documents: made.map(({ title, paragraphs }, d) => ({
      uri: `d${d}`,
      title,
      chunks: paragraphs.map((text) => ({ text })),
    })),
    queries: queries.map(({ id, text }) => ({ id, text })),
    qrels: new Map(queries.map(({ id, relevant }) => [id, new Map([[relevant, 1]])])),
    units: ids.map((id) => ({ id, document: id.replace(/-\d$/, ''), span: undefined })),
    queriesInCorpus: false,
    whole: new Map(),
  };
}

let measured: Promise<QualityCollection> | undefined;

/** Measured once. */
export function measuredSynthetic(): Promise<QualityCollection> {
  measured ??= measureCollection(syntheticCollection(), { families: ['baseline', 'main', 'control'] });
  return measured;
}

export const controls: readonly Control[] = [
  {
    name: 'shuffled rankings',
    notice: async () => {
      const whole = await measuredSynthetic();
      const [hybrid, mixed] = ['hybrid', 'shuffled'].map((name) => whole.variants.find((one) => one.name === name)!);
      const test = compareVariants(hybrid!, mixed!)[0]!;
      // the same ranking passed off as the hybrid's own control must be called out
      const passedOff = {
        ...whole,
        variants: [hybrid!, { ...hybrid!, name: 'shuffled', family: 'control' as const }],
      };
      const [fault] = controlFaults(passedOff);
      if (!(test.difference < -0.2 && test.pValue < 0.01) || fault === undefined) return undefined;
      return `nDCG@10 falls by ${(-test.difference).toFixed(3)}, p ${test.pValue.toFixed(4)}`;
    },
  },
  {
    name: 'an empty index',
    notice: async () => {
      // what was indexed is gone again: an index, with nothing in it
      const folder = await mkdtemp(join(tmpdir(), 'ibid-bench-empty-'));
      try {
        const documents = join(folder, 'documents');
        await mkdir(documents);
        await writeFile(join(documents, 'one.md'), '# One\n\nA document that goes.\n');
        await using index = await openIndex(join(folder, 'index'), { create: true, base: documents });
        await index.ingest([documents]);
        await rm(join(documents, 'one.md'));
        await index.ingest([documents], { force: true });
        const { qrels, queries } = syntheticCollection();
        const run = new Map<string, string[]>();
        for (const { id, text } of queries) {
          const { hits } = await index.search(text, { limit: 100 });
          run.set(
            id,
            hits.map(({ chunk }) => chunk.uri),
          );
        }
        const variant = scoreVariant('hybrid', 'main', qrels, run);
        return controlFaults(collectionOf([...qrels.keys()], [variant]))[0];
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
  {
    name: 'a run that follows the judgements',
    notice: async () => {
      const { qrels, queries } = syntheticCollection();
      const run = new Map([...qrels].map(([id, grades]) => [id, [...grades.keys()]]));
      const variant = scoreVariant('hybrid', 'main', qrels, run);
      const [fault] = controlFaults(collectionOf([...qrels.keys()], [variant]));
      const [sign] = leakSigns(queries, qrels, new Map(), run);
      return fault && sign;
    },
  },
  {
    name: 'queries written into the documents that answer them',
    notice: async () => {
      const { qrels, queries, documents, ids } = syntheticCollection();
      const long = queries.map(({ id, text }) => ({ id, text: `where do I read about ${text}` }));
      const texts = new Map(
        documents.flatMap(({ chunks }) => chunks.map(({ text }) => text)).map((text, i) => [ids[i]!, text]),
      );
      for (const { id, text } of long)
        for (const doc of qrels.get(id)!.keys()) texts.set(doc, `${texts.get(doc)} ${text}`);
      return leakSigns(long, qrels, texts)[0];
    },
  },
  {
    name: 'query ids written into the documents that answer them',
    notice: async () => {
      const { qrels, queries, documents, ids } = syntheticCollection();
      const texts = new Map(
        documents.flatMap(({ chunks }) => chunks.map(({ text }) => text)).map((text, i) => [ids[i]!, text]),
      );
      for (const { id } of queries)
        for (const doc of qrels.get(id)!.keys()) texts.set(doc, `${texts.get(doc)} [${id}]`);
      return leakSigns(queries, qrels, texts)[0];
    },
  },
  {
    name: 'a path slowed to a third of its speed',
    notice: async () => {
      const collection = syntheticCollection(60);
      const snapshot = await storedSnapshot(collection.documents);
      const rounds = await timed(collection.queries.slice(0, 12), async ({ text }) => {
        await search(snapshot, undefined, text, { mode: 'lexical' });
      });
      const row = comparedTimes(rounds.honest, rounds.slowed);
      return row.verdict === 'worse' ? `${(row.b / row.a).toFixed(2)} times as slow` : undefined;
    },
  },
];

export function collectionOf(queryIds: readonly string[], variants: QualityCollection['variants']): QualityCollection {
  return { name: 'control', documents: 0, chunks: 0, queryIds, variants, comparisons: [], skipped: [] };
}

/**
 * Rounds of the work as it is and with its time tripled, turn about, the first pair thrown away.
 * @param slow off: both kinds do the same
 * @returns milliseconds per round, each the median of its items
 */
export async function timed<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  { rounds = 20, slow = true }: { readonly rounds?: number; readonly slow?: boolean } = {},
): Promise<{ readonly honest: number[]; readonly slowed: number[] }> {
  const honest: number[] = [];
  const slowed: number[] = [];
  for (let i = 0; i <= rounds; i++) {
    for (const isSlow of i % 2 === 0 ? [false, true] : [true, false]) {
      const times: number[] = [];
      for (const item of items) {
        const started = performance.now();
        await work(item);
        if (isSlow && slow) wait(2 * (performance.now() - started));
        times.push(performance.now() - started);
      }
      if (i > 0) (isSlow ? slowed : honest).push(median(times));
    }
  }
  return { honest, slowed };
}

/** What `bench:compare` makes of the two. */
export function comparedTimes(a: readonly number[], b: readonly number[]): Row {
  const [before, after] = [a, b].map((values) =>
    beginRun({ kind: 'speed', command: 'control' }).finish({
      data: [],
      results: {
        cases: [
          {
            task: 'query',
            system: 'ibid',
            measures: { p50: { unit: 'ms', better: 'lower', values, value: median(values) } },
          },
        ],
        skipped: [],
      },
    }),
  );
  return compareRuns(before!, after!).rows[0]!;
}

function wait(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    // the processor is kept busy, as slow code would
  }
}
