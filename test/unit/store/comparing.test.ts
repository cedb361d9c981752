import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ComparedRows, Comparing } from '../../../src/store/comparing.ts';
import type { DocumentRecord } from '../../../src/store/contract.ts';
import type { SharedVectors } from '../../../src/store/held-vectors.ts';
import { connectDatabase, openStore, openWriter } from '../../../src/store/index.ts';
import { calibrationKey } from '../../../src/store/store.ts';
import type { SignCalibration } from '../../../src/vector/calibrate.ts';
import { Int8Rows } from '../../../src/vector/int8-rows.ts';
import { SignFilter } from '../../../src/vector/sign-filter.ts';
import { SignRows } from '../../../src/vector/sign-rows.ts';
import { tempFolder } from '../../support/temp.ts';
import { randomSource } from '../vector/random.ts';
import { record, vector } from './records.ts';

const random = randomSource(20_261_124);

async function started(): Promise<Comparing> {
  const comparing = new Comparing();
  onTestFinished(() => comparing.close());
  comparing.start();
  await expect.poll(() => comparing.isReady).toBe(true);
  return comparing;
}

function inMemory(vectors: Int8Rows, filter?: SignFilter): SharedVectors {
  const signs = new SignRows(vectors.dimensions, { threads: 2 });
  const kept = { vectors: true, signs: false };
  return { kept, vectors: vectors.share(), signs: signs.share(), filter: filter?.share() };
}

describe('a thread that compares vectors', () => {
  it.each([false, true])('finds what the same search finds here, with a filter: %s', async (filtered) => {
    const vectors = new Int8Rows(64, { threads: 2 });
    for (let row = 0; row < 3000; row++) vectors.append(vector(random, 64));
    const live = Uint8Array.from({ length: 3000 }, (_, row) => (row % 11 === 0 ? 0 : 1));
    const filter = new SignFilter(vectors, { threads: 2 });
    if (filtered) await filter.prepare(3000);
    const rows: ComparedRows = { vectors: inMemory(vectors, filtered ? filter : undefined), live, rows: 2500 };
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
    const rows: ComparedRows = { vectors: inMemory(vectors), live: new Uint8Array(1).fill(1), rows: 1 };
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
    await vi.waitFor(
      async () => {
        await ask();
        expect(inThread).toHaveBeenCalled();
      },
      { timeout: 20_000 },
    );
    await ask();
    expect(inThread.mock.calls.length).toBeGreaterThan(10);
    await writer.current.replaceDocuments(documents(40));
    await writer.current.removeDocuments(['3.md', '41.md']);
    await ask();
  });

  describe('of an index whose signs alone are in memory', () => {
    const dimensions = 512;
    const calibration: SignCalibration = { candidates: 300, kept: 60, recall: 1, rows: 900 };
    const queries = Array.from({ length: 12 }, () => vector(random, dimensions));
    const documents = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => record(`${from + i}.md`, ['a', 'b', 'c'], { dimensions }));

    async function write(folder: string, documents: readonly DocumentRecord[]): Promise<void> {
      const copies = { from: 1, wholeBytes: 0 };
      const writer = await openWriter(folder, { fingerprint: { embedder: 'test', dimensions }, copies });
      await writer.current.replaceDocuments(documents);
      await writer.finish();
      await writer.putMeta(calibrationKey, calibration);
      await writer.close();
    }

    /** What is found beside the caller's thread and in it, and how often the thread beside had an answer. */
    async function search(folder: string) {
      const options = { exactBytes: 0, residentBytes: 0 };
      const beside = await openStore(folder, options);
      const alone = await openStore(folder, { ...options, comparing: false });
      onTestFinished(() => Promise.all([beside.close(), alone.close()]).then(() => {}));
      const [a, b] = await Promise.all([beside.snapshot(), alone.snapshot()]);
      const inThread = vi.spyOn(Comparing.prototype, 'search');
      for (let i = 0; i < 8; i++) {
        expect(await a.searchVectors(queries[i]!, 9)).toEqual(await b.searchVectors(queries[i]!, 9));
      }
      for (let i = 0; i < 8 && inThread.mock.calls.length === 0; i++) {
        await new Promise((resolve) => setTimeout(resolve, 500)); // the thread starts meanwhile
        await a.searchVectors(queries[0]!, 9);
      }
      for (const query of queries) expect(await a.searchVectors(query, 9)).toEqual(await b.searchVectors(query, 9));
      const answers = await Promise.all(inThread.mock.results.map(({ value }) => value as Promise<unknown>));
      inThread.mockRestore();
      return { found: await b.searchVectors(queries[0]!, 9), answers: answers.filter((answer) => answer).length };
    }

    it('reads vectors from the copies, else leaves the search to the caller’s thread', async () => {
      const folder = join(tempFolder(), 'index');
      await write(folder, documents(0, 300));
      const whole = await search(folder);
      expect(whole.answers).toBeGreaterThan(10);
      const copies = join(folder, 'copies', 'chunks_1');
      for (const name of readdirSync(copies)) {
        const path = join(copies, name);
        const bytes = readFileSync(path);
        for (let at = 16 + 4 * 900; at < 16 + 4 * 900 + 900 * 516; at += 100) bytes[at]! ^= 4;
        writeFileSync(path, bytes);
      }
      expect(await search(folder)).toEqual({ found: whole.found, answers: 0 });
      rmSync(copies, { recursive: true });
      expect(await search(folder)).toEqual({ found: whole.found, answers: 0 });
    });

    it('reads them from copies of several lengths, after removals and renames', async () => {
      const folder = join(tempFolder(), 'index');
      await write(folder, documents(0, 200));
      const writer = await openWriter(folder, { copies: { from: 1, wholeBytes: 0 } });
      await writer.current.removeDocuments(['3.md', '77.md']);
      await writer.current.renameDocuments([{ from: '5.md', to: 'renamed.md' }]);
      await writer.close();
      await write(folder, documents(200, 300));
      expect((await search(folder)).answers).toBeGreaterThan(10);
    });
  });
});
