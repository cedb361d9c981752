import { expect, it } from 'vitest';
import { searchWithPredictors } from '../../../src/retrieve/search.ts';
import { analyseQuery } from '../../../src/text/analysis/query.ts';
import { type MemoryDocument, memorySnapshot } from '../../support/memory-snapshot.ts';

const english: MemoryDocument[] = Array.from({ length: 400 }, (_, i) => ({
  uri: `note-${i}.md`,
  title: 'Note',
  chunks: [{ text: `The price of rope number ${i} is high in winter and low in spring.` }],
}));
const german: MemoryDocument[] = [
  'Der Hafen ist der Ort, in dem der Kran ist. Der Kran ist rot, der Turm ist hoch.',
  'Der Hof ist der Platz vor der Halle. Ist der Hof leer, ist der Wagen weg.',
].map((text, i) => ({ uri: `kran-${i}.md`, title: 'Kran', chunks: [{ text }] }));
const sheet: MemoryDocument = {
  uri: 'fonds.xls',
  title: 'Fonds',
  chunks: [{ text: 'Anteilwert | 100.28\nAusgabepreis | 105.29' }],
};

it.each(['Was ist der Ausgabepreis?', 'der Ausgabepreis', 'Wie ist der Ausgabepreis?'])(
  'articles and verbs of a language that few documents have say less than a noun: %s',
  async (query) => {
    const snapshot = await memorySnapshot([...english, ...german, sheet]);
    const { hits } = await searchWithPredictors(snapshot, undefined, query, { limit: 1 });
    expect(hits.map(({ chunk }) => chunk.uri)).toEqual(['fonds.xls']);
  },
);

it('light words stand beside others, unquoted, in a language that does not leave them out', () => {
  const light = (query: string): string[] => [...analyseQuery(query).light].sort();
  expect(light('Wie hoch ist der Turm?')).toEqual(['der', 'ist', 'wie']);
  expect(light('Quel est le prix de la maison ?')).toEqual(['de', 'est', 'la', 'le', 'quel']);
  expect(light('"der Turm" ist hoch')).toEqual(['ist']);
  expect(light('Ist der?')).toEqual([]);
  expect(light('the price during winter')).toEqual([]);
});
