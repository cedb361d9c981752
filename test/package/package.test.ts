import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadedBy } from '../support/loaded.ts';
import { unnamedTypes } from '../support/public-types.ts';
import { makeTempFolder } from '../support/temp.ts';

const root = join(import.meta.dirname, '../..');
const node = process.execPath;
const wirePackages = new Set(['undici', 'eventsource-parser', 'valibot', '@opentelemetry/api']);

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

describe('the published package', () => {
  const home = makeTempFolder();
  const project = join(home, 'project');
  let packed: Packed;

  beforeAll(() => {
    const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts=false', '--pack-destination', home], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    packed = (JSON.parse(output.slice(output.indexOf('['))) as [Packed])[0]; // npm's documented shape
    const modules = join(project, 'node_modules');
    mkdirSync(join(modules, 'ibid'), { recursive: true });
    execFileSync('tar', ['xzf', join(home, packed.filename), '--strip-components=1', '-C', join(modules, 'ibid')]);
    // What npm would install beside it: the production dependencies, and nothing of ours.
    const production = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for (const path of production.split('\n').filter((line) => line.includes('node_modules'))) {
      const name = relative(join(root, 'node_modules'), path);
      if (name.includes('node_modules')) continue; // nested ones come with their parent's link
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(path, join(modules, name));
    }
  }, 180_000);

  const ibid = (...args: string[]): string =>
    execFileSync(node, [join(project, 'node_modules/ibid/dist/cli/main.js'), ...args], {
      cwd: project,
      encoding: 'utf8',
    });

  it('holds the built code, its types, the licence, the README and the wire reference, and no more', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toContain('dist/index.js');
    expect(paths).toContain('dist/index.d.ts');
    expect(paths).toContain('src/wire/README.md');
    expect(
      paths.filter((path) => !/^(dist\/|LICENSE$|README\.md$|src\/wire\/README\.md$|package\.json$)/.test(path)),
    ).toEqual([]);
    expect(packed.size).toBeLessThan(900_000);
  });

  it('leaves a command in the checkout that runs by its own name, as npx does there', () => {
    expect(execFileSync(join(root, 'dist/cli/main.js'), ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+/);
  });

  it('imports by name, with the names its types promise', () => {
    const names = execFileSync(
      node,
      ['--input-type=module', '-e', 'console.log(Object.keys(await import("ibid")).join())'],
      {
        cwd: project,
        encoding: 'utf8',
      },
    );
    expect(names.trim().split(',')).toContain('openIndex');
  });

  it('names every type of its public signatures', () => {
    const dist = join(project, 'node_modules/ibid/dist');
    const doors = [join(dist, 'index.d.ts'), join(dist, 'wire/index.d.ts')];
    expect(unnamedTypes(doors)).toEqual([]);
    expect(unnamedTypes(doors.toReversed().slice(0, 1))).toEqual([]); // the second door by itself
    // the control: a door that exports a function alone does not export what it takes and gives
    const narrow = join(dist, 'narrow.d.ts');
    writeFileSync(narrow, "export { groupCorpus } from './eval/beir.js';\n");
    expect(unnamedTypes([narrow]).join()).toMatch(/BeirDataset \(in groupCorpus.*GroupedDocument \(in groupCorpus/);
  });

  it('has a second door that costs no database', () => {
    const { packages, files } = loadedBy('ibid/wire', project);
    expect(packages.filter((name) => !wirePackages.has(name))).toEqual([]);
    expect(files).toContain('wire/index.js');
    expect(files.filter((file) => !/^(wire|core)\//.test(file))).toEqual([]);
    expect(loadedBy('ibid', project).packages).toContain('@lancedb/lancedb'); // the control
  });

  it('answers --version and --help, and refuses an unknown flag with status 2', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(ibid('--version').trim()).toBe(manifest.version);
    expect(ibid('ask', '--help')).toContain('Examples:');
    expect(() => ibid('ask', '--no-such-flag', 'x')).toThrow(expect.objectContaining({ status: 2 }));
  });

  it('ingests a folder and cites it', () => {
    execFileSync(
      node,
      [
        '-e',
        'fs.mkdirSync("docs");fs.writeFileSync("docs/keeper.md","# Lighthouse\\n\\nThe keeper counts ships at dawn.\\n\\nThe lamp burns rapeseed oil.\\n")',
      ],
      { cwd: project },
    );
    const summary = JSON.parse(ibid('ingest', 'docs', '--json', '--quiet')) as { added: number };
    expect(summary.added).toBe(1);
    const found = JSON.parse(ibid('search', 'rapeseed oil', '--json')) as { hits: { uri: string }[] };
    expect(found.hits[0]?.uri).toBe('docs/keeper.md');
  });
});
