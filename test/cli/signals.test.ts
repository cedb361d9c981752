import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { cliEntry, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';

it('a server ends at the second Ctrl-C as the system ends a program: no thread of its searches is stopped', async () => {
  const cwd = tempFolder({ 'docs/ferry.md': 'The ferry leaves at seven.\n' });
  expect((await runCli(['ingest', 'docs'], { cwd })).status).toBe(0);
  const child = spawn(process.execPath, [cliEntry, 'serve', '--port', '0', '--json', '--threads', '2'], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(String(line)) as { readonly url: string };
  const asking = connect(Number(new URL(url).port), '127.0.0.1');
  asking.on('error', () => {});
  // Its body never comes: the first Ctrl-C waits for it.
  asking.write('POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n');
  expect((await fetch(`${url}/api/search?query=ferry`)).status).toBe(200);
  child.kill('SIGINT');
  await expect
    .poll(
      () =>
        fetch(url).then(
          () => 'open',
          () => 'refused',
        ),
      { timeout: 5000 },
    )
    .toBe('refused');
  child.kill('SIGINT');
  expect(await closed).toEqual([null, 'SIGINT']);
}, 60_000);

it.skipIf(process.platform === 'win32')(
  'a closed terminal ends a command in order: nothing temporary stays',
  async () => {
    const cwd = tempFolder(
      Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [`docs/${i}.md`, `# Pump ${i}\n\nIts oil is of sort ${i}.`]),
      ),
    );
    const temporary = tempFolder({});
    const env = { ...process.env, TMPDIR: temporary };
    const child = spawn(process.execPath, [cliEntry, 'tune', 'docs', '--dry-run'], { cwd, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    const closed = once(child, 'close');
    await expect.poll(() => readdirSync(temporary), { timeout: 30_000, interval: 5 }).not.toEqual([]);
    child.kill('SIGHUP');
    expect(await closed).toEqual([130, null]);
    expect(readdirSync(temporary)).toEqual([]);
  },
  60_000,
);

it('where a first Ctrl-C cannot end what waits for a silent store, it says that a second one does', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const env = {
    ...process.env,
    AZURE_STORAGE_ACCOUNT_NAME: 'account',
    AZURE_STORAGE_ACCOUNT_KEY: 'a2V5',
    AZURE_STORAGE_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AZURE_STORAGE_ALLOW_HTTP: 'true',
  };
  const cwd = tempFolder({});
  const asked = once(server, 'connection');
  const child = spawn(process.execPath, [cliEntry, 'search', 'ferry', '--index', 'az://docs/index'], { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  await asked;
  child.kill('SIGINT');
  const [note] = await once(child.stderr, 'data');
  expect(String(note)).toContain('Ctrl-C again does not wait');
  child.kill('SIGINT');
  expect(await closed).toEqual([null, 'SIGINT']);
}, 60_000);
