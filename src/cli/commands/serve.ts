import { type LogEntry, type RunningServer, serve, TokenStore } from '../../serve.ts';
import { exitCodes } from '../exit-codes.ts';
import { addressesOf, openNamed, tokensFile } from '../named-indexes.ts';
import { say, tell } from '../say.ts';
import { jsonText } from '../text.ts';

export interface ServeFlags {
  readonly index?: readonly string[];
  readonly port: number;
  readonly host: string;
  readonly insecure?: boolean;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly budget?: number;
  readonly concurrency?: number;
  readonly tokens?: string;
  readonly log?: boolean;
  readonly json?: boolean;
}

export async function serveCommand(flags: ServeFlags, signal: AbortSignal): Promise<number> {
  const addresses = addressesOf(flags.index);
  await using opened = await openNamed(addresses, signal);
  await using server = await serve({
    indexes: opened.indexes,
    host: flags.host,
    port: flags.port,
    insecure: flags.insecure,
    hosts: flags.allowHost,
    origins: flags.allowOrigin,
    dailyBudgetUsd: flags.budget,
    tokens: new TokenStore(tokensFile(flags.tokens, addresses)),
    limits: { concurrency: flags.concurrency },
    log: flags.log ? (entry) => logLine(entry) : failuresOnly,
  });
  announce(server, flags);
  await aborted(signal);
  await server.stop();
  return exitCodes.done;
}

function announce({ url }: RunningServer, { json }: ServeFlags): void {
  if (json) process.stdout.write(`${jsonText({ url })}\n`);
  else say(`${url}  (Ctrl-C ends)`);
}

/** Lines of JSON on stderr. */
function logLine(entry: LogEntry): void {
  tell(jsonText(entry));
}

function failuresOnly(entry: LogEntry): void {
  if (entry.event === 'failed') logLine(entry);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    // a server in another room keeps the process running; this waits for Ctrl-C alone
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
