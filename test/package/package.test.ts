import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { installInto, manifest, type Packed, packInto } from '../support/built.ts';
import { loadedBy } from '../support/loaded.ts';
import { publicDeclarations, unnamedTypes } from '../support/public-types.ts';
import { makeTempFolder, writeFiles } from '../support/temp.ts';
import { textExamples } from '../support/text-examples.ts';

/** As a strict project compiles. */
const strictly =
  '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck --target esnext --types node';

const root = join(import.meta.dirname, '../..');
const node = process.execPath;
const golden = join(root, 'test/golden/api.txt');
const wirePackages = new Set(['undici', 'eventsource-parser', '@opentelemetry/api']);
/** `ibid`, `ibid/wire` …: the doors by the name they are imported by, and what package.json says of each. */
const doors = Object.entries(manifest.exports).flatMap(([path, door]) =>
  typeof door === 'string' ? [] : [{ name: `ibid${path.slice(1)}`, ...door }],
);

/** What the checkout's own build is made of, by file and time of writing. */
const distNow = (): string[] =>
  existsSync(join(root, 'dist'))
    ? readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${name} ${statSync(join(root, 'dist', name)).mtimeMs}`,
      )
    : [];

describe('the published package', () => {
  const home = makeTempFolder();
  const project = join(home, 'project');
  const installed = join(project, 'node_modules/ibid');
  let tarball: string;
  let packed: Packed;
  let distBefore: string[];

  beforeAll(async () => {
    distBefore = distNow();
    packed = await packInto(home);
    tarball = join(home, packed.filename);
    installInto(project, tarball);
  }, 180_000);

  const ibid = (...args: string[]): string =>
    execFileSync(node, [join(installed, 'dist/cli/main.js'), ...args], {
      cwd: project,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  it('has a command that runs by its own name', () => {
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
    expect(execFileSync(join(installed, 'dist/cli/main.js'), ['--version'], { env, encoding: 'utf8' })).toMatch(
      /^\d+\./,
    );
  });

  it('holds the built code, its types, the licence and the texts of package.json, and no more', () => {
    const paths = packed.files.map(({ path }) => path);
    for (const { types, default: code } of doors)
      expect(paths).toEqual(expect.arrayContaining([types.slice(2), code.slice(2)]));
    expect(paths).not.toContain('dist/internal.js'); // the door of the benches
    const texts = ['LICENSE', 'README.md', 'package.json', ...manifest.files.filter((name) => name !== 'dist')];
    expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual(texts.sort());
    const served = ['icon.svg', 'index.html', 'style.css'].map((name) => `dist/serve/page/${name}`);
    const page = [...served, 'dist/overview/page/style.css'];
    expect(paths).toContain('dist/overview/page/player.js');
    expect(paths.filter((path) => !/\.(?:js|d\.ts)$/.test(path)).sort()).toEqual([...texts, ...page].sort());
  });

  it('stays below its ceilings of size', () => {
    expect(packed.size).toBeLessThan(2_300_000);
    expect(packed.unpackedSize).toBeLessThan(6_900_000);
    expect(packed.files.length).toBeLessThan(1_900);
  });

  it('is built without a change to the checkout, and runs nothing when it is installed', () => {
    expect(distNow()).toEqual(distBefore);
    const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { scripts: object };
    // npm warns the user of a package with one of these; `prepack` and `postprepare` build for a tarball and a git
    // install
    const warned = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(Object.keys(scripts).filter((name) => warned.includes(name))).toEqual([]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['prepack', 'postprepare']));
  });

  it.each([
    ['publint', ['--strict']],
    ['attw', ['--profile', 'esm-only', '--no-emoji']],
  ])('passes %s', (tool, args) => {
    const { status, stdout, stderr } = spawnSync(node, [join(root, 'node_modules/.bin', tool), tarball, ...args], {
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).toBe(0);
  });

  it('exports the names and types of test/golden/api.txt', () => {
    const now = doors
      .map(({ name, types }) => `# ${name}\n\n${publicDeclarations(join(installed, types))}\n`)
      .join('\n');
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, now);
    expect(now, 'UPDATE_GOLDEN=1 npm run pack:check rewrites the file').toBe(readFileSync(golden, 'utf8'));
  });

  it('imports by each name, with the values its types promise, and prints nothing', () => {
    const sections = readFileSync(golden, 'utf8').split(/^# /m).slice(1);
    for (const { name } of doors) {
      const script = `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(name)}))))`;
      const args = ['--input-type=module', '-e', script];
      const { stdout, stderr } = spawnSync(node, args, { cwd: project, encoding: 'utf8' });
      expect(stderr).toBe('');
      const section = sections.find((text) => text.startsWith(`${name}\n`))!;
      const promised = [...section.matchAll(/^(\w+)(?:\.\w+)?: (?:abstract )?(?:class|const|function|enum) /gm)];
      expect(JSON.parse(stdout)).toEqual([...new Set(promised.map(([, value]) => value!))].sort());
    }
  });

  it('names every type of its public signatures', () => {
    const files = doors.map(({ types }) => join(installed, types));
    const bridged = Object.keys(manifest.peerDependencies);
    for (const door of files) expect(unnamedTypes([door, ...files], bridged)).toEqual([]);
    expect(unnamedTypes([join(installed, 'dist/wire.d.ts')])).toEqual([]); // it needs no other door
    // the control: a door that exports a function alone does not export what it takes and gives
    const narrow = join(installed, 'dist/narrow.d.ts');
    writeFileSync(narrow, "export { groupCorpus } from './eval/beir.js';\n");
    expect(unnamedTypes([narrow]).join()).toMatch(/BeirDataset \(in groupCorpus.*GroupedDocument \(in groupCorpus/);
  });

  it('has a second door that costs no database', () => {
    const { packages, files } = loadedBy('ibid/wire', project);
    expect(packages.filter((name) => !wirePackages.has(name))).toEqual([]);
    // a joined file names its modules
    const modules = files.flatMap((file) =>
      Array.from(
        readFileSync(join(installed, 'dist', file), 'utf8').matchAll(/^\/\/ dist\/(\S+)$/gm),
        ([, name]) => name!,
      ),
    );
    expect(modules).toContain('wire/search/service.js');
    expect(
      modules.filter(
        (file) => !/^(?:core|wire|services\/audio|modes\/tools)\/|^(?:wire|speak\/conversation)\.js$/.test(file),
      ),
    ).toEqual([]);
    expect(loadedBy('ibid', project).packages).toContain('@lancedb/lancedb'); // the control
  });

  it('has the programs of its threads and processes by their names', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.ts$/.test(name),
    );
    const programs = sources.flatMap((name) =>
      Array.from(
        readFileSync(join(root, 'src', name), 'utf8').matchAll(/ownProgram\('([^']+)'\)/g),
        ([, path]) => path!,
      ),
    );
    expect(programs).toContain('read/parser-process');
    expect(programs.filter((path) => !existsSync(join(installed, 'dist', `${path}.js`)))).toEqual([]);
  });

  it('answers --version and --help, and refuses an unknown flag with status 2', () => {
    expect(ibid('--version').trim()).toBe(manifest.version);
    expect(ibid('ask', '--help')).toContain('Examples:');
    expect(() => ibid('ask', '--no-such-flag', 'x')).toThrow(expect.objectContaining({ status: 2 }));
  });

  it('ingests a folder and cites it', () => {
    writeFiles(project, {
      'docs/keeper.md': '# Lighthouse\n\nThe keeper counts ships at dawn.\n\nThe lamp burns rapeseed oil.\n',
    });
    const summary = JSON.parse(ibid('ingest', 'docs', '--json', '--quiet')) as { added: number };
    expect(summary.added).toBe(1);
    const found = JSON.parse(ibid('search', 'rapeseed oil', '--json')) as { hits: { uri: string }[] };
    expect(found.hits[0]?.uri).toBe('docs/keeper.md');
  });

  it.each(['--module nodenext', '--module preserve --moduleResolution bundler'])(
    'compiles every example of its texts, by %s',
    (resolution) => {
      const examples = textExamples();
      expect(examples.length).toBeGreaterThan(150);
      const wrong = { text: 'wrong', heading: 'control', code: "import { openIndex } from 'ibid';\nopenIndex(7);\n" };
      const files = [...examples, wrong].map(({ text, code }, i) => [
        `examples/${i}-${text.replaceAll('/', '-')}.ts`,
        `${code}export {};\n`,
      ]);
      writeFiles(project, Object.fromEntries(files));
      const args = `${strictly} ${resolution}`.split(' ');
      const paths = files.map(([path]) => path!);
      const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), [...args, ...paths], {
        cwd: project,
        encoding: 'utf8',
      });
      expect(stdout.trim().split('\n')).toEqual([expect.stringMatching(/-wrong\.ts\(2,11\): error TS2345/)]);
    },
  );

  it('does what the first example of the README says', () => {
    const home = join(project, 'first');
    const { code } = textExamples().find(({ text, heading }) => text === 'README.md' && heading === 'The library')!;
    writeFiles(home, { 'main.ts': code, 'docs/boats.md': '# Boats\n\nThe ferry leaves at seven.\n' });
    const { stdout, stderr } = spawnSync(node, ['main.ts'], { cwd: home, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^1 high The pump is serviced in May\. \[1\]\n1 \{\n {2}uri: 'note:1'/);
  });

  it('serves an example project with an embedder and a model of its own', () => {
    cpSync(join(root, 'test/package/example'), project, { recursive: true });
    const options = '--noEmit --strict --skipLibCheck --target esnext --module nodenext --types node'.split(' ');
    const check = spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, 'main.ts'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(check.status, check.stdout).toBe(0);
    const { stdout, stderr } = spawnSync(node, ['main.ts'], { cwd: project, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      'note:1',
      'The lamp burns rapeseed oil. [1]',
      'note:1#0-28 The lamp burns rapeseed oil. true',
      '',
    ]);
  });
});
