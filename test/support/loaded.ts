import { execFileSync } from 'node:child_process';

/**
 * What a module pulls in, as the loader resolves it in a process of its own.
 * @param specifier a package's name or a file address
 * @returns the packages by name, and our own files from `src/` or `dist/` on
 */
export function loadedBy(specifier: string, cwd: string): { readonly packages: string[]; readonly files: string[] } {
  const script = `
    import { registerHooks } from 'node:module';
    const seen = new Set();
    registerHooks({ resolve: (name, context, next) => { const found = next(name, context); seen.add(found.url); return found; } });
    await import(${JSON.stringify(specifier)});
    console.log(JSON.stringify([...seen]));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd, encoding: 'utf8' });
  const urls = JSON.parse(output) as string[]; // printed by the script above
  const packages = new Set<string>();
  const files = new Set<string>();
  for (const url of urls) {
    if (!url.startsWith('file:')) continue;
    const inside = url.split('/node_modules/').at(-1)!;
    const own = /\/(?:src|dist)\/((?:[\w-]+\/)*[\w.-]+\.[jt]s)$/.exec(url);
    const name = /^(@[^/]+\/[^/]+|[^/]+)/.exec(inside)?.[0];
    if (own !== null && (!url.includes('/node_modules/') || name === 'ibid')) files.add(own[1]!);
    else if (url.includes('/node_modules/')) packages.add(name!);
  }
  return { packages: [...packages].sort(), files: [...files].sort() };
}
