import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../../src/embed/contract.ts';
import { openLocalEmbedder, trainLocalEmbedder } from '../../../src/embed/local/embedder.ts';
import { search } from '../../../src/retrieve/search.ts';
import { lead, novelty, vectorTrust } from '../../../src/retrieve/vector-trust.ts';
import { type MemoryDocument, memorySnapshot } from '../../support/memory-snapshot.ts';

const descending = (count: number): Float64Array => Float64Array.from({ length: count }, (_, i) => count - i);

describe('novelty', () => {
  it('is 0 where words and vectors name the same, 1 where they name others', () => {
    expect(novelty(descending(200), descending(200))).toBe(0);
    expect(novelty(descending(200), descending(200).reverse())).toBe(1);
  });

  it('is the mean over both depths of the share that is new', () => {
    // the vectors' best are rows 5 to 24: of the first ten 5 are new, of the first twenty too
    const cosine = Float64Array.from({ length: 200 }, (_, i) => (i >= 5 && i < 25 ? 1 - i / 100 : 0));
    expect(novelty(descending(200), cosine)).toBeCloseTo((5 / 10 + 5 / 20) / 2, 12);
  });

  it('counts no row as named by words or vectors that know nothing of it', () => {
    const body = new Float64Array(200);
    expect(novelty(body, descending(200))).toBe(1);
    expect(novelty(body, body)).toBe(0);
    expect(novelty(new Float64Array(0), new Float64Array(0))).toBe(0);
  });
});

const subjects = ['harbour', 'volcano', 'orchard', 'violin', 'glacier', 'bakery', 'railway', 'lantern'];
const texts = (subject: string, i: number): string[] => [
  `The ${subject} number ${i} was described by travellers who came from far away to see it.`,
  `Repairs of the ${subject} took ${i + 2} years, because stone and timber had to be brought by ship.`,
];

type Naming = (subject: string, i: number) => { title: string; headings: readonly string[] };
const namings: Readonly<Record<string, Naming>> = {
  missing: () => ({ title: '', headings: [] }),
  'all the same': () => ({ title: 'Document', headings: ['Untitled'] }),
  ids: (_, i) => ({ title: `a1b2c3-${i}`, headings: [`sec-${i}`] }),
  "another document's": (_, i) => ({
    title: subjects[(i + 3) % subjects.length]!,
    headings: ['Contents'],
  }),
};

function corpus(naming: Naming): MemoryDocument[] {
  return subjects.map((subject, i) => {
    const { title, headings } = naming(subject, i);
    return { uri: subject, title, chunks: texts(subject, i).map((text) => ({ text, headings })) };
  });
}

async function trained(documents: readonly MemoryDocument[]): Promise<Embedder> {
  return openLocalEmbedder(
    await trainLocalEmbedder(
      documents.map(({ title, chunks }) => ({
        title,
        chunks: chunks.map(({ text, headings = [] }) => ({ text, headings })),
      })),
    ),
  );
}

