import { describe, expect, it } from 'vitest';
import type { EmbeddedParts } from '../../../../src/embed/local/compose.ts';
import { type DistantEmbedding, type PlacedDocument, placedGroups } from '../../../../src/embed/local/distant.ts';
import { openLocalEmbedder, trainLocalEmbedder } from '../../../../src/embed/local/embedder.ts';

const documents: readonly PlacedDocument[] = Array.from({ length: 40 }, (_, i) => ({
  title: `Pump ${i}`,
  chunks: Array.from({ length: 1 + ((i * 7) % 30) }, (_, j) => ({
    text: `The pump ${i} of quay ${j} is serviced in week ${(i * j) % 11} by crew ${j % 5}.`,
    headings: [`Quay ${j % 3}`],
  })),
  ...(i % 5 === 3 ? {} : { part: `part-${i}` }),
}));
const model = await trainLocalEmbedder(documents);

/** Another process, which has the documents by name. @param spoil what it gives in place of the right answer */
function elsewhere(spoil: (parts: EmbeddedParts) => EmbeddedParts | undefined): DistantEmbedding {
  const byName = new Map(documents.map((document) => [document.part, document]));
  return {
    async embed({ bytes, id }, parts) {
      await using embedder = openLocalEmbedder(bytes, { threads: 0 });
      expect(embedder.id).toBe(id);
      return spoil(await embedder.passages(parts.map((part) => byName.get(part)!)));
    },
  };
}

describe('embedding elsewhere', () => {
  it('keeps the order of documents, and those that are here alone apart', () => {
    const groups = placedGroups(documents);
    expect(groups.flatMap((group) => group.documents)).toEqual(documents);
    for (const { documents: these, parts } of groups)
      expect(these.map(({ part }) => part)).toEqual(parts ?? these.map(() => undefined));
    expect(groups.some(({ documents: { length } }) => length > 1)).toBe(true);
  });

  it.each([
    ['all of it', (parts: EmbeddedParts) => parts],
    ['nothing of it', () => undefined],
    ['too little', (parts: EmbeddedParts) => ({ ...parts, vectors: parts.vectors.slice(1) })],
  ])('gives the vectors and the counts of embedding here: %s comes back', async (_name, spoil) => {
    await using here = openLocalEmbedder(model, { threads: 0 });
    await using there = openLocalEmbedder(model, { threads: 0, distant: elsewhere(spoil) });
    expect(await there.embedDocuments(documents)).toEqual(await here.embedDocuments(documents));
    expect(there.counts()).toEqual(here.counts());
  });
});
