import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ParserPool } from '../../../src/read/isolate.ts';

const limits = { maxTextChars: 1e6, maxUnpackedBytes: 1e7 };
const work = (text: string) => ({ name: `${text.slice(0, 9)}.html`, file: { bytes: Buffer.from(`<p>${text}</p>`) } });

function openPool(timeoutMs = 20_000): ParserPool {
  const pool = new ParserPool({ timeoutMs, memoryMb: 1024, concurrency: 1, limits });
  onTestFinished(() => pool.close());
  return pool;
}

/** The parser processes of this one. */
function parsers(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const parent = Number(
          readFileSync(`/proc/${pid}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')[1],
        );
        return parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('parser-process');
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);
}

const isLinux = process.platform === 'linux';

it.runIf(isLinux)('reads a file in another process where its own stops with what an earlier file left', async () => {
  const pool = openPool();
  expect((await pool.parse(work('lantern'), undefined)).document?.text).toContain('lantern');
  const [pid] = parsers();
  process.kill(pid!, 'SIGSTOP'); // before it can answer
  const second = pool.parse(work('harbour'), undefined);
  process.kill(pid!, 'SIGTERM');
  process.kill(pid!, 'SIGCONT');
  expect((await second).document?.text).toContain('harbour');
  await vi.waitFor(() => expect(parsers()).not.toContain(pid));
});

it('refuses what it reads when it is closed, also in a process that has read before', async () => {
  const pool = openPool();
  await pool.parse(work('lantern'), undefined);
  const second = pool.parse(work('<b>harbour </b>'.repeat(100_000)), undefined); // takes longer than a busy machine's pause
  second.catch(() => undefined);
  await pool.close();
  await expect(Promise.race([second, delay(2000, 'nothing')])).rejects.toBeDefined();
});

it.runIf(isLinux)('refuses the file that a fresh process stops at', async () => {
  const pool = openPool();
  const first = pool.parse(work('lantern'), undefined);
  first.catch(() => undefined);
  while (parsers().length === 0) await delay(1);
  process.kill(parsers()[0]!, 'SIGTERM');
  await expect(first).rejects.toMatchObject({ code: 'FILE_DAMAGED' });
  expect((await pool.parse(work('harbour'), undefined)).document?.text).toContain('harbour');
});

it('gives a file all the time of a limit that is longer than a timer can be set to', async () => {
  const pool = openPool(2 ** 31); // 25 days
  expect((await pool.parse(work('lantern'), undefined)).document?.text).toContain('lantern');
});
