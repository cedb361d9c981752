import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IbidError, openIndex } from '../../../src/index.ts';
import type { Chance } from '../chance.ts';
import { addressOf, indexOptions, type OperationName, operations } from './operation.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { flip, readAll, recovered, type World } from './world.ts';

/**
 * Kills an operation: in even attempts in place of one of its file operations, a write by half; in odd ones, or without
 * the shim, at a moment.
 */
async function kill(world: World, operation: OperationName, chance: Chance, number: number): Promise<Outcome> {
  const { fileOperations, ms } = await world.undisturbed(operation);
  const root = await world.place(operation);
  try {
    const byFile = fileOperations > 0 && number % 2 === 0;
    const at = 1 + chance.below(fileOperations + 2);
    const run = world.start({ operation, root }, byFile ? { CHAOS_KILL: String(at) } : {});
    if (!byFile) {
      await Promise.race([run.ended, sleep(ms * (0.15 + chance.below(1000) / 1100))]);
      run.signal('SIGKILL');
    }
    await run.ended;
    if (world.careless) flip(addressOf(root));
    const killed = run.child.signalCode === 'SIGKILL';
    const when = killed ? (byFile ? `killed at file operation ${at}` : 'killed') : 'ended before';
    const wrong = (await run.survivors()).map((what) => `a process goes on: ${what}`);
    if (run.failed !== undefined) wrong.push(`failed: ${run.failed}`);
    if (operation !== 'repair' && (await hasIndex(root)) !== false) {
      wrong.push(...(await readAll(root, [0, 1], true)));
    }
    wrong.push(...(await recovered(world, operation, root)));
    return { wrong: wrong.map((what) => `${when}: ${what}`), counts: { killed: Number(killed) } };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** False where a first run was killed before there was an index. */
async function hasIndex(root: string): Promise<boolean> {
  if (!existsSync(join(addressOf(root), 'lance'))) return false;
  try {
    await (await openIndex(addressOf(root), indexOptions)).close();
    return true;
  } catch (error) {
    return !(error instanceof IbidError && error.code === 'INDEX_NOT_FOUND');
  }
}

export const kills: readonly Scenario[] = operations.map((operation) => ({
  name: `kill-${operation}`,
  what: operation === 'first' ? 'kill of the first ingest' : `kill of ${operation}`,
  invariant:
    operation === 'repair'
      ? 'The next repair makes the index equal to one left alone; nothing is left behind and no process goes on.'
      : 'The index reads whole at once, and no check finds damage; the same run again makes it equal to one left ' +
        'alone; nothing is left behind and no process goes on.',
  every: { tune: 6, reembed: 3 }[operation as string] ?? 1,
  attempt: (world, chance, number) => kill(world, operation, chance, number),
}));
