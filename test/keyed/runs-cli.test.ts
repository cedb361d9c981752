import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../src/eval/statistics.ts';
import type { RunEntry } from '../../src/index.ts';
import { type CliResult, cliEntry, runCli } from '../support/cli.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { makeTempFolder, tempFolder } from '../support/temp.ts';
import { type Service, startService } from '../wire/service/service.ts';
import { serviceEnvironment } from './support.ts';

const question = 'Above which wave height does the Kittiwake stay in harbour?';
const webQuestion = 'How tall is the Harbour Tower?';
const folder = makeTempFolder();
const runs = join(folder, '.ibid', 'runs');
const SEED = 20261123;
/** Kills until each of these was met: the request not answered yet, the run under way, between two requests. */
const MOST_KILLS = 12;

beforeAll(async () => {
  await copyIndex(demo, join(folder, '.ibid'));
}, 120_000);

async function served(): Promise<{ service: Service; env: NodeJS.ProcessEnv }> {
  const service = await startService({ only: ['search'] });
  onTestFinished(() => service.close());
  const env = serviceEnvironment(service.url);
  return { service, env: { ...env, XDG_STATE_HOME: join(folder, 'state') } };
}

interface Printed {
  readonly answer: string;
  readonly mode: string;
  readonly costUsd: number;
  readonly citations: readonly { readonly quote: string; readonly verified: boolean }[];
}

const printed = ({ status, stdout, stderr }: CliResult): Printed => {
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as Printed;
};

