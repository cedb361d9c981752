import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifest } from '../support/built.ts';
import { broughtPackages, megabytes, packages, packagesTable, production } from '../support/packages.ts';

const path = join(import.meta.dirname, '../../src/README.md');
const block = /(<!-- packages -->\n)[\s\S]*?(\n<!-- \/packages -->)/;
/** Megabytes by package, as the text says. */
const written = (text: string): Map<string, number> =>
  new Map([...text.matchAll(/^\| `([^`]+)` \|[^|]*\| (\d+) \|/gm)].map(([, name, size]) => [name!, Number(size)]));

describe('what installing ibid brings', () => {
  if (process.env.UPDATE_GOLDEN === '1') {
    const old = readFileSync(path, 'utf8');
    const known = written(old);
    const table = packagesTable((brought) => megabytes(brought) ?? known.get(brought.name) ?? 'unknown');
    writeFileSync(
      path,
      old.replace(block, (_, open: string, close: string) => `${open}${table}${close}`),
    );
  }
  const text = readFileSync(path, 'utf8');
  const sizes = written(text);

  it('has a reason for every package that package.json asks for, and for no other', () => {
    expect(Object.keys(packages).sort()).toEqual(Object.keys(manifest.dependencies).sort());
  });

  it('accounts for every package of the lockfile that is not for development', () => {
    const brought = new Set(broughtPackages().flatMap(({ folders }) => folders));
    expect(production.filter((folder) => !brought.has(folder))).toEqual([]);
    expect([...brought].filter((folder) => !production.includes(folder))).toEqual([]);
  });

  it('is listed in src/README.md (UPDATE_GOLDEN=1 npm run pack:check rewrites the list)', () => {
    expect(block.exec(text)?.[0]).toContain(packagesTable(({ name }) => sizes.get(name) ?? 'unknown'));
  });

  it.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
    'has the sizes of Linux on x64, where it is installed',
    () => {
      const measured = broughtPackages().flatMap((brought) => {
        const now = megabytes(brought);
        return now === undefined ? [] : [{ name: brought.name, now, said: sizes.get(brought.name)! }];
      });
      expect(measured.length).toBeGreaterThan(10);
      expect(measured.filter(({ now, said }) => !(Math.abs(now - said) <= Math.max(1, said / 10)))).toEqual([]);
    },
  );
});
