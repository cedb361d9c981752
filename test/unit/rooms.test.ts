import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { doorFloor, doors, rooms, roomTable } from '../support/rooms.ts';

const project = join(import.meta.dirname, '../..');
const root = join(project, 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** What a file imports, types included, as it is written. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const written = text.matchAll(/(?:from\s+|import\s*\(\s*|^import\s+|createRequire\([^)]*\)\(\s*)'([^']+)'/gm);
  return [...written].map(([, target]) => target!);
}

const imports = files.flatMap((file) => importsOf(join(root, file)).map((target) => ({ file, target })));
const roomOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : '.');
const floorOf = (room: string): number | undefined =>
  room === '.' ? doorFloor : rooms.find(({ name }) => name === room)?.floor;
/** The name of a package in an import of it or of a part of it. */
const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');

/** What a file loads as it is loaded; `import type` loads nothing, `import()` waits until it is called. */
function loadedBy(file: string): ReadonlySet<string> {
  const importing = /^(?:import|export)\s+(?!type\b)(?:[^;']*?\sfrom\s+)?'([^']+)'/gm;
  const seen = new Set([file]);
  for (const one of seen) {
    if (!one.endsWith('.ts')) continue;
    for (const [, target] of readFileSync(join(root, one), 'utf8').matchAll(importing))
      seen.add(target!.startsWith('.') ? normalize(join(dirname(one), target!)) : target!);
  }
  return seen;
}

describe('the rooms of src/', () => {
  it('are all in the table, and nothing but doors lies beside them', () => {
    expect(files.length).toBeGreaterThan(20);
    const found = [...new Set(files.map(roomOf))].filter((room) => room !== '.');
    expect(found.sort()).toEqual(rooms.map(({ name }) => name).sort());
    const loose = files.filter((file) => roomOf(file) === '.');
    expect(loose.filter((file) => doors[file] === undefined)).toEqual([]);
    expect(Object.keys(doors).filter((file) => !files.includes(file))).toEqual([]);
  });

  it('have their table and a paragraph each in src/README.md', () => {
    const path = join(root, 'README.md');
    const wanted = `<!-- rooms -->\n${roomTable()}\n<!-- /rooms -->`;
    let text = readFileSync(path, 'utf8');
    const marked = /<!-- rooms -->\n[\s\S]*?<!-- \/rooms -->/;
    if (process.env.UPDATE_GOLDEN === '1') {
      text = text.replace(marked, wanted);
      writeFileSync(path, text);
    }
    expect(marked.exec(text)?.[0]).toBe(wanted);
    expect(rooms.filter(({ name }) => !text.includes(`\n**\`${name}/\`**`)).map(({ name }) => name)).toEqual([]);
  });

  it('import downwards only', () => {
    const wrong = imports.flatMap(({ file, target }) => {
      if (!target.startsWith('.')) return [];
      const to = roomOf(relative('.', normalize(join(dirname(file), target))));
      const from = roomOf(file);
      return from === to || floorOf(to)! < floorOf(from)! ? [] : [`${file} → ${target}`];
    });
    expect(wrong).toEqual([]);
  });

  it('have folders in answer/sentences/ that import downwards only, as their table says', () => {
    const table = readFileSync(join(root, 'answer/sentences/README.md'), 'utf8');
    const rows = [...table.matchAll(/^\| (\d+) \| `([\w-]+)\/` \|.*\| `([\w-]+\.ts)` \|$/gm)];
    const floors = new Map(rows.map(([, floor, name]) => [name!, Number(floor)]));
    const folderOf = (file: string): string | undefined => /^answer\/sentences\/(?:([\w-]+)\/)?/.exec(file)?.[1];
    const inside = files.filter((file) => file.startsWith('answer/sentences/'));
    expect([...new Set(inside.map(folderOf))].sort()).toEqual([...floors.keys()].sort());
    for (const [, , name, first] of rows) expect(inside).toContain(`answer/sentences/${name}/${first}`);
    const wrong = imports.flatMap(({ file, target }) => {
      const from = folderOf(file);
      if (from === undefined || !target.startsWith('.')) return [];
      const to = folderOf(relative('.', normalize(join(dirname(file), target))));
      return to === undefined || to === from || floors.get(to)! < floors.get(from)! ? [] : [`${file} → ${target}`];
    });
    expect(wrong).toEqual([]);
  });

  it('have each rule for sentences in a list of rules, or in the README beside them, which names nothing else', () => {
    const own = join(root, 'answer/sentences');
    const readme = readFileSync(join(own, 'README.md'), 'utf8');
    const named = [...readme.matchAll(/`([\w/-]+\.ts)`/g)].map(([, name]) => name!);
    expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
    const listed = ['rules/gains.ts', 'checks/doubts.ts'].flatMap((file) => importsOf(join(own, file)));
    const isTold = (name: string): boolean => [...listed, ...named].some((one) => one.split('/').at(-1) === name);
    const rules = files.filter((file) => /^answer\/sentences\/(?:rules|manuals)\//.test(file));
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.filter((file) => !isTold(file.split('/').at(-1)!))).toEqual([]);
  });

  it('read no environment and print nothing: that is left to the command line', () => {
    const wrong = files.filter((file) => {
      const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      return roomOf(file) !== 'cli' && /\bprocess\.env\b|\bconsole\.\w/.test(code);
    });
    expect(wrong).toEqual([]);
  });

  it('keep the three services of wire/ apart, above the one transport', () => {
    const cabinet = (file: string): string => (file.startsWith('wire/') ? (file.split('/').slice(1, -1)[0] ?? '') : '');
    const wrong = imports.flatMap(({ file, target }) => {
      const from = cabinet(file);
      if (from === '' || !target.startsWith('.')) return []; // the door `wire/index.ts` may see all
      const to = relative('.', normalize(join(dirname(file), target)));
      const allowed = roomOf(to) === 'core' || cabinet(to) === from || cabinet(to) === 'http';
      return allowed ? [] : [`${file} → ${target}`];
    });
    expect(wrong).toEqual([]);
  });

  it('start a search without what speaks HTTP, reads formats or shows progress', () => {
    const seen = loadedBy('cli/commands/search.ts');
    expect(seen).toContain('@lancedb/lancedb'); // the walk does find packages
    const late = 'undici eventsource-parser @opentelemetry/api markdown-it htmlparser2 unpdf saxes cli-progress'.split(
      ' ',
    );
    expect(late.filter((name) => seen.has(name))).toEqual([]);
    // the rest of an index waits for the call that needs it
    const operations = 'asking embed-texts health name-speakers reembed-events repair writing'.split(' ');
    const files = operations.map((name) => `search-index/${name}.ts`);
    expect(files.filter((file) => !existsSync(join(root, file)) || seen.has(file))).toEqual([]);
  });

  it('start threads and workers of an ingest without the database', () => {
    const started = ['embed/local/worker.ts', 'ingest/cut-thread.ts', 'queue/worker.ts', 'read/parser-process.ts'];
    for (const file of [...started, 'store/segment-builder-thread.ts']) {
      const seen = loadedBy(file);
      expect([file, ...['@lancedb/lancedb', 'apache-arrow'].filter((name) => seen.has(name))]).toEqual([file]);
    }
    expect(loadedBy('ingest/cut-thread.ts').has('ignore')).toBe(false);
  });

  it('own every package that is installed for users, and each is imported by its owner alone', () => {
    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
      /** Of a bridge: who crosses it has them. */
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    const importers = new Map<string, Set<string>>();
    for (const { file, target } of imports) {
      if (target.startsWith('.') || target.startsWith('node:')) continue;
      const name = packageOf(target);
      importers.set(name, (importers.get(name) ?? new Set()).add(roomOf(file)));
    }
    const found = [...importers].flatMap(([name, by]) => [...by].map((room) => `${name}: ${room}`)).sort();
    const owned = rooms.flatMap(({ name, owns = [] }) => owns.map((one) => `${one}: ${name}`)).sort();
    expect(found).toEqual(owned);
    expect([...new Set(rooms.flatMap(({ owns = [] }) => owns))].sort()).toEqual(
      [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)].sort(),
    );
  });

  it('are entered through the doors by the command line, pipelines, datasets and benches', () => {
    const isOutside = (path: string): boolean => relative(root, path).startsWith('..');
    const outside = ['bench', 'datasets', 'pipelines'].flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
        .map((name) => join(project, folder, name)),
    );
    const command = files.filter((file) => roomOf(file) === 'cli').map((file) => join(root, file));
    expect(outside.filter((path) => existsSync(path)).length).toBeGreaterThan(50);
    const wrong = [...outside, ...command].flatMap((path) =>
      importsOf(path).flatMap((target) => {
        if (!target.startsWith('.')) return [];
        const to = join(dirname(path), target);
        const room = relative(root, to);
        if (isOutside(to) || room.startsWith('cli/')) return [];
        const isPublic = doors[room] !== undefined && room !== 'internal.ts';
        const isBench = relative(project, path).startsWith('bench') || relative(project, path).startsWith('datasets');
        return isPublic || (isBench && room === 'internal.ts') ? [] : [`${relative(project, path)} → ${target}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('keep every file at a size one is glad to open', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 420);
    expect(long).toEqual([]);
  });
});

describe('the door for benches', () => {
  /** What a door names; a renamed export under its new name. */
  const namesOf = (door: string): string[] =>
    [...readFileSync(join(root, door), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
      .flatMap(([, names]) => names!.split(','))
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/.* as /, ''),
      )
      .filter((name) => name !== '');

  it('has what benches, data sets and their tests use and no public door has, and nothing more', () => {
    const users = ['bench', 'datasets', 'test/bench'].flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
        .map((name) => readFileSync(join(project, folder, name), 'utf8')),
    );
    const used = new Set(
      users
        .flatMap((text) => [...text.matchAll(/\{([^{}]*)\} from '(?:\.\.\/)+src\/internal\.ts'/g)])
        .flatMap(([, names]) => names!.split(','))
        .map((name) =>
          name
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*/s, ''),
        ),
    );
    const inner = namesOf('internal.ts');
    const open = new Set(Object.keys(doors).flatMap((door) => (door === 'internal.ts' ? [] : namesOf(door))));
    expect(inner.length).toBeGreaterThan(20);
    expect(inner.filter((name) => !used.has(name))).toEqual([]);
    expect(inner.filter((name) => open.has(name))).toEqual([]);
  });

  it('is left out of what is packed, and no room comes in by it', () => {
    const { exclude } = JSON.parse(readFileSync(join(project, 'tsconfig.build.json'), 'utf8')) as { exclude: string[] };
    expect(exclude).toContain('src/internal.ts');
    expect(imports.filter(({ target }) => target.endsWith('internal.ts'))).toEqual([]);
  });
});
