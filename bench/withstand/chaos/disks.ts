import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openIndex } from '../../../src/index.ts';
import type { Chance } from '../chance.ts';
import { addressOf, codeOf, indexOptions } from './operation.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { leftBehind, readAll, recovered, type World } from './world.ts';

const operations = ['ingest', 'rebuild', 'add', 'remove'] as const;
const isRoot = process.getuid?.() === 0;
const noShim = ({ shim }: World): string | undefined => (shim === undefined ? 'no C compiler for the shim' : undefined);

/** The disk is full from a file operation on, until there is space again; the same process then goes on. */
async function full(world: World, chance: Chance, number: number): Promise<Outcome> {
  const operation = operations[number % operations.length]!;
  const { fileOperations } = await world.undisturbed(operation);
  const root = await world.place(operation);
  try {
    const space = join(root, 'space');
    const at = 1 + chance.below(fileOperations);
    const run = world.start({ operation, root, again: space }, { CHAOS_FULL: String(at), CHAOS_FREE: space });
    await Promise.race([run.ended, said(run)]);
    const failed = run.failed;
    const wrong = await readAll(root, [0, 1], true);
    if (failed !== undefined && failed !== 'STORE_FAILED') wrong.push(`the full disk is told as ${failed}`);
    writeFileSync(space, '');
    await run.ended;
    if (run.failed !== failed) wrong.push(`with space again: ${run.failed}`);
    wrong.push(...leftBehind(addressOf(root)).map((file) => `left behind: ${file}`));
    wrong.push(...(await recovered(world, operation, root)));
    return { wrong: wrong.map((what) => `${operation}, full at ${at}: ${what}`), counts: { failed: failed ? 1 : 0 } };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function said({ said: messages }: { readonly said: readonly unknown[] }): Promise<void> {
  while (messages.length === 0) await sleep(20);
}

/** A file system in memory that a file of ballast fills nearly. */
async function fullMount(world: World, chance: Chance, number: number): Promise<Outcome> {
  const operation = operations[number % 2]!;
  const mount = join(world.root, `mount-${number}`);
  mkdirSync(mount);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'ibid-chaos', mount]);
  try {
    const root = await world.place(operation, mount);
    const ballast = join(mount, 'ballast');
    const { bavail, bsize } = statfsSync(mount);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - chance.below(150) * 1024)));
    const run = world.start({ operation, root });
    await run.ended;
    const wrong = await readAll(root, [0, 1], true);
    if (run.failed !== undefined && !run.failed.startsWith('STORE_FAILED')) wrong.push(`told as ${run.failed}`);
    rmSync(ballast);
    wrong.push(...(await recovered(world, operation, root)));
    return {
      wrong: wrong.map((what) => `${operation}: ${what}`),
      counts: { failed: run.child.exitCode === 0 ? 0 : 1 },
    };
  } finally {
    execFileSync('umount', ['-l', mount]);
  }
}

