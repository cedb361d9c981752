/**
 * Damages the files of an index, one attempt at a time, and asks what ibid says.
 *
 *   npm run flips -- [--attempts 10000] [--seed 1] [--only N] [--processes 2] [--blind] [--out run.json]
 *
 * One attempt: a fresh copy of a small index; in one of its files, chosen by chance, a flipped bit, a changed byte, a
 * zeroed stretch or a cut end. Then every way of reading must give what it gave before, or INDEX_DAMAGED; `check` must
 * say that something is damaged; `repair` must make the index whole.
 * `--blind` removes the checksums first: the run must then find something, else it would never find anything.
 */
import { fork } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { IbidError, openIndex, type SearchIndex } from '../../src/index.ts';
import { fakeEmbedder } from '../../src/testing.ts';
import { readFlags } from '../support/flags.ts';
import { beginRun, type TrialFinding, type TrialSet } from '../support/run-file.ts';
import { stopAfter } from '../support/stop.ts';
import { reportTrials } from '../support/trials.ts';
import { type Chance, chanceOf } from './chance.ts';

const options = { embedder: fakeEmbedder(16) };
const topics = ['harbour', 'orchard', 'ledger', 'turbine', 'library', 'glacier', 'bakery', 'signal'];
const questions = [
  'Who keeps the harbour?',
  'What does the turbine need?',
  'orchard in June',
  'the ledger of the bakery',
];

/** A folder with documents and their index, made of one seed. */
async function makeIndex(root: string): Promise<string> {
  const documents = join(root, 'documents');
  mkdirSync(documents);
  for (const [i, topic] of topics.entries()) {
    const next = topics[(i + 1) % topics.length]!;
    const text = `# The ${topic}\n\nThe ${topic} is kept by person ${i}. In June the ${topic} needs the ${next}.\n`;
    writeFileSync(join(documents, `${topic}.md`), text.repeat(1 + i));
  }
  const address = join(documents, '.ibid');
  await using index = await openIndex(address, { ...options, create: true });
  await index.ingest(documents);
  writeFileSync(join(documents, 'harbour.md'), '# The harbour\n\nThe harbour is kept by nobody now.\n');
  await index.ingest(documents); // a second version of the tables, with a deleted row
  return address;
}

/** Everything that can be read, as text. */
async function readings(index: SearchIndex): Promise<Record<string, () => Promise<string>>> {
  const json = (value: unknown): string => JSON.stringify(value);
  const all = async (items: AsyncIterable<unknown>): Promise<string[]> => {
    const lines: string[] = [];
    for await (const item of items) lines.push(json(item));
    return lines.sort();
  };
  return {
    search: async () => json(await Promise.all(questions.map(async (one) => (await index.search(one)).hits))),
    ask: async () => {
      const { answer, citations } = await index.ask(questions[0]!);
      return json({ answer, citations });
    },
    export: async () => json(await all(index.export({ vectors: true }))),
    documents: async () => json(await all(index.documents())),
    status: async () => json({ ...(await index.status()), bytesOnDisk: 0, address: '' }),
  };
}

/** @returns what each way of reading gave, an error as its code */
async function readAll(address: string): Promise<Record<string, string>> {
  const given: Record<string, string> = {};
  try {
    await using index = await openIndex(address, options);
    for (const [way, read] of Object.entries(await readings(index))) {
      given[way] = await read().catch((error: unknown) => codeOf(error));
    }
  } catch (error) {
    given.open = codeOf(error);
  }
  return given;
}

function codeOf(error: unknown): string {
  return error instanceof IbidError ? `error ${error.code}` : `NOT AN ERROR OF OURS: ${String(error)}`;
}

