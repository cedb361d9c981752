/**
 * Time of `chunkDocument` on texts meant to break it, at one size and at twice that: the ratio should be about 2.
 *
 *     node bench/speed/chunk.ts [--large]     (--large adds a 50 MB line)
 */
import { type Block, chunkDocument, type Document } from '../../src/index.ts';
import { countTokens, sentenceSpans } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';

const { values } = readFlags(import.meta.filename, { options: { large: { type: 'boolean', default: false } } });

const plain = (text: string, blocks: readonly Block[] = []): Document => ({
  uri: 'bench.txt',
  title: '',
  text,
  format: 'text',
  blocks,
  locators: [],
  metadata: {},
  warnings: [],
});

function headings(count: number): Document {
  let text = '';
  const blocks: Block[] = [];
  for (let i = 0; i < count; i++) {
    const heading = `## Heading ${i}`;
    blocks.push({ kind: 'heading', level: 2, start: text.length, end: text.length + heading.length });
    text += `${heading}\n\n`;
  }
  return plain(text, blocks);
}

function table(rows: number): Document {
  const header = '| name | value |\n| --- | --- |\n';
  const text = header + Array.from({ length: rows }, (_, i) => `| row ${i} | ${i * i} |\n`).join('');
  return plain(text, [{ kind: 'table', start: 0, end: text.length, header: { start: 0, end: header.length } }]);
}

const prose =
  'The quick brown fox jumps over the lazy dog, and then it sleeps. Dr. Smith saw it at 5 p.m. in the U.S. ';
const cases: readonly (readonly [name: string, make: (size: number) => Document, size: number])[] = [
  ['one line of prose, 4 MB', (n) => plain(prose.repeat(n)), 40_000],
  ['one word of letters', (n) => plain('abcdefghij'.repeat(n / 10)), 1_000_000],
  ['one letter repeated', (n) => plain('a'.repeat(n)), 1_000_000],
  ['blanks', (n) => plain(' '.repeat(n)), 1_000_000],
  ['line feeds', (n) => plain('\n'.repeat(n)), 1_000_000],
  ['one letter, all marks', (n) => plain(`e${'\u0301'.repeat(n)}`), 200_000],
  ['family emoji', (n) => plain('👩‍👩‍👧‍👦'.repeat(n)), 40_000],
  ['Thai without a blank', (n) => plain('ภาษาไทย'.repeat(n)), 100_000],
  ['Chinese without a stop', (n) => plain('中文沒有標點'.repeat(n)), 100_000],
  ['minified code', (n) => plain('function a(b){return b+1}var c={d:[1,2,3]};'.repeat(n)), 40_000],
  ['headings and nothing else', headings, 5_000],
  ['one table', table, 50_000],
];

/** The best of five rounds each, taken in turns: whatever else the machine does slows rounds down, never up. */
function bestMs(...runs: readonly (() => unknown)[]): number[] {
  const best = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 5; round++) {
    for (const [i, run] of runs.entries()) {
      const start = performance.now();
      run();
      best[i] = Math.min(best[i]!, performance.now() - start);
    }
  }
  return best;
}

countTokens('load the vocabulary outside the clock');
console.log(`${'text'.padEnd(30)} ${'ms'.padStart(8)} ${'twice'.padStart(8)}  ratio  chunks`);
for (const [name, make, size] of cases) {
  const once = make(size);
  const twice = make(2 * size);
  const [a, b] = bestMs(
    () => chunkDocument(once),
    () => chunkDocument(twice),
  ) as [number, number]; // one time for each
  const chunks = chunkDocument(once).length;
  console.log(
    `${name.padEnd(30)} ${a.toFixed(0).padStart(8)} ${b.toFixed(0).padStart(8)}  ${(b / a).toFixed(2).padStart(5)}  ${chunks}`,
  );
}

const sample = prose.repeat(100_000);
const [splitMs] = bestMs(() => sentenceSpans(sample)) as [number];
console.log(`sentenceSpans, Latin script: ${(sample.length / 1_000 / splitMs).toFixed(1)} MB/s`);

if (values.large) {
  const document = plain(prose.repeat(Math.ceil(50_000_000 / prose.length)));
  const start = performance.now();
  const chunks = chunkDocument(document);
  const seconds = (performance.now() - start) / 1_000;
  const rss = process.memoryUsage().rss / 1e6;
  console.log(`50 MB in one line: ${seconds.toFixed(1)} s, ${chunks.length} chunks, ${rss.toFixed(0)} MB resident`);
}
