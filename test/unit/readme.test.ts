import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parts, readmes, renderReadme } from '../../bench/table.ts';
import { cliReadmePath, withCliTables } from '../support/cli-readme.ts';
import { doors, rooms } from '../support/rooms.ts';
import { referencePath, wireReference } from '../support/wire-readme.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the README', () => {
  it.each(readmes)(
    '%s: generated parts are as bench/results and the error codes say (node bench/table.ts --write)',
    (path) => {
      const text = readFileSync(join(root, path), 'utf8');
      expect(text).toBe(renderReadme(text));
    },
  );

  it('has each generated part once, here or in a README beside the sources', () => {
    const texts = readmes.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
    expect(Object.keys(parts).map((name) => texts.split(`<!-- ${name} -->`).length - 1)).toEqual(
      Object.keys(parts).map(() => 1),
    );
    expect(readme).toContain('<!-- figures -->');
  });

  it('has beside it a reference of the wire as the operations and examples are', () => {
    expect(readFileSync(join(root, referencePath), 'utf8')).toBe(wireReference());
  });

  it('links only to files that exist, and to places of the wire’s reference that exist', () => {
    const reference = wireReference();
    const headings = [...reference.matchAll(/^#{2,3} (.+)$/gm)].map((match) => match[1]!);
    const places = new Set(
      headings.map((heading) =>
        heading
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    expect(places.size).toBe(headings.length); // no two headings share an anchor
    const links = [...reference.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]!);
    expect(links.length).toBeGreaterThan(150);
    expect(links.filter((link) => !places.has(link))).toEqual([]);
    for (const path of [...readmes, referencePath]) {
      const text = readFileSync(join(root, path), 'utf8');
      const files = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map((match) => match[1]!);
      expect(
        files.filter((file) => !existsSync(join(root, dirname(path), file))),
        path,
      ).toEqual([]);
    }
  });

  it('has beside it the commands and keys of the command line (node test/support/cli-readme.ts --write)', () => {
    const text = readFileSync(cliReadmePath, 'utf8');
    expect(text).toContain('| `ibid search [query]` | find passages |');
    expect(text).toContain('`IBID_SEARCH_API_KEY`');
    expect(text).toBe(withCliTables(text));
  });

  it('draws rooms and doors that exist, every one of them, and is short', () => {
    const picture = readme.slice(readme.indexOf('## How it is built'));
    const drawn = [...picture.matchAll(/\b([a-z-]+)\/(?= )|\b([a-z]+\.ts)\b/g)].map(([, room, door]) => room ?? door!);
    const known = [...rooms.map(({ name }) => name), ...Object.keys(doors)];
    const left = new Set(['testing', 'internal.ts']); // for tests, for benches
    expect([...new Set(drawn)].sort()).toEqual(known.filter((name) => !left.has(name)).sort());
    expect(readme.split('\n').length).toBeLessThanOrEqual(181);
  });
});
