/**
 * Reads documents of every format that were changed along their structure, documents made of known words, and
 * documents that another program reads too.
 *
 *   npm run fuzz -- [--seconds 50] [--attempts N] [--seed 1] [--only N] [--save FILE] [--out run.json]
 *
 * Small inputs of the kinds that break readers (bench/withstand/fuzz/kept) are read first. Documents of IBID_SHARED are
 * changed where they are there, else those of datasets/demo; `--only N` repeats an attempt on the same documents, and
 * `--save` keeps what was read. `--careless` reads with a reader that breaks every tenth document, to see that it is
 * found. One process reads, another watches it: an attempt that does not come back is a finding.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReader, type Reader } from '../../src/index.ts';
import { readFlags } from '../support/flags.ts';
import { beginRun, type TrialFinding, type TrialSet } from '../support/run-file.ts';
import { type Stop, stopAfter } from '../support/stop.ts';
import { reportTrials } from '../support/trials.ts';
import { type Attempt, attempt, findSeeds, keptFolder, read } from './fuzz/attempt.ts';
import { processesOf, residentBytes } from './tree.ts';

const limits = { timeoutMs: 10_000, memoryMb: 700 };
/** A busy machine adds to the time of a file. */
const slackMs = 20_000;
/** The watched process is ended when an attempt takes this long. */
const hungMs = 90_000;
const mostMegabytes = 1500;

interface Asked {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly kept: boolean;
  readonly careless: boolean;
  readonly save?: string | undefined;
}

type Told = { readonly number: number } & (Attempt | { readonly began: true });

/** The watched process: attempts one after the other, each told before it begins. */
async function work({ seed, from, to, kept, careless, save }: Asked): Promise<void> {
  let stopped = false;
  process.on('disconnect', () => {
    stopped = true;
  });
  process.on('error', () => {}); // told after the parent has disconnected
  process.on('SIGINT', () => {}); // the parent says when
  const seeds = findSeeds();
  await using sound = createReader(limits);
  const reader = careless ? breaking(sound) : sound;
  const tell = (told: Told): boolean | undefined => !stopped && process.send?.(told);
  if (kept) {
    for (const [i, name] of readdirSync(keptFolder).sort().entries()) {
      tell({ number: -1 - i, began: true });
      const bytes = readFileSync(join(keptFolder, name));
      tell({
        number: -1 - i,
        ...(await read({ what: `kept ${name}`, name, bytes }, reader, limits.timeoutMs + slackMs)),
      });
    }
  }
  for (let number = from; number < to && !stopped; number++) {
    tell({ number, began: true });
    tell({ number, ...(await attempt(number, seed, reader, seeds, limits.timeoutMs + slackMs, save)) });
  }
}

/** Every tenth document of this reader has a lone surrogate, or a block that ends behind the text. */
function breaking(reader: Reader): Reader {
  let count = 0;
  return {
    ...reader,
    read: async (source, options) => {
      const document = await reader.read(source, options);
      count++;
      if (count % 20 === 0) return { ...document, text: `${document.text}\ud800` };
      if (count % 20 !== 10) return document;
      return { ...document, blocks: [{ kind: 'paragraph', start: 0, end: document.text.length + 1 }] };
    },
  };
}

interface Watched {
  readonly attempts: readonly (Attempt & { readonly number: number })[];
  readonly megabytes: number;
}

async function watch(asked: Asked, stop: Stop): Promise<Watched> {
  const attempts: (Attempt & { readonly number: number })[] = [];
  let megabytes = 0;
  let next = asked.from;
  let { kept } = asked;
  while ((next < asked.to || kept) && stop.reason === undefined) {
    let number = next;
    let began = performance.now();
    let underWay = false;
    const child: ChildProcess = fork(import.meta.filename, ['--work', JSON.stringify({ ...asked, from: next, kept })]);
    child.on('message', (message) => {
      const told = message as Told; // sent by `work`
      number = told.number;
      underWay = 'began' in told;
      if ('began' in told) began = performance.now();
      else attempts.push(told);
      if (stop.reason !== undefined && child.connected) child.disconnect();
    });
    let ended = '';
    const timer = setInterval(() => {
      const processes = processesOf(child.pid!);
      megabytes = Math.max(megabytes, residentBytes(processes) / 1e6);
      if (!underWay || performance.now() - began < hungMs) return;
      ended = `no answer after ${hungMs / 1000} s`;
      child.kill('SIGKILL');
    }, 100);
    const status = await new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
    clearInterval(timer);
    if (ended !== '' || status !== 0) {
      const fault = ended || `the process ended with ${status}`;
      attempts.push({ number, what: 'the reading process', result: 'crash', ms: 0, faults: [fault] });
    }
    kept = false;
    next = Math.max(asked.from, number + 1);
  }
  return { attempts, megabytes };
}

function setOf({ attempts, megabytes }: Watched, seed: number): TrialSet {
  const figures: Record<string, number> = {
    'most memory, MB': Math.round(megabytes),
    'longest, s': Number((Math.max(0, ...attempts.map(({ ms }) => ms)) / 1000).toFixed(1)),
  };
  for (const { result } of attempts) figures[result] = (figures[result] ?? 0) + 1;
  const findings: TrialFinding[] = attempts.flatMap(({ number, what, faults }) =>
    faults.map((fault) => ({
      what: `${what}: ${fault}`,
      command: number < 0 ? 'npm run fuzz -- --attempts 0' : `npm run fuzz -- --seed ${seed} --only ${number}`,
    })),
  );
  if (megabytes > mostMegabytes)
    findings.push({ what: `${Math.round(megabytes)} MB`, command: `npm run fuzz -- --seed ${seed}` });
  return {
    name: 'documents changed along their structure, made of known words, and read by others too',
    invariant:
      'A document or a FILE_* error within the time and memory given; spans, chunks and characters fit; known words are found.',
    attempts: attempts.length,
    figures,
    findings,
  };
}

async function main(): Promise<void> {
  const { values } = readFlags(import.meta.filename, {
    options: {
      seconds: { type: 'string' },
      attempts: { type: 'string' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      careless: { type: 'boolean', default: false },
      save: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const { seconds = values.attempts === undefined ? '50' : '86400', careless, save } = values;
  const seed = Number(values.seed);
  const only = values.only === undefined ? undefined : Number(values.only);
  const asked: Asked =
    only === undefined
      ? { seed, from: 0, to: Number(values.attempts ?? 1e9), kept: true, careless }
      : { seed, from: only, to: only + 1, kept: false, careless, save };
  const run = beginRun({ kind: 'trials', command: `npm run fuzz -- --seed ${seed} --seconds ${seconds}`, seed });
  const watched = await watch(asked, stopAfter(Number(seconds) / 60));
  reportTrials(run, { sets: [setOf(watched, seed)], skipped: [] }, values.out);
}

const place = process.argv.indexOf('--work');
if (place >= 0) {
  await work(JSON.parse(process.argv[place + 1]!) as Asked); // from `watch`
  process.disconnect?.();
} else await main();