function filesOf(address: string): string[] {
  return readdirSync(address, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(address, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('locks') && file !== '.gitignore')
    .sort();
}

/** @returns what was done, in words; the times of the file stay */
function damage(address: string, chance: Chance): string {
  const file = chance.of(filesOf(address).filter((name) => statSync(join(address, name)).size > 0));
  const path = join(address, file);
  const { atime, mtime } = statSync(path);
  const before = readFileSync(path);
  const at = chance.below(before.length);
  const bytes = Buffer.from(before);
  const kind = chance.of(['bit', 'bit', 'bit', 'byte', 'zeros', 'cut'] as const);
  if (kind === 'cut') writeFileSync(path, bytes.subarray(0, at));
  else {
    if (kind === 'bit') bytes[at]! ^= 1 << chance.below(8);
    if (kind === 'byte') bytes[at] = (bytes[at]! + 1 + chance.below(255)) & 255;
    if (kind === 'zeros') bytes.fill(0, at, Math.min(bytes.length, at + 1 + chance.below(512)));
    if (bytes.equals(before)) bytes[at]! ^= 128; // zeros where zeros stood
    writeFileSync(path, bytes);
  }
  utimesSync(path, atime, mtime);
  return `${kind} at ${at} of ${before.length} in ${file}`;
}

interface Outcome {
  readonly attempt: number;
  readonly did: string;
  readonly wrong: string[];
  readonly missed: boolean;
  readonly unrepaired: string | undefined;
  readonly told: number;
}

async function attempt(
  number: number,
  seed: number,
  original: string,
  wanted: Record<string, string>,
): Promise<Outcome> {
  const place = join(original, '..', '..', `attempt-${number}`);
  cpSync(join(original, '..'), place, { recursive: true, preserveTimestamps: true });
  const address = join(place, '.ibid');
  try {
    const did = damage(address, chanceOf(seed, number));
    const given = await readAll(address);
    const ways = Object.entries(given);
    const wrong = ways.filter(([way, text]) => text !== wanted[way] && text !== 'error INDEX_DAMAGED');
    const told = ways.filter(([, text]) => text === 'error INDEX_DAMAGED').length;
    let missed = true;
    let unrepaired: string | undefined;
    try {
      await using index = await openIndex(address, options);
      missed = (await index.check()).every(({ ok }) => ok);
      const { lost } = await index.repair();
      if (lost.length > 0) unrepaired = `lost ${lost.join(', ')}`;
      const bad = (await index.check()).filter(({ ok }) => !ok);
      if (bad.length > 0) unrepaired = `still ${bad.map(({ check, detail }) => `${check}: ${detail}`).join('; ')}`;
    } catch (error) {
      unrepaired = `${codeOf(error)} ${error instanceof Error ? error.message : ''}`;
    }
    const after = unrepaired === undefined ? await readAll(address) : wanted;
    const differs = Object.entries(wanted).find(([way, text]) => after[way] !== text);
    if (differs) unrepaired = `${differs[0]} gives something else than before`;
    return {
      attempt: number,
      did,
      wrong: wrong.map(([way, text]) => `${way}: ${text.slice(0, 80)}`),
      missed,
      unrepaired,
      told,
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

interface Share {
  readonly numbers: readonly number[];
  readonly seed: number;
  readonly blind: boolean;
}

/** Runs its share of the attempts and sends each outcome to the parent. */
async function work({ numbers, seed, blind }: Share): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'ibid-flips-'));
  let stopped = false;
  process.on('disconnect', () => {
    stopped = true;
  });
  process.on('SIGINT', () => {}); // the parent says when
  try {
    const original = await makeIndex(root);
    if (blind) rmSync(join(original, 'checksums'), { recursive: true });
    const wanted = await readAll(original);
    for (const number of numbers) {
      if (stopped) break;
      process.send?.(await attempt(number, seed, original, wanted));
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { values } = readFlags(import.meta.filename, {
    options: {
      attempts: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      processes: { type: 'string', default: '2' },
      blind: { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  });
  const seed = Number(values.seed);
  const numbers = values.only === undefined ? [...Array(Number(values.attempts)).keys()] : [Number(values.only)];
  const run = beginRun({
    kind: 'trials',
    command: `npm run flips -- --attempts ${numbers.length} --seed ${seed}`,
    seed,
  });
  const stop = stopAfter(24 * 60);
  const outcomes: Outcome[] = [];
  const processes = Math.min(Number(values.processes), numbers.length);
  await Promise.all(
    Array.from({ length: processes }, async (_, p) => {
      const share = numbers.filter((_number, i) => i % processes === p);
      const child = fork(import.meta.filename, [
        '--work',
        JSON.stringify({ numbers: share, seed, blind: values.blind }),
      ]);
      child.on('message', (message) => {
        outcomes.push(message as Outcome); // sent by `work`
        if (outcomes.length % 100 === 0) process.stderr.write(`${outcomes.length} of ${numbers.length}\n`);
        if (stop.reason !== undefined) child.disconnect();
      });
      await new Promise((resolve) => child.on('exit', resolve));
    }),
  );
  const left = numbers.length - outcomes.length;
  const skipped = left > 0 ? [{ what: `${left} attempts`, reason: stop.reason ?? 'a process ended early' }] : [];
  reportTrials(run, { sets: [setOf(outcomes, seed)], skipped }, values.out);
}

function setOf(outcomes: readonly Outcome[], seed: number): TrialSet {
  const command = (number: number): string => `npm run flips -- --seed ${seed} --only ${number}`;
  const findings = outcomes
    .toSorted((a, b) => a.attempt - b.attempt)
    .flatMap(({ attempt: number, did, wrong, missed, unrepaired }): TrialFinding[] => [
      ...wrong.map((what) => ({ what: `${did}: wrong without an error: ${what}`, command: command(number) })),
      ...(missed ? [{ what: `${did}: check says that all is well`, command: command(number) }] : []),
      ...(unrepaired === undefined ? [] : [{ what: `${did}: not repaired: ${unrepaired}`, command: command(number) }]),
    ]);
  return {
    name: 'bits flipped and ends cut in the files of an index',
    invariant: 'Reading gives what was written, or INDEX_DAMAGED; `check` notices; `repair` makes the index whole.',
    attempts: outcomes.length,
    figures: {
      'wrong results without an error': outcomes.filter(({ wrong }) => wrong.length > 0).length,
      'missed by check': outcomes.filter(({ missed }) => missed).length,
      'not repaired': outcomes.filter(({ unrepaired }) => unrepaired !== undefined).length,
      'told by a reading': outcomes.filter(({ told }) => told > 0).length,
    },
    findings,
  };
}

const share = process.argv.indexOf('--work');
if (share >= 0) {
  await work(JSON.parse(process.argv[share + 1]!) as Share); // from `main`
  process.disconnect?.();
} else await main();
