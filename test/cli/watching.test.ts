import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockFolder } from '../../src/store/lock.ts';
import { runCli } from '../support/cli.ts';
import { makeOld } from '../support/old-index.ts';
import { tempFolder } from '../support/temp.ts';

it('a watch of a folder that lost most of its files names the command that removes them from the index', async () => {
  const names = ['a', 'b', 'c'].map((name) => `docs/${name}.md`);
  const cwd = tempFolder(Object.fromEntries(names.map((name) => [name, `The ferry of ${name} leaves at seven.\n`])));
  expect((await runCli(['ingest', 'docs'], { cwd })).status).toBe(0);
  for (const name of names.slice(1)) rmSync(join(cwd, name));
  const onStderr = (text: string, kill: (signal: NodeJS.Signals) => void): void => {
    if (text.includes('hint: ')) kill('SIGTERM');
  };
  const { stderr } = await runCli(['watch', 'docs'], { cwd, onStderr });
  expect(stderr).toContain('error[DELETE_GUARD]');
  expect(stderr).toContain('`ibid ingest --force`');
}, 60_000);

it('a watch tells once that the index must be rebuilt, and goes on when somebody has rebuilt it', async () => {
  const cwd = tempFolder({ 'docs/a.md': 'The ferry leaves at seven.\n' });
  expect((await runCli(['ingest', 'docs'], { cwd })).status).toBe(0);
  await makeOld(join(cwd, '.ibid'));
  let rebuilt: Promise<unknown> | undefined;
  const onStderr = (text: string, kill: (signal: NodeJS.Signals) => void): void => {
    if (text.includes('hint: '))
      rebuilt ??= new Promise((resolve) => setTimeout(resolve, 7000)) // one more run fails meanwhile
        .then(() => runCli(['ingest', 'docs', '--rebuild', '--quiet'], { cwd }))
        .then(() => setTimeout(() => kill('SIGTERM'), 8000));
  };
  const { stderr, stdout } = await runCli(['watch', 'docs'], { cwd, onStderr });
  await rebuilt;
  expect(stderr.match(/error\[INDEX_MISMATCH\]/g)).toHaveLength(1);
  expect(stderr).toContain('`ibid ingest --rebuild`');
  expect(stdout).toContain('nothing to do');
}, 90_000);

it('a server that watches such a folder logs it in the words of the command line', async () => {
  const names = ['a', 'b', 'c'].map((name) => `docs/${name}.md`);
  const cwd = tempFolder(Object.fromEntries(names.map((name) => [name, `The ferry of ${name} leaves at seven.\n`])));
  expect((await runCli(['ingest', 'docs'], { cwd })).status).toBe(0);
  for (const name of names.slice(1)) rmSync(join(cwd, name));
  const onStderr = (text: string, kill: (signal: NodeJS.Signals) => void): void => {
    if (text.includes('\n')) kill('SIGTERM');
  };
  const { stderr } = await runCli(['serve', '--port', '0', '--watch', 'docs'], { cwd, onStderr });
  const { event, error } = JSON.parse(stderr.split('\n')[0]!) as { event: string; error: string };
  expect(event).toBe('failed');
  expect(error).toContain('`--force`');
  expect(error).not.toContain('`force: true`');
}, 60_000);

it('a watch waits for another writer and says nothing of it', async () => {
  const cwd = tempFolder({ 'docs/a.md': 'The ferry leaves at seven.\n' });
  expect((await runCli(['ingest', 'docs'], { cwd })).status).toBe(0);
  const lock = await lockFolder(join(cwd, '.ibid', 'locks'));
  let released: Promise<void> | undefined;
  const onStderr = (text: string, kill: (signal: NodeJS.Signals) => void): void => {
    if (text.includes('watching;'))
      released ??= new Promise((resolve) => setTimeout(resolve, 3000)) // the first run has begun, and waits
        .then(() => lock.release())
        .then(() => void setTimeout(() => kill('SIGTERM'), 4000));
  };
  const { stderr, stdout } = await runCli(['watch', 'docs'], { cwd, onStderr });
  await released;
  expect(stderr).not.toContain('INDEX_LOCKED');
  expect(stdout).toContain('nothing to do');
}, 60_000);
