import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp.ts';

const src = join(import.meta.dirname, '../../src');

/** What a library must not touch in the process of its host. */
const forbidden: readonly RegExp[] = [
  /\bprocess\.env\b/,
  /\benv\b[^;]*\bfrom 'node:process'/,
  /\bsetFlagsFromString\b/,
  /\bfrom 'node:vm'/,
  /\bexpose-gc\b/,
  /\bgc\(/,
  /\bglobalThis\.gc\b/,
];

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
}

describe('the library is a guest in the process of its host', () => {
  it('no source outside the command line names the environment, V8 flags or the collector', () => {
    const files = globSync('**/*.ts', { cwd: src }).filter((file) => !/^cli[/\\]/.test(file));
    expect(files.length).toBeGreaterThan(300);
    const found = files.filter((file) => {
      const source = withoutComments(readFileSync(join(src, file), 'utf8'));
      return forbidden.some((pattern) => pattern.test(source));
    });
    expect(found).toEqual([]);
  });

  it('its threads have none of the flags of the host, and none of the modules that these load', () => {
    const starting = globSync('**/*.ts', { cwd: src }).filter((file) =>
      /\bnew Worker\(/.test(readFileSync(join(src, file), 'utf8')),
    );
    expect(starting).toEqual(['core/start-thread.ts']);
    const program = `
      import { openIndex } from ${JSON.stringify(pathToFileURL(join(src, 'index.ts')).href)};
      await using index = await openIndex('.ibid', { create: true, threads: 2 });
      for (let i = 0; i < 2; i++) await index.add([{ uri: 'note:' + i, text: 'Pump ' + i + ' is painted.' }], { workers: 2 });
      for (let i = 0; i < 2; i++) console.log((await index.search('pump')).hits.length);`;
    const preload = "import { writeSync } from 'node:fs'; writeSync(1, 'loaded\\n');";
    const flags = ['--no-warnings', '--input-type=module', '--import', `data:text/javascript,${preload}`];
    const out = execFileSync(process.execPath, [...flags, '-e', program], { encoding: 'utf8', cwd: tempFolder() });
    expect(out).toBe('loaded\n2\n2\n');
  });

  it('an ingest, a search, an answer and a rebuild change neither flags nor environment', () => {
    const parts = ['pump', 'valve', 'rope', 'anchor', 'winch', 'lamp', 'quay', 'sail'];
    const docs = Array.from({ length: 60 }, (_, i) => {
      const [a, b] = [parts[i % 8]!, parts[(i * 3 + 1) % 8]!];
      return [`docs/${i}.md`, `# ${a} ${i}\n\nThe ${a} stands beside the ${b}; number ${i} is checked.`] as const;
    });
    const folder = tempFolder(Object.fromEntries(docs));
    const child = join(import.meta.dirname, 'guest-child.ts');
    const out = execFileSync(process.execPath, ['--no-warnings', child, folder], { encoding: 'utf8' });
    const { hits, changes } = JSON.parse(out) as { hits: number; changes: string[] }; // our own child
    expect(changes).toEqual([]);
    expect(hits).toBeGreaterThan(0);
  });
});
