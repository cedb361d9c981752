/**
 * The full bench in one command: quality, answers, benches of the services, speed, scaling, nearest neighbours, and a
 * report.
 *
 *   npm run bench -- [--minutes 60] [--only quality,ann] [--record] [--keep folder] [--seed 1] [--out folder]
 *
 * The parts share `--minutes`; time that one part leaves goes to the later parts. With less than 60 minutes, the bench
 * measures fewer questions, documents and sizes. Whatever does not fit is named with its reason. A Ctrl-C ends the
 * current part, keeps all measured figures and writes the report; a second Ctrl-C ends everything at once.
 *
 * Runs go to `bench/runs/<start>/`: a run file of each kind, `report.html`, `report.md`, `plots/`, logs, and
 * `summary.json`. `--record` also keeps the summary and its tables in `bench/results/full/`, and the figures of
 * quality and answers beside it. Plots are not kept: `npm run bench:report -- bench/runs/<start>` draws them again.
 * `--keep` names a folder with vectors and indexes (`npm run bench:ann -- --keep`). The bench takes them as they are,
 * because an hour is too short to build indexes of a million vectors.
 *
 * Exit 1 when a part failed or a control was not noticed, 2 for wrong flags, 130 after a Ctrl-C.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { headlineMarkdown, headlineOf, summaryOf } from './all/headlines.ts';
import type { Part } from './all/part.ts';
import { parts } from './all/parts.ts';
import { runsIn, writeReport } from './report/main.ts';
import type { ReportNote } from './report/render.ts';
import { headOf } from './support/flags.ts';
import { givenFlags } from './support/report.ts';
import { type RunFile, readRunFile, type Skipped } from './support/run-file.ts';

/** Ends the kept summary. */
const plotsSentence = '\nPlots are drawn from run files: `npm run bench:report -- bench/runs/<start>`.';
const usage =
  'usage: npm run bench -- [--minutes 60] [--only quality,ann] [--record] [--keep folder] [--seed 1] [--out folder]';
const flags = readFlags();
const root = join(import.meta.dirname, '..');
const startedAt = new Date();
const stamp = startedAt.toISOString().replace(/[-:]/g, '').replace(/\..*/, 'Z');
const folder = resolve(flags.out ?? join(root, 'bench/runs', stamp));
mkdirSync(folder, { recursive: true });
const workplace = mkdtempSync(join(tmpdir(), 'ibid-bench-'));
const began = performance.now();
/** Set aside for the report. */
const reportMs = Math.min(30_000, 0.05 * flags.minutes * 60_000);
const endsAt = began + flags.minutes * 60_000 - reportMs;

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interrupt.signal.aborted) {
      rmSync(workplace, { recursive: true, force: true });
      process.exit(130); // the groups of benches were asked to end by the first
    }
    console.error('\nending; once more to end at once');
    interrupt.abort();
  });
}

const skipped: Skipped[] = [];
const faults: string[] = [];
const notes: ReportNote[] = [];
const done: { readonly part: string; readonly minutes: number; readonly given: number }[] = [];
const chosen = parts.filter(({ name }) => flags.only === undefined || flags.only.includes(name));
try {
  for (const [i, part] of chosen.entries()) await runPart(part, chosen.slice(i));
  const paths = finish();
  for (const { what, reason } of skipped) console.error(`not measured: ${what}: ${reason}`);
  for (const fault of faults) console.error(`failed: ${fault}`);
  console.error(`${clock(performance.now() - began)} of ${clock(flags.minutes * 60_000)}`);
  console.log(paths.join('\n'));
} finally {
  rmSync(workplace, { recursive: true, force: true });
}
if (faults.length > 0) process.exitCode = 1;
if (interrupt.signal.aborted) process.exitCode = 130;

