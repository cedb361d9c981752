import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { IbidError } from '../../index.ts';
import { type LogEntry, type RunningServer, serve, TokenStore } from '../../serve.ts';
import { exitCodes } from '../exit-codes.ts';
import { inCommandWords } from '../hints.ts';
import { boundHeap } from '../memory.ts';
import {
  type IndexesFlags,
  mustHaveTokensFile,
  type NamedPlaces,
  openNamed,
  placesOf,
  tokensFile,
} from '../named-indexes.ts';
import { say, tell } from '../say.ts';
import { jsonText } from '../text.ts';

export interface ServeFlags extends IndexesFlags {
  readonly port: number;
  readonly host: string;
  readonly insecure?: boolean;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly dailyBudget?: number;
  readonly concurrency?: number;
  readonly threads?: number;
  readonly tokens?: string;
  readonly watch?: readonly string[];
  readonly log?: boolean;
  readonly json?: boolean;
}

export async function serveCommand(flags: ServeFlags, signal: AbortSignal): Promise<number> {
  boundHeap();
  const places = placesOf(flags);
  const path = tokensFile(flags.tokens, places);
  if (flags.tokens !== undefined && !existsSync(flags.tokens))
    throw new IbidError('FILE_UNREADABLE', `there is no file of tokens at "${flags.tokens}"`, {
      hint: `Make a token in it: \`ibid token create <name> --tokens <file>\`.`,
    });
  if ((flags.dailyBudget ?? 0) > 0) mustHaveTokensFile(path, 'the costs of a day'); // they are kept beside it
  const tokens = path === undefined ? undefined : new TokenStore(path);
  const { threads = Math.min(availableParallelism(), 64) } = flags;
  await using opened = await openNamed(places, flags, signal, { create: flags.watch !== undefined, threads });
  await using server = await serve({
    indexes: opened.indexes,
    host: flags.host,
    port: flags.port,
    insecure: flags.insecure,
    hosts: flags.allowHost,
    origins: flags.allowOrigin,
    dailyBudgetUsd: flags.dailyBudget,
    spentFile: path && join(dirname(path), 'spent.json'),
    tokens,
    openWithoutTokens: flags.tokens === undefined, // whoever names a file wants a server that asks for a token
    watch: watched(flags.watch, places),
    limits: { concurrency: flags.concurrency },
    log: flags.log ? (entry) => logLine(entry) : failuresOnly,
  });
  announce(server, flags);
  if (flags.tokens !== undefined && tokens?.list().length === 0)
    tell('note: the file of tokens has none, so nobody is let in until `ibid token create` makes one');
  await aborted(signal);
  await server.stop();
  return exitCodes.done;
}

/** `path`, or `name=path` for the index of that name. @throws IbidError INVALID_ARGUMENT, FILE_UNREADABLE */
function watched(given: readonly string[] = [], places: NamedPlaces): Readonly<Record<string, readonly string[]>> {
  const paths: Record<string, string[]> = {};
  for (const text of given) {
    const name = places.map(([one]) => one).find((one) => text.startsWith(`${one}=`));
    if (name === undefined && places.length > 1)
      throw new IbidError('INVALID_ARGUMENT', `"${text}" names no index`, { hint: 'Write --watch name=path.' });
    const own = name ?? places[0]![0];
    const path = name === undefined ? text : text.slice(name.length + 1);
    if (path === '' || !existsSync(path))
      throw new IbidError('FILE_UNREADABLE', `there is no file or folder to watch at "${path}"`, {
        hint: 'Check the path. What is not there yet cannot be watched.',
      });
    paths[own] = [...(paths[own] ?? []), path];
  }
  return paths;
}

function announce({ url }: RunningServer, { json }: ServeFlags): void {
  if (json) process.stdout.write(`${jsonText({ url })}\n`);
  else say(`${url}  (Ctrl-C ends)`);
}

/** Lines of JSON on stderr. */
function logLine(entry: LogEntry): void {
  tell(jsonText(entry.error === undefined ? entry : { ...entry, error: inCommandWords(entry.error) }));
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
