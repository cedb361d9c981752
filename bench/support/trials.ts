/**
 * Ends a run of attacks: writes the run file and a page beside it, prints a table, and sets the exit code to 1 when
 * an invariant did not hold.
 */
import { writeFileSync } from 'node:fs';
import { toHtml } from '../report/render.ts';
import { sectionOf } from '../report/sections.ts';
import { type BegunRun, type TrialResults, writeRunFile } from './run-file.ts';

export function reportTrials(run: BegunRun<'trials'>, results: TrialResults, path?: string): void {
  const file = run.finish({ data: [], results });
  const written = writeRunFile(file, path);
  const page = written.replace(/(\.json)?$/, '.html');
  writeFileSync(page, toHtml([sectionOf(file, 1)]));
  for (const { name, invariant, attempts, figures, findings } of results.sets) {
    const counts = Object.entries(figures).map(([figure, value]) => `${figure} ${value.toLocaleString('en')}`);
    console.log(`${findings.length === 0 ? 'held' : 'BROKEN'}  ${name}: ${attempts.toLocaleString('en')} attempts`);
    console.log(`        ${invariant}`);
    if (counts.length > 0) console.log(`        ${counts.join(', ')}`);
    for (const { what, command } of findings) console.log(`  ${what}\n    ${command}`);
  }
  for (const { what, reason } of results.skipped) console.log(`skipped ${what}: ${reason}`);
  console.error(`${written}\n${page}`);
  if (results.sets.some(({ findings }) => findings.length > 0)) process.exitCode = 1;
}
