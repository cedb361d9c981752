import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cliEntry, runCli } from '../support/cli.ts';
import { copyIndex, demo } from '../support/made-index.ts';
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

it('says where a token is kept, so that a mistyped index is seen', async () => {
  const cwd = tempFolder();
  const made = await runCli(['token', 'create', 'x', '--index', 'typo'], { cwd });
  expect(made.stderr).toContain(`its hash is kept in ${join(cwd, 'typo', 'tokens.json')}`);
  const secret = made.stdout.split('\n')[0]!;
  expect(readFileSync(join(cwd, 'typo', 'tokens.json'), 'utf8')).not.toContain(secret);
});

it('a filter is tried on the index before a token is made', async () => {
  const cwd = tempFolder();
  await copyIndex(demo, join(cwd, '.ibid'));
  const create = (where: string): ReturnType<typeof runCli> =>
    runCli(['token', 'create', 'reader', '--where', where, '--json'], { cwd });
  const made = await create("uri like 'handbook/%'");
  const handbook = readdirSync(join(demo, 'handbook')).length;
  expect(JSON.parse(made.stdout)).toMatchObject({ documents: handbook });
  for (const wrong of ['nosuch = 1', 'uri ==', '{"nosuch": 1}']) {
    const { status, stderr } = await create(wrong);
    expect([wrong, status, stderr.slice(0, 21)]).toEqual([wrong, 2, 'error[INVALID_FILTER]']);
  }
  const listed = await runCli(['token', 'list', '--json'], { cwd });
  expect((JSON.parse(listed.stdout) as { tokens: unknown[] }).tokens).toHaveLength(1);
});

it('a server does not start with a name or a folder that would do nothing', async () => {
  const cwd = tempFolder();
  await copyIndex(demo, join(cwd, '.ibid'));
  // with an end of its own: what is not refused would listen
  const refused = (...flags: string[]): string =>
    spawnSync(process.execPath, [cliEntry, 'serve', '--port', '0', ...flags], {
      cwd,
      encoding: 'utf8',
      timeout: 10_000,
    }).stderr;
  for (const name of ['https://search.example', 'search.example/ibid', ''])
    expect(refused('--allow-host', name)).toContain(`error[INVALID_ARGUMENT]: "${name}" is no name of a server`);
  expect(refused('--watch', 'typo')).toContain('error[FILE_UNREADABLE]: there is no file or folder to watch');
}, 60_000);

it('a server with a file of tokens that is not there does not start, and one whose file has none lets nobody in', async () => {
  const cwd = tempFolder();
  await copyIndex(demo, join(cwd, '.ibid'));
  const serve = ['serve', '--port', '0', '--tokens'];
  const missing = await runCli([...serve, 'typo.json'], { cwd });
  expect(missing.status).toBe(1);
  expect(missing.stderr).toMatch(/error\[FILE_UNREADABLE\].*typo\.json.*\nhint: .*`ibid token create/);
  writeFileSync(join(cwd, 'none.json'), '{"tokens": []}');
  const { stderr } = await runCli([...serve, 'none.json'], { cwd, onStderr: (_, kill) => kill('SIGTERM') });
  expect(stderr).toContain('nobody is let in');
});

it('a server of an index on an object store needs a file of tokens only for what is kept there', async () => {
  const cwd = tempFolder();
  const { AZURE_STORAGE_ACCOUNT_NAME: _, AZURE_STORAGE_ACCOUNT_KEY: __, ...env } = process.env;
  const serve = (...args: string[]) =>
    runCli(['serve', '--index', 'az://ibid/none', '--port', '0', ...args], { cwd, env });
  expect((await serve()).stderr).toContain('error[STORE_FAILED]: '); // it goes to the store, which has no credentials
  const paid = await serve('--daily-budget', '1');
  expect(paid.stderr).toContain(
    'error[INVALID_ARGUMENT]: the costs of a day of remote indexes need a file\nhint: Name it with --tokens.',
  );
  const open = await serve('--host', '0.0.0.0', '--tokens', 'none.json');
  expect(open.stderr).toContain('there is no file of tokens');
  const { status, stderr } = await runCli(['token', 'create', 'x', '--index', 'az://ibid/none'], { cwd, env });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining('tokens of remote indexes need a file'),
  });
});
