/**
 * The three services misbehave, and the clients, the index above them and the fetcher of pages have to live with it:
 * heads and bodies without end, a byte at a time, bombs, wrong lengths, half characters, JSON of a million levels,
 * events and sockets without end, redirects to elsewhere, the key said back.
 *
 *   npm run hostile -- [--attempts 10000] [--seed 1] [--seconds N] [--only N,M] [--set NAME] [--attack NAME]
 *                      [--door NAME] [--at-once 32] [--out FILE]
 *
 * Each attempt is one call through a public door against one attack; all of it follows from seed and number. The
 * clients run in a process of their own, which is watched. Exit 1 when an attempt broke the invariant.
 */
import { readFlags } from '../support/flags.ts';
import { beginRun } from '../support/run-file.ts';
import { stopAfter } from '../support/stop.ts';
import { reportTrials } from '../support/trials.ts';
import { runHostile } from './hostile/run.ts';

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    attempts: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '36000' },
    only: { type: 'string' },
    set: { type: 'string' },
    attack: { type: 'string' },
    door: { type: 'string' },
    'at-once': { type: 'string', default: '32' },
    out: { type: 'string' },
  },
});
const seed = Number(flags.seed);
const given = process.argv
  .slice(2)
  .join(' ')
  .replace(/ ?--out[ =]\S+/, '');
const run = beginRun({ kind: 'trials', command: `npm run hostile${given === '' ? '' : ` -- ${given}`}`, seed });
const stop = stopAfter(Number(flags.seconds) / 60);
const { set, attack, door } = flags;
const results = await runHostile({
  ...{ seed, set, attack, door },
  attempts: Number(flags.attempts),
  only: flags.only?.split(',').map(Number),
  atOnce: Number(flags['at-once']),
  stop: () => stop.reason,
  tell: (line) =>
    console.error(`${((Date.now() - run.startedAt.getTime()) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
});
reportTrials(run, results, flags.out);
