import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, inject, onTestFinished } from 'vitest';

/** Below the folder of the run, so that nothing is left by a test that writes late, or was stopped. */
const fresh = (): string => mkdtempSync(join(inject('runFolder'), 'test-'));

/** A fresh folder, removed when the running test ends. */
export function tempFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = fresh();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, files);
  return folder;
}

/** A fresh folder for all tests of a `describe`, removed after the last; call it in the `describe` body. */
export function makeTempFolder(): string {
  const folder = fresh();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}
