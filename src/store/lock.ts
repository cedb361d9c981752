import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';

export interface LockOptions extends CallOptions {
  /** How long to wait for another writer to finish before INDEX_LOCKED. @default 0 */
  readonly waitMs?: number | undefined;
}

/** The right to write, held until released. */
export interface WriteLock {
  /** True when the writer before this one was killed: what it left half done has to be looked for. */
  readonly afterCrash: boolean;
  /** Throws INDEX_LOCKED when the right was lost meanwhile. */
  check(): void;
  /** @param unclean leaves a trace, so that the next writer looks for what was left half done */
  release(unclean?: boolean): Promise<void>;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process where the system tells, so that a reused pid is not taken for the holder. */
  readonly started: string;
  readonly unclean?: boolean;
}

/**
 * Every writer puts a file of its own into `directory` and then looks for others: whoever finds a living one steps
 * back. Of two that arrive together at least the later one sees the other, so there are never two holders; a short
 * random pause settles who goes first. Files of processes that no longer run are removed. A file from another machine
 * counts as alive, since nothing here can tell.
 */
export async function lockFolder(directory: string, { waitMs = 0, signal }: LockOptions = {}): Promise<WriteLock> {
  writable(directory, () => mkdirSync(directory, { recursive: true }));
  const file = join(directory, `${randomUUID()}.json`);
  const self: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) ?? '' };
  const deadline = performance.now() + waitMs;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    writable(directory, () => writeWhole(file, self));
    const others = readHolders(directory, file);
    const living = others.find(({ holder }) => isAlive(holder));
    if (living === undefined) {
      for (const { path } of others) remove(path);
      return held(file, self, others.length > 0);
    }
    remove(file);
    if (attempt >= 3 && performance.now() >= deadline) throw locked(living.holder, waitMs);
    await sleep(attempt < 3 ? 5 + Math.random() * 20 : 50 + Math.random() * 100, undefined, signal ? { signal } : {});
  }
}

function held(file: string, self: Holder, afterCrash: boolean): WriteLock {
  return {
    afterCrash,
    check() {
      if (!readHolder(file)) {
        throw new IbidError('INDEX_LOCKED', 'the write lock of this index was taken away', {
          hint: 'Something removed the lock file; run again.',
        });
      }
    },
    async release(unclean = false) {
      if (unclean) writeWhole(file, { ...self, unclean: true });
      else remove(file);
    },
  };
}

function locked({ pid, host }: Holder, waitMs: number): IbidError {
  const where = host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
  const waited = waitMs > 0 ? ` (waited ${waitMs} ms)` : '';
  return new IbidError('INDEX_LOCKED', `${where} is writing to this index${waited}`, {
    hint:
      host === hostname()
        ? 'Wait until it has finished, or let this run wait for it: `waitMs`.'
        : 'Wait until it has finished (`waitMs`). If that machine is gone, remove the folder `locks` of the index.',
  });
}

function writable(directory: string, step: () => void): void {
  try {
    step();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error'; // fs errors carry a code
    throw new IbidError('STORE_FAILED', `cannot write to the index folder ${dirname(directory)}: ${code}`, {
      cause,
      hint: 'Searching needs no right to write; ingesting does.',
    });
  }
}

/** A file that appears with its whole content or not at all. */
function writeWhole(file: string, holder: Holder): void {
  writeFileSync(`${file}.tmp`, JSON.stringify(holder));
  renameSync(`${file}.tmp`, file);
}

function readHolders(directory: string, except: string): { readonly path: string; readonly holder: Holder }[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(directory, name))
    .filter((path) => path !== except)
    .flatMap((path) => {
      const holder = readHolder(path);
      return holder ? [{ path, holder }] : [];
    });
}

/** Undefined when the file is gone; a file nobody can read belongs to nobody alive. */
function readHolder(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const { pid, host, started, unclean } = JSON.parse(text) as Holder; // used only to compare
    return { pid, host, started, unclean: unclean === true };
  } catch {
    return { pid: -1, host: hostname(), started: '' };
  }
}

function isAlive({ pid, host, started, unclean }: Holder): boolean {
  if (unclean) return false;
  if (host !== hostname()) return true;
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false; // EPERM: it runs, under another user
  }
  const now = startOf(pid);
  return now === undefined || started === '' || now === started;
}

/** Field 22 of /proc/<pid>/stat (start time in ticks); undefined on systems without it. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // gone already
  }
}
