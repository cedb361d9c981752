import { readFileSync } from 'node:fs';

/** The version in package.json, two folders above both `src/cli` and `dist/cli`. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version; // our own manifest, checked by the package test
}
