import { lookup } from 'node:dns/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliResult, runCli } from '../support/cli.ts';
import { tempFolder, writeFiles } from '../support/temp.ts';
import { commonService } from '../wire/service/common/common-service.ts';
import { type Harness, serve } from '../wire/service/harness.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { type Service, startService } from '../wire/service/service.ts';

const readmePath = join(import.meta.dirname, '../../src/services/README.md');
const documents = { 'docs/pump.md': '# Pump\n\nThe pump is water cooled. Its rated pressure is 40 bar.\n' };
const question = 'What is the rated pressure of the pump?';

type KeyName = 'search' | 'messages' | 'audio';
const keyOf = { search: 'test-search-key', messages: 'test-key', audio: 'test-audio-key' } as const;

interface Row {
  readonly name: string;
  readonly keys?: readonly KeyName[];
  /** The key that is wrong from after the first ingest on. */
  readonly wrong?: KeyName;
  /** The services stand behind a host of the private network, by http. */
  readonly gateway?: 'named' | 'not named';
  readonly own?: readonly ('embedder' | 'writer')[];
  /** What follows from the rules of the README, worked out by hand. */
  readonly says: { readonly ingest: string; readonly search: string; readonly ask: string; readonly doctor: string };
}

const written = 'grounded, by assistant-medium-4-6';
const local = { ingest: 'local', search: 'hybrid' };
const billed = { ingest: 'embed-context-v1-0.6b', search: 'hybrid' };

const rows: readonly Row[] = [
  { name: 'none', says: { ...local, ask: 'extractive', doctor: 'ok' } },
  { name: 'search', keys: ['search'], says: { ...billed, ask: 'extractive', doctor: 'ok: search' } },
  { name: 'messages', keys: ['messages'], says: { ...local, ask: written, doctor: 'ok: messages' } },
  { name: 'audio', keys: ['audio'], says: { ...local, ask: 'extractive', doctor: 'ok: audio' } },
  {
    name: 'search, messages',
    keys: ['search', 'messages'],
    says: { ...billed, ask: written, doctor: 'ok: search, messages' },
  },
  {
    name: 'search, audio',
    keys: ['search', 'audio'],
    says: { ...billed, ask: 'extractive', doctor: 'ok: search, audio' },
  },
  {
    name: 'messages, audio',
    keys: ['messages', 'audio'],
    says: { ...local, ask: written, doctor: 'ok: messages, audio' },
  },
  {
    name: 'all three',
    keys: ['search', 'messages', 'audio'],
    says: { ...billed, ask: written, doctor: 'ok: search, messages, audio' },
  },
  {
    name: 'all three, search wrong since the first ingest',
    keys: ['search', 'messages', 'audio'],
    wrong: 'search',
    says: {
      ingest: 'KEY_REJECTED',
      search: 'words alone',
      ask: written,
      doctor: 'BAD: search; ok: messages, audio',
    },
  },
  {
    name: 'all three, messages wrong',
    keys: ['search', 'messages', 'audio'],
    wrong: 'messages',
    says: { ...billed, ask: 'KEY_REJECTED', doctor: 'BAD: messages; ok: search, audio' },
  },
  {
    name: 'search, messages behind a gateway on http, not named',
    keys: ['search', 'messages'],
    gateway: 'not named',
    says: {
      ingest: 'UNSAFE_ADDRESS',
      search: 'INDEX_NOT_FOUND',
      ask: 'INDEX_NOT_FOUND',
      doctor: 'BAD: IBID_SEARCH_API_KEY, IBID_MESSAGES_API_KEY, index',
    },
  },
  {
    name: 'search, messages behind a gateway on http, named',
    keys: ['search', 'messages'],
    gateway: 'named',
    says: { ...billed, ask: written, doctor: 'ok: search, messages' },
  },
  {
    name: 'none; own embedder',
    own: ['embedder'],
    says: { ingest: 'embedder of the own server', search: 'hybrid', ask: 'extractive', doctor: 'ok: own server' },
  },
  {
    name: 'none; own model',
    own: ['writer'],
    says: { ...local, ask: 'grounded, by writer', doctor: 'ok: own server' },
  },
  {
    name: 'none; own embedder and own model',
    own: ['embedder', 'writer'],
    says: {
      ingest: 'embedder of the own server',
      search: 'hybrid',
      ask: 'grounded, by writer',
      doctor: 'ok: own server',
    },
  },
];

/** A host of the private network that passes bytes on to a port of this machine. */
async function gatewayTo(port: number): Promise<string> {
  const { address } = await lookup(hostname(), { family: 4 });
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  await new Promise<void>((done) => server.listen(0, address, done));
  onTestFinished(() => void server.close());
  return `http://${hostname()}:${(server.address() as AddressInfo).port}`;
}

