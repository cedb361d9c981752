// Re-ingest of an unchanged folder against walking and stat-ing the same folder, in one process, taking turns.
//
//   node bench/speed/reingest.ts [--files=10000] [--rounds=9]
//
// The figures go to bench/results/reingest.json.
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type IngestSummary, openIndex } from '../../src/index.ts';
import { readFlags } from '../support/flags.ts';
import { median, writeResults } from '../support/report.ts';
import { syntheticCorpus } from '../support/synthetic.ts';

const { values } = readFlags(import.meta.filename, {
  options: { files: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '9' } },
});
const files = Number(values.files);
const rounds = Number(values.rounds);

function walkSync(folder: string): number {
  let count = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) count += walkSync(path);
    else if (lstatSync(path).size >= 0) count++;
  }
  return count;
}

async function walkAsync(folder: string): Promise<number> {
  let count = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) count += await walkAsync(path);
    else if ((await lstat(path)).size >= 0) count++;
  }
  return count;
}

const home = mkdtempSync(join(tmpdir(), 'ibid-bench-'));
try {
  const folder = join(home, 'docs');
  for (const { name, title, paragraphs } of syntheticCorpus(files, 1)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `# ${title}\n\n${paragraphs.join('\n\n')}\n`);
  }
  const address = join(home, '.ibid');
  const reingest = async (): Promise<IngestSummary> => {
    await using index = await openIndex(address, { create: true, base: home });
    for await (const event of index.ingest([folder])) if (event.type === 'done') return event.summary;
    throw new Error('the run did not end');
  };
  const first = await reingest();
  if (first.added !== files) throw new Error(`${first.added} of ${files} files were added`);
  const times: Record<'reingest' | 'walkSync' | 'walkAsync', number[]> = { reingest: [], walkSync: [], walkAsync: [] };
  for (let round = 0; round < rounds + 2; round++) {
    const timed = async (name: keyof typeof times, run: () => unknown): Promise<void> => {
      const startedAt = performance.now();
      await run();
      if (round >= 2) times[name].push(performance.now() - startedAt);
    };
    await timed('walkSync', () => walkSync(folder));
    await timed('reingest', async () => {
      if ((await reingest()).unchanged !== files) throw new Error('something changed');
    });
    await timed('walkAsync', () => walkAsync(folder));
  }
  const ratios = times.reingest.map((ms, i) => ms / times.walkSync[i]!);
  const ratiosAsync = times.reingest.map((ms, i) => ms / times.walkAsync[i]!);
  const spread = (values: readonly number[]) => ({
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
  });
  const results = {
    files,
    firstIngestSeconds: first.elapsedMs / 1000,
    reingestMs: spread(times.reingest),
    walkSyncMs: spread(times.walkSync),
    walkAsyncMs: spread(times.walkAsync),
    ratioToSyncWalk: spread(ratios),
    ratioToAsyncWalk: spread(ratiosAsync),
  };
  console.log(JSON.stringify(results, null, 2));
  writeResults('reingest', `node bench/speed/reingest.ts ${process.argv.slice(2).join(' ')}`.trim(), results);
} finally {
  rmSync(home, { recursive: true, force: true });
}
