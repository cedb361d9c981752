import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { joinModules } from './joined-modules.ts';
import { removeUnneeded } from './needed-declarations.ts';
import { production } from './packages.ts';

const root = join(import.meta.dirname, '../..');

export interface Manifest {
  readonly version: string;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest; // our own manifest

export interface Packed {
  readonly filename: string;
  /** Bytes of the tarball. */
  readonly size: number;
  /** Bytes of its files. */
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Builds and packs the package as `npm pack` does, in `folder`: the `dist` of the checkout stays as it is. */
export async function packInto(folder: string): Promise<Packed> {
  const staged = join(folder, 'staged');
  for (const name of ['package.json', 'README.md', 'LICENSE', ...manifest.files.filter((name) => name !== 'dist')])
    cpSync(join(root, name), join(staged, name), { recursive: true });
  for (const part of ['--removeComments', '--emitDeclarationOnly']) {
    const into = ['--outDir', join(staged, 'dist'), part];
    run(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json', ...into], root);
  }
  removeUnneeded(staged);
  await joinModules(staged);
  for (const page of ['serve/page', 'overview/page'])
    cpSync(join(root, 'src', page), join(staged, 'dist', page), { recursive: true });
  chmodSync(join(staged, 'dist/cli/main.js'), 0o755);
  const output = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], staged);
  return (JSON.parse(output.slice(output.indexOf('['))) as [Packed])[0]; // npm's documented shape
}

/**
 * Unpacks the tarball into a project, beside links to what npm would install with it: the production dependencies, the
 * libraries that its bridges lead to, and nothing of ours.
 */
export function installInto(project: string, tarball: string): void {
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'ibid'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  run('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, 'ibid')], project);
  const peers = Object.keys(manifest.peerDependencies).map((name) => `node_modules/${name}`);
  for (const folder of new Set([...production, ...peers])) {
    // nested ones come with their parent's link, optional ones may be missing
    if (folder.lastIndexOf('node_modules/') > 0 || !existsSync(join(root, folder))) continue;
    mkdirSync(dirname(join(project, folder)), { recursive: true });
    symlinkSync(join(root, folder), join(project, folder));
  }
}
