import { strict as assert } from 'node:assert';
import type { EmbedDocument, Embedder } from '../embed/contract.ts';
import { type ContractCheck, checks, endsWhenAborted, type Make } from './check.ts';

const chunk = (text: string) => ({ text, headings: [] });
const harbour = 'The ferry leaves the harbour every morning at seven.';
const roses = 'Prune the roses in March, before the first leaves open.';
const documents: readonly EmbedDocument[] = [
  { title: 'Ferries', chunks: [chunk(harbour), chunk('In winter there is no ferry on Sundays.')] },
  { title: 'Garden', chunks: [chunk(roses)] },
];

/**
 * What an index asks of an `Embedder`, as checks for any test runner:
 * `for (const { name, run } of embedderContract(() => mine)) it(name, run);`
 * @param make an embedder that knows English texts of a few words
 */
export function embedderContract(make: Make<Embedder>): ContractCheck[] {
  const identified = async (): Promise<Embedder> => {
    const given = await make();
    return (await given.identify?.(undefined)) ?? given;
  };
  return checks(identified, {
    'has an id, and a number of dimensions': async (embedder) => {
      assert.equal(typeof embedder.id, 'string');
      assert.notEqual(embedder.id, '');
      assert.ok(Number.isSafeInteger(embedder.dimensions) && embedder.dimensions > 0);
    },
    'gives one int8 vector for each chunk, nested and ordered as the documents': async (embedder) => {
      const vectors = await embedder.embedDocuments(documents);
      assert.deepEqual(
        vectors.map((rows) => rows.length),
        documents.map(({ chunks }) => chunks.length),
      );
      for (const vector of vectors.flat()) {
        assert.ok(vector instanceof Int8Array, 'a vector must be an Int8Array');
        assert.equal(vector.length, embedder.dimensions);
      }
    },
    'gives an empty list for no documents, and for a document without chunks': async (embedder) => {
      assert.deepEqual(await embedder.embedDocuments([]), []);
      assert.deepEqual(await embedder.embedDocuments([{ title: 'Empty', chunks: [] }]), [[]]);
    },
    'gives a document the same vectors, whatever documents come with it': async (embedder) => {
      const together = await embedder.embedDocuments(documents);
      const alone = await embedder.embedDocuments([documents[1]!]);
      assert.deepEqual(alone[0], together[1]);
    },
    'gives the vectors of a document in the order of its chunks': async (embedder) => {
      const mixed = { title: 'Notes', chunks: [chunk(harbour), chunk(roses)] };
      const [[first, second]] = (await embedder.embedDocuments([mixed])) as [[Int8Array, Int8Array]];
      for (const [query, near, far] of [
        [harbour, first, second],
        [roses, second, first],
      ] as const) {
        const vector = await embedder.embedQuery(query);
        assert.ok(cosine(vector, near) > cosine(vector, far), `"${query}" lies nearer to the other chunk`);
      }
    },
    'embeds a query in the space of the documents: it lies nearest to the text it was taken from': async (embedder) => {
      const [[ferry], [garden]] = (await embedder.embedDocuments(documents)) as [Int8Array[], Int8Array[]];
      const query = await embedder.embedQuery('When does the ferry leave the harbour?');
      assert.ok(query instanceof Int8Array && query.length === embedder.dimensions);
      const near = cosine(query, ferry!);
      const far = cosine(query, garden!);
      assert.ok(near > far, `cosine with the ferry's text ${near}, with the roses' ${far}`);
    },
    'gives the same vector for the same query': async (embedder) => {
      assert.deepEqual(await embedder.embedQuery(roses), await embedder.embedQuery(roses));
    },
    'takes an empty query': async (embedder) => {
      assert.equal((await embedder.embedQuery('')).length, embedder.dimensions);
    },
    'ends when the caller leaves': async (embedder) => {
      await endsWhenAborted((options) => embedder.embedDocuments(documents, options));
    },
  });
}

/** Of the zero vector with anything: 0. */
function cosine(a: Int8Array, b: Int8Array): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return dot === 0 ? 0 : dot / Math.sqrt(aa * bb);
}
