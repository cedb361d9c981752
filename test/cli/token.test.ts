import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';

it('a token that is revoked by its name is told with its id', async () => {
  const cwd = tempFolder();
  const tokens = ['--tokens', join(cwd, 'tokens.json')];
  const made = await runCli(['token', 'create', 'reading room', ...tokens, '--json'], { cwd });
  const { id } = JSON.parse(made.stdout) as { readonly id: string };
  const byName = await runCli(['token', 'revoke', 'reading room', ...tokens], { cwd });
  expect(byName.status).toBe(2);
  expect(byName.stderr).toContain(`A token is revoked by its id: ${id}.`);
  expect((await runCli(['token', 'revoke', id, ...tokens], { cwd })).status).toBe(0);
  expect((await runCli(['token', 'revoke', id, ...tokens], { cwd })).stderr).toContain('See `ibid token list`.');
});
