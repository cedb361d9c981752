import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packages } from '../support/packages.ts';

/** A room imports from lower floors only; rooms on one floor do not know each other. */
const floors: Readonly<Record<string, number>> = {
  core: 0,
  text: 1,
  eval: 1,
  lexical: 1,
  vector: 1,
  wire: 1,
  read: 2,
  embed: 2,
  store: 3,
  ingest: 4,
  retrieve: 4,
  answer: 5,
  web: 6,
  services: 7,
  modes: 8,
  quality: 8,
  'search-index': 9,
  '.': 10, // the doors
  cli: 11,
};

/** Doors between rooms of one floor, each with its reason. */
const agreed: ReadonlySet<string> = new Set([]);

const root = join(import.meta.dirname, '../../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const imports = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from\s+|import\s*\(\s*|^import\s+)'([^']+)'/gm)].map((match) => ({
    file,
    target: match[1]!,
  }));
});
const roomOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : '.');

describe('the rooms of src/', () => {
  it('has a floor for every room', () => {
    expect(files.length).toBeGreaterThan(20);
    expect([...new Set(files.map(roomOf))].filter((room) => floors[room] === undefined)).toEqual([]);
  });

  it('imports downwards only', () => {
    const wrong = imports.flatMap(({ file, target }) => {
      if (!target.startsWith('.')) return [];
      const to = roomOf(relative('.', normalize(join(dirname(file), target))));
      const from = roomOf(file);
      if (from === to || floors[to]! < floors[from]! || agreed.has(`${from} → ${to}`)) return [];
      return [`${file} → ${target}`];
    });
    expect(wrong).toEqual([]);
  });

  it('keeps the three services of wire/ apart, above the one transport', () => {
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

  it('starts a search without what speaks HTTP, reads formats or shows progress', () => {
    /** What a file loads as it is loaded; `import type` loads nothing, `import()` waits until it is called. */
    const loaded = (file: string): string[] =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /^(?:import|export)\s+(?!type\b)(?:[^;']*?\sfrom\s+)?'([^']+)'/gm,
        ),
      ].map(([, target]) => (target!.startsWith('.') ? normalize(join(dirname(file), target!)) : target!));
    const seen = new Set<string>(['cli/commands/search.ts']);
    for (const one of seen) if (one.endsWith('.ts')) for (const target of loaded(one)) seen.add(target);
    expect(seen).toContain('@lancedb/lancedb'); // the walk does find packages
    const late = 'undici eventsource-parser @opentelemetry/api markdown-it htmlparser2 unpdf saxes cli-progress'.split(
      ' ',
    );
    expect(late.filter((name) => seen.has(name))).toEqual([]);
  });

  it('lets the command line in by the doors only', () => {
    const doors = new Set(['index.ts', 'eval.ts', 'wire/index.ts']);
    const wrong = imports.flatMap(({ file, target }) => {
      if (roomOf(file) !== 'cli' || !target.startsWith('.')) return [];
      const to = relative('.', normalize(join(dirname(file), target)));
      return roomOf(to) === 'cli' || doors.has(to) ? [] : [`${file} → ${target}`];
    });
    expect(wrong).toEqual([]);
  });

  it('imports each package in the one room that owns it, which does import it', () => {
    const found = imports.flatMap(({ file, target }) => {
      if (target.startsWith('.') || target.startsWith('node:')) return [];
      const name = target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
      return [`${name} in ${roomOf(file)}/`];
    });
    const owned = Object.entries(packages).map(([name, { room }]) => `${name} in ${room}/`);
    expect([...new Set(found)].sort()).toEqual(owned.sort());
  });

  it('keeps every file at a size one is glad to open', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 420);
    expect(long).toEqual([]);
  });
});
