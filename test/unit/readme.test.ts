import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderReadme } from '../../bench/table.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the README', () => {
  it('prints the figures of bench/results and the error codes as they are (node bench/table.ts --write)', () => {
    expect(readme).toBe(renderReadme(readme));
  });

  it('names every command, and no other', async () => {
    const { stdout } = await runCli(['--help'], { cwd: tempFolder() });
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) (?:\[|<)/gm)]
      .map((match) => match[1])
      .filter((name) => name !== 'help');
    const named = [...readme.matchAll(/^\| `ibid ([a-z]+)/gm)].map((match) => match[1]);
    expect(commands.length).toBeGreaterThan(5);
    expect([...named].sort()).toEqual([...commands].sort());
  });

  it('has rooms that exist', () => {
    const rooms = [...readme.matchAll(/^\| \d+ \| `([^`]+)`/gm)].map((match) => match[1]!);
    expect(rooms.length).toBeGreaterThan(10);
    expect(rooms.filter((room) => !existsSync(join(root, 'src', room)))).toEqual([]);
  });
});
