/**
 * Removes the declarations of the built package that no door of package.json leads to.
 *
 *   node test/support/needed-declarations.ts
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readFlags } from '../../bench/support/flags.ts';

const imported = /(?:from|import\(|import) ?["'](\.[^"']+)["']/g;

/** @param packed folder with package.json and `dist` */
export function removeUnneeded(packed: string): void {
  const { exports } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  const needed = new Set<string>();
  const visit = (file: string): void => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(imported))
      visit(join(dirname(file), path!.replace(/\.[jt]s$/, '.d.ts')));
  };
  for (const door of Object.values(exports)) if (typeof door !== 'string') visit(join(packed, door.types));
  for (const path of readdirSync(join(packed, 'dist'), { recursive: true, encoding: 'utf8' })) {
    const file = join(packed, 'dist', path);
    if (path.endsWith('.d.ts') && !needed.has(file)) rmSync(file);
  }
}

if (import.meta.main) {
  readFlags(import.meta.filename, { options: {} });
  removeUnneeded(join(import.meta.dirname, '../..'));
}
