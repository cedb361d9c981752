/**
 * Ingests through a queue while workers, the run that commits and Redis are killed at random moments, and compares the
 * index with one that a single process makes.
 *
 *   npm run kills:queue -- [--kills 50] [--seed 1] [--out run.json]
 */
import { killQueue } from '../../test/support/queue-kills.ts';
import { hasRedis } from '../../test/support/redis.ts';
import { readFlags } from '../support/flags.ts';
import { beginRun } from '../support/run-file.ts';
import { reportTrials } from '../support/trials.ts';

const { values } = readFlags(import.meta.filename, {
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});

const [kills, seed] = [Number(values.kills), Number(values.seed)];
const command = `npm run kills:queue -- --kills ${kills} --seed ${seed}`;
const run = beginRun({ kind: 'trials', command, seed });
const made = hasRedis ? await killQueue(kills, seed, 400) : undefined;
reportTrials(
  run,
  {
    sets: made
      ? [
          {
            name: 'a queue, killed at a moment',
            invariant: 'Every run ends well, and the index has the chunks that one process makes of the same folder.',
            attempts: kills,
            figures: {
              'workers killed': made.kills.worker,
              'runs killed': made.kills.run,
              'Redis killed': made.kills.redis,
              'runs that ended between': made.completed,
            },
            findings: made.wrong.map((what) => ({ what, command })),
          },
        ]
      : [],
    skipped: made ? [] : [{ what: 'a queue, killed at a moment', reason: 'no redis-server' }],
  },
  values.out,
);
