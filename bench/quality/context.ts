/**
 * What a model that embeds one text at a time is sent with a chunk: nothing, title and headings, or also its neighbours.
 * Ranked by vectors alone, with the stand-in embedder (words and letters, hashed).
 *
 *     node bench/quality/context.ts <folder of a collection …>
 */
import { evaluateRun, groupCorpus, readBeirFolder } from '../../src/eval.ts';
import { ServiceEmbedder } from '../../src/internal.ts';
import { search } from '../../src/wire.ts';
import { hashedEmbedder } from '../../test/wire/service/search/embedder.ts';
import { readFlags, wrongUse } from '../support/flags.ts';

const DIMENSIONS = 512;
const TOKENS = [256, 512];
const contexts = ['none', 'headings', 'neighbours'] as const;

const { positionals: folders } = readFlags(import.meta.filename, { allowPositionals: true });
if (folders.length === 0) wrongUse(import.meta.filename, 'say which collections to measure');
for (const folder of folders) {
  const dataset = await readBeirFolder(folder);
  const documents = [];
  for await (const document of groupCorpus(dataset)) documents.push(document);
  const ids = documents.flatMap(({ chunks }) => chunks.map(({ id }) => id));
  const given = documents.map(({ title, chunks }) => ({
    title,
    chunks: chunks.map(({ text, heading }) => ({ text, headings: heading === undefined ? [] : [heading] })),
  }));
  for (const tokens of TOKENS) {
    for (const context of contexts) {
      const limits = { documents: 64, chunks: 64, tokens: 64 * tokens, tokensPerDocument: tokens };
      const options = { model: 'stand-in', dimensions: DIMENSIONS, nativeDimensions: DIMENSIONS };
      const embedder = new ServiceEmbedder({
        model: { name: 'stand-in', dimensions: DIMENSIONS, contextual: false, context, usdPerMillionTokens: 0, limits },
        send: async (texts) => ({ vectors: await hashedEmbedder.embed(texts, options) }),
      });
      const rows = (await embedder.embedDocuments(given)).flat();
      const run = new Map<string, string[]>();
      for (const { id, text } of dataset.queries) {
        const query = await embedder.embedQuery(text);
        const scores = rows.map((row) => search.cosineSimilarity(query, row));
        const best = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
        run.set(
          id,
          best.slice(0, 100).map((row) => ids[row]!),
        );
      }
      const { metrics } = evaluateRun(dataset.qrels, run, ['nDCG@10', 'recall@100']);
      const figures = Object.entries(metrics).map(([name, value]) => `${name} ${value.toFixed(4)}`);
      console.log(`${folder.split('/').at(-1)} ${tokens} tokens, ${context}: ${figures.join(', ')}`);
    }
  }
}
