import { expect, it, vi } from 'vitest';
import { WorkerLink } from '../../src/embed/local/worker-link.ts';

// stands for a process that the system ends, and for a program whose bundler left the file of the process behind
vi.mock('node:child_process', async (original) => {
  const real = await original<typeof import('node:child_process')>();
  const options = { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] as 'ignore'[] };
  return { ...real, fork: () => real.fork('/there/is/no/such.js', [], options) };
});

it('a training process that ends before its answer is an error with a code and a hint', async () => {
  const link = new WorkerLink('process');
  link.begin({});
  const ended = { code: 'THREAD_ENDED', hint: expect.stringContaining('memory') };
  await expect(link.request({})).rejects.toMatchObject(ended);
  await expect(link.request({})).rejects.toMatchObject(ended);
  await link.close();
});
