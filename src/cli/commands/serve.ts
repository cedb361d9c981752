import { dirname, join } from 'node:path';
import { IbidError, openIndex, type SearchIndex } from '../../index.ts';
import { type LogEntry, type RunningServer, serve, TokenStore } from '../../serve.ts';
import { exitCodes } from '../exit-codes.ts';
import { isRemoteAddress, locateIndex } from '../locate-index.ts';
import { boundReadAhead } from '../memory.ts';
import { say, tell } from '../say.ts';
import { openServices } from '../services.ts';
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
  await using clients = await openServices();
  await using opened = new AsyncDisposableStack();
  const indexes: Record<string, SearchIndex> = {};
  for (const [name, address] of addresses) {
    boundReadAhead(address);
    const base = isRemoteAddress(address) ? process.cwd() : dirname(address);
    indexes[name] = opened.use(await openIndex(address, { signal, services: clients.services, base }));
  }
  await using server = await serve({
    indexes,
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

/** `name=address` or `address`, which is then called by its number or, alone, `default`. @throws IbidError INVALID_ARGUMENT */
export function addressesOf(
  given: readonly string[] | undefined,
): readonly (readonly [name: string, address: string])[] {
  if (!given || given.length === 0) return [['default', locateIndex(undefined)]];
  const named = given.map((text, i): readonly [string, string] => {
    const [, name, address] = /^([\p{L}\p{N}][\p{L}\p{N}._-]*)=(.+)$/u.exec(text) ?? [];
    const alone = given.length === 1 ? 'default' : String(i + 1);
    return name === undefined ? [alone, locateIndex(text)] : [name, locateIndex(address)];
  });
  const twice = named.find(([name], i) => named.findIndex(([other]) => other === name) !== i);
  if (twice) throw new IbidError('INVALID_ARGUMENT', `two indexes are called "${twice[0]}"`);
  return named;
}

/** The file of tokens: the one that is named, else one in the first index. @throws IbidError INVALID_ARGUMENT */
export function tokensFile(named: string | undefined, addresses: readonly (readonly [string, string])[]): string {
  if (named !== undefined) return named;
  const local = addresses.find(([, address]) => !isRemoteAddress(address));
  if (!local)
    throw new IbidError('INVALID_ARGUMENT', 'tokens of remote indexes need a file', { hint: 'Name it with --tokens.' });
  return join(local[1], 'tokens.json');
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
