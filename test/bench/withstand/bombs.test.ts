import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunOf } from '../../../bench/support/run-file.ts';
import { tempFolder } from '../../support/temp.ts';

function bombs(...flags: string[]): { status: number | null; run: RunOf<'trials'> } {
  const out = join(tempFolder(), 'run.json');
  const file = join(import.meta.dirname, '../../../bench/withstand/bombs.ts');
  const { status } = spawnSync(process.execPath, [file, '--out', out, ...flags], { stdio: 'ignore' });
  return { status, run: JSON.parse(readFileSync(out, 'utf8')) as RunOf<'trials'> };
}

describe.runIf(process.platform === 'linux')('npm run bombs', () => {
  it('a mail whose subject is one folded header stays small', () => {
    const { status, run } = bombs('--only', 'mail: subject', '--scale', '0.1');
    expect(run.results.sets[0]).toMatchObject({ attempts: 1, findings: [] });
    expect(status).toBe(0);
  }, 240_000);

  it('finds memory over the limit, and says how to repeat it', () => {
    const { status, run } = bombs('--only', 'JSON lines', '--scale', '0.001', '--megabytes', '50');
    const [finding] = run.results.sets[0]!.findings;
    expect(finding!.what).toMatch(/JSON lines.*: \d+ MB$/);
    expect(finding!.command).toContain("--only 'JSON lines");
    expect(status).toBe(1);
  }, 240_000);
});
