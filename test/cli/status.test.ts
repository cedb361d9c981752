import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';

it('ibid status --documents lists the documents of the index, as lines and as JSON', async () => {
  const cwd = tempFolder({ 'docs/harbour.txt': 'The gate opens at six.\n', 'docs/oil.md': '# Oil\n\nIt burns.\n' });
  const run = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await runCli(args, { cwd });
    expect(status, stderr).toBe(0);
    return stdout;
  };
  await run('ingest', 'docs');
  const lines = ['docs/harbour.txt  text, 1 chunk', 'docs/oil.md  markdown, 1 chunk'];
  expect((await run('status', '--documents')).trim().split('\n').sort()).toEqual(lines);
  const listed = JSON.parse(await run('status', '--documents', '--json')) as { uri: string; title: string }[];
  expect(listed.map(({ uri, title }) => `${uri}: ${title}`).sort()).toEqual([
    'docs/harbour.txt: harbour',
    'docs/oil.md: Oil',
  ]);
  await run('remove', 'docs', '--force');
  expect(await run('status', '--documents')).toBe('');
  expect(JSON.parse(await run('status', '--documents', '--json'))).toEqual([]);
});
