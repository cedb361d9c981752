import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IbidError } from '../core/errors.ts';
import { isRunning, makeFolders, removeHalfWritten, writeWhole } from '../core/files.ts';
import type { CallOptions } from '../core/types.ts';
import { unwritable } from './failure.ts';

export interface LockOptions extends CallOptions {
  /** How long to wait for another writer before INDEX_LOCKED, in milliseconds. @default 0 */
  readonly waitMs?: number | undefined;
}

/** The right to write an index, valid until `release`. */
export interface WriteLock {
  /** True when the writer before was killed. It may have left a half-finished change, which this writer must repair. */
  readonly afterCrash: boolean;
  /** @throws IbidError INDEX_LOCKED when this writer has lost the lock */
  check(): void;
  /** @param unclean tells the next writer to look for a half-finished change */
  release(unclean?: boolean): Promise<void>;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process where the system provides it. A process that reuses the pid has another start time. */
  readonly started: string;
}

/** How the file of a writer ends that left a half-finished change and lives on. */
const UNCLEAN = '-unclean.json';

/**
 * Locks a local index for writing. Every writer creates a file of its own in `directory` and then reads the others. A
 * writer that finds a living one removes its own file. Of two writers at the same moment, at least the later one sees
 * the other, so two never hold the lock; a short random pause decides who is first. Files of dead processes are
 * removed. A file from another machine counts as living, because its process cannot be checked.
 * @throws IbidError INDEX_LOCKED when another writer is still living after `waitMs`, STORE_FAILED when the folder is
 * not writable
 */
export async function lockFolder(directory: string, { waitMs = 0, signal }: LockOptions = {}): Promise<WriteLock> {
  writable(directory, () => makeFolders(directory));
  const file = join(directory, `${randomUUID()}.json`);
  const self: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) ?? '' };
  const deadline = performance.now() + waitMs;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    writable(directory, () => writeWhole(file, JSON.stringify(self)));
    const others = readHolders(directory, file);
    const living = others.find(({ path, holder }) => !path.endsWith(UNCLEAN) && isAlive(holder));
    if (living === undefined) {
      for (const { path } of others) remove(path);
      removeHalfWritten(directory);
      return held(file, others.length > 0);
    }
    remove(file);
    if (attempt >= 3 && performance.now() >= deadline) throw locked(living.holder, waitMs);
    const ms = attempt < 3 ? 5 + Math.random() * 20 : 50 + Math.random() * 100;
    await sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined); // its reason is thrown above
  }
}

function held(file: string, afterCrash: boolean): WriteLock {
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
      // A new name needs no space on a full disk.
      if (unclean) renameSync(file, file.replace(/\.json$/, UNCLEAN));
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
    throw unwritable(dirname(directory), cause);
  }
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

/** Undefined when the file is gone. An unreadable file counts as the file of a dead process. */
function readHolder(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const { pid, host, started } = JSON.parse(text) as Holder; // values are only compared
    return { pid, host, started };
  } catch {
    return { pid: -1, host: hostname(), started: '' };
  }
}

function isAlive({ pid, host, started }: Holder): boolean {
  if (host !== hostname()) return true;
  if (!Number.isInteger(pid) || pid <= 0 || !isRunning(pid)) return false;
  const now = startOf(pid);
  return now === undefined || (started === '' && now !== 'ended') || now === started;
}

/**
 * Field 22 of /proc/<pid>/stat (start time in ticks); undefined on systems without this file. Of a process that has
 * ended, and that nobody has waited for, it is `ended`: where the first process of a container waits for none, it stays.
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const threads = Number(fields[17]);
    return fields[0] === 'Z' && threads <= 1 ? 'ended' : fields[19];
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
