import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunOf } from '../../../bench/support/run-file.ts';
import { tempFolder } from '../../support/temp.ts';

const program = join(import.meta.dirname, '../../../bench/withstand/flips.ts');

function flips(...flags: string[]): { status: number | null; run: RunOf<'trials'> } {
  const out = join(tempFolder(), 'run.json');
  // Decoders of the database write a trace of each panic.
  const env = { ...process.env, RUST_BACKTRACE: '0' };
  const { status } = spawnSync(process.execPath, [program, '--out', out, ...flags], { env, stdio: 'ignore' });
  expect(readFileSync(out.replace('.json', '.html'), 'utf8')).toContain('bits flipped');
  return { status, run: JSON.parse(readFileSync(out, 'utf8')) as RunOf<'trials'> };
}

describe('npm run flips', () => {
  it('finds nothing in an index with checksums', () => {
    const { status, run } = flips('--attempts', '12', '--seed', '7');
    expect(run.results.sets[0]).toMatchObject({ attempts: 12, findings: [] });
    expect(status).toBe(0);
  });

  it('finds damage that nobody notices in an index without', () => {
    const { status, run } = flips('--attempts', '8', '--blind');
    const { figures, findings } = run.results.sets[0]!;
    expect(figures['missed by check']).toBeGreaterThan(0);
    expect(findings[0]!.command).toMatch(/--only \d+$/);
    expect(status).toBe(1);
  });
});