/** No file may grow beyond a limit (RLIMIT_FSIZE), in half-kilobytes as `ulimit -f` counts in sh. */
async function fileSize(world: World, chance: Chance, number: number): Promise<Outcome> {
  const operation = operations[number % 2]!;
  const root = await world.place(operation);
  try {
    const limit = 1 + chance.below(40);
    const run = world.start({ operation, root }, {}, ['sh', '-c', `ulimit -f ${limit}; exec "$@"`, 'sh']);
    await run.ended;
    const wrong = await readAll(root, [0, 1], true);
    if (run.failed !== undefined && !run.failed.startsWith('STORE_FAILED')) wrong.push(`told as ${run.failed}`);
    wrong.push(...(await recovered(world, operation, root)));
    return {
      wrong: wrong.map((what) => `${operation}, files of at most ${limit / 2} KiB: ${what}`),
      counts: { failed: run.child.exitCode === 0 ? 0 : 1 },
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** An index that may be read only: a mount for root, whom modes do not stop. */
async function readOnly(world: World, _chance: Chance, number: number): Promise<Outcome> {
  const mount = join(world.root, `readonly-${number}`);
  mkdirSync(mount);
  if (isRoot) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'ibid-chaos', mount]);
  try {
    const root = await world.place('ingest', mount);
    if (isRoot) execFileSync('mount', ['-o', 'remount,ro', mount]);
    else modes(addressOf(root), 0o555, 0o444);
    const wrong = await readAll(root, [0], false);
    await using index = await openIndex(addressOf(root), indexOptions);
    const writes = {
      ingest: () => index.ingest(join(root, 'docs'), { force: true }),
      remove: () => index.remove('note:1'),
      add: () => index.add([{ uri: 'note:x', text: 'X' }]),
      rebuild: () => index.ingest(join(root, 'docs'), { force: true, rebuild: true }),
    };
    for (const [name, write] of Object.entries(writes)) {
      const answer = await write().then(() => 'done', codeOf);
      if (answer !== 'STORE_FAILED') wrong.push(`${name} ends with ${answer}`);
    }
    const repaired = await index.repair().then(() => 'done', codeOf);
    if (repaired !== 'done') wrong.push(`repair of an undamaged index ends with ${repaired}`);
    wrong.push(...(await readAll(root, [0], false)));
    if (isRoot) execFileSync('mount', ['-o', 'remount,rw', mount]);
    else modes(addressOf(root), 0o755, 0o644);
    wrong.push(...(await recovered(world, 'ingest', root)));
    return { wrong };
  } finally {
    if (isRoot) execFileSync('umount', ['-l', mount]);
    else if (existsSync(mount)) rmSync(mount, { recursive: true, force: true });
  }
}

function modes(folder: string, ofFolder: number, ofFile: number): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) modes(path, ofFolder, ofFile);
    else chmodSync(path, ofFile);
  }
  chmodSync(folder, ofFolder);
}

/** Each file operation of a writer takes some milliseconds; readers go on, and a kill may come. */
async function slow(world: World, chance: Chance, number: number): Promise<Outcome> {
  const operation = operations[number % operations.length]!;
  const root = await world.place(operation);
  try {
    const delay = 1000 + chance.below(9000);
    const run = world.start({ operation, root }, { CHAOS_DELAY: String(delay) });
    const wrong: string[] = [];
    const isKilled = chance.below(2) === 0;
    let reads = 0;
    for (; run.isRunning && reads < 4; reads++) {
      wrong.push(...(await readAll(root, [0, 1], true)));
      if (isKilled && reads === 2) run.signal('SIGKILL');
    }
    await run.ended;
    if (run.failed !== undefined) wrong.push(`failed: ${run.failed}`);
    wrong.push(...(await run.survivors()).map((what) => `a process goes on: ${what}`));
    wrong.push(...(await recovered(world, operation, root)));
    return { wrong: wrong.map((what) => `${operation}: ${what}`), counts: { reads } };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const kept =
  'A run fails with STORE_FAILED or succeeds; the index reads whole; with space again the next run ends right.';

export const disks: readonly Scenario[] = [
  {
    name: 'full',
    what: 'a full disk from a file operation on',
    invariant: `${kept} So does the same process, whose lock is free again.`,
    skipped: noShim,
    attempt: full,
  },
  {
    name: 'full-mount',
    what: 'a full file system (tmpfs)',
    invariant: kept,
    every: 2,
    skipped: () => (isRoot ? undefined : 'mounting needs root'),
    attempt: fullMount,
  },
  { name: 'file-size', what: 'a limit of file sizes (RLIMIT_FSIZE)', invariant: kept, every: 2, attempt: fileSize },
  {
    name: 'read-only',
    what: 'a folder that may be read only',
    invariant: 'Everything reads; each write fails with STORE_FAILED and changes nothing.',
    every: 4,
    attempt: readOnly,
  },
  {
    name: 'slow',
    what: 'a slow disk: 1 to 10 ms for each file operation',
    invariant: 'Readers see whole documents meanwhile; the run ends as on a fast disk, also after a kill.',
    every: 2,
    skipped: noShim,
    attempt: slow,
  },
];
