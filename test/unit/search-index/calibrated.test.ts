import { expect, test } from 'vitest';
import type { Embedder } from '../../../src/embed/contract.ts';
import { openIndex } from '../../../src/index.ts';
import { calibrationKey } from '../../../src/internal.ts';
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
