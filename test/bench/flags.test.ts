import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headOf } from '../../bench/support/flags.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** Programs that npm starts, by the name of their script. */
const byScript = new Map(
  Object.entries(scripts).flatMap(([name, command]) => {
    const [, file] = /^node ((?:bench|datasets|test)\/\S+\.ts)$/.exec(command) ?? [];
    return file === undefined ? [] : [[name, file] as const];
  }),
);
const sources = ['bench', 'datasets', 'pipelines', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
);
const readmes = ['.', 'src', 'bench', 'datasets', 'pipelines', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/node_modules|demo\/|injection\/|results\/|fuzz\/|CHANGELOG/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
);
/** Commands of the READMEs that start a program of ours: where, which, with which flags. */
const commands = readmes.flatMap((readme) =>
  [...read(readme).matchAll(/(?:\bnode ([\w/-]+\.ts)|npm run ([\w:]+))([^`|\n]*)/g)].flatMap(
    ([text, path, script, rest]) => {
      const file = path ?? byScript.get(script!);
      const flags = [...rest!.matchAll(/(?<=\s)--[a-z][a-z-]*/g)].map(([flag]) => flag);
      return file === undefined ? [] : [{ readme, text, file, flags }];
    },
  ),
);
/** A program whose head says how it is started. */
const explained = sources.filter((file) => new RegExp(`\\bnode ${file}\\b`).test(headOf(read(file))));
const programs = [...new Set([...byScript.values(), ...commands.map(({ file }) => file), ...explained])].sort();
/** Those that take flags of a user in a way of their own. */
const ownWay = ['bench/all.ts', 'bench/compare.ts', 'datasets/dataset.ts'];
/** Flags that a program gives to its own processes, and those by which tests and other benches make it small. */
const inner =
  'child engine method query-child home place address documents of one base count ingest file quick timeline leak careless';

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
const run = (file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { timeout: 30_000, env: { ...process.env, ...env } };
    // an exit while other threads compile or collect may wait for ever: nodejs/node#54918
    const alone = ['--single-threaded', join(root, file), ...args];
    const child = execFile(process.execPath, alone, options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
    child.stdin!.end();
  });

it('knows the programs that npm runs, that READMEs name and that say so themselves', () => {
  expect(byScript.size).toBeGreaterThan(20);
  expect(commands.length).toBeGreaterThan(50);
  expect(programs.length).toBeGreaterThan(55);
  expect(programs.filter((file) => !sources.includes(file))).toEqual([]); // a README names it, and it is not there
});

describe.concurrent('a program', () => {
  it.each(programs)('%s says with --help what it does and how it is called, and measures nothing', async (file) => {
    const { status, stdout, stderr } = await run(file, ['--help']);
    const head = headOf(read(file));
    expect(file === 'datasets/dataset.ts' ? stdout.slice(0, head.length) : stdout.trim()).toBe(head);
    expect(head).toMatch(/^ +(npm run|node) \S/m);
    expect([status, stderr]).toEqual([0, '']);
  });

  // the others share readFlags, see below
  it.each([...ownWay, 'bench/quality/answers.ts', 'bench/speed/eval.ts', 'datasets/make-demo.ts'])(
    '%s ends a wrong flag with 2, names it and says which there are',
    async (file) => {
      const { status, stdout, stderr } = await run(file, ['--no-such-flag']);
      expect(stderr).toContain('--no-such-flag');
      expect(stderr).not.toContain('    at ');
      expect(stderr).toMatch(/(npm run|node) \S/);
      expect([status, stdout]).toEqual([2, '']);
    },
  );

  it.each([
    ['bench/serve/fuzz.ts', ['--attempts', 'many'], '--attempts takes a number, not "many"'],
    ['bench/serve/fuzz.ts', ['--face', 'none'], 'there is no face "none"'],
    ['bench/speed/reingest.ts', ['--files='], '--files takes a number, not ""'],
    ['bench/speed/shards.ts', ['--shards=2,x'], '--shards takes numbers with commas between, not "2,x"'],
    ['bench/speed/wire.ts', ['--only=chats'], 'there is no workload "chats"'],
    ['bench/speed/embed.ts', ['10k'], 'chunks are a whole number, not "10k"'],
    ['bench/ann/floats.ts', [], 'say which dimensions to measure'],
    ['bench/quality/context.ts', [], 'say which collections to measure'],
    ['bench/quality/web.ts', ['/none/here'], 'there is no folder /none/here'],
  ])('%s %j: %s', async (file, args, message) => {
    const { status, stdout, stderr } = await run(file, args);
    expect(stderr).toBe(`${message}\n\n${headOf(read(file))}\n`);
    expect([status, stdout]).toEqual([2, '']);
  });
});

it.each(['bench/quality/calibration.ts', 'bench/quality/shards.ts', 'bench/quality/train-answers.ts'])(
  '%s is skipped where IBID_SHARED has no data',
  async (file) => {
    const { status, stdout, stderr } = await run(file, [], { IBID_SHARED: join(root, 'none') });
    expect(stdout).toMatch(/^skipped: there is no folder \S+none.data(-train)?; IBID_SHARED names its parent\n$/);
    expect([status, stderr]).toEqual([0, '']);
  },
);

describe.each(programs)('flags of %s', (file) => {
  const source = read(file);
  const head = headOf(source);
  const taken = [...source.matchAll(/(?<=[{\s])'?([a-z-]+)'?: \{ type: '(?:string|boolean)'/g)].map(
    ([, name]) => name!,
  );

  it('are all in its head, as they are written', () => {
    const hidden = new Set(inner.split(' '));
    expect(taken.filter((name) => !hidden.has(name) && !new RegExp(`--(no-)?${name}\\b`).test(head))).toEqual(
      file === 'datasets/dataset.ts' ? ['help'] : [],
    );
  });

  it('are there when its head or a README gives them', () => {
    const usage = head.split('\n').filter((line) => /^ +(npm run|node|\[)/.test(line));
    const shown = usage.flatMap((line) => [...line.matchAll(/(?<=[\s[])--([a-z][a-z-]*)/g)].map(([, name]) => name!));
    const given = commands
      .filter((one) => one.file === file)
      .flatMap(({ flags }) => flags.map((flag) => flag.slice(2)));
    const names = file === 'bench/compare.ts' ? ['json', 'across-data', 'across-machines'] : taken;
    expect([...shown, ...given].filter((name) => !names.includes(name.replace(/^no-/, '')))).toEqual([]);
  });

  it.skipIf(ownWay.includes(file))('are read by readFlags, which ends a wrong one with 2', () => {
    expect(source).toMatch(/readFlags\(import\.meta\.filename,/);
  });
});

it('npm run demo leaves no folder behind a Ctrl-C', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-flags-'));
  try {
    const child = spawn(process.execPath, [join(root, 'datasets/demo.ts')], {
      env: { ...process.env, TMPDIR: folder },
    });
    await once(child.stdout.setEncoding('utf8'), 'data');
    expect(readdirSync(folder)).not.toEqual([]);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
