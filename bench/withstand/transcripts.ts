/**
 * Kills `ibid ingest --transcribe` at random moments against a stand-in of the audio service that carries out and bills
 * every request, and counts what is paid for twice.
 *
 *   npm run kills:transcripts -- [--kills 100] [--seed 1] [--out run.json]
 */
import { killTranscriptions } from '../../test/support/transcript-kills.ts';
import { readFlags } from '../support/flags.ts';
import { beginRun } from '../support/run-file.ts';
import { reportTrials } from '../support/trials.ts';

const { values } = readFlags(import.meta.filename, {
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});

const [kills, seed] = [Number(values.kills), Number(values.seed)];
const command = `npm run kills:transcripts -- --kills ${kills} --seed ${seed}`;
const run = beginRun({ kind: 'trials', command, seed });
const { wrong, paidTwice, ...counted } = await killTranscriptions(kills, seed, 40);
const findings = [...wrong, ...(paidTwice > 0 ? [`${paidTwice} requests for a stored transcript`] : [])];
reportTrials(
  run,
  {
    sets: [
      {
        name: 'transcribing, killed at a moment',
        invariant: 'No transcript that is stored is asked for again; the run that is left alone ends with all of them.',
        attempts: counted.kills,
        figures: {
          requests: counted.requests,
          recordings: counted.recordings,
          'paid twice': paidTwice,
          'in flight at a kill, sent again': counted.inFlight,
          'kills between two answers': counted.midway,
        },
        findings: findings.map((what) => ({ what, command })),
      },
    ],
    skipped: [],
  },
  values.out,
);
