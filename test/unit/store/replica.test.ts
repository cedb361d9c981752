import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { filesBelow } from '../../../src/core/files.ts';
import { openIndex } from '../../../src/search-index/open-index.ts';
import { type CacheOptions, connectDatabase, openStore, openWriter, Replica } from '../../../src/store/index.ts';
import { TableWriter } from '../../../src/store/index-writer.ts';
import { lockFolder } from '../../../src/store/lock.ts';
import { copyIndex, demo } from '../../support/made-index.ts';
import { tempFolder } from '../../support/temp.ts';

/** The demo index as a store that is copied: what a replica asks of a remote index, a local one answers too. */
async function origin(): Promise<{ address: string; cache: string }> {
  const folder = tempFolder();
  const address = join(folder, 'origin');
  await copyIndex(demo, address);
  return { address, cache: join(folder, 'cache') };
}

async function replicaOf(address: string, folder: string, options: Partial<CacheOptions> = {}): Promise<Replica> {
  return await Replica.open(await connectDatabase(address), { folder, refreshMs: 0, ...options });
}

/** Every chunk with vectors and metadata, every line of the manifest, and what some questions find. */
async function contentOf(address: string): Promise<unknown> {
  await using index = await openIndex(address);
  const chunks: unknown[] = [];
  for await (const chunk of index.export({ vectors: true, metadata: true })) chunks.push(chunk);
  const found: unknown[] = [];
  for (const question of ['porpoise clicks', 'who repairs the export cable?', 'slack water']) {
    const { hits } = await index.search(question);
    found.push(hits.map(({ chunk, score }) => [chunk.uri, chunk.position, score]));
  }
  const store = await openStore(address);
  const { failed, skipped, warnings } = await index.status();
  const lines = [...(await store.manifest()).values()].map(({ first: _, ...line }) => line);
  lines.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  return { chunks, found, lines, failed, skipped, warnings, calibration: await store.getMeta('calibration') };
}

const copyIn = (cache: string): string => join(cache, readdirSync(cache)[0]!);

async function update(replica: Replica): Promise<void> {
  replica.renew();
  await replica.ready();
}

async function bytesOf(folder: string): Promise<number> {
  let bytes = 0;
  for await (const path of filesBelow(folder)) bytes += statSync(path).size;
  return bytes;
}

