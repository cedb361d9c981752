import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IbidError, type OpenIndexOptions, openIndex, type SearchIndex, type SearchMode } from '../../src/index.ts';
import { BASE } from '../../src/search-index/parts.ts';
import { connectDatabase } from '../../src/store/index.ts';
import { TableWriter } from '../../src/store/index-writer.ts';
import { makeTempFolder, writeFiles } from '../support/temp.ts';
import { randomSource } from '../unit/vector/random.ts';
import { type Fault, missing, type ObjectStore, startAzurite } from './azurite.ts';

const words = 'harbour lantern gravel meadow copper violin saddle kettle orchard pebble ribbon thimble'.split(' ');

/** Documents of known words; each seed gives other sentences. */
function documents(count: number, seed: number): Record<string, string> {
  const random = randomSource(seed);
  const sentence = (): string =>
    `The ${words[random.integer(0, 11)]} of the ${words[random.integer(0, 11)]} costs ${random.integer(1, 999)}.`;
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `d${i}.md`,
      `# Part ${i}\n\n${Array.from({ length: 30 }, sentence).join(' ')}\n`,
    ]),
  );
}

/** Every chunk, and what three questions find, without the state of files. */
async function contentOf(index: SearchIndex, mode: SearchMode = 'hybrid'): Promise<unknown> {
  const chunks: unknown[] = [];
  for await (const { uri, span, text } of index.export())
    chunks.push(`${uri} ${span.start}-${span.end} ${crc32(text)}`);
  const found: unknown[] = [];
  for (const question of ['copper violin', 'how much is the lantern of the orchard?', 'part 7']) {
    const { hits } = await index.search(question, { mode });
    found.push(hits.map(({ chunk, score }) => `${score.toFixed(6)} ${chunk.uri} ${chunk.position}`).sort());
  }
  return { chunks, found };
}

