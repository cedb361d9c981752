import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';

export const cliEntry: string = join(import.meta.dirname, '../../src/cli/main.ts');

export interface CliResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly nodeArgs?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Text on standard input, or `open`: a pipe that never says anything. @default /dev/null */
  readonly input?: { readonly text: string } | 'open';
  /** Called with all of stderr so far, and the way to send the process a signal. */
  readonly onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
  /** Called with each piece of stdout as it comes. */
  readonly onStdout?: (piece: string) => void;
}

export interface HostRequest {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export type HostMessage =
  | { readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** `left`: what would keep a process of its own from ending. */
  | { readonly status: number; readonly left: readonly string[] };

/** Hosts that wait for a command line, of all test files of this process; they end with it. */
const idle: ChildProcess[] = [];
/** Some tests run several commands at one time; for the others two hosts are enough, some hundred megabytes each. */
const maxIdle = 2;

/** Whether the host keeps the tests' process running. */
function hold(host: ChildProcess, held: boolean): void {
  const streams = [host.stdout, host.stderr] as Socket[]; // pipes are sockets, in the documentation's words
  for (const one of [host, host.channel, ...streams]) held ? one?.ref() : one?.unref();
}

/**
 * Runs the command line as a user would, outside of the test's process: in one that ran others before, which saves the
 * start, or in one of its own where a test watches the process or sends it signals.
 */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const { cwd, nodeArgs, env = process.env, input, onStderr, onStdout } = options;
  if (nodeArgs || input || onStderr || onStdout) return await runAlone(args, options);
  const host =
    idle.pop() ?? fork(join(import.meta.dirname, 'cli-host.ts'), { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const said = { stdout: '', stderr: '' };
  const unbidden = (data: Buffer): void => {
    said.stderr += data.toString('utf8'); // past the stream, as a crash prints
  };
  hold(host, true);
  host.stderr!.on('data', unbidden);
  host.send({ args, cwd, env } satisfies HostRequest);
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const onMessage = (message: HostMessage): void => {
    if ('stream' in message) said[message.stream] += message.text;
    else {
      if (message.left.length > 0) said.stderr += `\nthe command does not end by itself: ${message.left.join(', ')}`;
      resolve(message.left.length > 0 ? null : message.status);
    }
  };
  host.on('message', onMessage).once('close', resolve);
  const status = await promise;
  host.off('message', onMessage).off('close', resolve);
  host.stderr!.off('data', unbidden);
  if (host.connected && idle.length < maxIdle) {
    hold(host, false);
    idle.push(host);
  } else host.kill();
  return { status, ...said };
}

/** Runs the command line in a process of its own. */
async function runAlone(
  args: readonly string[],
  { cwd, nodeArgs = [], env = process.env, input, onStderr, onStdout }: CliOptions,
): Promise<CliResult> {
  const child = spawn(process.execPath, [...nodeArgs, cliEntry, ...args], {
    cwd,
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  if (typeof input === 'object') child.stdin!.end(input.text);
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (data: string) => {
    stdout += data;
    onStdout?.(data);
  });
  child.stderr!.setEncoding('utf8').on('data', (data: string) => {
    stderr += data;
    onStderr?.(stderr, (signal) => child.kill(signal));
  });
  const [status] = (await once(child, 'close')) as [number | null]; // the event's documented arguments
  return { status, stdout, stderr };
}
