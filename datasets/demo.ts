// Ingests the demo collection into a temporary index, searches it, asks it three questions it can answer, one of them
// from a recording, and one it cannot.
//
//   npm run demo
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFlags } from '../bench/support/flags.ts';
import { type IngestSummary, openIndex } from '../src/index.ts';

readFlags(import.meta.filename, {});
const interrupt = new AbortController();
const { signal } = interrupt;
process.once('SIGINT', () => interrupt.abort());
const folder = join(import.meta.dirname, 'demo');
const temporary = await mkdtemp(join(tmpdir(), 'ibid-demo-'));
try {
  await using index = await openIndex(join(temporary, 'index'), { create: true, base: import.meta.dirname });

  heading(`ibid ingest datasets/demo`);
  let summary: IngestSummary | undefined;
  for await (const event of index.ingest([folder], { signal })) {
    if (event.type === 'training') console.log(`training the embedder on ${event.chunks} chunks`);
    if (event.type === 'done') summary = event.summary;
  }
  if (!summary || summary.failed.length > 0 || summary.documents === 0)
    throw new Error('the demo collection did not ingest');
  console.log(`${summary.documents} documents, ${summary.chunks} chunks in ${(summary.elapsedMs / 1000).toFixed(1)} s`);

  const query = 'wave height limit for leaving the harbour';
  heading(`ibid search "${query}"`);
  for (const { chunk, score } of (await index.search(query, { limit: 3, signal })).hits) {
    console.log(`${score.toFixed(2)}  ${chunk.uri}  ${chunk.headings.join(' › ')}`);
    console.log(`      ${chunk.text.replace(/\s+/gu, ' ').slice(0, 110)} …`);
  }

  await ask('Above which wave height does the Kittiwake stay in harbour?', 'answered');
  await ask('Who signs everything that needs signing at the station?', 'answered');
  await ask('How long does the rope maker need?', 'answered');
  await ask('What is the Wi-Fi password of the visitor room?', 'refused');

  async function ask(question: string, expected: 'answered' | 'refused'): Promise<void> {
    heading(`ibid ask "${question}"`);
    const answer = await index.ask(question, { signal });
    console.log(answer.answer);
    for (const { n, reference, media, place, quote, verified } of answer.citations) {
      const line = place.lines ? `, line ${place.lines[0]}` : place.page ? `, page ${place.page}` : '';
      const heard = media ? `, ${place.speaker}: ${media}` : '';
      console.log(`  [${n}] ${reference}${line}${heard}${verified ? ', verified' : ''}`);
      console.log(`      “${quote.replace(/\s+/gu, ' ')}”`);
    }
    if (answer.abstained !== (expected === 'refused')) throw new Error(`the demo expected this to be ${expected}`);
  }

  heading('cd datasets/demo && npx ibid ingest . && npx ibid serve');
  console.log('opens the same collection in a browser, at http://127.0.0.1:4321; Ctrl-C ends it');
} catch (error) {
  if (!signal.aborted) throw error;
  process.exitCode = 130;
} finally {
  await rm(temporary, { recursive: true, force: true });
}

function heading(text: string): void {
  console.log(`\n$ ${text}`);
}
