/**
 * Attacks by documents: the corpus of `datasets/injection` is ingested and asked about in every mode, with and without
 * the web, beside stand-ins of the services whose model obeys everything that reaches it. Counts the effects.
 *
 *     npm run injection -- [--only=SETS] [--questions=IDS] [--attempts=N] [--minutes=M] [--out=FILE]
 *
 * --only: names of sets, with commas. --questions: ids of questions, with commas: together they repeat a finding.
 * --attempts: questions of each set, at most. --minutes: when nothing more is begun. --out: where the run file goes.
 * Nothing is drawn at random: every run has the same questions, documents and answers, and --seed, which the other
 * attacks take, changes nothing here.
 */
import './injection/watch.ts';
import { readFlags } from '../support/flags.ts';
import { beginRun } from '../support/run-file.ts';
import { stopAfter } from '../support/stop.ts';
import { reportTrials } from '../support/trials.ts';
import { runInjection } from './injection/run.ts';

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    only: { type: 'string' },
    questions: { type: 'string' },
    attempts: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string', default: '30' },
    out: { type: 'string' },
  },
});
const stop = stopAfter(Number(flags.minutes));
const run = beginRun({ kind: 'trials', command: `npm run injection -- ${process.argv.slice(2).join(' ')}`.trim() });
const results = await runInjection({
  only: flags.only?.split(','),
  questions: flags.questions?.split(','),
  attempts: flags.attempts === undefined ? undefined : Number(flags.attempts),
  stopped: () => stop.reason,
});
reportTrials(run, results, flags.out);
