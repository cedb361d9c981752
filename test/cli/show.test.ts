import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';

it('ibid show takes the path of a document in place of its name in the index', async () => {
  const cwd = tempFolder({
    'docs/sea.md': 'The sea is calm.\n',
    'docs/a b.md': 'A gull calls.\n',
    'sea.md': 'Salt.\n',
    'docs/a#b.md': 'Kelp grows.\n',
    'docs/100%25 %.md': 'Kelp is sold.\n',
  });
  expect((await runCli(['ingest', '.', '--quiet'], { cwd })).status).toBe(0);
  const quoteOf = async (citation: string, from = cwd): Promise<string> => {
    const { stdout, stderr } = await runCli(['show', citation, '--json'], { cwd: from });
    return stdout.includes('"quote"') ? (JSON.parse(stdout) as { quote: string }).quote : stderr;
  };
  for (const citation of ['./docs/sea.md#4-7', 'docs/../docs/sea.md#4-7', `${join(cwd, 'docs/sea.md')}#4-7`])
    expect(await quoteOf(citation)).toBe('sea');
  expect(await quoteOf('./docs/a b.md#2-6')).toBe('gull');
  expect(await quoteOf('./a%20b.md#2-6', join(cwd, 'docs'))).toBe('gull');
  expect(await quoteOf('sea.md#0-4', join(cwd, 'docs'))).toBe('Salt'); // as the index names it, before a path
  expect(await quoteOf('./sea.md#4-7', join(cwd, 'docs'))).toBe('sea');
  for (const name of ['docs/a#b.md', 'docs/100%25 %.md', 'docs/a%23b.md']) {
    expect(await quoteOf(`${name}#0-4`)).toBe('Kelp');
    expect(await quoteOf(name)).toContain('Kelp'); // a document of this name: the whole of it
    expect(await quoteOf(`../${name}`, join(cwd, 'docs'))).toContain('Kelp');
  }
  expect(await quoteOf('docs/a#b.md#5-2')).toContain('it ends before it starts');
  expect(await quoteOf('./no.md#4-7')).toContain('the index has no document "./no.md"');
});
