import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openIndex, openIndexes } from '../../../src/index.ts';
import { besideChunk, chunksBetween } from '../../../src/passages/named-document.ts';
import { connectDatabase, openStore } from '../../../src/store/index.ts';
import { UnitedSnapshot } from '../../../src/store/shards/united-snapshot.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder } from '../../support/temp.ts';

const embedder = fakeEmbedder(16);

/** Sections of a document, each long enough to be a chunk of its own. */
const sections = (subject: string, count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `## ${subject} ${i}\n\n${`The ${subject} of part ${i} has a line about ropes and blocks. `.repeat(30)}`,
  ).join('\n\n');

/** Two indexes with one uri, and different texts. */
async function two() {
  const folder = tempFolder({});
  const made = async (name: string, text: string): Promise<string> => {
    await using index = await openIndex(join(folder, name), { create: true, embedder });
    await index.add([{ uri: 'guide.md', text }]);
    return index.address;
  };
  return [await made('a', sections('crane', 6)), await made('b', sections('boat', 3))] as const;
}

it('of two indexes with one uri, the passages beside a passage are of its own document', async () => {
  const stores = await Promise.all((await two()).map(async (address) => openStore(await connectDatabase(address), {})));
  const parts = await Promise.all(
    stores.map(async (store, i) => ({ name: `${i}`, snapshot: (await store.snapshot()) as never })),
  ); // of one database each
  const snapshot: UnitedSnapshot = new UnitedSnapshot(parts);
  const rows = await snapshot.filter(`uri = 'guide.md'`);
  const all = await snapshot.fetch(rows.ordinals);
  for (const chunk of all) {
    const [subject, other] = chunk.text.includes('crane') ? ['crane', 'boat'] : ['boat', 'crane'];
    const beside = await snapshot.fetch(await besideChunk(snapshot, rows, chunk));
    const near = await chunksBetween(snapshot, 'guide.md', [chunk.position, chunk.position + 2], chunk);
    expect(near[0]).toEqual(chunk);
    for (const { text } of [...beside, ...near]) expect(text).not.toContain(other);
    expect(beside.map(({ position }) => position)).toEqual(
      all.filter(({ text }) => text.includes(subject!)).map(({ position }) => position),
    );
  }
  await expect(chunksBetween(snapshot, 'guide.md', [0, 2])).rejects.toMatchObject({ code: 'CITATION_NOT_FOUND' });
  for (const store of stores) await store.close();
});

it('of two indexes with one uri, the neighbours of a hit are of its own document', async () => {
  await using index = await openIndexes(await two(), { embedder });
  for (const [subject, other] of [
    ['crane', 'boat'],
    ['boat', 'crane'],
  ]) {
    const { hits } = await index.search(subject!, { neighbours: 2, mode: 'lexical' });
    expect(hits.length).toBeGreaterThan(0);
    for (const { before = [], after = [] } of hits)
      for (const { text } of [...before, ...after]) expect(text).not.toContain(other);
  }
});