const journalOf = (id: string): RunEntry[] =>
  readFileSync(join(runs, `${id}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as RunEntry] : []));

const research = ['research', question, '--preset', 'fast-search', '--json'];

describe('a run and the command that began it', () => {
  it('Ctrl-C leaves the run, and --resume prints its answer, in a new process, for one price', async () => {
    const { service, env } = await served();
    let isStopped = false;
    const first = await runCli(research, {
      cwd: folder,
      env,
      onStderr: (text, kill) => {
        if (isStopped || !text.includes('is at work')) return;
        isStopped = true;
        kill('SIGINT');
      },
    });
    expect(first.status).toBe(130);
    const [, id] = /run (\w{8}) goes on at the service, and is billed; `ibid ask --resume \1`/.exec(first.stderr)!;
    expect(service.requests.some(({ path }) => path.endsWith('/cancel'))).toBe(false);
    const answer = printed(await runCli(['ask', '--resume', id!, '--json'], { cwd: folder, env }));
    expect(answer).toMatchObject({ mode: 'research' });
    expect(answer.citations.map(({ quote }) => quote).join()).toContain('1.2 metres');
    expect(answer.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    expect(service.ledger.totals('responses').requests).toBe(2);
    const none = await runCli(['research', '--resume', '--json'], { cwd: folder, env });
    expect([none.status, JSON.parse(none.stdout)]).toMatchObject([2, { error: { code: 'INVALID_ARGUMENT' } }]);
    // of a run that is done, the answer comes again
    expect(printed(await runCli(['ask', '--resume', id!, '--json'], { cwd: folder, env }))).toEqual(answer);
    expect(service.ledger.totals('responses').requests).toBe(2);
  });

  it('--no-wait prints the id of the run, and --resume without an id takes the newest', async () => {
    const { service, env } = await served();
    const begun = await runCli([...research.slice(0, -1), '--no-wait'], { cwd: folder, env });
    expect([begun.status, begun.stdout]).toEqual([0, expect.stringMatching(/^\w{8}\n$/)]);
    const json = await runCli(['answer', webQuestion, '--model', 'answer-deep-research', '--no-wait', '--json'], {
      cwd: folder,
      env,
    });
    const { run } = JSON.parse(json.stdout) as { run: string };
    const deep = await runCli(['answer', '--resume', '--json'], { cwd: folder, env });
    expect(printed(deep)).toMatchObject({ mode: 'answer', answer: expect.stringContaining('330') });
    expect(deep.stderr).toContain(`resuming run ${run}; left are also ${begun.stdout.trim()}`);
    expect(printed(await runCli(['ask', '--resume', '--json'], { cwd: folder, env })).mode).toBe('research');
    expect(service.ledger.totals('responses').requests).toBe(2);
    expect(service.ledger.totals('async.chat.completions').requests).toBe(1);
  });

  it('needs no index for an answer of the service: its journal lies in the folder of the user’s state', async () => {
    const { service, env } = await served();
    const cwd = tempFolder();
    const state = { ...env, XDG_STATE_HOME: join(cwd, 'state') };
    const args = ['answer', webQuestion, '--model', 'answer-deep-research', '--no-wait'];
    const { stdout } = await runCli(args, { cwd, env: state });
    expect(readdirSync(join(cwd, 'state', 'ibid', 'runs'))).toEqual([`${stdout.trim()}.jsonl`]);
    expect(printed(await runCli(['answer', '--resume', '--json'], { cwd, env: state })).answer).toContain('330');
    expect(service.ledger.totals('async.chat.completions').requests).toBe(1);
  });

  it('--cancel ends research at the service, in another process; a deep answer goes on', async () => {
    const { service, env } = await served();
    service.search.script.research = { polls: 50, cancelPolls: 2 };
    const quiet = [...research.slice(0, -1), '--no-wait'];
    const id = (await runCli(quiet, { cwd: folder, env })).stdout.trim();
    const ended = await runCli(['ask', '--cancel', id, '--json'], { cwd: folder, env });
    const told = JSON.parse(ended.stdout) as { run: string; status: string; costUsd: number; maxUsd: number };
    expect(told).toMatchObject({ run: id, status: 'cancelled' });
    expect(told.maxUsd).toBeGreaterThan(told.costUsd); // the service gives a run that it has ended no usage
    expect(service.requests.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1);
    const again = await runCli(['ask', '--resume', id], { cwd: folder, env });
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('RUN_FAILED')]);
    expect(service.ledger.totals('responses').requests).toBe(1);

    // one that was over keeps its answer
    service.search.script.research = { polls: 0 };
    const over = (await runCli(quiet, { cwd: folder, env })).stdout.trim();
    await runCli(['ask', '--resume', over], { cwd: folder, env });
    expect((await runCli(['research', '--cancel', over], { cwd: folder, env })).stdout).toContain(
      `run ${over} was over: \`ibid ask --resume ${over}\` prints its answer`,
    );
    expect(printed(await runCli(['ask', '--resume', over, '--json'], { cwd: folder, env })).mode).toBe('research');

    const deep = ['answer', webQuestion, '--model', 'answer-deep-research', '--no-wait'];
    const answer = (await runCli(deep, { cwd: folder, env })).stdout.trim();
    const refused = await runCli(['ask', '--cancel', answer], { cwd: folder, env });
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('cannot call off an answer')]);
    expect(printed(await runCli(['ask', '--resume', answer, '--json'], { cwd: folder, env })).answer).toContain('330');
  });

  it('--no-wait and --resume are refused where they have no meaning', async () => {
    const { env } = await served();
    for (const args of [
      ['ask', question, '--extractive', '--no-wait'],
      ['answer', webQuestion, '--no-wait'],
      ['ask', question, '--resume', '00000000'],
      ['ask', '--resume', '00000000'],
      ['ask', '--cancel', '00000000'],
      ['ask', question, '--cancel'],
    ]) {
      const { status, stderr } = await runCli(args, { cwd: folder, env });
      expect([status, stderr], args.join(' ')).toEqual([2, expect.stringContaining('INVALID_ARGUMENT')]);
    }
  });

  it(`killed at random instants is resumed, and pays for no request twice that the service has named (seed ${SEED})`, async () => {
    const { service, env } = await served();
    const reference = printed(await runCli(research, { cwd: folder, env }));
    const books = service.ledger.totals('responses');
    expect(reference.costUsd).toBeCloseTo(books.usd, 9);
    const random = seededRandom(SEED);
    const met = new Set<string>();
    for (let kill = 0; met.size < 3 && kill < MOST_KILLS; kill++) {
      service.clear();
      service.ledger.clear();
      service.script({ fault: { kind: 'delay', ms: 150 }, times: Infinity }); // carried out and billed, then slow
      const before = new Set(readdirSync(runs));
      const child = start(env);
      const exit = once(child, 'exit');
      const wanted = 1 + (kill % 4);
      while (service.requests.length < wanted && child.exitCode === null) await sleep(5);
      await sleep(random() * 150);
      child.kill('SIGKILL');
      await exit;
      while (service.inFlight > 0) await sleep(5);
      const id = readdirSync(runs)
        .find((name) => name.endsWith('.jsonl') && !before.has(name))!
        .replace('.jsonl', '');
      const left = journalOf(id);
      const sent = left.filter(({ type }) => type === 'sending').length;
      const named = left.filter(({ type }) => type === 'started').length;
      if (left.at(-1)!.type === 'done') continue; // the kill came too late
      met.add(sent > named ? 'unanswered' : left.some(({ type }) => type === 'ended') ? 'between' : 'under way');
      const billed = [...service.ledger.entries];
      service.clear();
      service.ledger.entries.push(...billed);
      const resumed = printed(await runCli(['ask', '--resume', id, '--json'], { cwd: folder, env }));
      expect(resumed.answer).toBe(reference.answer);
      expect(resumed.citations).toEqual(reference.citations);
      const lost = left.flatMap((entry) => (entry.type === 'sending' ? [entry] : [])).slice(named);
      const { requests, usd } = service.ledger.totals('responses');
      expect(requests).toBe(2 + lost.length);
      if (lost.length === 0) expect(resumed.costUsd).toBeCloseTo(usd, 9);
      else expect(resumed.costUsd).toBeGreaterThanOrEqual(usd);
    }
    expect([...met].sort()).toEqual(['between', 'unanswered', 'under way']);
  }, 180_000);

  function start(env: NodeJS.ProcessEnv): ChildProcess {
    return spawn(process.execPath, [cliEntry, ...research], { cwd: folder, env, stdio: 'ignore' });
  }
});