async function runPart(part: Part, rest: readonly Part[]): Promise<void> {
  if (interrupt.signal.aborted) {
    skipped.push({ what: part.name, reason: 'the run was interrupted' });
    return;
  }
  const from = performance.now();
  const shares = rest.reduce((sum, { share }) => sum + share, 0);
  const givenMs = (Math.max(0, endsAt - from) * part.share) / shares;
  const until = from + givenMs;
  let said = '';
  const say = (what: string): void => {
    const now = performance.now();
    const line = `${part.name}: ${what}`;
    if (line === said) return;
    said = line;
    const left = `${clock(Math.max(0, until - now))} left of it, ${clock(Math.max(0, endsAt + reportMs - now))} of all`;
    console.error(`${clock(now - began)}  ${line.slice(0, 110)}  (${left})`);
  };
  say(`begins, with ${clock(givenMs)}`);
  try {
    await part.run({
      scale: flags.minutes / 60,
      seed: flags.seed,
      record: flags.record,
      keep: flags.keep,
      folder,
      workplace,
      signal: interrupt.signal,
      leftMs: () => Math.max(1000, until - performance.now()),
      say,
      skip: (what, reason) => skipped.push({ what, reason }),
      fault: (what) => faults.push(what),
      note: (note) => notes.push(note),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    skipped.push({ what: part.name, reason });
    faults.push(`${part.name}: ${reason}`);
  }
  const minutes = (performance.now() - from) / 60_000;
  done.push({ part: part.name, minutes: round(minutes), given: round(givenMs / 60_000) });
}

/** The report and the summary of what has been measured. @returns their paths */
function finish(): string[] {
  const found = runsIn(folder).map(readRunFile);
  const runs = found.filter((run) => headlineOf(run).rows.length > 0);
  for (const run of found) if (!runs.includes(run)) skipped.push(...run.results.skipped);
  const summary = {
    startedAt: startedAt.toISOString(),
    command: `npm run bench -- ${givenFlags()}`.trim(),
    minutes: round((performance.now() - began) / 60_000),
    parts: done,
    skipped,
    faults,
    runs: runs.map(summaryOf),
    notes,
  };
  const text = `${JSON.stringify(summary, null, 1)}\n`;
  writeFileSync(join(folder, 'summary.json'), text);
  const markdown = [
    '# Full bench',
    '',
    `\`${summary.command}\`, ${summary.startedAt.slice(0, 16).replace('T', ' ')} UTC, ${summary.minutes} minutes.`,
    '',
    ...runs.flatMap(headlineMarkdown),
    ...notMeasured([...skipped, ...runs.flatMap(skippedOf)]),
  ].join('\n');
  writeFileSync(join(folder, 'summary.md'), markdown);
  const all = runs.length > 0 || notes.length > 0 ? writeReport(runs, folder, [...notes, ...missing()]) : [];
  if (flags.record) {
    const kept = join(root, 'bench/results/full');
    rmSync(kept, { recursive: true, force: true });
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, 'summary.json'), text);
    writeFileSync(join(kept, 'summary.md'), `${markdown}${plotsSentence}\n`);
  }
  const first = all.slice(0, 2); // the page and its Markdown; the plots are many
  return [...first, join(folder, 'summary.md'), ...(flags.record ? [join(root, 'bench/results/full/summary.md')] : [])];
}

/** In a run, and in each collection of one. */
function skippedOf({ kind, results }: RunFile): Skipped[] {
  const own = results.skipped.map(({ what, reason }) => ({ what: `${kind}: ${what}`, reason }));
  if (kind !== 'quality') return own;
  const collections = results.collections.flatMap(({ name, skipped: all }) =>
    all.map(({ what, reason }) => ({ what: `${kind}: ${name}: ${what}`, reason })),
  );
  return [...own, ...collections];
}

/** A reason once, with all it held up. */
function notMeasured(all: readonly Skipped[]): string[] {
  if (all.length === 0) return [];
  const byReason = Map.groupBy(all, ({ reason }) => reason);
  const lines = [...byReason].map(
    ([reason, held]) => `- ${[...new Set(held.map(({ what }) => what))].join('; ')}: ${reason}`,
  );
  return ['## Not measured', '', ...lines, ''];
}

/** What the parts themselves could not measure, as the report tells it; what a run left out stands with the run. */
function missing(): ReportNote[] {
  if (skipped.length === 0) return [];
  const text = skipped.map(({ what, reason }) => `${what}: ${reason}`).join('\n');
  return [{ title: 'Not measured', command: 'npm run bench', text }];
}

function round(value: number): number {
  return Number(value.toFixed(2));
}

/** Minutes and seconds. */
function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

function readFlags() {
  if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
    console.log(`${headOf(readFileSync(import.meta.filename, 'utf8'))}`);
    process.exit(0);
  }
  const wrong = (what: string): never => {
    console.error(`${what}\n${usage}`);
    process.exit(2);
  };
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '60' },
        only: { type: 'string' },
        record: { type: 'boolean', default: false },
        keep: { type: 'string' },
        seed: { type: 'string', default: '1' },
        out: { type: 'string' },
      },
    });
    const minutes = Number(values.minutes);
    const seed = Number(values.seed);
    const only = values.only?.split(',');
    const names = parts.map(({ name }) => name);
    const unknown = only?.find((name) => !names.includes(name));
    if (unknown !== undefined) return wrong(`there is no part "${unknown}": ${names.join(', ')}`);
    if (!(minutes >= 1)) return wrong(`--minutes must be 1 at least, not ${values.minutes}`);
    if (!Number.isSafeInteger(seed)) return wrong(`--seed must be a whole number, not ${values.seed}`);
    const keep = values.keep === undefined ? undefined : resolve(values.keep);
    if (keep !== undefined && !existsSync(keep)) return wrong(`there is no folder ${keep}`);
    return { minutes, seed, only, keep, record: values.record, out: values.out };
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
}
