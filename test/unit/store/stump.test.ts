import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore, openWriter } from '../../../src/store/index.ts';
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
