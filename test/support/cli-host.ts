// Runs command lines one after the other in one process, as `main.ts` runs one: loading the command line takes a second
// each time.
import { setTimeout } from 'node:timers/promises';
import { run } from '../../src/cli/run.ts';
import type { HostMessage, HostRequest } from './cli.ts';

const send = (message: HostMessage): void => {
  process.send?.(message);
};

for (const stream of ['stdout', 'stderr'] as const) {
  const write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    send({ stream, text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8') });
    for (const done of rest) if (typeof done === 'function') process.nextTick(done as () => void); // a write's callback
    return true;
  };
  process[stream].write = write as typeof process.stdout.write; // an overload of three signatures
}

/** What keeps the process from ending; a command must leave no more of it than it found. */
const held = (): string[] => process.getActiveResourcesInfo().sort();

process.on('disconnect', () => process.exit()); // the tests' process is gone
process.on('message', async ({ args, cwd, env }: HostRequest) => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.exitCode = undefined;
  const before = held();
  const returned = await run(args);
  const status = returned || Number(process.exitCode ?? 0);
  for (let waited = 0; waited < 500 && held().length > before.length; waited++)
    await setTimeout(20, undefined, { ref: false });
  send({ status, left: held().length > before.length ? held() : [] });
});