describe('a local copy of a remote index', () => {
  it('says of which folder it cannot be made, and what helps', async () => {
    const { address, cache } = await origin();
    writeFileSync(cache, 'a file');
    const replica = await replicaOf(address, cache);
    await expect(replica.ready()).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining(`the copy in ${cache}`),
      hint: 'Choose a folder for the cache that can be written and has room, or leave the cache out.',
    });
    await replica.close();
  });

  it('holds what the index holds, and follows documents that come, change, go and get another name', async () => {
    const { address, cache } = await origin();
    const replica = await replicaOf(address, cache);
    await replica.ready();
    expect(await contentOf(copyIn(cache))).toEqual(await contentOf(address));
    {
      await using index = await openIndex(address, { base: demo });
      const { documents } = await index.status();
      expect(documents).toBeGreaterThan(20);
      await index.add([{ uri: 'new.md', text: 'A lantern of copper hangs above the slipway.' }]);
      await index.remove(['handbook/welcome.md']);
    }
    await using writer = await openWriter(address);
    const [record] = await writer.current.readDocuments(['handbook/wildlife-monitoring.md']);
    await writer.current.replaceDocuments([{ ...record!, metadata: { team: 'seals' } }]);
    await writer.current.renameDocuments([
      { from: 'handbook/data-retention-2023.md', to: 'old/data-retention-2023.md' },
    ]);
    await writer.current.recordEntries([
      {
        uri: 'bad.pdf',
        sizeBytes: 1,
        mtimeMs: 2,
        contentHash: 'x',
        chunks: 0,
        failure: { code: 'FILE_DAMAGED', message: 'cut' },
      },
    ]);
    await writer.close();
    await update(replica);
    expect(await contentOf(copyIn(cache))).toEqual(await contentOf(address));
    await replica.close();
  });

  it('follows a rebuild with another embedder, and readers of the copy see the switch', async () => {
    const { address, cache } = await origin();
    const replica = await replicaOf(address, cache);
    await replica.ready();
    const store = await openStore(replica.database);
    const before = await store.fingerprint();
    {
      await using index = await openIndex(address, { base: demo });
      await index.ingest([demo], { rebuild: true });
      await index.remove(['handbook/welcome.md']);
    }
    await update(replica);
    expect((await store.snapshot()).liveRows).toBe((await (await openStore(address)).snapshot()).liveRows);
    expect(await store.fingerprint()).toEqual({ ...before, embedder: expect.any(String) });
    expect(await contentOf(copyIn(cache))).toEqual(await contentOf(address));
    await replica.close();
  });

  it('is made again when its own files are damaged', async () => {
    const { address, cache } = await origin();
    const first = await replicaOf(address, cache);
    await first.ready();
    await first.close();
    const [data] = readdirSync(join(copyIn(cache), 'lance/chunks_2.lance/data'));
    const file = join(copyIn(cache), 'lance/chunks_2.lance/data', data!);
    const bytes = readFileSync(file);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(file, bytes);
    const second = await replicaOf(address, cache);
    await second.ready();
    expect(second.failure).toBeUndefined();
    expect(await contentOf(copyIn(cache))).toEqual(await contentOf(address));
    await second.close();
  });

  it.each(['blobs', 'chunks', 'documents', 'lexical'])('is made again when files of its %s are gone', async (table) => {
    const { address, cache } = await origin();
    const first = await replicaOf(address, cache);
    await first.ready();
    await first.close();
    const lance = join(copyIn(cache), 'lance');
    const name = readdirSync(lance).find((one) => one.startsWith(table))!;
    for (const file of readdirSync(join(lance, name, 'data'))) rmSync(join(lance, name, 'data', file));
    const second = await replicaOf(address, cache);
    await second.ready();
    expect(second.failure).toBeUndefined();
    expect(await contentOf(copyIn(cache))).toEqual(await contentOf(address));
    await second.close();
  });

  it('does not copy a document that is not what was written', async () => {
    const { address, cache } = await origin();
    await using writer = await TableWriter.open(await connectDatabase(address));
    await writer.current.tables.chunks.update({ where: "uri = 'handbook/welcome.md'", values: { text: 'forged' } });
    await writer.close();
    const replica = await replicaOf(address, cache);
    await expect(replica.ready()).rejects.toMatchObject({
      code: 'INDEX_DAMAGED',
      message: expect.stringContaining('handbook/welcome.md'),
    });
    await replica.close();
  });

  it('answers from the last copy while the store cannot be read, and says so', async () => {
    const { address, cache } = await origin();
    const first = await replicaOf(address, cache);
    await first.ready();
    await first.close();
    renameSync(join(address, 'lance'), join(address, 'away'));
    const replica = await replicaOf(address, cache);
    await replica.ready();
    expect(replica.failure?.message).toContain('its local copy answers');
    expect((await (await openStore(replica.database)).snapshot()).liveRows).toBeGreaterThan(20);
    renameSync(join(address, 'away'), join(address, 'lance'));
    await update(replica);
    expect(replica.failure).toBeUndefined();
    await replica.close();
  });

  it('answers while the store is silent, says so, and closes without waiting for it', async () => {
    const { address, cache } = await origin();
    const before = await replicaOf(address, cache);
    await before.ready();
    await before.close();
    const remote = await connectDatabase(address);
    remote.open = () => new Promise(() => {});
    const replica = await Replica.open(remote, { folder: cache });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ready = replica.ready();
    await vi.advanceTimersByTimeAsync(5000);
    await ready;
    expect(replica.failure).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('its local copy answers'),
    });
    replica.renew();
    const again = replica.ready();
    await replica.close();
    await again;
  });

  it('is of use where nothing can be written, and says why it is old', async () => {
    const { address, cache } = await origin();
    const replica = await replicaOf(address, cache);
    await replica.ready();
    const copy = copyIn(cache);
    rmSync(join(copy, 'used'));
    mkdirSync(join(copy, 'used')); // a file that cannot be written
    await replica.ready(); // looks in the background
    await sleep(300);
    expect(replica.failure).toBeUndefined();
    {
      await using index = await openIndex(address, { base: demo });
      await index.remove(['handbook/welcome.md']);
    }
    renameSync(cache, `${cache}-away`);
    writeFileSync(cache, 'no folder');
    const failure = async (): Promise<unknown> => {
      await replica.ready();
      return replica.failure;
    };
    await expect.poll(failure, { timeout: 20_000 }).toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('local copy answers'),
    });
    const first = await replicaOf(address, cache);
    await expect(first.ready()).rejects.toMatchObject({ name: 'IbidError', code: 'STORE_FAILED' });
    await Promise.all([replica.close(), first.close()]);
  });

  it('counts all tables of an index that has to have room, not its chunks alone', async () => {
    const { address, cache } = await origin();
    const first = await replicaOf(address, cache);
    await first.ready();
    await first.close();
    const maxBytes = Math.round(0.8 * (await bytesOf(join(copyIn(cache), 'lance'))));
    const second = await replicaOf(address, join(tempFolder(), 'cache'), { maxBytes });
    await expect(second.ready()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await second.close();
  });

  it('that was left half made takes room, and goes when others need it', async () => {
    const { address, cache } = await origin();
    const other = join(tempFolder(), 'other');
    await copyIndex(demo, other);
    await using writer = await TableWriter.open(await connectDatabase(address));
    await writer.current.tables.chunks.update({ where: "uri = 'handbook/welcome.md'", values: { text: 'forged' } });
    await writer.close();
    const broken = await replicaOf(address, cache);
    await expect(broken.ready()).rejects.toMatchObject({ code: 'INDEX_DAMAGED' });
    await broken.close();
    const halfMade = copyIn(cache);
    const used = join(halfMade, 'used');
    if (existsSync(used)) utimesSync(used, 1, 1); // long ago
    const maxBytes = (await bytesOf(halfMade)) + 0.9 * (await bytesOf(join(other, 'lance')));
    const second = await replicaOf(other, cache, { maxBytes });
    await second.ready();
    await second.close();
    expect(existsSync(halfMade)).toBe(false);
  });

  it('of one path in two accounts is a copy for each, whatever the keys', async () => {
    const folderOf = async (storageOptions: Readonly<Record<string, string>>): Promise<string> => {
      const replica = await Replica.open(await connectDatabase('az://docs/index', { storageOptions }), { folder: 'c' });
      const { uri } = replica.database.address;
      await replica.close();
      return uri;
    };
    const one = await folderOf({ account_name: 'one', account_key: 'a' });
    expect(await folderOf({ account_name: 'one', account_key: 'b' })).toBe(one);
    expect(await folderOf({ account_name: 'two', account_key: 'a' })).not.toBe(one);
    expect(await folderOf({ account_name: 'one', account_key: 'a', endpoint: 'http://other' })).not.toBe(one);
  });

  it.each([
    { folder: '' },
    { folder: 5 as unknown as string },
    { folder: 'cache', maxBytes: 0 },
    { folder: 'cache', maxBytes: NaN },
    { folder: 'cache', refreshMs: NaN },
  ])('is not made with %j', async (cache) => {
    await expect(openIndex('s3://bucket/index', { cache })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('cache'),
    });
  });

  it('may be closed while it is made, and again', async () => {
    const { address, cache } = await origin();
    for (const ms of [0, 5, 20, 50]) {
      const replica = await replicaOf(address, join(cache, `${ms}`));
      const failure = replica.ready().then(
        () => undefined,
        (error: unknown) => error,
      );
      await sleep(ms);
      await replica.close();
      await replica.close();
      const closed = expect.objectContaining({ code: 'INVALID_ARGUMENT', message: 'the index is closed' });
      expect([undefined, closed]).toContainEqual(await failure); // undefined: it was sooner
      await expect(replica.ready()).rejects.toEqual(closed);
    }
  });

  it('is waited for until the caller’s abort', async () => {
    const { address, cache } = await origin();
    const replica = await replicaOf(address, cache);
    const place = replica.database.address as { readonly directory: string }; // a folder
    const other = await lockFolder(join(place.directory, 'locks')); // another process that makes the copy
    const stopped = new Error('stopped');
    const abort = new AbortController();
    const ready = replica.ready({ signal: abort.signal });
    setTimeout(() => abort.abort(stopped), 200);
    await expect(ready).rejects.toBe(stopped);
    await other.release();
    await replica.ready(); // goes on for others
    await replica.close();
  });

  it('copies once for processes that begin together', async () => {
    const { address, cache } = await origin();
    const replicas = await Promise.all([0, 1, 2].map(() => replicaOf(address, cache)));
    await Promise.all(replicas.map((replica) => replica.ready()));
    expect(await contentOf(copyIn(cache))).toEqual(await contentOf(address));
    expect(replicas.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined]);
    await Promise.all(replicas.map((replica) => replica.close()));
  });

  it('removes the copy that was not used for the longest time, and refuses an index that has no room', async () => {
    const { address, cache } = await origin();
    const addresses = [address, join(tempFolder(), 'b'), join(tempFolder(), 'c')];
    for (const other of addresses.slice(1)) await copyIndex(demo, other);
    for (const [i, one] of addresses.slice(0, 2).entries()) {
      const replica = await replicaOf(one, cache);
      await replica.ready();
      await replica.close();
      const hoursAgo = Date.now() / 1000 - (20 - i) * 3600;
      for (const name of readdirSync(cache)) {
        const used = join(cache, name, 'used');
        if (Date.now() - statSync(used).mtimeMs < 60_000) utimesSync(used, hoursAgo, hoursAgo);
      }
    }
    const [oldest] = readdirSync(cache).sort(
      (a, b) => statSync(join(cache, a, 'used')).mtimeMs - statSync(join(cache, b, 'used')).mtimeMs,
    );
    writeFileSync(join(cache, 'notes.txt'), 'not a copy');
    const third = await replicaOf(addresses[2]!, cache, { maxBytes: Math.round((2.3 * (await bytesOf(cache))) / 2) });
    await third.ready();
    await third.close();
    expect(readdirSync(cache)).toHaveLength(3); // two copies and the foreign file
    expect(readdirSync(cache)).not.toContain(oldest);
    rmSync(join(cache, oldest!), { recursive: true, force: true });
    const fourth = await replicaOf(address, cache, { maxBytes: 1000 });
    await expect(fourth.ready()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await fourth.close();
  });
});
