/**
 * The possible gain of a reranker behind the messages API, and its price: the first 20 hits of ibid's own hybrid
 * search, scored in one call.
 *
 *     node bench/quality/rerank.ts [folder of data sets] [--only name,name] [--queries 100] [--trust 0.5] [--write]
 *
 * No real model is asked. Stand-ins answer over the wire: prices are those of the real requests (input as counted,
 * output as written), gains are not those of a real model. `words` scores by shared words and knows nothing more than
 * the search: a control, which should not gain. `AUC x` knows the judgements, and adds noise until it tells a relevant
 * passage from another with that probability: how good must a model be to be worth its price? `perfect` is the most
 * that a new order of 20 hits can give.
 */
import { join } from 'node:path';
import { evaluateRun } from '../../src/eval.ts';
import type { Hit } from '../../src/index.ts';
import { rerankHits, search, serviceReranker } from '../../src/internal.ts';
import { createMessagesService } from '../../src/wire.ts';
import { type StandIn, textDraft } from '../../test/wire/service/messages/model.ts';
import { seededRandom } from '../../test/wire/service/random.ts';
import { startService } from '../../test/wire/service/service.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import { writeResults } from '../support/report.ts';
import { indexCollection, loadCollection } from './collections.ts';

const { values: flags, positionals } = readFlags(import.meta.filename, {
  allowPositionals: true,
  options: {
    only: { type: 'string', default: 'scifact,cranfield,codebase-chunks' },
    queries: { type: 'string', default: '100' },
    trust: { type: 'string', default: '0.5' },
    write: { type: 'boolean', default: false },
  },
});
const root = dataFolder(import.meta.filename, positionals[0], 'data');
const CANDIDATES = 20;

/** Grades of the passages of the request that is under way, in their order. */
let grades: readonly number[] = [];
const random = seededRandom(7);
const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const answer = (score: (i: number) => number, count: number): ReturnType<StandIn> => {
  const scores = Array.from({ length: count }, (_, i) => ({
    passage: i + 1,
    score: Math.round(Math.min(100, Math.max(0, score(i)))),
  }));
  return textDraft(JSON.stringify({ scores }));
};
const passagesOf = (question: string): string[] =>
  [...question.matchAll(/^\[p\d+\.1\] (.*)$/gm)].map(([, text]) => text!.toLowerCase());
/** Distance of two normal distributions whose area under the curve is that: √2 Φ⁻¹(AUC). */
const noisy =
  (distance: number): StandIn =>
  ({ question }) =>
    answer((i) => 50 + 12 * ((grades[i]! > 0 ? distance : 0) - distance / 2 + gauss()), passagesOf(question).length);
const standIns: Readonly<Record<string, StandIn>> = {
  words: ({ question }) => {
    const passages = passagesOf(question);
    const asked =
      question
        .slice(question.lastIndexOf('Query: '))
        .toLowerCase()
        .match(/\w{4,}/g) ?? [];
    return answer(
      (i) => (100 * asked.filter((word) => passages[i]!.includes(word)).length) / (asked.length || 1),
      passages.length,
    );
  },
  'AUC 0.75': noisy(0.954),
  'AUC 0.85': noisy(1.466),
  'AUC 0.95': noisy(2.326),
  perfect: ({ question }) => {
    const best = Math.max(1, ...grades);
    return answer((i) => (100 * grades[i]!) / best, passagesOf(question).length);
  },
};

await using service = await startService({ only: ['messages'] });
const all: Record<string, unknown> = {};
for (const name of flags.only.split(',')) {
  const collection = await loadCollection(join(root, name), { maxQueries: Number(flags.queries) });
  const { snapshot, embedder } = await indexCollection(collection);
  const firstOf = new Map<string, number>();
  let row = 0;
  for (const { uri, chunks } of collection.documents) {
    firstOf.set(uri, row);
    row += chunks.length;
  }
  const idOf = ({ chunk }: Hit): string => collection.ids[firstOf.get(chunk.uri)! + chunk.position]!;
  const found = new Map<string, readonly Hit[]>();
  for (const { id, text } of collection.queries)
    found.set(id, await search(snapshot, embedder, text, { limit: 100, distinct: false }));
  const ndcg = (run: ReadonlyMap<string, readonly Hit[]>): number => {
    const ids = new Map([...run].map(([id, hits]) => [id, hits.map(idOf)]));
    return evaluateRun(collection.qrels, ids, ['nDCG@10']).metrics['nDCG@10'] ?? 0;
  };
  const before = ndcg(found);
  console.log(`\n${name}: ${found.size} queries, nDCG@10 without reranking ${before.toFixed(4)}`);
  const results: Record<string, unknown> = { queries: found.size, none: before };
  for (const [standIn, model] of Object.entries(standIns)) {
    service.messages.model = model;
    service.ledger.clear();
    // a new client remembers nothing
    await using messages = createMessagesService({ apiKey: 'test-key', baseUrl: service.url });
    const reranker = serviceReranker(messages);
    const run = new Map<string, readonly Hit[]>();
    const times: number[] = [];
    for (const { id, text } of collection.queries) {
      const hits = found.get(id)!;
      grades = hits.slice(0, CANDIDATES).map((hit) => collection.qrels.get(id)?.get(idOf(hit)) ?? 0);
      const began = performance.now();
      const made = await rerankHits(text, hits, reranker, { candidates: CANDIDATES, trust: Number(flags.trust) });
      times.push(performance.now() - began);
      if (made.error) throw made.error;
      run.set(id, made.hits);
    }
    const after = ndcg(run);
    const { usd, inputTokens, outputTokens } = service.ledger.totals();
    const price = usd / run.size;
    results[standIn] = { 'nDCG@10': after, gain: after - before, usdPerQuery: price };
    console.log(
      `${standIn.padEnd(10)}nDCG@10 ${after.toFixed(4)}  gain ${(after - before >= 0 ? '+' : '') + (after - before).toFixed(4)}  ` +
        `${price.toFixed(5)} USD a query (${Math.round(inputTokens / run.size)} tokens in, ${Math.round(outputTokens / run.size)} out)`,
    );
  }
  all[name] = results;
  await embedder.close?.();
}
if (flags.write) writeResults('rerank', `node bench/quality/rerank.ts ${process.argv.slice(2).join(' ')}`, all);
