import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takePrinted } from '../support/quiet.ts';

const root = join(import.meta.dirname, '../../src');

describe('stray output', () => {
  it('is seen wherever it goes, and fails the test that made it', async () => {
    console.warn('a word of the console');
    process.stderr.write('a line to stderr\n');
    process.emitWarning('a warning of the process');
    await new Promise((resolve) => setImmediate(resolve));
    const printed = takePrinted(); // what is taken here does not fail this test
    expect(printed).toContain('console.warn: a word of the console');
    expect(printed).toContain('process.stderr: a line to stderr');
    expect(printed.join()).toContain('a warning of the process');
  });

  it('is not written by the library: only the command line prints', () => {
    const printing = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => /\bconsole\.\w|process\.std(?:out|err)\b/.test(readFileSync(join(root, name), 'utf8')));
    expect(printing.length).toBeGreaterThan(0); // the command line does
    expect(printing.filter((name) => !name.startsWith('cli/'))).toEqual([]);
  });
});
