import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headOf } from '../../bench/support/flags.ts';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const benches = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file] = /^node (bench\/\S+)$/.exec(command) ?? [];
  return file === undefined ? [] : [[`npm run ${name}`, file] as const];
});
/** Benches that write a run file say so in their line of flags. */
const writing = ['all', 'quality/quick', 'quality/run', 'quality/answers', 'ann/run', 'speed/run'].map(
  (name) => `bench/${name}.ts`,
);
const run = (file: string, flag: string) =>
  spawnSync(process.execPath, [join(root, file), flag], { encoding: 'utf8', timeout: 30_000 });

it('knows the benches that npm runs', () => {
  expect(benches.length).toBeGreaterThan(5);
});

describe.each([...benches, ['node', 'bench/quality/answers.ts'] as const])('%s: %s', (_, file) => {
  it('says with --help what it does and how it is called, and measures nothing', () => {
    const { status, stdout, stderr } = run(file, '--help');
    expect(stdout.trim()).toBe(headOf(readFileSync(join(root, file), 'utf8')));
    expect(stdout).toMatch(/^ +(npm run|node) \S/m);
    if (writing.includes(file)) expect(stdout).toContain('[--out');
    expect([status, stderr]).toEqual([0, '']);
  });

  it('ends a wrong flag with 2, names it and says which there are', () => {
    const { status, stdout, stderr } = run(file, '--no-such-flag');
    expect(stderr).toContain('--no-such-flag');
    if (writing.includes(file)) expect(stderr).toMatch(/^Unknown option '--no-such-flag'\n[\s\S]*\[--out/);
    expect(stderr).not.toContain('    at ');
    expect(stderr).toMatch(/--(json|out|write)/);
    expect([status, stdout]).toEqual([2, '']);
  });
});

describe('headOf', () => {
  it.each([
    ['/**\n * One.\n *\n *     two\n */\ncode();', 'One.\n\n    two'],
    ['#!/usr/bin/env node\n/** One. */\ncode();', 'One.'],
    ['// One.\n//\n//   two\ncode(); // three', 'One.\n\n  two'],
    ['code();\n// One.', ''],
  ])('%j → %j', (source, head) => {
    expect(headOf(source)).toBe(head);
  });
});
