import { expect, onTestFinished } from 'vitest';
import { serviceEnvironment } from '../keyed/support.ts';
import { type CliOptions, type CliResult, runCli } from '../support/cli.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { type Service, type ServiceOptions, startService } from '../wire/service/service.ts';

/** About the demo documents. */
export const question = 'Above which wave height does the Kittiwake stay in harbour?';

/** An answer as `--json` prints it. */
export interface AnswerLine {
  mode: string;
  model: string;
  stop: string;
  answer: string;
  abstained: boolean;
  citations: { n: number; quote: string; verified: boolean; uri: string }[];
  links: { n: number; url: string }[];
  usage: Record<string, number>;
  costUsd: number;
  skipped: { mode: string; code: string }[];
  error: { code: string };
}

export interface CommandRun {
  readonly service: Service;
  run(...args: string[]): Promise<CliResult>;
  runWith(options: Partial<CliOptions>, ...args: string[]): Promise<CliResult>;
}

/** The command as a user runs it, its keys and addresses in the environment. */
export async function served(
  folder: string,
  options: ServiceOptions = {},
  environment: NodeJS.ProcessEnv = {},
): Promise<CommandRun> {
  const service = await startService({ only: ['search', 'messages'], ...options });
  onTestFinished(() => service.close());
  if (!options.messages) service.messages.model = extractiveAnswerer().model;
  const env = { ...serviceEnvironment(service.url, ['search', 'messages']), ...environment };
  const runWith = (more: Partial<CliOptions>, ...args: string[]) => runCli(args, { cwd: folder, env, ...more });
  return { service, runWith, run: (...args) => runWith({}, ...args) };
}

export const json = <T = AnswerLine>({ status, stdout, stderr }: CliResult): T => {
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as T;
};
