/** A bench in a process group of its own. At its deadline, or on request, it is asked to end, and later killed. */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root: string = join(import.meta.dirname, '../..');

export interface ChildOptions {
  /** When it is asked to end, by SIGINT; what it does then is its own matter. */
  readonly limitMs: number;
  /** How long it may take about that. */
  readonly graceMs: number;
  /** All it says, stdout and stderr. */
  readonly log: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly signal: AbortSignal;
  /** A line of stderr. */
  readonly onProgress: (line: string) => void;
}

export interface Ended {
  /** Exit status; null when a signal ended it. */
  readonly status: number | null;
  /** Why it was asked to end before it was done. */
  readonly cut: 'deadline' | 'interrupted' | undefined;
  readonly stdout: string;
  /** The last line that names an error, or the last of all. */
  readonly complaint: string;
  readonly ms: number;
}

/** @param args script and flags, relative to the repository */
export async function runBench(args: readonly string[], options: ChildOptions): Promise<Ended> {
  const { limitMs, graceMs, log, env, signal, onProgress } = options;
  const startedAt = performance.now();
  // a group of its own: a bench that is killed must not leave processes it started behind
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const kept = createWriteStream(log, { flags: 'a' });
  kept.write(`$ node ${args.join(' ')}\n`);
  let cut: Ended['cut'];
  let killer: NodeJS.Timeout | undefined;
  const toGroup = (name: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid!, name);
    } catch {
      // it has ended already
    }
  };
  const end = (why: NonNullable<Ended['cut']>): void => {
    if (cut !== undefined) return;
    cut = why;
    toGroup('SIGINT');
    killer = setTimeout(() => toGroup('SIGKILL'), graceMs);
  };
  const onAbort = (): void => end('interrupted');
  const timer = setTimeout(() => end('deadline'), limitMs);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  let stdout = '';
  let last = '';
  let error = '';
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    stdout += data;
    kept.write(data);
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    kept.write(`${line}\n`);
    if (line.trim() === '') return;
    last = line.trim();
    if (/error/i.test(line)) error = last;
    onProgress(last);
  });
  try {
    const status = await closed;
    return { status, cut, stdout, complaint: error || last, ms: performance.now() - startedAt };
  } finally {
    clearTimeout(timer);
    clearTimeout(killer);
    signal.removeEventListener('abort', onAbort);
    toGroup('SIGKILL'); // whatever outlived its leader
    await new Promise((resolve) => kept.end(resolve));
  }
}
