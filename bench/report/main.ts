// Turns run files into a Markdown report, SVG plots and one self-contained HTML page.
//
//   node bench/report/main.ts [run.json or folder of runs …] [--out folder]
//
// Default: the newest run of each kind in bench/runs.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readFlags } from '../support/flags.ts';
import { type RunFile, readRunFile } from '../support/run-file.ts';
import { plotToFile, type ReportNote, toHtml, toMarkdown } from './render.ts';
import { sectionOf } from './sections.ts';

const kinds = ['quality', 'answers', 'ann', 'speed', 'scale', 'trials'] as const;
const runsFolder = join(import.meta.dirname, '../runs');

/** Writes `report.md`, `report.html` and `plots/*.svg`. @returns their paths */
export function writeReport(runs: readonly RunFile[], folder: string, notes: readonly ReportNote[] = []): string[] {
  const ordered = [...runs].sort(
    (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.startedAt.localeCompare(b.startedAt),
  );
  const sections = ordered.map((run, i) => sectionOf(run, i + 1));
  mkdirSync(join(folder, 'plots'), { recursive: true });
  const written: string[] = [];
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
    written.push(join(folder, name));
  };
  write('report.html', toHtml(sections, notes));
  write(
    'report.md',
    toMarkdown(sections, ({ id }) => `plots/${id}.svg`, notes),
  );
  for (const { parts } of sections)
    for (const { plots } of parts) for (const plot of plots) write(`plots/${plot.id}.svg`, plotToFile(plot));
  return written;
}

/** The run files of a folder that `npm run bench` wrote; a file is itself. */
export function runsIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return kinds.map((kind) => join(path, `${kind}.json`)).filter((file) => existsSync(file));
}

/** The newest of each kind: file names end with the time of their start. */
export function newestRuns(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return kinds.flatMap((kind) => {
    const own = names.filter((name) => name.startsWith(`${kind}-`)).sort();
    const newest = own.at(-1);
    return newest === undefined ? [] : [join(folder, newest)];
  });
}

if (import.meta.main) {
  try {
    const { values, positionals } = readFlags(import.meta.filename, {
      allowPositionals: true,
      options: { out: { type: 'string', default: join(runsFolder, 'report') } },
    });
    const paths = positionals.length > 0 ? positionals.flatMap(runsIn) : newestRuns(runsFolder);
    if (paths.length === 0) throw new Error('there are no runs: measure first, e.g. npm run bench:quality');
    const [page, markdown, ...plots] = writeReport(paths.map(readRunFile), resolve(values.out));
    console.log(`${page}\n${markdown}\n${plots.length} plots`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }
}
