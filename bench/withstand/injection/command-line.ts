/** The command line, as it looks at a terminal and in a pipe, over the corpus. */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostMessage, HostRequest } from '../../../test/support/cli.ts';
import { unseenIn } from './checks.ts';
import type { Corpus } from './corpus.ts';
import { outsideSecret } from './corpus.ts';

const host = join(import.meta.dirname, '../../../test/support/cli-host.ts');
/** What tells a program that it writes to a terminal. */
const terminal =
  'for (const s of [process.stdout, process.stderr]) { s.isTTY = true; s.columns = 120; s.cursorTo ??= () => true; s.clearLine ??= () => true; }';

export interface Output {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands one after the other in one process. */
export class CommandLine implements Disposable {
  readonly #child: ChildProcess;
  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly isTerminal: boolean;

  constructor(corpus: Corpus, url: string, isTerminal: boolean) {
    this.isTerminal = isTerminal;
    this.#cwd = corpus.work;
    const { NO_COLOR: _, ...inherited } = process.env;
    this.#env = {
      ...inherited,
      TERM: 'xterm-256color',
      IBID_SEARCH_API_KEY: 'test-search-key',
      IBID_SEARCH_BASE_URL: url,
      IBID_MESSAGES_API_KEY: 'test-key',
      IBID_MESSAGES_BASE_URL: url,
    };
    const execArgv = isTerminal ? ['--import', `data:text/javascript,${encodeURIComponent(terminal)}`] : [];
    this.#child = fork(host, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv });
  }

  async run(...args: readonly string[]): Promise<Output> {
    const said = { stdout: '', stderr: '' };
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const hear = (message: HostMessage): void => {
      if ('stream' in message) said[message.stream] += message.text;
      else resolve(message.status);
    };
    const gone = (): void => resolve(null);
    this.#child.on('message', hear).once('close', gone);
    this.#child.send({ args, cwd: this.#cwd, env: this.#env } satisfies HostRequest);
    const status = await promise;
    this.#child.off('message', hear).off('close', gone);
    return { status, ...said };
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}

export interface Shown {
  readonly command: string;
  readonly effects: readonly string[];
}

/** What a command printed: neutral for a terminal, and JSON lines or values where it exports. */
export function checkOutput(args: readonly string[], output: Output, isTerminal: boolean): Shown {
  const { status, stdout, stderr } = output;
  const isJson = args.includes('--json') || args[0] === 'export';
  const effects = [
    ...unseenIn(stdout, { terminal: isTerminal && !isJson }).map((bad) => `stdout holds ${bad}`),
    ...unseenIn(stderr, { terminal: isTerminal }).map((bad) => `stderr holds ${bad}`),
  ];
  if (`${stdout}${stderr}`.includes(outsideSecret)) effects.push('a file outside of the folder is shown');
  // a line of ours that a name of a file has forged
  if (/^\[s1\.1\] [^\n]*RK-93/m.test(stdout)) effects.push('a name of a file begins a line of its own');
  if (status === null) effects.push('the command crashed');
  if (isJson && stdout !== '' && args[0] !== 'export') JSON.parse(stdout);
  if (args[0] === 'export') for (const line of stdout.trimEnd().split('\n')) JSON.parse(line);
  return { command: `ibid ${args.map((arg) => JSON.stringify(arg)).join(' ')}`, effects };
}

/** What every run of the command line shows, whatever is asked. */
export function generalCommands(index: string): readonly (readonly string[])[] {
  return [
    ['ingest', 'docs', '--index', index],
    ['ingest', 'docs', '--index', index, '--rebuild'],
    ['ingest', 'docs', '--index', index, '--dry-run', '--json', '--quiet'],
    ['ingest', 'no \u001b[2J such \u202e RK-98', '--index', index],
    ['status', '--index', index],
    ['status', '--index', index, '--json'],
    ['doctor', '--index', index],
    ['doctor', '--index', index, '--json'],
    ['export', '--index', index],
    ['export', '--index', index, '--metadata'],
    ['show', 'docs/no \u001b]0;RK-98\u0007 such.md#1-9', '--index', index],
    ['search', 'reef', '--where', "uri = '\u001b[2J' and nosuch = 1", '--index', index],
    ['gate', '--save', '--index', index],
    ['gate', '--index', index],
  ];
}

/** A question, in every mode of the command line. */
export function questionCommands(question: string, index: string): readonly (readonly string[])[] {
  const own = ['--index', index];
  return [
    ['search', question, '--explain', '--verbose', '--neighbours', '1', ...own],
    ['search', question, '--web', '--json', ...own],
    ['ask', question, '--extractive', '--quotes', ...own],
    ['ask', question, '--quotes', '--web', ...own],
    ['ask', question, '--marks', '--json', ...own],
    ['ask', question, '--agent', ...own],
    ['research', question, ...own],
    ['answer', question, ...own],
  ];
}

/** Asks a question by batch and reads the file of its answers. */
export async function batchOutput(
  commands: CommandLine,
  corpus: Corpus,
  question: string,
  index: string,
): Promise<Shown> {
  const asked = join(corpus.work, 'batch.jsonl');
  const output = join(corpus.work, `batch.${performance.now()}.answers.jsonl`);
  writeFileSync(asked, `${JSON.stringify({ id: '\u001b[2J\u202e RK-98', question })}\n`);
  const args = ['ask', '--batch', asked, '--output', output, '--index', index];
  const shown = checkOutput(args, await commands.run(...args), commands.isTerminal);
  const written = readFileSync(output, 'utf8');
  return {
    ...shown,
    effects: [...shown.effects, ...unseenIn(written).map((bad) => `the file of answers holds ${bad}`)],
  };
}
