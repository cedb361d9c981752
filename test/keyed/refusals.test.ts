import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliResult, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { toolUser } from '../wire/service/messages/tool-user.ts';
import { type Service, startService } from '../wire/service/service.ts';
import { serviceEnvironment } from './support.ts';

const documents = { 'docs/pump.md': '# Pump\n\nThe pump is serviced in May. Its rated pressure is 40 bar.\n' };
const question = 'What is the rated pressure of the pump?';

interface Place {
  readonly folder: string;
  readonly service: Service;
  run(...args: string[]): Promise<CliResult>;
  runWith(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<CliResult>;
}

/** A folder, the stand-ins, and the command with keys of all three. */
async function place(files: Readonly<Record<string, string>> = documents): Promise<Place> {
  const folder = tempFolder(files);
  const service = await startService();
  onTestFinished(() => service.close());
  const env = serviceEnvironment(service.url, ['search', 'messages', 'audio']);
  const runWith = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
    runCli(args, { cwd: folder, env: { ...env, ...environment } });
  return { folder, service, runWith, run: (...args) => runWith({}, ...args) };
}

describe('a question that looks at no document', () => {
  it('needs no index, and leaves none behind', async () => {
    const { folder, run } = await place({});
    for (const args of [['answer'], ['ask', '--mode', 'answer']]) {
      const { status, stdout, stderr } = await run(...args, 'How tall is the Harbour Tower?');
      expect(status, stderr).toBe(0);
      expect(stdout.length).toBeGreaterThan(20);
    }
    expect(existsSync(join(folder, '.ibid'))).toBe(false);
    const looking = await run('ask', question, '--mode', 'answer', '--fallback', 'answer,extractive');
    expect(looking.stderr).toMatch(/^error\[INDEX_NOT_FOUND\].*\nhint: Build one with `ibid ingest/m);
  });
});

describe('an index that is not there', () => {
  it('is said how to make: with the folders of a configuration in one word', async () => {
    const { folder, run } = await place({});
    writeFileSync(join(folder, 'ibid.config.json'), JSON.stringify({ folders: ['docs'] }));
    const { stderr } = await run('search', 'pump');
    expect(stderr).toContain(`hint: Run \`ibid ingest\`: ${join(folder, 'ibid.config.json')} names its folders.\n`);
    expect((await run('doctor')).stdout).toContain('. Run `ibid ingest`: ');
    expect((await run('search', 'pump', '--index', 'other')).stderr).toContain('hint: Build one with `ibid ingest <');
  });
});

describe('a flag that the mode has no use for', () => {
  it.each([
    [['ask', question, '--mode', 'answer', '--where', 'true'], '--where has no meaning for answer', 'extractive'],
    [['ask', question, '--mode', 'answer', '--rerank'], '--rerank has no meaning for answer', 'research'],
    [
      ['ask', question, '--mode', 'research', '--web-fetch', '--web'],
      '--web-fetch has no meaning for research',
      'agent',
    ],
    [['ask', question, '--mode', 'research', '--thinking', '100'], '--thinking has no meaning for research', 'agent'],
    [['ask', question, '--preset', 'deep-research'], '--preset has no meaning for grounded', 'agent'],
    [['ask', question, '--sentences', '1'], '--sentences has no meaning for grounded', 'extractive'],
    [['ask', question, '--agent', '--passages', '3'], '--passages has no meaning for agent', 'grounded'],
    [['ask', question, '--extractive', '--effort', 'high'], '--effort has no meaning for extractive', 'grounded'],
    [['ask', question, '--extractive', '--marks'], '--marks has no meaning for extractive', 'grounded'],
    [
      ['ask', question, '--mode', 'grounded', '--sentences', '2'],
      '--sentences has no meaning for grounded',
      'extractive',
    ],
    [['answer', question, '--thinking', '100'], '--thinking has no meaning for answer', 'grounded'],
    [
      ['answer', question, '--effort', 'low'],
      'of the answer service only the deep model takes an effort, not answer-base',
      'deep',
    ],
    [['answer', question, '--effort', 'max'], 'the answer service knows no effort "max"', 'high'],
  ])('%j is refused with a sentence', async (args, why, instead) => {
    const { service, run } = await place();
    const { status, stdout, stderr } = await run(...args);
    expect(stderr).toContain(`error[INVALID_ARGUMENT]: ${why}`);
    expect(stderr).toMatch(new RegExp(`^hint: .*${instead}`, 'm'));
    expect({ status, stdout, sent: service.requests }).toEqual({ status: 2, stdout: '', sent: [] });
  });

  it('is refused where no model is there to write, and no mode is named', async () => {
    const { runWith } = await place({});
    for (const flag of ['--look', '--marks']) {
      const { status, stderr } = await runWith({ IBID_MESSAGES_API_KEY: '' }, 'ask', question, flag);
      expect([status, stderr]).toEqual([2, expect.stringContaining(`${flag} has no meaning for extractive`)]);
    }
  });

  it('is taken where a fallback has a use for it', async () => {
    const { run } = await place();
    expect((await run('ingest', 'docs')).status).toBe(0);
    const { status, stderr } = await run('ask', question, '--fallback', 'answer,extractive', '--sentences', '1');
    expect(status, stderr).toBe(0);
  });

  it('and filters of the web reach the services that search it by themselves', async () => {
    const { service, run } = await place();
    expect((await run('ingest', 'docs')).status).toBe(0);
    const web = ['--web-domain', 'example.org', '--web-recency', 'month'];
    const filters = { search_domain_filter: ['example.org'], search_recency_filter: 'month' };
    for (const [mode, effort, filtered] of [
      ['answer', [], (body: Record<string, unknown>) => body],
      [
        'research',
        ['--effort', 'low'],
        (body: Record<string, unknown>) => (body.tools as { type: string; config: object }[])[0]!.config,
      ],
    ] as const) {
      service.clear();
      const { status, stderr } = await run('ask', question, '--mode', mode, ...web, ...effort);
      expect(status, stderr).toBe(0);
      const body = service.requests[0]!.body as Record<string, unknown>;
      expect(filtered(body), mode).toMatchObject(filters);
      expect(body.reasoning).toEqual(mode === 'research' ? { effort: 'low' } : undefined);
    }
  });
});

describe('errors and notes of a question', () => {
  it('carry no advice for an ingest', async () => {
    const { run } = await place();
    await run('ingest', 'docs');
    for (const args of [['ask'], ['ask', '--agent'], ['research'], ['answer']]) {
      const { stderr } = await run(...args, question, '--budget', '0.000001');
      expect(stderr).toMatch(/^error\[BUDGET_EXCEEDED\].*\nhint: Raise the budget/m);
      expect(stderr).not.toMatch(/Finished work|billed twice|ingest/);
    }
  });

  it('say what the next call of an agent costs, not what the budget is', async () => {
    const { service, run } = await place();
    await run('ingest', 'docs');
    service.messages.model = toolUser({
      rounds: [[{ name: 'search_index', input: { query: question } }]],
      answer: extractiveAnswerer().model,
    });
    const { status, stderr } = await run('ask', question, '--agent', '--max-tokens', '4000', '--budget', '5');
    expect(status, stderr).toBe(0);
    const told = [...stderr.matchAll(/the next call costs at most (\d+\.\d\d) USD/g)].map(([, usd]) => Number(usd));
    expect(told).toHaveLength(2);
    for (const usd of told) {
      expect(usd).toBeGreaterThanOrEqual((4000 * 15) / 1e6); // all of the answer, at 15 USD for a million tokens
      expect(usd).toBeLessThan(0.1);
    }
  });
});

describe('addresses', () => {
  it('mean the same with /v1 at the end and without', async () => {
    const { service, runWith } = await place();
    await runWith({}, 'ingest', 'docs');
    const environment = {
      IBID_SEARCH_BASE_URL: `${service.url}/v1`,
      IBID_MESSAGES_BASE_URL: `${service.url}/v1/`,
      IBID_AUDIO_BASE_URL: `${service.url}/v1`,
    };
    expect((await runWith(environment, 'ask', question)).status).toBe(0);
    expect((await runWith(environment, 'answer', question)).status).toBe(0);
    expect((await runWith(environment, 'doctor', '--online')).status).toBe(0);
    expect(service.requests.map(({ path }) => path).filter((path) => path.includes('/v1/v1'))).toEqual([]);
  });

  it.each([
    ['no address', { IBID_SEARCH_BASE_URL: '' }, 'INVALID_ARGUMENT', 'IBID_SEARCH_BASE_URL'],
    ['no such profile', { IBID_SEARCH_PROFILE: 'mine' }, 'INVALID_ARGUMENT', 'reference or public'],
    ['http', { IBID_SEARCH_BASE_URL: 'http://search.example' }, 'UNSAFE_ADDRESS', '`privateAddresses`'],
  ])('that are wrong (%s) stop only what needs the service, and doctor says so', async (_, wrong, code, hint) => {
    const { service, runWith } = await place();
    expect((await runWith(wrong, 'ingest', 'docs')).status).toBe(0);
    expect((await runWith(wrong, 'status')).status).toBe(0);
    expect((await runWith(wrong, 'search', 'pump')).stdout).toContain('docs/pump.md');
    expect((await runWith(wrong, 'ask', question)).status).toBe(0); // the messages service writes
    expect(service.requests.map(({ service }) => service)).not.toContain('search');
    const needing = await runWith(wrong, 'research', question);
    expect(needing.stderr).toMatch(new RegExp(`^error\\[${code}\\].*\\nhint: .*${hint}`, 'm'));
    const doctor = await runWith(wrong, 'doctor');
    expect(doctor.stdout).toMatch(/^BAD {2}IBID_SEARCH_API_KEY: /m);
    expect(doctor.stdout).toMatch(/^ok {3}IBID_MESSAGES_API_KEY: is set/m);
    expect(doctor.stdout).toMatch(/^ok {3}manifest: /m);
    expect(doctor.status).toBe(1);
  });

  it('of an index with vectors of the service too: words answer, and the reason is told', async () => {
    const { folder, runWith } = await place();
    expect((await runWith({}, 'ingest', 'docs', '--embedder', 'embed-v1-0.6b')).status).toBe(0);
    const wrong = { IBID_SEARCH_BASE_URL: '' };
    const { status, stdout, stderr } = await runWith(wrong, 'search', 'pump');
    expect({ status, found: stdout.includes('docs/pump.md') }).toEqual({ status: 0, found: true });
    expect(stderr).toContain('IBID_SEARCH_API_KEY is set, but not IBID_SEARCH_BASE_URL');
    writeFileSync(join(folder, 'docs/valve.md'), '# Valve\n\nThe valve opens.\n');
    expect((await runWith(wrong, 'ingest', 'docs')).stderr).toMatch(/^error\[INVALID_ARGUMENT\]: IBID_SEARCH_API_KEY/m);
    expect((await runWith(wrong, 'reembed', '--to', 'local', '--yes')).stdout).toContain('switched');
    expect((await runWith(wrong, 'ingest', 'docs')).stdout).toContain('1 added');
  });
});

describe('doctor --online', () => {
  it('asks each service once, for nothing, and says which key is wrong', async () => {
    const { service, run, runWith } = await place();
    await run('ingest', 'docs');
    const good = await run('doctor', '--online');
    expect(good.status, good.stdout).toBe(0);
    for (const name of ['search', 'messages', 'audio'])
      expect(good.stdout).toMatch(
        new RegExp(`^ok {3}${name} service: answers, and takes the key; it lists \\d+ models`, 'm'),
      );
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/models',
      'GET /v1/models',
      'GET /v1/models',
    ]);
    expect(service.ledger.totals().usd).toBe(0);
    for (const name of ['SEARCH', 'MESSAGES', 'AUDIO']) {
      const wrong = await runWith({ [`IBID_${name}_API_KEY`]: 'a-wrong-key-of-somebody' }, 'doctor', '--online');
      expect(wrong.stdout).toContain(`BAD  ${name.toLowerCase()} service: IBID_${name}_API_KEY is not accepted`);
      expect(wrong.stdout.match(/^BAD/gm)).toHaveLength(1);
      expect(wrong.stdout + wrong.stderr).not.toContain('a-wrong-key');
      expect(wrong.status).toBe(1);
    }
  });

  it('says what does not answer, and without it nothing is asked', async () => {
    const { service, run, runWith } = await place();
    const { stdout } = await runWith({ IBID_MESSAGES_BASE_URL: 'http://127.0.0.1:9' }, 'doctor', '--online');
    expect(stdout).toMatch(/^BAD {2}messages service: .*\[CONNECTION_FAILED\]/m);
    service.clear();
    await run('doctor');
    expect(service.requests).toEqual([]);
  });
});
