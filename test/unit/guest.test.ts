import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
