import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** For what test files share: removed after the last one. A process of tests is stopped, and removes nothing. */
    readonly runFolder: string;
  }
}

export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-run-'));
  provide('runFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
