// `ibid eval` as a user runs it, each collection in a fresh process: quality end to end, ingest seconds, query latency.
//
//   node bench/speed/eval.ts [DATA-FOLDER] [--runs=3]
//
// The figures go to bench/results/eval.json: medians of the runs, of which there is one without `--runs`.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluationReport } from '../../src/eval.ts';
import { readFlags } from '../support/flags.ts';
import { median, writeResults } from '../support/report.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');
const { values, positionals } = readFlags(import.meta.filename, {
  options: { runs: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const shared = process.env.IBID_SHARED ?? join(import.meta.dirname, '../../../shared');
const root = positionals[0] ?? join(shared, 'data');
const runs = Number(values.runs);
if (!existsSync(root)) {
  console.log('skipped: there is no data folder; name one, or set IBID_SHARED');
  process.exit(0);
}
const sets = readdirSync(root)
  .filter((name) => existsSync(join(root, name, 'qrels/test.tsv')))
  .sort();
const results: Record<string, unknown> = {};
for (const name of sets) {
  const reports = Array.from({ length: runs }, () => {
    const output = execFileSync(process.execPath, [main, 'eval', join(root, name), '--json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return JSON.parse(output) as EvaluationReport; // our own command
  });
  const { documents, queries, metrics } = reports[0]!;
  const ms = (pick: (report: EvaluationReport) => number): number => median(reports.map(pick));
  const row = {
    documents,
    queries,
    metrics,
    ingestSeconds: ms((r) => r.ms.ingest) / 1000,
    queryP50Ms: ms((r) => r.ms.queryP50),
    queryP95Ms: ms((r) => r.ms.queryP95),
  };
  results[name] = row;
  console.log(
    `${name.padEnd(18)} nDCG@10 ${metrics['nDCG@10']?.toFixed(4)}  recall@10 ${metrics['recall@10']?.toFixed(4)}  recall@100 ${metrics['recall@100']?.toFixed(4)}  ` +
      `ingest ${row.ingestSeconds.toFixed(1)} s  query p50 ${row.queryP50Ms.toFixed(1)} ms`,
  );
}
writeResults('eval', `node bench/speed/eval.ts --runs=${runs}`, results);
