import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headOf } from '../../bench/support/flags.ts';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const benches = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file] = /^node (bench\/\S+)$/.exec(command) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});
const run = (file: string, flag: string) =>
  spawnSync(process.execPath, [join(root, file), flag], { encoding: 'utf8', timeout: 30_000 });

it('knows the benches that npm runs', () => {
  expect(benches.length).toBeGreaterThan(5);
});

describe.each(benches)('npm run %s', (_, file) => {
  it('says with --help what it does and how it is called, and measures nothing', () => {
    const { status, stdout } = run(file, '--help');
    expect(stdout.trim()).toBe(headOf(readFileSync(join(root, file), 'utf8')));
    expect(stdout).toMatch(/^ +(npm run|node) \S/m);
    expect(status).toBe(0);
  });

  it('ends a wrong flag with 2, names it and says which there are', () => {
    const { status, stderr } = run(file, '--no-such-flag');
    expect(stderr).toContain('--no-such-flag');
    expect(stderr).toMatch(/--(json|out)/);
    expect(status).toBe(2);
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
