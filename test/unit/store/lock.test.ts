import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { lockFolder } from '../../../src/store/lock.ts';

const root = mkdtempSync(join(tmpdir(), 'ibid-lock-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = '';
let next = 0;
beforeEach(() => {
  folder = join(root, String(next++));
});

describe('the write lock', () => {
  it('is refused to a second writer, which is told who holds it', async () => {
    const first = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toMatchObject({
      code: 'INDEX_LOCKED',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    await first.release();
    const second = await lockFolder(folder);
    expect(second.afterCrash).toBe(false);
    await second.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('in the place of a file says so', async () => {
    writeFileSync(folder, 'no folder');
    await expect(lockFolder(join(folder, 'locks'))).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: `cannot write to the index folder ${folder}: a file is in the place of a folder`,
    });
  });

  it('released unclean needs no space, and the next writer repairs', async () => {
    const first = await lockFolder(folder);
    const [name = ''] = readdirSync(folder);
    const before = statSync(join(folder, name));
    await first.release(true);
    const [unclean = ''] = readdirSync(folder);
    expect(statSync(join(folder, unclean)).ino).toBe(before.ino); // renamed, not written
    const second = await lockFolder(folder);
    expect(second.afterCrash).toBe(true);
    await second.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is waited for', async () => {
    const first = await lockFolder(folder);
    setTimeout(() => void first.release(), 150);
    const second = await lockFolder(folder, { waitMs: 5000 });
    await second.release();
  });

  it('waiting ends with the caller’s abort', async () => {
    const first = await lockFolder(folder);
    const stopped = new Error('stopped');
    const abort = new AbortController();
    setTimeout(() => abort.abort(stopped), 50);
    await expect(lockFolder(folder, { waitMs: 5000, signal: abort.signal })).rejects.toBe(stopped);
    await first.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a killed process is taken over, and the taker knows', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'x.json'), JSON.stringify({ pid: child.pid, host: hostname(), started: '1' }));
    const lock = await lockFolder(folder);
    expect(lock.afterCrash).toBe(true);
    await lock.release();
  });

  it('of a process whose pid now belongs to another one is taken over', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'x.json'),
      JSON.stringify({ pid: process.pid, host: hostname(), started: 'another time' }),
    );
    // only Linux tells start times; elsewhere a living pid counts as the holder
    if (process.platform === 'linux') expect((await lockFolder(folder)).afterCrash).toBe(true);
    else await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
  });

  it('of a process that has ended, and that nobody waits for, is taken over', async () => {
    if (process.platform !== 'linux') return; // only Linux tells such a process from one that runs
    // the shell becomes a program that waits for no child, as the first process of many containers
    const parent = spawn('sh', ['-c', 'sleep 0.1 & cat /proc/$!/stat; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = await once(parent.stdout, 'data');
    const fields = String(line).trim().split(' '); // its name has no space
    const holder = { pid: Number(fields[0]), host: hostname(), started: fields[21] };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'x.json'), JSON.stringify(holder));
    await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
    await expect.poll(() => readFileSync(`/proc/${fields[0]}/stat`, 'utf8')).toContain(') Z ');
    expect((await lockFolder(folder)).afterCrash).toBe(true);
  });

  it('of another machine is respected', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'x.json'), JSON.stringify({ pid: 1, host: 'elsewhere', started: '' }));
    await expect(lockFolder(folder)).rejects.toMatchObject({ message: expect.stringContaining('on elsewhere') });
  });

  it('released after a failure says so to the next writer', async () => {
    await (await lockFolder(folder)).release(true);
    const next = await lockFolder(folder);
    expect(next.afterCrash).toBe(true);
    await next.release();
    expect((await lockFolder(folder)).afterCrash).toBe(false);
  });

  it('an unreadable lock file does not lock forever', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'x.json'), '');
    expect((await lockFolder(folder)).afterCrash).toBe(true);
  });

  it('is held by one at a time, whoever comes together', async () => {
    let holders = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const lock = await lockFolder(folder, { waitMs: 20_000 });
        most = Math.max(most, ++holders);
        await new Promise((resolve) => setTimeout(resolve, 5));
        lock.check();
        holders--;
        await lock.release();
      }),
    );
    expect(most).toBe(1);
  }, 30_000);

  it('a writer whose lock file was removed notices', async () => {
    const lock = await lockFolder(folder);
    rmSync(folder, { recursive: true });
    expect(() => lock.check()).toThrow(/taken away/);
  });
});
