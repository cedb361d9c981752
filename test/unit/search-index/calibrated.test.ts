import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Embedder } from '../../../src/embed/contract.ts';
import { openIndex } from '../../../src/index.ts';
import { calibrationKey } from '../../../src/internal.ts';
import { CALIBRATION } from '../../../src/search-index/session.ts';
import { openStore } from '../../../src/store/index.ts';
import { tempFolder } from '../../support/temp.ts';

const DIMENSIONS = 4096;
/** Just over the 16 MiB of vectors up to which a scan without signs is fast enough. */
const DOCUMENTS = 4200;

function random(text: string): Int8Array {
  let state = Number(text.match(/\d+/)?.[0] ?? 0) + 1;
  return Int8Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 24) - 128;
  });
}

const embedder: Embedder = {
  id: 'random',
  dimensions: DIMENSIONS,
  limits: { documents: 100, chunks: 100 },
  embedDocuments: async (documents) => documents.map(({ chunks }) => chunks.map(({ text }) => random(text))),
  embedQuery: async (query) => random(query),
};

test('an ingest calibrates the search by signs of a large index', async () => {
  const address = tempFolder();
  await using index = await openIndex(address, { create: true, embedder });
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => ({ uri: `${i}`, text: `document ${i}` }));
  await index.add(documents, { workers: 1 });
  await using store = await openStore(address);
  expect(await store.getMeta(calibrationKey)).toMatchObject({ rows: DOCUMENTS });
}, 60_000);

test.each([undefined, 2])(
  'a run that was stopped before its end is ended by the next one (shards: %s)',
  async (shards) => {
    const things = ['harbour', 'lantern', 'orchard', 'copper', 'violin'];
    const files = Array.from({ length: 40 }, (_, i): [string, string] => [
      `docs/${i}.md`,
      `# Part ${i}\n\nThe ${things[i % 5]} of the ${things[i % 3]} costs ${i * 7} crowns in week ${i}.\n`,
    ]);
    const folder = tempFolder(Object.fromEntries(files));
    const [docs, whole, stopped] = ['docs', 'whole', 'stopped'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const options = { create: true, base: folder, shards };
    const calibrationOf = async (address: string): Promise<unknown> => {
      await using store = await openStore(address);
      return await store.getMeta(CALIBRATION);
    };
    {
      await using index = await openIndex(whole, options);
      await index.ingest([docs]);
    }
    await using index = await openIndex(stopped, options);
    for await (const { type } of index.ingest([docs])) if (type === 'finishing') break;
    const types: string[] = [];
    for await (const { type } of index.ingest([docs])) types.push(type);
    expect(types).toEqual(['scanned', 'planned', 'finishing', 'done']);
    const calibration = await calibrationOf(whole);
    expect(calibration).toMatchObject({ chunks: 40 });
    expect(await calibrationOf(stopped)).toEqual(calibration);
    types.length = 0;
    for await (const { type } of index.ingest([docs])) types.push(type);
    expect(types).toEqual(['scanned', 'planned', 'done']);
  },
  60_000,
);
