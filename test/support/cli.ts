import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** Runs the command line as a user would, in a process of its own. */
export async function runCli(
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
