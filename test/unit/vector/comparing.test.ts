import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectDatabase, openStore, openWriter } from '../../../src/store/index.ts';
import { type ComparedRows, Comparing } from '../../../src/vector/comparing.ts';
import { Int8Rows } from '../../../src/vector/int8-rows.ts';
import { SignFilter } from '../../../src/vector/sign-filter.ts';
import { record, vector } from '../store/records.ts';
import { randomSource } from './random.ts';

const random = randomSource(20_261_124);

async function started(): Promise<Comparing> {
  const comparing = new Comparing();
  onTestFinished(() => comparing.close());
  comparing.start();
  await expect.poll(() => comparing.isReady).toBe(true);
  return comparing;
}

describe('a thread that compares vectors', () => {
  it.each([false, true])('finds what the same search finds here, with a filter: %s', async (filtered) => {
    const vectors = new Int8Rows(64, { threads: 2 });
    for (let row = 0; row < 3000; row++) vectors.append(vector(random, 64));
    const live = Uint8Array.from({ length: 3000 }, (_, row) => (row % 11 === 0 ? 0 : 1));
    const filter = new SignFilter(vectors, { threads: 2 });
    if (filtered) await filter.prepare(3000);
    const rows: ComparedRows = {
      ...{ vectors: vectors.share(), live, rows: 2500 },
      filter: filtered ? filter.share() : undefined,
    };
    const comparing = await started();
    const queries = Array.from({ length: 20 }, () => vector(random, 64));
    const found = await Promise.all(queries.map((query) => comparing.search(rows, { query, limit: 7 })));
    expect(found).toEqual(queries.map((query) => vectors.search(query, 7, { live, rows: 2500 })));
  });

  it('fails what is asked of it once it is closed', async () => {
    const comparing = await started();
    await comparing.close();
    const vectors = new Int8Rows(16, { threads: 2 });
    vectors.append(vector(random, 16));
    const rows: ComparedRows = {
      vectors: vectors.share(),
      filter: undefined,
      live: new Uint8Array(1).fill(1),
      rows: 1,
    };
    await expect(comparing.search(rows, { query: vector(random, 16), limit: 1 })).rejects.toThrow('closed');
  });

  it('answers for an index, also after it has grown, as the caller’s thread would', async () => {
    const database = await connectDatabase('memory://');
    const writer = await openWriter(database, { fingerprint: { embedder: 'test', dimensions: 16 } });
    const documents = (from: number) =>
      Array.from({ length: 40 }, (_, i) => record(`${from + i}.md`, ['one', 'two', 'three']));
    await writer.current.replaceDocuments(documents(0));
    const beside = await openStore(database, { exactBytes: 0 });
    const alone = await openStore(database, { exactBytes: 0, comparing: false });
    onTestFinished(() => Promise.all([beside.close(), alone.close()]).then(() => {}));
    const inThread = vi.spyOn(Comparing.prototype, 'search');
    const queries = Array.from({ length: 30 }, () => vector(random, 16));
    const ask = async () => {
      for (const query of queries) {
        const [a, b] = await Promise.all([beside.snapshot(), alone.snapshot()]);
        expect(await a.searchVectors(query, 9)).toEqual(await b.searchVectors(query, 9));
        await new Promise((resolve) => setTimeout(resolve, 5)); // the thread starts meanwhile
      }
    };
    await ask();
    expect(inThread.mock.calls.length).toBeGreaterThan(10);
    await writer.current.replaceDocuments(documents(40));
    await writer.current.removeDocuments(['3.md', '41.md']);
    await ask();
  });
});
