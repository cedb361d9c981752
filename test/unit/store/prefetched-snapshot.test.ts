import { describe, expect, it } from 'vitest';
import { connectDatabase, openStore, openWriter } from '../../../src/store/index.ts';
import { PrefetchedSnapshot } from '../../../src/store/prefetched-snapshot.ts';
import { record } from './records.ts';

const dimensions = 16;

describe('a snapshot that is told its queries beforehand', () => {
  it('answers as the snapshot does, without another reading of the vectors', async () => {
    const database = await connectDatabase('memory://');
    await using writer = await openWriter(database, { fingerprint: { embedder: 'e', dimensions } });
    const records = Array.from({ length: 40 }, (_, i) =>
      record(`d${i}`, ['a b', 'c d', 'e f'], { dimensions, seed: i }),
    );
    await writer.current.replaceDocuments(records);
    const store = await openStore(database, { residency: 'none' });
    const snapshot = await store.snapshot();
    const queries = records.slice(0, 7).map(({ vectors }) => vectors[1]!);
    const prefetched = new PrefetchedSnapshot(snapshot);
    await prefetched.prefetch(queries, 9);
    const expected = await Promise.all(queries.map((query) => snapshot.searchVectors(query, 9)));
    const odd = await snapshot.filter("uri = 'd3'");
    const within = await snapshot.searchVectors(queries[0]!, 9, { within: odd });
    const fewer = await snapshot.searchVectors(queries[0]!, 4);

    const { searchVectors } = snapshot;
    let asked = 0;
    snapshot.searchVectors = (...call) => {
      asked++;
      return searchVectors.apply(snapshot, call);
    };
    for (const [i, query] of queries.entries()) expect(await prefetched.searchVectors(query, 9)).toEqual(expected[i]);
    expect(asked).toBe(0);
    // what was not prefetched is searched for
    expect(await prefetched.searchVectors(queries[0]!, 9, { within: odd })).toEqual(within);
    expect(await prefetched.searchVectors(queries[0]!, 4)).toEqual(fewer);
    expect(asked).toBe(2);
  });
});
