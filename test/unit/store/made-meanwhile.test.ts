import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectDatabase, openWriter } from '../../../src/store/index.ts';
import type { IndexWriter } from '../../../src/store/index-contract.ts';
import { TableWriter } from '../../../src/store/index-writer.ts';
import { lockFolder } from '../../../src/store/lock.ts';
import { tempFolder } from '../../support/temp.ts';

const made = { embedder: 'test', dimensions: 16 };
const waits = { waitMs: 60_000 };

async function twoConnections() {
  const folder = tempFolder({});
  return { folder, one: await connectDatabase(folder), two: await connectDatabase(folder) };
}

/** The second run waits for the one that holds the lock. Both found no index. */
async function make(writer: IndexWriter, waiting: Promise<IndexWriter>): Promise<void> {
  waiting.catch(() => {}); // expected by the test
  await writer.initialise(made);
  await writer.close();
}

it('a run without a number of shards writes to the shards that another made while it waited', async () => {
  const { folder, one, two } = await twoConnections();
  const first = await openWriter(one, { shards: 2 });
  const waiting = openWriter(two, waits);
  await make(first, waiting);
  await using writer = await waiting;
  expect(writer.fingerprint).toMatchObject(made);
  expect(existsSync(join(folder, 'lance', 'meta.lance'))).toBe(false);
});

it('a run with shards is refused where another made an index with another number while it waited', async () => {
  const { folder, one, two } = await twoConnections();
  const first = await openWriter(one, { shards: 3 });
  const waiting = openWriter(two, { ...waits, shards: 2 });
  await make(first, waiting);
  await expectRefused(folder, waiting, 'the index has 3 shards, not 2');
});

it('a run with shards is refused where another made an index without while it waited', async () => {
  const { folder, one, two } = await twoConnections();
  const lock = await lockFolder(join(folder, 'locks'));
  const waiting = openWriter(two, { ...waits, shards: 2 });
  await make(await TableWriter.open(one, { lock }), waiting);
  await expectRefused(folder, waiting, 'this index does not consist of shards');
});

async function expectRefused(folder: string, waiting: Promise<IndexWriter>, message: string): Promise<void> {
  await expect(waiting).rejects.toMatchObject({ code: 'INDEX_MISMATCH', message });
  await using writer = await openWriter(folder); // nobody holds the lock
  expect(writer.fingerprint).toMatchObject(made);
}
