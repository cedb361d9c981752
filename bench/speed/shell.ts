// `ibid search` from the shell: the whole life of a process, beside a node that does nothing. Runs are interleaved; one
// run goes before them, for the caches of the disk and of compiled code.
//
//   npm run build && node bench/speed/shell.ts [--chunks=100000] [--runs=25]
//
// The figures go to bench/results/shell.json.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { quantile, writeResults } from '../support/report.ts';
import { queryOf, syntheticDocument, writeDocuments } from '../support/synthetic.ts';

const PARAGRAPHS = 10;
const { values } = readFlags(import.meta.filename, {
  options: { chunks: { type: 'string', default: '100000' }, runs: { type: 'string', default: '25' } },
});
const chunks = Number(values.chunks);
const runs = Number(values.runs);
const documents = Math.ceil(chunks / PARAGRAPHS);
const main = join(import.meta.dirname, '../../dist/cli/main.js');
if (!existsSync(main)) {
  console.error('there is no dist/: run `npm run build` first');
  process.exit(2);
}

const home = mkdtempSync(join(tmpdir(), 'ibid-bench-'));
const node = (...args: readonly string[]): number => {
  const startedAt = performance.now();
  execFileSync(process.execPath, args, { cwd: home, stdio: ['ignore', 'ignore', 'ignore'] });
  return performance.now() - startedAt;
};
try {
  writeDocuments(join(home, 'docs'), 0, documents, PARAGRAPHS);
  node(main, 'ingest', 'docs', '--index', 'index');
  const random = seededRandom(77);
  const questions = Array.from({ length: runs + 1 }, (_, i) =>
    queryOf(syntheticDocument((i * 7919) % documents, PARAGRAPHS), random),
  );
  const searches: number[] = [];
  const nothings: number[] = [];
  for (const question of questions) {
    nothings.push(node('-e', '0'));
    searches.push(node(main, 'search', question, '--index', 'index'));
  }
  const spread = ([, ...ms]: readonly number[]): {
    readonly p10: number;
    readonly p50: number;
    readonly p90: number;
  } => ({
    p10: quantile(ms, 0.1),
    p50: quantile(ms, 0.5),
    p90: quantile(ms, 0.9),
  });
  const results = { chunks, runs, searchMs: spread(searches), nodeMs: spread(nothings) };
  console.log(JSON.stringify(results, null, 2));
  writeResults('shell', `node bench/speed/shell.ts ${process.argv.slice(2).join(' ')}`.trim(), results);
} finally {
  rmSync(home, { recursive: true, force: true });
}
