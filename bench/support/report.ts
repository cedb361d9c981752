import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { quantile as quantileOf } from '../../src/internal.ts';

/** The nearest rank: a value that was measured. */
export const quantile = (values: readonly number[], q: number): number => quantileOf(values, q, 'nearest');

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Of all files below a folder. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** The flags a bench was started with, without where its file goes: a reader has other folders. */
export function givenFlags(args: readonly string[] = process.argv.slice(2)): string {
  const places = ['--out', '--keep'];
  return args
    .filter((arg, i) => !places.some((name) => arg === name || arg.startsWith(`${name}=`) || args[i - 1] === name))
    .join(' ');
}

/** Where and from what a figure comes, without naming the machine. */
export function provenance(command: string): Record<string, unknown> {
  const root = join(import.meta.dirname, '../..');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
    dependencies: Record<string, string>;
  };
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  return {
    command,
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short', 'HEAD'),
    version: manifest.version,
    node: process.versions.node,
    lancedb: manifest.dependencies['@lancedb/lancedb'],
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  };
}

/** Writes `bench/results/<name>.json`, the figures a README or an issue may quote. */
export function writeResults(
  name: string,
  command: string,
  results: unknown,
  more: Readonly<Record<string, unknown>> = {},
): void {
  const folder = join(import.meta.dirname, '../results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${name}.json`),
    `${JSON.stringify({ ...provenance(command), ...more, results }, null, 2)}\n`,
  );
}
