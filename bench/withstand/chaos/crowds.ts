import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openIndex } from '../../../src/index.ts';
import type { Chance } from '../chance.ts';
import { addressOf, indexOptions, type OperationName } from './operation.ts';
import type { Seen } from './reader.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { readAll, recovered, type World } from './world.ts';

const READERS = 4;
const INGESTS = 30;
const PAGES = 6;

/** Readers beside a writer that makes one version after another. */
async function readersWhile(world: World, ingests: number, shimmed: Record<string, string> = {}): Promise<Outcome> {
  const root = await world.place('versions');
  try {
    const readers = Array.from({ length: READERS }, () => fork(join(import.meta.dirname, 'reader.ts'), [root]));
    const reports = readers.map(async (reader): Promise<Seen> => {
      const report = await new Promise<Seen | undefined>((resolve) => {
        reader.on('message', (message) => message !== 'ready' && resolve(message as Seen)); // sent by `reader.ts`
        reader.on('exit', () => resolve(undefined));
      });
      return report ?? { reads: 0, wrong: ['a reader ended too early'], last: -1, outdated: 0 };
    });
    await Promise.all(readers.map((reader) => once(reader, 'message')));
    const run = world.start({ operation: 'versions', root, many: ingests }, shimmed);
    await run.ended;
    for (const reader of readers) if (reader.connected) reader.send('end');
    const seen = await Promise.all(reports);
    const last = ingests + 1;
    const wrong = [
      ...(run.failed === undefined ? [] : [`the writer failed: ${run.failed}`]),
      ...seen.flatMap(({ wrong: what }) => what),
      ...seen.filter((one) => one.last !== last).map((one) => `stale: version ${one.last} instead of ${last}`),
      ...(await run.survivors()).map((what) => `a process goes on: ${what}`),
      ...(await readAll(root, [last], false)),
    ];
    const sum = (of: (one: Seen) => number): number => seen.reduce((total, one) => total + of(one), 0);
    return {
      wrong,
      counts: { reads: sum((one) => one.reads), ingests, 'exports begun again': sum((one) => one.outdated) },
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Two writers at once, of which the second waits or is refused. */
async function twoWriters(world: World, operation: OperationName, chance: Chance): Promise<Outcome> {
  const root = await world.place(operation);
  try {
    const waitMs = chance.of([0, 120_000]);
    const first = world.start({ operation, root, waitMs });
    await sleep(chance.below(300));
    const second = world.start({ operation, root, waitMs });
    await Promise.all([first.ended, second.ended]);
    const refused = [first, second].filter(({ failed }) => failed?.startsWith('INDEX_LOCKED') === true).length;
    const wrong = [first, second].flatMap(({ failed }) =>
      failed === undefined || (waitMs === 0 && failed.startsWith('INDEX_LOCKED')) ? [] : [`a writer failed: ${failed}`],
    );
    if (refused === 2) wrong.push('both writers were refused');
    wrong.push(...(await readAll(root, operation === 'ingest' || operation === 'rebuild' ? [1] : [0, 1], false)));
    wrong.push(...(await recovered(world, operation, root)));
    return { wrong, counts: { refused, waited: waitMs > 0 ? 1 : 0 } };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A writer that stands still, with its lock. */
async function stopped(world: World, chance: Chance): Promise<Outcome> {
  const { ms } = await world.undisturbed('ingest');
  const root = await world.place('ingest');
  try {
    const run = world.start({ operation: 'ingest', root });
    const wrong: string[] = [];
    let refused = 0;
    await sleep(ms * (0.4 + chance.below(1000) / 2500));
    for (let stop = 0; stop < 2 && run.isRunning; stop++) {
      run.signal('SIGSTOP');
      wrong.push(...(await readAll(root, [0, 1], true)).map((what) => `while it stands still, ${what}`));
      await using index = await openIndex(addressOf(root), indexOptions);
      const answer = await index.ingest(join(root, 'docs'), { force: true }).then(
        () => 'ok',
        (error: unknown) => String((error as { code?: string }).code),
      );
      if (answer === 'INDEX_LOCKED') refused++;
      run.signal('SIGCONT');
      await sleep(chance.below(200));
    }
    await run.ended;
    // A writer that stood still before it had the lock finds another one's work, or is refused.
    if (run.failed !== undefined && !run.failed.startsWith('INDEX_LOCKED'))
      wrong.push(`the writer failed: ${run.failed}`);
    wrong.push(...(await recovered(world, 'ingest', root)));
    return { wrong, counts: { 'others refused': refused } };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Processes that keep pages of the web at once; no lock is needed for that. */
async function pages(world: World, chance: Chance): Promise<Outcome> {
  const root = await world.place('pages');
  try {
    const runs = Array.from({ length: READERS }, (_, self) =>
      world.start({ operation: 'pages', root, self, many: PAGES }),
    );
    const writer = world.start({ operation: 'add', root });
    const killed = chance.of(runs);
    await sleep(1000 + chance.below(2000));
    const isKilled = chance.below(2) === 0;
    if (isKilled) killed.signal('SIGKILL');
    await Promise.all([...runs, writer].map(({ ended }) => ended));
    const wrong = [...runs, writer].flatMap(({ failed }) => (failed === undefined ? [] : [`failed: ${failed}`]));
    wrong.push(...(await readAll(root, [0], false)));
    await using index = await openIndex(addressOf(root), indexOptions);
    const kept = (await index.status()).webPages?.pages ?? 0;
    const wanted = (READERS - (isKilled ? 1 : 0)) * PAGES;
    if (kept < wanted) wrong.push(`${kept} of at least ${wanted} pages are kept`);
    return { wrong, counts: { pages: kept } };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** An hour, a month, a day back: every few milliseconds. */
async function clockJumps(world: World, chance: Chance): Promise<Outcome> {
  const clock = join(world.root, 'clock');
  writeFileSync(clock, '0');
  let ended = false;
  const jumping = (async () => {
    while (!ended) {
      writeFileSync(clock, String(chance.of([0, 3600, -3600, 86_400 * 40, -86_400, 31, -31])));
      await sleep(20 + chance.below(200));
    }
  })();
  try {
    return await readersWhile(world, 12, { CHAOS_CLOCK: clock });
  } finally {
    ended = true;
    await jumping;
  }
}

const whole =
  'Every document whole, none back at an older version, none missing, none stale at the end; no damage told.';

export const crowds: readonly Scenario[] = [
  {
    name: 'readers',
    what: `${READERS} readers during ${INGESTS} ingests, every sixth a rebuild`,
    invariant: `${whole} Searches, answers, exports, lists and checks all succeed.`,
    every: 4,
    attempt: (world) => readersWhile(world, INGESTS),
  },
  {
    name: 'writers',
    what: 'two writers at once',
    invariant: 'One writes; the other waits for it, or is told INDEX_LOCKED; the index is that of one writer.',
    attempt: (world, chance, number) =>
      twoWriters(world, (['ingest', 'rebuild', 'repair', 'add'] as const)[number % 4]!, chance),
  },
  {
    name: 'stop',
    what: 'a writer stopped with SIGSTOP, and continued',
    invariant: 'Others read on and are told INDEX_LOCKED when they write; afterwards the index is whole.',
    attempt: (world, chance) => stopped(world, chance),
  },
  {
    name: 'pages',
    what: `${READERS} processes keep web pages while another one adds documents`,
    invariant: 'Every page is kept, with or without a kill, and no check finds damage.',
    every: 2,
    attempt: (world, chance) => pages(world, chance),
  },
  {
    name: 'clock',
    what: 'the clock of a writer jumps between a day back and 40 days ahead, beside readers',
    invariant: whole,
    every: 2,
    skipped: ({ shim }) => (shim === undefined ? 'no C compiler for the shim' : undefined),
    attempt: (world, chance) => clockJumps(world, chance),
  },
];
