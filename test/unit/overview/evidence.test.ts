import { describe, expect, it } from 'vitest';
import { topicsOf } from '../../../src/overview/evidence.ts';
import { scriptOfTopics } from '../../../src/overview/extractive-script.ts';
import { factsOf } from '../../../src/overview/script.ts';
import { fakeEmbedder } from '../../../src/testing/fakes.ts';
import { type MemoryDocument, memorySnapshot } from '../../support/memory-snapshot.ts';

const licence = 'Documents of the institute may be copied under the terms of its licence.';
const bees = [
  'The hive is opened in spring when the bees begin to fly.',
  'A queen of the hive lays two thousand eggs on a warm day.',
  'Honey is taken from the hive when the combs are sealed.',
];
const ships = [
  'The ship is hauled out of the harbour each winter for paint.',
  'A pilot boards the ship before it enters the harbour.',
  'The hull of the ship is inspected by divers in the harbour.',
];

const document = (uri: string, texts: readonly string[]): MemoryDocument => ({
  uri,
  title: `About ${uri}`,
  chunks: texts.map((text) => ({ text: `${text} ${licence}\n` })),
});
const everything = { 'position >= 0': () => true };
const options = { embedder: fakeEmbedder(256), filters: everything };

describe('what a corpus is about', () => {
  const documents = [
    ...[0, 1, 2].map((i) => document(`bees-${i}.md`, [bees[i]!])),
    ...[0, 1, 2].map((i) => document(`ships-${i}.md`, [ships[i]!])),
  ];

  it('is found by its vectors, and told by its own sentences', async () => {
    const topics = await topicsOf(await memorySnapshot(documents, options), { topics: 2 });
    expect(topics.map(({ share }) => share)).toEqual([0.5, 0.5]);
    for (const { sentences, passages } of topics) {
      const kinds = new Set(passages.map(({ uri }) => uri.split('-')[0]));
      expect(kinds.size).toBe(1);
      const own = kinds.has('bees') ? bees : ships;
      expect(sentences.map(({ text }) => text).sort()).toEqual([...own].sort());
      for (const { chunk, start, end, text } of sentences) expect(chunk.text.slice(start, end).trim()).toBe(text);
    }
  });

  it('is told by short sentences where there are no others, and by those of Chinese, Japanese and Korean', async () => {
    const told = async (texts: readonly string[]): Promise<string[]> => {
      const one = { uri: 'a.md', title: 'A', chunks: texts.map((text) => ({ text: `${text}\n` })) };
      const topics = await topicsOf(await memorySnapshot([one], options), { topics: 1 });
      return topics.flatMap(({ sentences }) => sentences.map(({ text }) => text));
    };
    const short = 'The pump is serviced in May.';
    expect(await told([short])).toEqual([short]);
    expect(await told([short, bees[0]!])).toEqual([bees[0]]);
    for (const dense of [
      '泵站的水泵每年五月进行一次维护，由港口的技术员负责。',
      '北の港のポンプは毎年五月に技術者が点検します。',
      '항구의 펌프는 매년 오월에 기술자가 점검합니다.',
    ])
      expect(await told([dense, short])).toEqual([dense]);
  });

  it('is as long in Chinese as in English', async () => {
    const texts = Array.from({ length: 30 }, (_, i) => `第${i}号泵站的水泵每年五月进行一次维护，由港口的技术员负责。`);
    const one = { uri: 'a.md', title: 'A', chunks: [{ text: `${texts.join('')}\n` }] };
    const topics = await topicsOf(await memorySnapshot([one], options), { topics: 1 });
    const facts = factsOf(scriptOfTopics('A', topics, 75)).filter(({ text }) => text.includes('水泵'));
    // 26 letters of a sentence are about 13 words
    expect(facts.length).toBeGreaterThanOrEqual(2);
    expect(facts.length).toBeLessThanOrEqual(1 + 75 / 13);
  });

  it('begins with the first subject that can be told', async () => {
    const one = { uri: 'a.md', title: 'A', chunks: [{ text: `${bees.join(' ')}\n` }] };
    const [topic] = await topicsOf(await memorySnapshot([one], options), { topics: 1 });
    const { turns } = scriptOfTopics('A', [{ ...topic!, sentences: [] }, topic!], 75);
    const said = turns.flatMap(({ sentences }) => sentences.map(({ text }) => text));
    expect(said[0]).toBe('This is what the documents say.');
    expect(said).not.toContain('Let us go on.');
  });

  it('is never what stands in every document alike', async () => {
    const topics = await topicsOf(await memorySnapshot(documents, options), { topics: 3 });
    expect(topics.flatMap(({ sentences }) => sentences.map(({ text }) => text))).not.toContain(licence);
    // in two documents it may be a policy and its next version
    const two = await topicsOf(await memorySnapshot(documents.slice(0, 2), options), { topics: 3 });
    expect(two.flatMap(({ sentences }) => sentences.map(({ text }) => text))).toContain(licence);
  });

  it('is told by sentences that stand alone: no row, no question, no fragment, no code, no pointing back', async () => {
    const bad = [
      'It is opened in spring when the bees begin to fly.',
      'When is the hive opened in spring by the keeper of bees?',
      'Bees.',
      'see https://example.org/hive for more about the hive and the bees.',
      'if (hive === open) { bees.fly(); } // the bees of the hive fly.',
      'and then the keeper closes the hive until the next spring comes.',
    ];
    const snapshot = await memorySnapshot([document('a.md', [bees[0]!]), document('b.md', bad)], options);
    const said = (await topicsOf(snapshot, { topics: 1 })).flatMap(({ sentences }) =>
      sentences.map(({ text }) => text),
    );
    expect(said.filter((text) => text !== licence)).toEqual([bees[0]]);
  });

  it('is looked for in a bounded sample, spread over all of a large index', async () => {
    const many = Array.from({ length: 5000 }, (_, i) =>
      document(`${i}.md`, [`${bees[i % 3]!.slice(0, -1)} in year ${i}.`]),
    );
    const snapshot = await memorySnapshot(many, options);
    const fetched: number[] = [];
    const counted = {
      ...snapshot,
      fetch: async (ordinals: ArrayLike<number>) => {
        fetched.push(...Array.from(ordinals));
        return await snapshot.fetch(ordinals);
      },
    };
    const topics = await topicsOf(counted, { topics: 12 });
    expect(fetched.length).toBe(2000);
    expect(new Set(fetched).size).toBe(2000);
    const steps = fetched.slice(1).map((ordinal, i) => ordinal - fetched[i]!);
    expect(new Set(steps)).toEqual(new Set([2, 3])); // 5000 / 2000
    expect(topics.length).toBeLessThanOrEqual(12);
    expect(topics.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
  });

  it('is one subject where there are no vectors, and nothing where there is no prose', async () => {
    const zero = {
      ...fakeEmbedder(8),
      embedDocuments: async (all: readonly { chunks: readonly unknown[] }[]) =>
        all.map(({ chunks }) => chunks.map(() => new Int8Array(8))),
    };
    const [only, ...more] = await topicsOf(await memorySnapshot(documents, { ...options, embedder: zero }), {
      topics: 4,
    });
    expect(more).toEqual([]);
    expect(only!.share).toBe(1);
    expect(only!.sentences.length).toBeGreaterThan(3);
    const data = [{ uri: 'a.csv', title: 'a', chunks: [{ text: 'a,b,c\n1,2,3\n' }] }];
    expect(await topicsOf(await memorySnapshot(data, options), { topics: 4 })).toEqual([]);
    expect(await topicsOf(await memorySnapshot([], options), { topics: 4 })).toEqual([]);
  });
});
