import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'ibid-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The commands of the README's first block, each with the lines that it prints. */
const [, block] = /```console\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))!;
const commands = block!.split(/^\$ /m).flatMap((part) => {
  const [command = '', ...lines] = part.split('\n');
  const args = /\bibid (.*?)(?:\s+#.*)?$/.exec(command)?.[1];
  const printed = lines.filter((line) => line !== '');
  return args === undefined
    ? []
    : [{ args: args.match(/"[^"]*"|\S+/g)!.map((arg) => arg.replaceAll('"', '')), printed }];
});

/** Seconds differ from machine to machine, and a line ends with the terminal. */
const asShown = (line: string): string => line.replace(/in \d+\.\d s$/, 'in some seconds').replace(/ …$/, '');

it('the README shows what its first commands print', async () => {
  cpSync(join(root, 'datasets/demo'), folder, { recursive: true, filter: (path) => !path.endsWith('.ibid') });
  expect(commands.map(({ args }) => args[0])).toEqual(['ingest', 'search', 'ask', 'ask']);
  for (const { args, printed } of commands) {
    const { stdout, stderr } = await runCli(args, { cwd: folder });
    const lines = [...stdout.split('\n'), ...stderr.split('\n')].filter((line) => line !== '').map(asShown);
    for (const line of printed.map(asShown)) {
      expect(
        lines.some((one) => one === line || (one.startsWith(line) && line.length > 80)),
        line,
      ).toBe(true);
    }
    if (args[0] === 'ask') expect(lines).toHaveLength(printed.length);
  }
});
