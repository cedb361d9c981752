import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

it('the command keeps its compiled code for the next one, unless it is told not to', () => {
  for (const told of [false, true]) {
    const folder = tempFolder();
    const env = { TMPDIR: folder, TEMP: folder, TMP: folder, ...(told ? { NODE_DISABLE_COMPILE_CACHE: '1' } : {}) };
    const said = execFileSync(process.execPath, [main, '--version'], { env, encoding: 'utf8' });
    expect(said).toMatch(/\d+\.\d+/);
    expect(existsSync(join(folder, 'node-compile-cache'))).toBe(!told);
  }
}, 60_000);
