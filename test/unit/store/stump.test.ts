import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectDatabase, openStore, openWriter } from '../../../src/store/index.ts';
import { KeyValues } from '../../../src/store/key-values.ts';
import { tempFolder } from '../../support/temp.ts';

it('a writer killed while it makes the first table leaves no index, and the next one makes it', async () => {
  const directory = join(tempFolder(), 'index');
  mkdirSync(join(directory, 'lance', 'meta.lance', '_transactions'), { recursive: true });
  await expect(openStore(directory)).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' });
  const writer = await openWriter(directory, { fingerprint: { embedder: 'test', dimensions: 8 } });
  await writer.close();
  const store = await openStore(directory);
  expect((await store.fingerprint()).embedder).toBe('test');
  await store.close();
});

it('a process killed while it makes a table of kept values leaves an empty one', async () => {
  const directory = join(tempFolder(), 'index');
  mkdirSync(join(directory, 'lance', 'kept.lance', '_transactions'), { recursive: true });
  const kept = new KeyValues(await connectDatabase(directory), 'kept');
  expect(await kept.get(['a'])).toEqual(new Map());
  await kept.put(new Map([['a', Buffer.from('1')]]));
  expect(await kept.get(['a'])).toEqual(new Map([['a', Uint8Array.from(Buffer.from('1'))]]));
});
