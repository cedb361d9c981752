import { spawn } from 'node:child_process';
import { LONGEST_TIMER_MS } from './async.ts';
import { IbidError } from './errors.ts';
import type { CallOptions } from './types.ts';

export interface ProgramRun extends CallOptions {
  readonly timeoutMs: number;
  /** Written to the standard input. */
  readonly input?: Uint8Array | undefined;
  /** More output is an error, in bytes. */
  readonly maxOutputBytes: number;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** Where programs are on Linux and macOS; and a thread for each page, since several are read at a time. */
export const usualEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin',
  OMP_THREAD_LIMIT: '1',
} as const;

/**
 * Runs a program of the user's machine and returns its standard output. It sees no more of the environment than it is
 * given: no key of a service.
 * @returns undefined when there is no such program
 * @throws IbidError FILE_TIMEOUT, FILE_TOO_LARGE (output), FILE_DAMAGED (any other failure), or the signal's reason
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, input, maxOutputBytes, environment, signal }: ProgramRun,
): Promise<Buffer | undefined> {
  signal?.throwIfAborted();
  return await new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...usualEnvironment, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const output: Buffer[] = [];
    let bytes = 0;
    let said = '';
    const end = (finish: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      child.kill('SIGKILL');
      finish();
    };
    const fail = (code: 'FILE_TIMEOUT' | 'FILE_TOO_LARGE' | 'FILE_DAMAGED', message: string): void =>
      end(() => reject(new IbidError(code, `${program}: ${message}`)));
    const onAbort = (): void => end(() => reject(signal?.reason));
    const timer = setTimeout(
      () => fail('FILE_TIMEOUT', `took longer than ${timeoutMs} ms`),
      Math.min(timeoutMs, LONGEST_TIMER_MS),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') end(() => resolve(undefined));
      else fail('FILE_DAMAGED', error.message);
    });
    child.stdout.on('data', (data: Buffer) => {
      bytes += data.length;
      if (bytes > maxOutputBytes) fail('FILE_TOO_LARGE', `gave more than ${maxOutputBytes} bytes`);
      else output.push(data);
    });
    child.stderr.on('data', (data: Buffer) => {
      said = (said + data.toString('utf8')).slice(-2000);
    });
    child.once('close', (status, killedBy) => {
      if (status === 0) end(() => resolve(Buffer.concat(output)));
      else fail('FILE_DAMAGED', said.trim().split('\n').at(-1) || `ended with ${killedBy ?? status}`);
    });
    child.stdin.on('error', () => {}); // a program that ends before it has read all says so with its status
    child.stdin.end(input);
  });
}
