import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../../src/embed/contract.ts';
import { openIndex } from '../../../src/search-index/open-index.ts';
import { connectDatabase, openStore, Replica } from '../../../src/store/index.ts';
import { tempFolder } from '../../support/temp.ts';

function embedder(id: string, dimensions: number): Embedder {
  const vector = (text: string): Int8Array =>
    Int8Array.from({ length: dimensions }, (_, i) => (text.charCodeAt(i % text.length) * (i + 3)) % 127);
  return {
    id,
    dimensions,
    embedDocuments: async (documents) => documents.map(({ chunks }) => chunks.map(({ text }) => vector(text))),
    embedQuery: async (query) => vector(query),
  };
}

/** An index of one sentence: any two take the same commits, so their tables have the same names and versions. */
async function make(address: string, text: string, own = embedder('one', 8)): Promise<void> {
  rmSync(address, { recursive: true, force: true });
  await using index = await openIndex(address, { create: true, base: tempFolder(), embedder: own });
  await index.add([{ uri: 'note', text }]);
}

async function textsOf(address: string): Promise<string[]> {
  await using index = await openIndex(address);
  const texts: string[] = [];
  for await (const { text } of index.export()) texts.push(text);
  return texts;
}

describe('an index that was removed and made again at its address', () => {
  it('is read by who has it open, though its tables have the same names and versions', async () => {
    const address = join(tempFolder(), 'index');
    await make(address, 'The red lantern costs five.');
    await using reader = await openIndex(address, { embedder: embedder('one', 8) });
    const found = async (): Promise<string[]> =>
      (await reader.search('lantern violin')).hits.map(({ chunk }) => chunk.text);
    expect(await found()).toEqual(['The red lantern costs five.']);
    await make(address, 'The old violin costs nine.');
    expect(await found()).toEqual(['The old violin costs nine.']);
  });

  it.each([
    ['the same number of', 8],
    ['another number of', 16],
  ])('is copied with the embedder of its vectors, of %s dimensions', async (_, dimensions) => {
    const folder = tempFolder();
    const address = join(folder, 'index');
    const copied = async (): Promise<unknown> => {
      const replica = await Replica.open(await connectDatabase(address), { folder: join(folder, 'cache') });
      await replica.ready();
      const { embedder: id } = await (await openStore(replica.database)).fingerprint();
      const { address: copy } = replica.database;
      await replica.close();
      return { failure: replica.failure, id, texts: copy.kind === 'local' && (await textsOf(copy.directory)) };
    };
    await make(address, 'The red lantern costs five.');
    expect(await copied()).toEqual({ id: 'own:one', texts: ['The red lantern costs five.'] });
    await make(address, 'The old violin costs nine.', embedder('two', dimensions));
    expect(await copied()).toEqual({ id: 'own:two', texts: ['The old violin costs nine.'] });
  });
});
