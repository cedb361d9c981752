import type { Answerability } from '../../answer/contract.ts';
import { textOf } from '../../core/arguments.ts';
import { fileLines, type Journal, memoryLines } from '../../core/json-lines.ts';
import type { Hit } from '../../core/types.ts';
import { lockJournal } from '../runs/journal.ts';

/** What was asked under one `custom_id`, with everything needed to prove the answer's citations later. */
export interface JournalRequest {
  readonly type: 'request';
  /** `<nonce>-<number>`. */
  readonly customId: string;
  /** The caller's. */
  readonly id: string;
  readonly question: string;
  /** As they were when the question was sent: an answer is proven against what its model read. */
  readonly hits: readonly Hit[];
  readonly answerability: Answerability;
  /** Of the request as it was sent. */
  readonly digest: string;
}

/** One step of a run of batches, written down before or after it happens, so that nothing is paid for twice. */
export type JournalEntry =
  | JournalRequest
  /** The batch with this nonce is about to be created; from here on it may exist. */
  | {
      readonly type: 'creating';
      readonly nonce: string;
      readonly at: string;
      readonly requests: number;
      readonly model: string;
      readonly citations: boolean;
    }
  | { readonly type: 'created'; readonly nonce: string; readonly batchId: string }
  /** The service refused it: it does not exist. */
  | { readonly type: 'refused'; readonly nonce: string }
  /** Errored, expired, cancelled: not billed, to be asked again. */
  | { readonly type: 'failed'; readonly customId: string };

/** Where a run of batches is written down. */
export interface BatchJournal extends Journal<JournalEntry> {
  /**
   * Keeps other processes from the same run until it is disposed of: two that read before either has written would both
   * send.
   * @throws IbidError NOT_READY when another process has it
   */
  lock?(): Promise<AsyncDisposable>;
}

/** For runs that need not survive the process. */
export function memoryJournal(): BatchJournal {
  return memoryLines();
}

/**
 * A file of JSON lines, only ever appended to, with a lock beside it.
 * @throws IbidError FILE_UNREADABLE, INVALID_ARGUMENT naming a line that is no entry, both when the journal is read or
 * written
 */
export function fileJournal(path: string): BatchJournal {
  const lines = fileLines(textOf(path, 'the path of the journal'), entryOf, {
    name: 'a batch run',
    hint: 'The file lists batches that were billed. Correct the line, or give another output file to start again.',
  });
  return { ...lines, lock: () => lockJournal(path) };
}

const fields: Readonly<Record<JournalEntry['type'], readonly string[]>> = {
  request: ['customId', 'id', 'question', 'hits', 'answerability', 'digest'],
  creating: ['nonce', 'at', 'requests', 'model', 'citations'],
  created: ['nonce', 'batchId'],
  refused: ['nonce'],
  failed: ['customId'],
};

function entryOf(line: Record<string, unknown>): JournalEntry | undefined {
  const value = upgraded(line);
  const wanted = fields[value.type as JournalEntry['type']];
  // written by us, fields looked at
  return wanted?.every((field) => Object.hasOwn(value, field)) ? (value as unknown as JournalEntry) : undefined;
}

/** Reads a request of the version before: `judged` with a `band`. A question with too little support was never sent. */
function upgraded(value: Record<string, unknown>): Record<string, unknown> {
  const old = value.judged as { readonly band: string; readonly support: number } | undefined; // written by us
  if (old === undefined) return value;
  return { ...value, answerability: { support: old.support, confidence: old.band === 'closest' ? 'low' : 'high' } };
}
