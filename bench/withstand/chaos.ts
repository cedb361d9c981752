/**
 * Kills, stops and disturbs runs over an index, and asks afterwards whether anything is missing, half or stale.
 *
 *   npm run chaos -- [--seconds 600] [--seed 1] [--attempts N] [--only SCENARIO[:ATTEMPT]] [--out run.json]
 *
 * The scenarios take turns until the time is up or each had its attempts. `--only` takes one scenario, or repeats one of
 * its attempts. A kill at a file operation is repeated exactly, one at a moment as far as the machine is as fast.
 */
import { readFlags } from '../support/flags.ts';
import { beginRun, type TrialFinding, type TrialSet } from '../support/run-file.ts';
import { stopAfter } from '../support/stop.ts';
import { reportTrials } from '../support/trials.ts';
import { chanceOf } from './chance.ts';
import { crowds } from './chaos/crowds.ts';
import { disks } from './chaos/disks.ts';
import { kills } from './chaos/kills.ts';
import type { Scenario } from './chaos/scenario.ts';
import { told, World } from './chaos/world.ts';

const { values } = readFlags(import.meta.filename, {
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    attempts: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    /** For the test of this program: changes a byte of the index after each kill. */
    careless: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});

interface Tally {
  attempts: number;
  readonly figures: Record<string, number>;
  readonly findings: TrialFinding[];
}

async function main(): Promise<void> {
  const seed = Number(values.seed);
  const [only, repeated] = values.only?.split(':') ?? [];
  const scenarios = [...kills, ...disks, ...crowds].filter(({ name }) => only === undefined || name === only);
  if (scenarios.length === 0) throw new Error(`there is no scenario "${only}"`);
  const run = beginRun({
    kind: 'trials',
    command: `npm run chaos -- --seconds ${values.seconds} --seed ${seed}`,
    seed,
  });
  const stop = stopAfter(Number(values.seconds) / 60);
  const world = await World.make(values.careless);
  try {
    const skipped = scenarios.flatMap(({ name, skipped: why }) => {
      const reason = why?.(world);
      return reason === undefined ? [] : [{ what: name, reason }];
    });
    const tallies = new Map<Scenario, Tally>();
    for (const scenario of scenarios) {
      if (skipped.every(({ what }) => what !== scenario.name)) {
        tallies.set(scenario, { attempts: 0, figures: {}, findings: [] });
      }
    }
    const first = repeated === undefined ? 0 : Number(repeated);
    const last = repeated === undefined ? Number(values.attempts) : first + 1;
    for (let number = first; number < last && stop.reason === undefined; number++) {
      for (const [scenario, tally] of tallies) {
        const turn = scenario.every ?? 1;
        if (stop.reason !== undefined) break;
        if (repeated === undefined && only === undefined && number % turn !== 0) continue;
        process.stderr.write(`${scenario.name}:${number}\n`);
        await attempt(world, scenario, tally, seed, number);
      }
    }
    const sets = [...tallies].map(([{ what, invariant }, tally]): TrialSet => ({ name: what, invariant, ...tally }));
    reportTrials(run, { sets, skipped }, values.out);
  } finally {
    world.remove();
  }
}

async function attempt(world: World, scenario: Scenario, tally: Tally, seed: number, number: number): Promise<void> {
  const { wrong, counts = {} } = await scenario
    .attempt(world, chanceOf(seed, number), number)
    .catch((error: unknown) => ({ wrong: [`the attempt itself: ${told(error)}`], counts: {} }));
  tally.attempts++;
  for (const [figure, count] of Object.entries(counts)) tally.figures[figure] = (tally.figures[figure] ?? 0) + count;
  const command = `npm run chaos -- --seed ${seed} --only ${scenario.name}:${number}`;
  for (const what of new Set(wrong)) {
    process.stderr.write(`  ${what}\n`);
    tally.findings.push({ what, command });
  }
}

await main();
