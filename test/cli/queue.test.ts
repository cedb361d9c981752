import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'bullmq';
import { describe, expect, it, onTestFinished } from 'vitest';
import { queueName } from '../../src/queue/contract.ts';
import { cliEntry, runCli } from '../support/cli.ts';
import { ownRedis, why } from '../support/queue.ts';
import { hasRedis } from '../support/redis.ts';
import { tempFolder } from '../support/temp.ts';

describe(`a queue on the command line${why}`, { timeout: 60_000 }, () => {
  it.skipIf(!hasRedis)('a quiet run says what it waits for, and names workers of another version', async () => {
    const cwd = tempFolder({ 'docs/ferry.md': 'The ferry leaves at seven.\n' });
    const { url } = await ownRedis();
    const connection = { url, maxRetriesPerRequest: null };
    const worker = new Worker(queueName.replace(/-\d+-/, '-1-'), async () => undefined, { connection });
    onTestFinished(() => worker.close());
    await worker.waitUntilReady();
    const child = spawn(process.execPath, [cliEntry, 'ingest', 'docs', '--queue', url, '--quiet'], { cwd });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [said] = await once(child.stderr, 'data');
    const other = '1 worker of another version of ibid: start each with the version of the run';
    expect(String(said)).toBe(`no worker listens: start \`ibid worker --queue …\` (${other})\n`);
    const { stdout } = await runCli(['queue', '--queue', url], { cwd });
    expect(stdout).toBe(`0 workers; 1 waiting, 0 under way, 0 failed\n${other}\n`);
  });

  it.skipIf(!hasRedis)('a worker says once why no batch succeeds', async () => {
    const cwd = tempFolder(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`docs/${i}.md`, `Ferry ${i}.\n`])));
    const { url } = await ownRedis();
    const child = spawn(process.execPath, [cliEntry, 'worker', '--queue', url, '--base', 'elsewhere'], { cwd });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stderr.on('data', (data: Buffer) => {
      said += data.toString();
    });
    await once(child.stderr, 'data'); // it waits for work
    const { status, stderr } = await runCli(['ingest', 'docs', '--queue', url, '--quiet'], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('which this run reads itself') });
    child.kill('SIGINT');
    await once(child, 'close');
    expect(said.match(/goes back to the queue: ENOENT/g)).toHaveLength(1);
  });
});
