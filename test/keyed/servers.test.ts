import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliResult, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';
import { type CommonStandInOptions, commonService } from '../wire/service/common/common-service.ts';
import { type Harness, serve } from '../wire/service/harness.ts';

const documents = {
  'docs/pump.md': '# Pump\n\nThe pump is water cooled. Its rated pressure is 40 bar.\n',
  'docs/valve.md': '# Valve\n\nThe valve opens above 45 bar.\n',
};
const question = 'What is the rated pressure of the pump?';
const models = [{ id: 'embedder' }, { id: 'writer' }, { id: 'larger' }, { id: 'reranker' }];

interface Place {
  readonly server: Harness;
  run(...args: string[]): Promise<CliResult>;
  runWith(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<CliResult>;
  configure(config: object): void;
}

/** A folder with a configuration, and a server of the common dialect. */
async function place(config: (url: string) => object, options: CommonStandInOptions = {}): Promise<Place> {
  const server = await serve([commonService({ models, ...options })]);
  onTestFinished(() => server.close());
  const folder = tempFolder(documents);
  const configure = (content: object): void =>
    writeFileSync(join(folder, 'ibid.config.json'), JSON.stringify({ folders: ['docs'], ...content }));
  configure(config(server.url));
  const runWith = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
    runCli(args, { cwd: folder, env: { ...process.env, ...environment } });
  return { server, configure, runWith, run: (...args) => runWith({}, ...args) };
}

const json = <T>({ status, stdout, stderr }: CliResult): T => {
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as T;
};

describe('a server of the configuration', () => {
  it('whose address is refused stops no command that asks no model, and doctor names it beside the rest', async () => {
    const own = (baseUrl: string) => ({
      servers: { desk: { baseUrl } },
      embedder: { server: 'desk', model: 'embedder' },
    });
    const { configure, run } = await place(own);
    expect((await run('ingest')).status).toBe(0);
    configure(own('http://10.0.0.5:11434'));
    expect((await run('search', 'pump')).stderr).toContain('error[UNSAFE_ADDRESS]');
    expect(json(await run('status', '--json'))).toMatchObject({ documents: 2, chunks: 2 });
    expect((await run('export')).stdout).toContain('opens above 45 bar');
    expect((await run('show', 'docs/pump.md#0-6')).status).toBe(0);
    const { status, stdout } = await run('doctor', '--json');
    expect(status).toBe(1);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; detail: string }[] };
    expect(findings.filter(({ ok }) => !ok).map(({ check }) => check)).toEqual(['server desk']);
    expect(findings.find(({ check }) => check === 'server desk')?.detail).toContain('privateAddresses');
    expect(findings.map(({ check }) => check)).toContain('manifest');
  });

  it('embeds, writes and scores, with the settings of each, and status and doctor say so', async () => {
    const { server, run } = await place((baseUrl) => ({
      servers: { desk: { baseUrl: `${baseUrl}/v1`, headers: { 'x-team': 'docs' } } },
      embedder: {
        server: 'desk',
        model: 'embedder',
        queryPrefix: 'query: ',
        documentPrefix: 'passage: ',
        context: 'none',
      },
      models: { writer: { server: 'desk', model: 'writer' }, reranker: { server: 'desk', model: 'reranker' } },
    }));
    expect((await run('ingest')).stdout).toContain('2 added');
    const inputs = (): string[] =>
      server.requests
        .filter(({ path }) => path === '/v1/embeddings')
        .flatMap(({ body }) => (body as { input: string[] }).input);
    expect(inputs()).toContain(`passage: ${documents['docs/valve.md'].trimEnd()}`); // nothing stands around it
    server.clear();
    const { hits } = json<{ hits: { uri: string }[] }>(await run('search', 'rated pressure', '--rerank', '--json'));
    expect(hits[0]!.uri).toBe('docs/pump.md');
    expect(inputs()).toEqual(['query: rated pressure']);
    expect(server.requests.map(({ path }) => path)).toContain('/v1/rerank');
    expect(server.requests.every(({ headers }) => headers['x-team'] === 'docs')).toBe(true);
    const answer = json<{ model: string; citations: { quote: string; verified: boolean }[] }>(
      await run('ask', question, '--json'),
    );
    expect(answer.model).toBe('writer');
    expect(answer.citations.every(({ verified }) => verified)).toBe(true);
    expect(answer.citations[0]!.quote).toContain('40 bar');
    expect(json<{ model: string }>(await run('ask', question, '--model', 'larger', '--json')).model).toBe('larger');
    const status = (await run('status')).stdout;
    for (const part of ['embedder embedder', 'writer writer', 'reranker reranker'])
      expect(status).toContain(`${part} of server desk, ${server.url}/v1`);
    expect((await run('doctor')).stdout).toContain(
      `ok   server desk: ${server.url}/v1: embedder embedder, writer writer, reranker reranker`,
    );
    expect((await run('doctor', '--online')).stdout).toMatch(/^ok {3}server desk: answers.*4 models$/m);
  });

