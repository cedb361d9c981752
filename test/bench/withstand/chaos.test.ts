import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunOf } from '../../../bench/support/run-file.ts';
import { tempFolder } from '../../support/temp.ts';

function attack(program: 'chaos' | 'soak', ...flags: string[]): { status: number | null; run: RunOf<'trials'> } {
  const out = join(tempFolder(), 'run.json');
  const file = join(import.meta.dirname, `../../../bench/withstand/${program}.ts`);
  const { status } = spawnSync(process.execPath, [file, '--out', out, ...flags], { stdio: 'ignore' });
  return { status, run: JSON.parse(readFileSync(out, 'utf8')) as RunOf<'trials'> };
}

describe('npm run chaos', () => {
  it('finds nothing after a kill', () => {
    const { status, run } = attack('chaos', '--only', 'kill-add:2', '--seed', '3');
    expect(run.results.sets[0]).toMatchObject({ attempts: 1, findings: [] });
    expect(status).toBe(0);
  }, 120_000);

  it('finds a file that was changed', () => {
    const { status, run } = attack('chaos', '--only', 'kill-add:2', '--careless');
    const { findings } = run.results.sets[0]!;
    expect(findings.map(({ what }) => what).join()).toContain('INDEX_DAMAGED');
    expect(findings[0]!.command).toMatch(/--only kill-add:2$/);
    expect(status).toBe(1);
  }, 120_000);
});

describe('npm run soak', () => {
  it('finds a handle that is never closed, and no helper that outlives its process', () => {
    const { status, run } = attack('soak', '--minutes', '0.06', '--leak');
    const [one, left] = run.results.sets;
    expect(one!.findings.map(({ what }) => what).join()).toContain('files: ');
    expect(one!.series!.map(({ name }) => name)).toContain('rssMb');
    expect(left).toMatchObject({ attempts: 3, findings: [] });
    expect(status).toBe(1);
  }, 120_000);
});
