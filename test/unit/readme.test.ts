import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderReadme } from '../../bench/table.ts';
import { cliReadmePath, withCliTables } from '../support/cli-readme.ts';
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

  it('has beside it the commands and keys of the command line (node test/support/cli-readme.ts --write)', () => {
    const text = readFileSync(cliReadmePath, 'utf8');
    expect(text).toContain('| `ibid search [query]` | find passages |');
    expect(text).toContain('`IBID_SEARCH_API_KEY`');
    expect(text).toBe(withCliTables(text));
  });

  it('has rooms that exist', () => {
    const rooms = [...readme.matchAll(/^\| \d+ \| `([^`]+)`/gm)].map((match) => match[1]!);
    expect(rooms.length).toBeGreaterThan(10);
    expect(rooms.filter((room) => !existsSync(join(root, 'src', room)))).toEqual([]);
  });
});