describe('vectorTrust', () => {
  // a hundred candidates: words name 0 … 19, vectors 20 … 39, so that all they name is new
  const words = (first: number) =>
    Float64Array.from({ length: 100 }, (_, i) => (i === 0 ? first : i < 20 ? 10 - i / 10 : 0));
  const vectors = (nearest: number) =>
    Float64Array.from({ length: 100 }, (_, i) => (i >= 20 && i < 40 ? nearest - (i - 20) / 1000 : 0));

  const trust = (body: Float64Array, cosine: Float64Array, { best }: { best?: number } = {}): number => {
    const sums = best === undefined ? new Float64Array(100) : Float64Array.from(body, (_, i) => (i === best ? 9 : 1));
    return vectorTrust({ body, cosine, words: sums });
  };

  it('is what is new beyond noise, where something is near and the words have not decided', () => {
    expect(trust(words(9.9), vectors(0.95))).toBeCloseTo(0.75, 10);
  });

  it('shrinks with the distance of the nearest', () => {
    expect(trust(words(9.9), vectors(0.35))).toBeCloseTo(0.75 / 2, 10);
  });

  it('shrinks with how far the vectors put the best by words from their nearest, to nothing at three tenths', () => {
    const cosine = vectors(0.9);
    const nearness = (share: number): number => {
      cosine[0] = 0.9 * share;
      return trust(words(9.9), cosine, { best: 0 });
    };
    expect(nearness(0.85)).toBeCloseTo(0.75 / 2, 10);
    expect(nearness(0.69)).toBe(0);
    expect(trust(words(9.9), vectors(0.9), { best: 20 })).toBeCloseTo(0.75, 10); // the nearest itself
  });

  it('shrinks with the lead of the best by words, to nothing at half', () => {
    expect(trust(words(9.9 / 0.75), vectors(0.95))).toBeCloseTo(0.75 / 2, 10);
    expect(trust(words(9.9 / 0.4), vectors(0.95))).toBe(0);
    expect(lead(words(9.9 / 0.4))).toBeCloseTo(0.6, 10);
  });

  it('knows no lead where words found nothing, and a full one where they found one', () => {
    expect(lead(new Float64Array(5))).toBe(0);
    expect(lead(Float64Array.of(0, 3, 0))).toBe(1);
    expect(trust(new Float64Array(100), vectors(0.95))).toBeCloseTo(0.75, 10);
  });
});

describe('titles and headings that tell nothing', () => {
  // a title that names the subject outweighs the text; it must then come right behind
  it.each(Object.entries(namings))(
    '%s: what the text says in full still comes first, or behind a false title',
    async (name, naming) => {
      const documents = corpus(naming);
      const embedder = await trained(documents);
      const snapshot = await memorySnapshot(documents, { embedder });
      const falseTitles = name === "another document's" ? 2 : 0; // as many as that document has chunks
      for (const mode of ['hybrid', 'lexical'] as const) {
        for (const [i, subject] of subjects.entries()) {
          const query = `How many years did repairs of the ${subject} take?`;
          const hits = await search(snapshot, embedder, query, { mode, limit: 1 + falseTitles });
          expect(
            hits.map(({ chunk }) => chunk.text),
            `${mode} ${subject}`,
          ).toContain(texts(subject, i)[1]);
        }
      }
    },
  );
});

describe('small and lopsided indexes', () => {
  it.each([1, 2, 5, 16])('%i chunks: finds each by one word, scores finite', async (count) => {
    const documents = corpus(namings.missing!)
      .flatMap(({ uri, title, chunks }) => chunks.map((chunk, i) => ({ uri: `${uri}-${i}`, title, chunks: [chunk] })))
      .slice(0, count);
    const embedder = await trained(documents);
    const snapshot = await memorySnapshot(documents, { embedder });
    for (let i = 0; i < count; i += 2) {
      const subject = subjects[i / 2]!;
      const hits = await search(snapshot, embedder, subject);
      expect(hits[0]?.chunk.uri).toContain(subject);
      for (const { score } of hits) expect(score).toSatisfy((value: number) => value >= 0 && value <= 1);
    }
  });

  it('finds one passage of a huge document, and a small document beside it', async () => {
    const huge: MemoryDocument = {
      uri: 'huge',
      title: 'Everything',
      chunks: Array.from({ length: 2000 }, (_, i) => ({ text: texts(subjects[i % 7]!, i)[i % 2]! })),
    };
    const small: MemoryDocument = {
      uri: 'small',
      title: '',
      chunks: [{ text: 'The lantern of the pier is lit at dusk.' }],
    };
    const embedder = await trained([huge, small]);
    const snapshot = await memorySnapshot([huge, small], { embedder });
    const [lamp] = await search(snapshot, embedder, 'When is the lantern lit?');
    expect(lamp?.chunk.uri).toBe('small');
    const [number] = await search(snapshot, embedder, 'harbour number 1400');
    expect(number?.chunk).toMatchObject({ uri: 'huge', position: 1400 });
  });
});