interface Place {
  readonly service: Service;
  readonly own: Harness;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

async function placeOf({ keys = [], gateway, own = [] }: Row): Promise<Place> {
  const service = await startService();
  service.messages.model = extractiveAnswerer().model;
  const server = await serve([commonService()]);
  onTestFinished(async () => {
    await service.close();
    await server.close();
  });
  const url = gateway === undefined ? service.url : await gatewayTo(service.port);
  const config = {
    folders: ['docs'],
    ...(keys.includes('search') && { embedder: 'embed-context-v1-0.6b' }),
    ...(own.includes('embedder') && { embedder: { server: 'own', model: 'embedder' } }),
    ...(own.includes('writer') && { models: { writer: { server: 'own', model: 'writer' } } }),
    ...(own.length > 0 && { servers: { own: { baseUrl: server.url } } }),
    ...(gateway === 'named' && { privateAddresses: [url] }),
  };
  const folder = tempFolder({ ...documents, 'ibid.config.json': JSON.stringify(config) });
  const set = keys.flatMap((name) => [
    [`IBID_${name.toUpperCase()}_API_KEY`, keyOf[name]],
    [`IBID_${name.toUpperCase()}_BASE_URL`, url],
  ]);
  return { service, own: server, folder, env: { ...process.env, ...Object.fromEntries(set) } };
}

/** The code of an error, or what the output says. */
const codeOr = ({ status, stderr }: CliResult, said: () => string): string =>
  status === 0 ? said() : (/^error\[(\w+)\]/m.exec(stderr)?.[1] ?? `exit ${status}: ${stderr}`);

function doctorSays({ stdout }: CliResult): string {
  const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; detail: string }[] };
  const named = (check: string): string => (check === 'server own' ? 'own server' : check.replace(/ service$/, ''));
  const bad = findings.filter(({ ok }) => !ok).map(({ check }) => named(check));
  const good = findings.filter(({ ok, detail }) => ok && detail.startsWith('answers')).map(({ check }) => named(check));
  const parts = [
    bad.length > 0 ? `BAD: ${bad.join(', ')}` : '',
    good.length > 0 ? `ok: ${good.join(', ')}` : bad.length > 0 ? '' : 'ok',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

const shown: string[] = [];

describe('keys and servers', () => {
  it.each(rows)('$name', async (row) => {
    const { service, own, folder, env } = await placeOf(row);
    const wrong = row.wrong && { [`IBID_${row.wrong.toUpperCase()}_API_KEY`]: 'a-wrong-key-of-somebody' };
    let now = env;
    const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: folder, env: now });
    if (row.wrong === 'search') {
      await run('ingest');
      writeFiles(folder, { 'docs/valve.md': '# Valve\n\nThe valve opens.\n' });
    }
    now = { ...env, ...wrong };
    const ingest = await run('ingest');
    const status = await run('status', '--json');
    const { embedder = '' } = status.status === 0 ? (JSON.parse(status.stdout) as { embedder?: string }) : {};
    const search = await run('search', 'rated pressure', '--verbose');
    const ask = await run('ask', question, '--json');
    const doctor = await run('doctor', '--online', '--json');
    const answered = (): string => {
      const { mode, model, citations } = JSON.parse(ask.stdout) as Record<string, unknown> & { citations: unknown[] };
      expect(citations.length).toBeGreaterThan(0);
      return model === undefined ? String(mode) : `${mode}, by ${model}`;
    };
    const says = {
      ingest: codeOr(ingest, () =>
        embedder.startsWith('local-')
          ? 'local'
          : embedder.includes('embed-context')
            ? embedder.replace('@1024', '')
            : `${embedder.replace(/[@:/ ].*/, '')} of the own server`,
      ),
      search: codeOr(search, () =>
        search.stderr.includes('note: searched by words alone') ? 'words alone' : 'hybrid',
      ),
      ask: codeOr(ask, answered),
      doctor: doctorSays(doctor),
    };
    expect(says, [ingest, search, ask].map(({ stderr }) => stderr).join('\n')).toEqual(row.says);
    if (says.search !== 'INDEX_NOT_FOUND') expect(search.stdout).toContain('docs/pump.md');
    const asked = new Set(service.requests.map(({ service: name }) => name));
    const { keys = [] } = row;
    for (const name of ['search', 'messages', 'audio'] as const)
      expect(asked.has(name), name).toBe(keys.includes(name) && row.gateway !== 'not named');
    expect(own.requests.length > 0).toBe(row.own !== undefined);
    const printed = [ingest, status, search, ask, doctor].map(({ stdout, stderr }) => stdout + stderr).join('\n');
    for (const key of [...Object.values(keyOf), 'a-wrong-key-of-somebody']) expect(printed).not.toContain(key);
    shown.push(`| ${row.name} | ${says.ingest} | ${says.search} | ${says.ask} | ${says.doctor} |`);
  });

  it('stand in src/services/README.md (UPDATE_GOLDEN=1 rewrites the table)', () => {
    const table = [
      '| keys | `ingest` | `search` | `ask` | `doctor` |',
      '| --- | --- | --- | --- | --- |',
      ...shown,
    ].join('\n');
    const text = readFileSync(readmePath, 'utf8');
    const now = text.replace(
      /<!-- matrix -->[\s\S]*<!-- \/matrix -->/,
      () => `<!-- matrix -->\n${table}\n<!-- /matrix -->`,
    );
    expect(shown).toHaveLength(rows.length);
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(readmePath, now);
    expect(now).toBe(readFileSync(readmePath, 'utf8'));
  });
});
