// An index with an embedder and a model of one's own, over documents that are not files.
import { type Embedder, formatCitation, type LanguageModel, openIndex } from 'ibid';

/** Counts pairs of letters. A real one calls a model. */
function pairsOf(text: string): Int8Array {
  const counts = new Int8Array(256);
  for (let at = 1; at < text.length; at++) {
    const slot = (31 * text.charCodeAt(at - 1) + text.charCodeAt(at)) % counts.length;
    counts[slot] = Math.min(127, counts[slot]! + 1);
  }
  return counts;
}

const embedder: Embedder = {
  id: 'letter-pairs-1',
  dimensions: 256,
  embedDocuments: async (documents) => documents.map(({ chunks }) => chunks.map(({ text }) => pairsOf(text))),
  embedQuery: async (query) => pairsOf(query),
};

/** Says what stands in the best source, and cites it. */
const writer: LanguageModel = {
  id: 'parrot-1',
  contextTokens: 8_000,
  maxOutputTokens: 500,
  citesPassages: true,
  estimateUsd: () => 0,
  async *write({ sources: [best] }) {
    if (best) {
      yield { type: 'text', block: 0, text: best.passages[0]!.trim() };
      yield { type: 'citation', block: 0, citation: { source: best.id, first: 0, end: 1 } };
      yield { type: 'blockEnd', block: 0 };
    }
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    yield { type: 'stop', stop: 'end', usage, costUsd: 0 };
  },
};

await using index = await openIndex('notes.ibid', { create: true, embedder, models: { writer } });
await index.add([
  { uri: 'note:1', title: 'Lighthouse', text: 'The lamp burns rapeseed oil. A full tank lasts nine nights.' },
  { uri: 'note:2', title: 'Harbour', text: 'The harbour master opens the gate at half past five.' },
]);
const { hits } = await index.search('rapeseed oil');
console.log(hits[0]?.chunk.uri);
const { answer, citations } = await index.ask('What does the lamp burn?', { mode: 'grounded' });
console.log(answer);
for (const citation of citations) console.log(formatCitation(citation), citation.quote, citation.verified);
