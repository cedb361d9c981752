import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliResult, runCli } from '../support/cli.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { tempFolder } from '../support/temp.ts';

async function demoFolder(): Promise<{ folder: string; run: (...args: string[]) => Promise<CliResult> }> {
  const folder = tempFolder();
  await copyIndex(demo, join(folder, 'index'));
  const run = (...args: string[]): Promise<CliResult> =>
    runCli(['overview', ...args, '--index', join(folder, 'index')], { cwd: folder });
  return { folder, run };
}

describe('ibid overview', () => {
  it('prints a script, of all documents, of some, or of a question', async () => {
    const { run } = await demoFolder();
    const all = await run('--minutes', '1');
    expect(all).toMatchObject({ status: 0, stderr: expect.stringContaining('passages of the documents') });
    expect(all.stdout).toMatch(/^# What the documents say\n[\s\S]*\nA: .*\n[\s\S]*\nB: [\s\S]*\n## Sources\n\n\[1\] /);
    const some = JSON.parse((await run('handbook/', 'reports', '--json')).stdout);
    expect(some.script.sources.every(({ uri }: { uri: string }) => /^(handbook|reports)\//.test(uri))).toBe(true);
    expect(some).toMatchObject({ mode: 'extractive', files: [], costUsd: 0 });
    const asked = JSON.parse((await run('How long are recordings kept?', 'handbook', '--json')).stdout);
    expect(asked.script.title).toBe('How long are recordings kept?');
    expect(asked.script.sources.every(({ uri }: { uri: string }) => uri.startsWith('handbook/'))).toBe(true);
  });

  it('writes a script that is edited and proven again, and names the lines that are not', async () => {
    const { folder, run } = await demoFolder();
    const file = join(folder, 'script.md');
    expect(await run('How long are recordings kept?', '--script', 'script.md', '-q')).toMatchObject({
      ...{ status: 0, stdout: 'script.md\n', stderr: '' },
    });
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/^A: .*$/m, 'A: Tell me more.'));
    const again = await run('--from-script', 'script.md');
    expect(again.status).toBe(0);
    expect(again.stdout).toContain('\nA: Tell me more.\n');
    writeFileSync(file, text.replace(/^A: .*$/m, 'A: The moon is made of cheese.'));
    const refused = await run('--from-script', 'script.md', '--json');
    expect(refused.status).toBe(2);
    const { error } = JSON.parse(refused.stdout);
    const line = text.split('\n').findIndex((one) => one.startsWith('A: ')) + 1;
    expect(error.message).toContain(`line ${line}: "The moon is made of cheese.": no source is cited at its end`);
  });

  it('says what it would do, and writes nothing', async () => {
    const { folder, run } = await demoFolder();
    const { status, stdout } = await run('--dry-run', '--script', 'script.md', '--json');
    expect(status).toBe(0);
    const { topics, estimate, files } = JSON.parse(stdout);
    expect(topics.length).toBeGreaterThan(2);
    expect(estimate.characters).toBeGreaterThan(1000);
    expect(files).toEqual([]);
    expect(existsSync(join(folder, 'script.md'))).toBe(false);
  });

  it('ends with 3 where the documents know nothing, and with 2 for what it is not asked like', async () => {
    const { run } = await demoFolder();
    expect(await run('What is the Wi-Fi password of the visitor room?')).toMatchObject({
      ...{ status: 3, stdout: '' },
      stderr: expect.stringContaining('do not seem to say anything'),
    });
    for (const args of [
      ['--out', 'x.ogg'],
      ['--out', 'x.wav', '--script', 'x.md'],
      ['handbook', '--from-script', 'x.md'],
      ['--minutes', '0'],
      ['--voices', 'a,b,c'],
    ])
      expect((await run(...args)).status, args.join(' ')).toBe(2);
    expect((await run('--from-script', 'nowhere.md')).stderr).toContain('FILE_UNREADABLE');
  });
});
