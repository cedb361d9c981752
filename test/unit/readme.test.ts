import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderReadme } from '../../bench/table.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';
import { referencePath, wireReference } from '../support/wire-readme.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the README', () => {
  it('prints the figures of bench/results and the error codes as they are (node bench/table.ts --write)', () => {
    expect(readme).toBe(renderReadme(readme));
  });

  it('has beside it a reference of the wire as the operations and examples are', () => {
    expect(readFileSync(join(root, referencePath), 'utf8')).toBe(wireReference());
  });

  it('links only to places of the reference that exist', () => {
    const headings = [...wireReference().matchAll(/^### (.+)$/gm)].map((match) => match[1]!);
    const places = new Set(
      headings.map((heading) =>
        heading
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    expect(places.size).toBe(headings.length); // no two headings share an anchor
    const links = [...readme.matchAll(/\(src\/wire\/README\.md#([^)]+)\)/g)].map((match) => match[1]!);
    expect(links.length).toBeGreaterThan(150);
    expect(links.filter((link) => !places.has(link))).toEqual([]);
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
