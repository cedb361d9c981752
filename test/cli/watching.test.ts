import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
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
