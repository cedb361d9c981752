/** Runs at a service that outlive their command: where their journals lie. */
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { type Answer, type AnswerEvent, fileRunJournal, IbidError, type RunJournal } from '../index.ts';
import { type PrintOptions, showAnswer } from './asking.ts';
import { isRemoteAddress } from './config/remote.ts';
import { printJson } from './context.ts';
import { readText } from './files.ts';
import { say, tell } from './say.ts';

export interface CommandRun {
  /** What `--resume` takes. */
  readonly id: string;
  readonly journal: RunJournal;
}

const SUFFIX = '.jsonl';
const DAY_MS = 86_400_000;
/** The answer of a run that is done can be printed again for so long, as long as the service keeps it. */
const KEPT_MS = 7 * DAY_MS;
/** No service keeps a run for longer, whatever became of it. */
const GIVEN_UP_MS = 30 * DAY_MS;

/** A new run beside the index, or without a local one in the user's state folder. */
export function newRun(address: string): CommandRun {
  const folder = folderOf(address) ?? stateFolder();
  prune(folder);
  return runAt(join(folder, `${randomBytes(4).toString('hex')}${SUFFIX}`));
}

/**
 * The run to go on with, of the index or of the user's state folder; without an id the newest that is not done.
 * @throws IbidError INVALID_ARGUMENT when there is none
 */
export function findRun(id: string | undefined, address: string): CommandRun & { readonly others: readonly string[] } {
  const folders = [folderOf(address), stateFolder()].flatMap((folder) => folder ?? []);
  const paths = folders.flatMap(journalsIn).sort((a, b) => changed(b) - changed(a));
  const wanted = id === undefined ? paths.filter((path) => !isDone(path)) : paths.filter((path) => idOf(path) === id);
  const [first, ...rest] = wanted;
  if (first !== undefined) return { ...runAt(first), others: rest.map(idOf) };
  throw new IbidError('INVALID_ARGUMENT', id === undefined ? 'no run is left' : `there is no run "${id}"`, {
    hint: `Runs are looked for in ${folders.join(' and ')}.`,
  });
}

/**
 * Prints the answer of a question whose work may outlive this command, and says how to go on with it.
 * @returns undefined where nobody wants to wait
 */
export async function printRun(
  events: AsyncIterable<AnswerEvent>,
  { id }: CommandRun,
  options: PrintOptions & { readonly wait?: boolean | undefined; readonly signal: AbortSignal },
): Promise<Answer | undefined> {
  const { wait = true, printing, signal } = options;
  const goOn = `\`ibid ask --resume ${id}\``;
  let isBegun = false;
  async function* watched(): AsyncGenerator<AnswerEvent> {
    for await (const event of events) {
      if (event.type === 'started' && !isBegun) {
        isBegun = true;
        if (wait) tell(`run ${id} is at work at the service; Ctrl-C leaves it there, ${goOn} goes on`);
      }
      yield event;
    }
  }
  try {
    return await showAnswer(watched(), options);
  } catch (error) {
    const code = error instanceof IbidError ? error.code : undefined;
    if (isBegun && !wait && code === 'NOT_READY') {
      if (printing === 'not') printJson({ run: id });
      else say(id);
      return undefined;
    }
    const isOver = code === 'RUN_FAILED' || code === 'REMOTE_NOT_FOUND';
    if (isBegun && (signal.aborted || !isOver))
      tell(`note: run ${id} goes on at the service, and is billed; ${goOn}, \`--cancel ${id}\` ends it`);
    throw error;
  }
}

function runAt(path: string): CommandRun {
  return { id: idOf(path), journal: fileRunJournal(path) };
}

const idOf = (path: string): string => basename(path, SUFFIX);

/** In a local index that exists. */
function folderOf(address: string): string | undefined {
  const isFolder = !isRemoteAddress(address) && statSync(address, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? join(address, 'runs') : undefined;
}

function stateFolder({ XDG_STATE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv = process.env): string {
  const usual = process.platform === 'win32' && LOCALAPPDATA ? LOCALAPPDATA : join(homedir(), '.local', 'state');
  return join(XDG_STATE_HOME || usual, 'ibid', 'runs');
}

function journalsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => join(folder, name));
  } catch {
    return []; // no such folder yet
  }
}

const changed = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const isDone = (path: string): boolean => (readText(path, true) ?? '').trimEnd().endsWith('{"type":"done"}');

function prune(folder: string): void {
  for (const path of journalsIn(folder)) {
    const age = Date.now() - changed(path);
    if (age > GIVEN_UP_MS || (age > KEPT_MS && isDone(path))) rmSync(path, { force: true });
  }
}
