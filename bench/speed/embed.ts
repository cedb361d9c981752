/**
 * Time and memory of the local embedder on synthetic corpora of growing size: words by Zipf's law over a vocabulary
 * that grows with the corpus, in documents of ten chunks that each favour one of 200 subjects. Documents are
 * generated as they are needed, so the memory measured is the embedder's (and the runtime's) own.
 *
 *     node bench/speed/embed.ts [chunks ...]     (default: 10000 100000)
 *
 * Each size runs in a fresh process. `delay` is the longest the event loop was held up.
 */
import { spawnSync } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { EmbedDocument } from '../../src/index.ts';
import { mix, openLocalEmbedder, randomWords, trainLocalEmbedder, unit } from '../../src/internal.ts';
import { readFlags, wrongUse } from '../support/flags.ts';

const chunksPerDocument = 10;
const wordsPerChunk = 150;
const subjects = 200;
const vocabulary = 400_000;

/** The documents one by one, with the event loop free in between. */
async function* reading(chunks: number): AsyncGenerator<EmbedDocument> {
  for (const document of documents(chunks)) {
    yield document;
    await setImmediate();
  }
}

/** A pronounceable word for a rank: frequent words are short. */
function word(rank: number): string {
  let out = '';
  for (let rest = rank + 20; rest > 0; rest = Math.floor(rest / 100)) {
    out += 'bcdfghjklmnpqrstvwxz'[rest % 20]! + 'aeiou'[Math.floor(rest / 20) % 5]!;
  }
  return out;
}

function* documents(chunks: number): Generator<EmbedDocument> {
  const next = randomWords(1);
  // Inverse of Zipf's distribution function with exponent 1: rank = (V + 1)^u - 1.
  const zipf = (): number => Math.floor((vocabulary + 1) ** unit(next)) - 1;
  for (let made = 0; made < chunks; made += chunksPerDocument) {
    const subject = next() % subjects;
    // A third of the words are moved to the subject's own ranks.
    const pick = (): string => {
      const rank = zipf();
      return word(unit(next) < 1 / 3 ? (rank * subjects + (mix(subject) % subjects)) % vocabulary : rank);
    };
    const text = (): string => {
      let out = '';
      for (let i = 0; i < wordsPerChunk; i++) out += `${pick()}${i % 15 === 14 ? '. ' : ' '}`;
      return out;
    };
    yield {
      title: `${pick()} ${pick()}`,
      chunks: Array.from({ length: Math.min(chunksPerDocument, chunks - made) }, () => ({
        text: text(),
        headings: [pick()],
      })),
    };
  }
}

async function measure(chunks: number): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1);

  const trainStart = performance.now();
  const model = await trainLocalEmbedder(reading(chunks));
  const trainSeconds = seconds(trainStart);
  const trainRss = process.resourceUsage().maxRSS / 1024;

  const embedder = openLocalEmbedder(model);
  const embedStart = performance.now();
  let batch: EmbedDocument[] = [];
  let running: Promise<unknown> = Promise.resolve();
  for await (const document of reading(chunks)) {
    batch.push(document);
    if (batch.length < 100) continue;
    const sent = embedder.embedDocuments(batch);
    batch = [];
    await running;
    running = sent;
  }
  await Promise.all([running, embedder.embedDocuments(batch)]);
  const embedSeconds = seconds(embedStart);
  const queryStart = performance.now();
  for (let i = 0; i < 1000; i++) await embedder.embedQuery(`${word(i)} ${word(3 * i)} ${word(7 * i)} ${word(31 * i)}`);
  const queryMs = (performance.now() - queryStart) / 1000;
  await embedder.close?.();

  const { user, system } = process.cpuUsage();
  const { vocabulary: terms, trainedOnChunks, sizeBytes } = embedder.info;
  console.log(
    [
      `${chunks} chunks: trained on ${trainedOnChunks} in ${trainSeconds} s (peak RSS ${trainRss.toFixed(0)} MB)`,
      `embedded in ${embedSeconds} s`,
      `query ${queryMs.toFixed(3)} ms`,
      `model ${terms} terms, ${(sizeBytes / 1e6).toFixed(2)} MB, ${(sizeBytes / chunks).toFixed(1)} B/chunk`,
      `peak RSS ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
      `processor ${((user + system) / 1e6).toFixed(1)} s`,
      `delay ${(delay.max / 1e6).toFixed(0)} ms`,
    ].join('; '),
  );
}

const { positionals } = readFlags(import.meta.filename, { allowPositionals: true });
const wrong = positionals.find((text) => !/^[1-9]\d*$/.test(text));
if (wrong !== undefined) wrongUse(import.meta.filename, `chunks are a whole number, not "${wrong}"`);
const sizes = positionals.map(Number);
if (sizes.length === 1) await measure(sizes[0]!);
else {
  for (const size of sizes.length > 0 ? sizes : [10_000, 100_000]) {
    spawnSync(process.execPath, [fileURLToPath(import.meta.url), String(size)], { stdio: 'inherit' });
  }
}
