import { expect, it } from 'vitest';
import { LocalVectors } from '../../../src/search-index/local-vectors.ts';

const sample = Array.from({ length: 20 }, (_, i) => ({
  title: `Boat ${i}`,
  chunks: [{ text: `Boat number ${i} carries coal and rope to harbour ${i % 3}.`, headings: [] }],
}));

/** Vectors whose model is being stored until `stored` is called. */
async function trained() {
  const { promise: storing, resolve: stored, reject: failed } = Promise.withResolvers<void>();
  const vectors = new LocalVectors(
    true,
    async () => new Uint8Array(),
    () => storing,
    0,
  );
  for (const document of sample) await vectors.addSample(document);
  await vectors.train();
  return { vectors, stored, failed };
}

it('has the vectors of its sample from the training, once, and no threads to make them', async () => {
  const { vectors, stored } = await trained();
  const embedder = await vectors.embedder();
  expect(vectors.takeSample()).toEqual(await embedder.embedDocuments(sample));
  expect(vectors.takeSample()).toEqual([]);
  stored();
  await vectors.close();
});

it('embeds while its model is being stored, and says when it is', async () => {
  const { vectors, stored } = await trained();
  const embedder = await vectors.embedder();
  expect((await embedder.embedDocuments(sample)).length).toBe(sample.length);
  let isStored = false;
  const adopted = vectors.adopted().then(() => {
    isStored = true;
  });
  await new Promise(setImmediate);
  expect(isStored).toBe(false);
  stored();
  await adopted;
  await vectors.close();
});

it('is not closed before its model is stored: the index may be given away then', async () => {
  const { vectors, stored } = await trained();
  let isClosed = false;
  const closed = vectors.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  stored();
  await closed;
});

it('says why its model could not be stored, and closes all the same', async () => {
  const { vectors, failed } = await trained();
  failed(new Error('no room'));
  await expect(vectors.adopted()).rejects.toThrow('no room');
  await vectors.close();
});
