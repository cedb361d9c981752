import { basename } from 'node:path';

/** Lock files of package managers. */
const LOCKS = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'deno.lock',
  'cargo.lock',
  'composer.lock',
  'gemfile.lock',
  'podfile.lock',
  'poetry.lock',
  'pipfile.lock',
  'pdm.lock',
  'uv.lock',
  'mix.lock',
  'flake.lock',
  'go.sum',
  'packages.lock.json',
]);
const MINIFIED = /[.-]min\.(?:js|mjs|cjs|css)$|\.(?:js|mjs|cjs|css)\.map$/;

/** True for a file that a program wrote for programs, by its name: a lock file, a minified script, a source map. */
export function isMachineMade(path: string): boolean {
  if (path.endsWith('.md') || path.endsWith('.txt')) return false; // most names, asked once for each file
  const name = basename(path).toLowerCase();
  return LOCKS.has(name) || MINIFIED.test(name);
}
