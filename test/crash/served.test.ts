import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openIndex } from '../../src/index.ts';
import { cliEntry } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';
import { randomSource } from '../unit/vector/random.ts';

const ROUNDS = 6;

interface Served {
  readonly url: string;
  readonly child: ChildProcess;
}

async function start(cwd: string): Promise<Served> {
  const child = spawn(process.execPath, [cliEntry, 'serve', '--port', '0', '--watch', 'docs', '--json'], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for await (const part of child.stdout) {
    said += String(part);
    if (said.includes('\n')) break;
  }
  return { url: (JSON.parse(said) as { url: string }).url, child };
}

/** Every document that the server says it has. */
async function documentsOf(url: string): Promise<readonly string[]> {
  const { documents } = (await (await fetch(`${url}/api/documents?limit=500`)).json()) as {
    documents: readonly { readonly uri: string }[];
  };
  return documents.map(({ uri }) => uri);
}

it('a server that is killed at any moment keeps every document that it said it had', async () => {
  const cwd = tempFolder({ 'docs/first.md': 'The keeper counts ships.\n' });
  const random = randomSource(11);
  const said = new Set<string>();
  let written = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { url, child } = await start(cwd);
    const before = said.size;
    for (let i = 0; i < 60; i++) {
      const name = `docs/r${round}-${i}.md`;
      writeFileSync(join(cwd, name), `# Note ${round} ${i}\n\nThe lantern of pier ${round * 60 + i} is lit at dusk.\n`);
      written++;
    }
    // Every second kill comes before the first new document is told, the others soon after it.
    const waits = round % 2 === 1;
    const latest = performance.now() + (waits ? 30_000 : random.integer(200, 2000));
    for (let left = Infinity; performance.now() < latest && left > 0; left -= 30) {
      for (const uri of await documentsOf(url).catch(() => [])) said.add(uri);
      if (waits && left === Infinity && said.size > before) left = random.integer(0, 1500);
      await sleep(30);
    }
    child.kill('SIGKILL');
    await new Promise((done) => child.once('exit', done));
    await using index = await openIndex(join(cwd, '.ibid'));
    const there = new Set((await Array.fromAsync(index.documents())).map(({ uri }) => uri));
    expect([...said].filter((uri) => !there.has(uri))).toEqual([]);
  }
  const { url, child } = await start(cwd);
  await expect.poll(async () => (await documentsOf(url)).length, { timeout: 60_000 }).toBe(written + 1);
  expect(said.size).toBeGreaterThan(60);
  rmSync(join(cwd, 'docs/first.md'));
  await expect.poll(async () => (await documentsOf(url)).length, { timeout: 60_000 }).toBe(written);
  child.kill('SIGKILL');
}, 240_000);
