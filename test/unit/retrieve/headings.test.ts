import { describe, expect, it } from 'vitest';
import { search } from '../../../src/retrieve/search.ts';
import { type MemoryDocument, memorySnapshot } from '../../support/memory-snapshot.ts';

/** Values of a feature by title and position, for every hit. */
async function valuesOf(feature: string, query: string, documents: readonly MemoryDocument[]) {
  const hits = await search(await memorySnapshot(documents), undefined, query, { explain: true, limit: 50 });
  return new Map(
    hits.map(({ chunk, trace }) => [
      `${chunk.title} ${chunk.position}`,
      trace.find(({ list }) => list === feature)!.value,
    ]),
  );
}

const filler: MemoryDocument = {
  uri: 'filler',
  title: 'Filler',
  chunks: ['bread', 'river', 'garden', 'train'].map((word) => ({ text: `Something about the ${word}.` })),
};

describe('headings', () => {
  it('count as far as their chunk holds the query', async () => {
    const documents = [
      { uri: 'a', title: 'A', chunks: [{ text: 'Walrus and heron are drawn.', headings: ['Lantern signs'] }] },
      { uri: 'b', title: 'B', chunks: [{ text: 'Kettle and walnut are drawn.', headings: ['Lantern signs'] }] },
      filler,
    ];
    const heading = await valuesOf('heading', 'lantern walrus', documents);
    const coverage = Math.log(1 + (6 - 2 + 0.5) / 2.5); // idf of "lantern", in headings of two of six chunks
    const whole = coverage + Math.log(1 + (6 - 1 + 0.5) / 1.5); // and of "walrus", in one
    expect(heading.get('B 0')! / heading.get('A 0')!).toBeCloseTo(coverage / whole, 6);
  });

  it('name what is asked more surely than its subject', async () => {
    const documents = [
      {
        uri: 'a',
        title: 'A',
        chunks: [
          { text: 'Leave the lantern alone.', headings: ['When not to'] },
          { text: 'A lantern gives light.', headings: ['Lantern'] },
          { text: 'It is a lantern of brass.', headings: ['Lantern, brass'] },
        ],
      },
      filler,
    ];
    const share = await valuesOf('headingShare', 'When should I not light the lantern?', documents);
    expect(share.get('A 0')).toBeCloseTo(2 / 3, 10);
    expect(share.get('A 1')).toBeCloseTo(0.35, 10);
    expect(share.get('A 2')).toBeCloseTo(0.35 / 2, 10);
  });
});

it('a line that says what a name is counts more than a heading that is the name', async () => {
  const documents = [
    {
      uri: 'a',
      title: 'A',
      chunks: [
        { text: 'log_wait and log_load are bound: log_wait holds where log_load is not set, log_wait alone.' },
        { text: 'log_wait (integer): Tells how long the crane waits for a load before it is left alone.' },
      ],
    },
    filler,
  ];
  expect((await valuesOf('headingShare', 'log_wait', documents)).get('A 1')).toBeGreaterThan(1);
  const hits = await search(await memorySnapshot(documents), undefined, 'What does log_wait do?', {});
  expect(hits[0]!.chunk.position).toBe(1);
});

describe('mentions', () => {
  it('mean a document: each of its chunks gets its part', async () => {
    const long = ['first', 'second', 'third', 'fourth'].map((word) => ({ text: `A heron of the ${word} kind.` }));
    const documents = [
      { uri: 'a', title: 'A', chunks: [{ text: 'Walrus, heron: see Brass Lantern and Iron Kettle. Walrus.' }] },
      { uri: 'short', title: 'Brass Lantern', chunks: [{ text: 'A heron on it.' }] },
      { uri: 'long', title: 'Iron Kettle', chunks: long },
      filler,
    ];
    const mention = await valuesOf('mention', 'walrus heron', documents);
    expect(mention.get('Brass Lantern 0')).toBe(1);
    expect(long.map((_, i) => mention.get(`Iron Kettle ${i}`))).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(mention.get('A 0')).toBe(0);
  });
});
