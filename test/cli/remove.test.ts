import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';

it('ibid remove takes what a path names; a uri counts where nothing has that path', async () => {
  const base = tempFolder({
    'old/a.md': 'An old note.',
    'sub/old/a.md': 'Another old note.',
    'sub/b.md': 'A note that stays.',
    'sub/broken.pdf': 'no pdf',
    'c.md': 'One more.',
  });
  const removed = async (cwd: string, ...paths: string[]): Promise<{ status: number | null; uris: string[] }> => {
    const { status, stdout } = await runCli(['remove', ...paths, '--json'], { cwd });
    return { status, uris: status === 1 ? [] : (JSON.parse(stdout) as { uris: string[] }).uris.sort() };
  };
  const sub = join(base, 'sub');
  await runCli(['ingest', '.', '--quiet'], { cwd: base });
  expect(await removed(sub, 'old')).toEqual({ status: 0, uris: ['sub/old/a.md'] });
  expect(await removed(sub, 'old/a.md', 'broken.pdf')).toEqual({ status: 0, uris: ['old/a.md', 'sub/broken.pdf'] });
  expect(await removed(base, '.')).toEqual({ status: 1, uris: [] }); // more than half
  expect(await removed(sub, '.')).toEqual({ status: 0, uris: ['sub/b.md'] });
  expect(await removed(sub, '..', '--force')).toEqual({ status: 0, uris: ['c.md'] });
  await runCli(['ingest', '.', '--quiet'], { cwd: base }); // the files are still there
  expect(await removed(base, '.', '--force')).toMatchObject({ status: 0, uris: { length: 5 } });
  await runCli(['ingest', '.', '--quiet'], { cwd: base });
  expect(await removed(base, 'nope.md', 'c.md')).toEqual({ status: 3, uris: ['c.md'] });
  const empty = await runCli(['remove', '', '--force'], { cwd: base }); // a variable that is not set
  expect(empty).toMatchObject({ status: 2, stderr: expect.stringContaining('nothing to remove was named') });
  const { status, stdout, stderr } = await runCli(['remove', 'nope.md'], { cwd: base });
  expect({ status, stdout, stderr }).toEqual({
    status: 3,
    stdout: '',
    stderr: 'no document was found in "nope.md"\n',
  });
  expect((await runCli(['remove', '--help'], { cwd: base })).stdout).toMatch(/the next ingest of its\s+folder/);
});