  it('carries an agent with a model of its own', async () => {
    const { server, run } = await place((baseUrl) => ({
      servers: { desk: { baseUrl } },
      models: { writer: { server: 'desk', model: 'writer' }, agent: { server: 'desk', model: 'larger' } },
    }));
    await run('ingest');
    const answer = json<{ mode: string; model: string }>(await run('ask', question, '--agent', '--json'));
    expect(answer).toMatchObject({ mode: 'agent', model: 'larger' });
    const asked = server.requests.flatMap(({ body }) => (body as { model?: string } | undefined)?.model ?? []);
    expect(new Set(asked)).toEqual(new Set(['larger']));
    expect(json<{ model: string }>(await run('ask', question, '--json')).model).toBe('writer');
  });

  it('takes over an index, and gives it back: `reembed` without a name takes the configured embedder', async () => {
    const { server, run, configure } = await place(() => ({}));
    await run('ingest');
    const servers = { desk: { baseUrl: server.url } };
    configure({ servers, embedder: { server: 'desk', model: 'embedder' } });
    const other = await run('ingest');
    expect(other.stderr).toMatch(/^error\[INDEX_MISMATCH\].*\nhint: .*reembed/m);
    expect((await run('reembed', '--yes')).stdout).toContain('switched');
    expect((await run('ingest')).stdout).toContain('2 unchanged');
    expect((await run('reembed', '--to', 'local', '--yes')).stdout).toContain('switched');
    expect((await run('reembed', '--to', 'desk/embedder', '--yes')).stdout).toContain('switched');
    const unknown = await run('reembed', '--to', 'desktop/embedder');
    expect(unknown.stderr).toContain('no server "desktop" is configured');
    expect(unknown.status).toBe(2);
  });

  it('leaves words to answer when it is gone, and says why', async () => {
    const { server, run } = await place((baseUrl) => ({
      servers: { desk: { baseUrl } },
      embedder: { server: 'desk', model: 'embedder' },
    }));
    await run('ingest');
    await server.close();
    const { status, stdout, stderr } = await run('search', 'rated pressure');
    expect({ status, found: stdout.includes('docs/pump.md') }).toEqual({ status: 0, found: true });
    expect(stderr).toMatch(/note: .*words alone.*embedder/);
  });

  it('gets a key only when the address stands beside the key', async () => {
    const { server, run, runWith, configure } = await place(
      (baseUrl) => ({
        servers: { desk: { baseUrl, key: 'IBID_DESK_API_KEY' } },
        embedder: { server: 'desk', model: 'embedder' },
      }),
      { apiKey: 'a-secret-of-the-desk' },
    );
    const refused = await run('ingest');
    expect(refused.stderr).toMatch(/^error\[KEY_REJECTED\]/m);
    expect((await run('doctor')).stdout).toMatch(/^BAD {2}server desk: .*IBID_DESK_API_KEY is not set$/m);
    const key = { IBID_DESK_API_KEY: 'a-secret-of-the-desk' };
    expect((await runWith(key, 'ingest')).stdout).toContain('2 added'); // this machine
    configure({
      servers: { desk: { baseUrl: 'https://desk.example', key: 'IBID_DESK_API_KEY' } },
      embedder: { server: 'desk', model: 'embedder' },
    });
    const away = await runWith(key, 'ingest');
    expect(away.stderr).toMatch(
      /^error\[UNSAFE_ADDRESS\]: .*would send IBID_DESK_API_KEY to https:\/\/desk\.example$/m,
    );
    expect(away.stderr).toContain('IBID_DESK_BASE_URL=https://desk.example');
    expect(away.stdout + away.stderr).not.toContain('a-secret');
    expect(server.requests.filter(({ headers }) => headers.authorization !== undefined).length).toBeGreaterThan(0);
  });

  it('is reached by http in a private network only when it is named, and never in the public one', async () => {
    const { run, configure } = await place(() => ({}));
    const desk = (baseUrl: string, privateAddresses: readonly string[] = []) =>
      configure({ privateAddresses, servers: { desk: { baseUrl } }, embedder: { server: 'desk', model: 'embedder' } });
    desk('http://10.255.255.1:8080');
    const unnamed = await run('ingest');
    expect(unnamed.stderr).toMatch(/^error\[UNSAFE_ADDRESS\].*\nhint: .*`privateAddresses`/m);
    desk('http://93.184.215.14', ['http://93.184.215.14']);
    expect((await run('ingest')).stderr).toMatch(/^error\[UNSAFE_ADDRESS\]: .*public internet/m);
    desk('http://10.255.255.1:8080', ['http://10.255.255.1:9090']); // another port is another address
    expect((await run('ingest')).stderr).toMatch(/^error\[UNSAFE_ADDRESS\]/m);
  });

  it('has no use for flags of the messages service', async () => {
    const { run } = await place((baseUrl) => ({
      servers: { desk: { baseUrl } },
      models: { writer: { server: 'desk', model: 'writer' } },
    }));
    const { status, stderr } = await run('ask', question, '--effort', 'high');
    expect(stderr).toContain('--effort has no meaning for a model of the server "desk"');
    expect(status).toBe(2);
  });
});