describe.skipIf(missing !== undefined)(`an index in an object store${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const folder = makeTempFolder();
  const docs = join(folder, 'docs');
  let store: ObjectStore;
  let serial = 0;
  const open = (address: string, options: OpenIndexOptions = {}): Promise<SearchIndex> =>
    openIndex(address, { create: true, base: docs, storageOptions: store.storageOptions, ...options });
  const newAddress = (): string => `az://ibid/index-${serial++}`;
  const local = async (mode?: SearchMode): Promise<unknown> => {
    await using index = await openIndex(join(folder, `local-${serial++}`), { create: true, base: docs });
    await index.ingest([docs]);
    return await contentOf(index, mode);
  };

  beforeAll(async () => {
    mkdirSync(join(folder, 'store'));
    store = await startAzurite(join(folder, 'store'));
  });
  afterAll(async () => await store[Symbol.asyncDispose]());

  it('is the same as a local one, also through changes, and passes its checks', async () => {
    writeFiles(docs, documents(12, 1));
    const address = newAddress();
    await using index = await open(address);
    await index.ingest([docs]);
    await using twin = await openIndex(join(folder, 'twin'), { create: true, base: docs });
    await twin.ingest([docs]);
    expect(await contentOf(index)).toEqual(await contentOf(twin));
    writeFiles(docs, { ...documents(3, 2), 'more.md': '# More\n\nA ribbon of gravel.\n' });
    await index.ingest([docs]);
    await twin.ingest([docs]);
    expect(await contentOf(index)).toEqual(await contentOf(twin));
    expect((await index.check()).filter(({ ok }) => !ok)).toEqual([]);
    expect((await index.status()).documents).toBe(13);
  });

  it('that was copied from a folder is relative to the base that is given', async () => {
    writeFiles(docs, documents(12, 1));
    const address = newAddress();
    await using index = await open(address);
    await index.ingest([docs]);
    await index.close();
    await using writer = await TableWriter.open(await connectDatabase(address, store), {});
    await writer.putMeta(BASE, '..'); // what an index in a folder notes
    await writer.close();
    await using copied = await open(address);
    expect(await copied.ingest([docs])).toMatchObject({ renamed: 0, updated: 0 });
    expect((await copied.show('d0.md#0-5')).source).toBe('same');
  });

  it('has one writer at a time', async () => {
    const address = newAddress();
    await using one = await open(address);
    await one.ingest([docs]);
    await using two = await open(address);
    const outcomes = await Promise.allSettled([
      one.ingest([docs], { rebuild: true }),
      two.ingest([docs], { rebuild: true }),
    ]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as IbidError] : []));
    for (const { code } of refused) expect(code).toBe('INDEX_LOCKED');
    expect(refused.length).toBeLessThan(2);
    expect(await contentOf(two)).toEqual(await local());
  });

  it('with a cache: a warm question makes no request, and a later process reads only what changed', async () => {
    const address = newAddress();
    const cache = { folder: join(folder, 'cache'), refreshMs: 60_000 };
    {
      await using index = await open(address);
      await index.ingest([docs]);
    }
    store.requests();
    await using cold = await open(address, { cache });
    const expected = await contentOf(cold);
    const first = store.requests();
    for (let i = 0; i < 5; i++) expect(await contentOf(cold)).toEqual(expected);
    expect(store.requests()).toBe(0);
    await using again = await open(address, { cache });
    expect(await contentOf(again)).toEqual(expected);
    expect(store.requests()).toBeLessThan(first);
    expect(expected).toEqual(await local());
  });

  it('with a cache: a process that begins while the store cannot be reached answers, and follows it later', async () => {
    const address = newAddress();
    const cache = { folder: join(folder, 'cache'), refreshMs: 0 };
    const found = async (index: SearchIndex): Promise<unknown> => {
      const { hits, report } = await index.search('copper violin');
      return { uris: hits.map(({ chunk }) => chunk.uri), warned: report.warnings.length > 0 };
    };
    let expected: unknown;
    {
      await using index = await open(address, { cache });
      await index.ingest([docs]);
      expected = await found(index);
    }
    for (const fault of ['reset', 'busy'] as const) {
      store.fault = () => fault;
      await using index = await open(address, { cache });
      expect(await found(index)).toEqual({ ...(expected as object), warned: true });
      store.fault = undefined;
      await expect.poll(() => found(index), { timeout: 30_000, interval: 500 }).toEqual(expected);
    }
  }, 120_000);

  it.each([0, 60_000])(
    'with a cache that is removed while it is in use: is copied again, looks each %i ms',
    async (refreshMs) => {
      const address = newAddress();
      const cache = { folder: join(folder, `removed-${refreshMs}`), refreshMs };
      await using index = await open(address, { cache });
      await index.ingest([docs]);
      const expected = await contentOf(index);
      rmSync(cache.folder, { recursive: true });
      expect(await contentOf(index)).toEqual(expected);
      expect((await index.status()).documents).toBe(Object.keys(documents(13, 1)).length);
    },
    120_000,
  );

  it('says what the store answers to wrong credentials and for a container that is not there, without the key', async () => {
    const account_key = Buffer.from('not the key').toString('base64');
    const storageOptions = { ...store.storageOptions, account_key };
    const refused = open(newAddress(), { storageOptions });
    await expect(refused).rejects.toMatchObject({ code: 'STORE_FAILED', hint: expect.stringMatching(/credentials/) });
    expect(inspect(await refused.catch((error: unknown) => error), { depth: 9 })).not.toContain(account_key);
    await expect(open('az://nowhere/index')).rejects.toMatchObject({ hint: expect.stringMatching(/container/) });
    const number = { ...storageOptions, account_key: 5 as unknown as string };
    await expect(open(newAddress(), { storageOptions: number })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  }, 60_000);

  it('under faults: an error with a code or the right result, and whole when the faults end', async () => {
    const address = newAddress();
    const random = randomSource(7);
    const kinds: readonly Fault[] = ['busy', 'throttled', 'reset', 'cut', 'lost', 'late', 'stale'];
    const outcomes: Record<string, number> = {};
    const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      let said = `${what}: done`;
      try {
        await work();
      } catch (error) {
        if (!(error instanceof IbidError)) throw error;
        said = `${what}: ${error.code}`;
      }
      outcomes[said] = (outcomes[said] ?? 0) + 1;
    };
    for (let round = 0; round < 6; round++) {
      writeFiles(docs, documents(12, 10 + round));
      store.fault = () => (random.integer(0, 99) < 12 ? kinds[random.integer(0, kinds.length - 1)] : undefined);
      await attempt('ingest', async () => {
        await using index = await open(address, { waitMs: 90_000 });
        await index.ingest([docs]);
      });
      await attempt('search', async () => {
        await using index = await open(address);
        const { hits } = await index.search('copper violin');
        for (const { chunk } of hits) expect(chunk.text).toContain('.');
      });
      store.fault = undefined;
    }
    await using index = await open(address, { waitMs: 90_000 });
    await index.ingest([docs]);
    expect(await contentOf(index, 'lexical')).toEqual(await local('lexical'));
    expect((await index.check()).filter(({ ok }) => !ok)).toEqual([]);
    expect(Object.keys(outcomes).filter((said) => said.endsWith('done')).length).toBeGreaterThan(0);
  }, 300_000);
});
