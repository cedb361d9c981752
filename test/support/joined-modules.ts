/**
 * Joins the built modules of the package: hundreds of small files take longer to load than all that a command does with
 * them. The doors of package.json, the command and the programs of threads and processes keep their names.
 *
 *   node test/support/joined-modules.ts
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { readFlags } from '../../bench/support/flags.ts';

/** `ownProgram('store/comparing-thread')` */
const program = /\bownProgram\(['"]([\w/-]+)['"]\)/g;

/** @param packed folder with package.json and `dist` */
export async function joinModules(packed: string): Promise<void> {
  const dist = join(packed, 'dist');
  const modules = globSync(join(dist, '**/*.js'));
  const programs = modules.flatMap((path) =>
    Array.from(readFileSync(path, 'utf8').matchAll(program), ([, name]) => name!),
  );
  const bundle = await rolldown({
    cwd: packed, // names in comments are below it
    input: Object.fromEntries([...doorsOf(packed), ...programs].map((name) => [name, join(dist, `${name}.js`)])),
    external: (name) => !/^[./]/.test(name),
    platform: 'node',
    treeshake: false,
  });
  const { output } = await bundle.generate({ entryFileNames: '[name].js', chunkFileNames: 'joined/[name]-[hash].js' });
  await bundle.close();
  for (const path of modules) rmSync(path);
  for (const one of output) {
    if (one.type !== 'chunk') throw new Error(`${one.fileName} is no module`);
    mkdirSync(dirname(join(dist, one.fileName)), { recursive: true });
    writeFileSync(join(dist, one.fileName), one.code);
  }
}

/** What package.json leads to, below `dist` and without its ending. */
function doorsOf(packed: string): string[] {
  const { exports, bin } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
    readonly bin: Readonly<Record<string, string>>;
  };
  const code = Object.values(exports).flatMap((door) => (typeof door === 'string' ? [] : door.default));
  return [...code, ...Object.values(bin)].map((path) => path.replace(/^\.\/dist\/|\.js$/g, ''));
}

if (import.meta.main) {
  readFlags(import.meta.filename, { options: {} });
  await joinModules(join(import.meta.dirname, '../..'));
}
