import { randomBytes } from 'node:crypto';
import { rmdir } from 'node:fs/promises';
import { textOf } from '../../core/arguments.ts';
import { IbidError } from '../../core/errors.ts';
import { fileLines, type Journal, memoryLines } from '../../core/json-lines.ts';
import type { Hit } from '../../core/types.ts';
import { lockFolder } from '../../store/lock.ts';
import type { ResearchRun, Answer as WebAnswer } from '../../wire/search/index.ts';

/** What a run of research said, as far as an answer is made of it. */
export interface KeptRun
  extends Pick<ResearchRun, 'id' | 'status' | 'outputText' | 'sources' | 'functionCalls' | 'usage' | 'cost' | 'model'> {
  /** Code that ran in the sandbox, as the service tells of it. */
  readonly sandbox: ResearchRun['response']['output'];
}

/** What the answer service said. */
export type KeptAnswer = Omit<WebAnswer, 'citations' | 'via' | 'response' | 'info'>;

/** What a function has told the model. */
export interface KeptOutput {
  readonly callId: string;
  readonly output: string;
  readonly found: number;
  /** Of a search in the index: what it found, by which citations are proven. */
  readonly hits?: readonly Hit[] | undefined;
}

/** A step of a run as its journal keeps it: plain JSON, whose fields are the library's own. */
export interface RunEntry {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * One step of a run at the service, written down before or after it happens, so that another process can go on and
 * nothing is billed twice.
 */
export type RunStep =
  /** The first entry: what was asked, with the options of its mode as JSON. */
  | {
      readonly type: 'asked';
      readonly at: string;
      readonly question: string;
      readonly options: Readonly<Record<string, unknown>>;
      readonly budgetUsd?: number | undefined;
      /** Names of the caller's own functions, which only the caller can give again. */
      readonly functions: readonly string[];
    }
  /** A request is about to be sent: from here on it may exist, and cost up to `usd`. */
  | { readonly type: 'sending'; readonly key: string; readonly round: number; readonly usd: number }
  | { readonly type: 'started'; readonly key: string; readonly id: string }
  /** The service refused it: it does not exist. */
  | { readonly type: 'refused'; readonly key: string }
  | {
      readonly type: 'ended';
      readonly key: string;
      readonly run?: KeptRun | undefined;
      readonly answer?: KeptAnswer | undefined;
      /** Why it ended badly. */
      readonly failure?: string | undefined;
    }
  | { readonly type: 'called'; readonly key: string; readonly outputs: readonly KeptOutput[] }
  /** The answer was given, or can never be. */
  | { readonly type: 'done' };

export type EndedStep = Extract<RunStep, { readonly type: 'ended' }>;

/** Where one question to a service that works for minutes is written down. */
export interface RunJournal extends Journal<RunEntry> {
  /**
   * Keeps other processes from the same run until it is disposed of.
   * @throws IbidError NOT_READY when another process has it
   */
  lock?(): Promise<AsyncDisposable>;
}

/** For a run that need not survive the process. */
export function memoryRunJournal(): RunJournal {
  return memoryLines();
}

/**
 * A file of JSON lines, only ever appended to, with a lock beside it.
 * @throws IbidError FILE_UNREADABLE, INVALID_ARGUMENT naming a line that is no entry, both when the journal is read or
 * written
 */
export function fileRunJournal(path: string): RunJournal {
  const lines = fileLines(textOf(path, 'the path of the journal'), entryOf, {
    name: 'a run',
    hint: 'The file tells of a run that was billed. Correct the line, or ask again.',
  });
  return { ...lines, lock: () => lockJournal(path) };
}

/** Keeps other processes from the run that is written down at `path`. @throws IbidError NOT_READY */
export async function lockJournal(path: string): Promise<AsyncDisposable> {
  const folder = `${path}.lock`;
  try {
    const lock = await lockFolder(folder);
    return {
      [Symbol.asyncDispose]: async () => {
        await lock.release();
        await rmdir(folder).catch(() => {}); // not while another process is about to lock
      },
    };
  } catch (cause) {
    if (!(cause instanceof IbidError) || cause.code !== 'INDEX_LOCKED') throw cause;
    const message = cause.message.replace(/is writing to this index.*/, 'waits for this run already');
    throw new IbidError('NOT_READY', message, { cause, hint: 'Let it finish, or end it and resume here.' });
  }
}

/** Names a run among others. */
export const newRunKey = (): string => randomBytes(6).toString('hex');

const fields: Readonly<Record<RunStep['type'], readonly string[]>> = {
  asked: ['at', 'question', 'options', 'functions'],
  sending: ['key', 'round', 'usd'],
  started: ['key', 'id'],
  refused: ['key'],
  ended: ['key'],
  called: ['key', 'outputs'],
  done: [],
};

function entryOf(value: Record<string, unknown>): RunEntry | undefined {
  const wanted = fields[value.type as RunStep['type']];
  // ibid wrote the entry, and its fields were checked
  return wanted?.every((field) => Object.hasOwn(value, field)) ? (value as unknown as RunEntry) : undefined;
}
