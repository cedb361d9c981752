import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { failureHints } from '../../src/cli/hints.ts';
import { errorCodes } from '../../src/index.ts';
import { cliEntry, runCli } from '../support/cli.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { makeTempFolder, tempFolder, writeFiles } from '../support/temp.ts';

/** What an ingest counts as skipped: the receipt says of each what is to be done. */
const skipped = ['FILE_EMPTY', 'FILE_SCANNED', 'FILE_UNTRANSCRIBED', 'FILE_OWN'];

describe('files that an ingest could not read', () => {
  it('have a hint for each code, once', () => {
    const codes = Object.keys(errorCodes).filter((code) => code.startsWith('FILE_') && !skipped.includes(code));
    expect(codes.length).toBeGreaterThan(5);
    const failures = [...codes, ...codes].map((code, i) => ({ uri: `${i}.md`, code, message: 'so' }));
    expect(failureHints(failures).map((line) => /^hint: (\w+): \S/.exec(line)?.[1])).toEqual(codes);
  });

  it('are told with what to do, by the run and by the status', async () => {
    const cwd = tempFolder({ 'docs/a.txt': 'The lock opens at six.\n', 'docs/long.txt': 'Water. '.repeat(10_000) });
    const { status, stderr } = await runCli(['ingest', 'docs', '--max-file-mb', '0.01'], { cwd });
    expect(status).toBe(3);
    expect(stderr).toMatch(/failed {2}docs\/long.txt.*\nhint: FILE_TOO_LARGE: .*--max-file-mb/);
    expect((await runCli(['status'], { cwd })).stdout).toMatch(/\nhint: FILE_TOO_LARGE: .*--max-file-mb/);
  });
});

describe('a mistake on the command line is told with what to do', () => {
  const cwd = makeTempFolder();
  beforeAll(async () => {
    writeFiles(cwd, { 'file.txt': 'no folder', 'folder/a.md': 'a' });
    await copyIndex(demo, join(cwd, '.ibid'));
  });

  it.each([
    [2, ['search', '']],
    [2, ['search', '  \n']],
    [2, ['ask', '']],
    [2, ['search', 'x', '--index', '']],
    [2, ['export', '--parquet', '']],
    [1, ['export', '--parquet', 'folder']],
    [1, ['export', '--parquet', 'file.txt/x.parquet']],
    [1, ['overview', '--script', 'nowhere/x.md']],
    [1, ['overview', '--script', 'folder']],
    [1, ['overview', '--from-script', 'nowhere.md', '--out', 'x.wav']],
    [1, ['watch', 'nowhere']],
    [1, ['serve', '--watch', 'nowhere']],
    [1, ['speakers', 'nowhere.mp3']],
    [1, ['ask', 'x', '--history', 'folder']],
    [1, ['reembed', '--queries', 'nowhere']],
    [1, ['token', 'list', '--tokens', 'folder']],
    [1, ['token', 'create', 'x', '--tokens', 'file.txt/tokens.json']],
    [1, ['gate', '--save', '--baseline', 'file.txt/gate.json']],
  ] as const)('status %i of %j', async (expected, args) => {
    const { status, stderr } = await runCli(args, { cwd });
    expect(stderr).toMatch(/(^|\n)error\[\w+\]: .+\nhint: \S/);
    expect(status).toBe(expected);
  });

  it('with the reason of the system', async () => {
    for (const args of [
      ['token', 'create', 'x', '--tokens', 'file.txt/tokens.json'],
      ['gate', '--save', '--baseline', 'file.txt/gate.json'],
    ]) {
      // the way there is a file
      expect((await runCli(args, { cwd })).stderr).toMatch(/ENOTDIR|EEXIST/);
    }
  });

  it.skipIf(!existsSync('/dev/full'))('also where the output has no room', () => {
    const asked = spawnSync('sh', ['-c', '"$0" "$1" status > /dev/full', process.execPath, cliEntry], {
      cwd,
      encoding: 'utf8',
    });
    expect(asked).toMatchObject({ status: 1, stderr: expect.stringMatching(/ENOSPC\nhint: .*full/) });
  });
});
