import { execFileSync } from 'node:child_process';
import { getPriority, platform } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = `import { getPriority, setPriority } from 'node:os';
  import { execFileSync } from 'node:child_process';
  import { lowerPriority } from ${JSON.stringify(join(import.meta.dirname, '../../src/cli/priority.ts'))};
  setPriority(Number(process.argv[1]));
  lowerPriority();
  const child = execFileSync(process.execPath, ['-p', 'os.getPriority()'], { encoding: 'utf8' });
  console.log(JSON.stringify([getPriority(), Number(child)]));`;

/** Of a process that began with this nice value, and of a child that it starts. */
function priorities(before: number): unknown {
  const args = ['--no-warnings', '--input-type=module', '-e', source, String(before)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

const isLinux = platform() === 'linux';

describe(`a command that writes for long${isLinux ? '' : ' (skipped: priorities of Linux)'}`, () => {
  it.skipIf(!isLinux)('lets others go first, and so do its children', () => {
    const own = getPriority();
    const low = Math.max(5, own);
    expect(priorities(own)).toEqual([low, low]);
  });

  it.skipIf(!isLinux)('keeps a lower priority that it was given', () => {
    const own = Math.max(12, getPriority());
    expect(priorities(own)).toEqual([own, own]);
  });
});
