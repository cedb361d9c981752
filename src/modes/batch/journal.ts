import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Answerability } from '../../answer/contract.ts';
import { IbidError } from '../../core/errors.ts';
import type { Hit } from '../../core/types.ts';

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
export interface BatchJournal {
  read(): Promise<readonly JournalEntry[]>;
  /** Returns when the entries are safe. */
  append(entries: readonly JournalEntry[]): Promise<void>;
}

const END = Buffer.from('\n');

/** For runs that need not survive the process. */
export function memoryJournal(): BatchJournal {
  const kept: JournalEntry[] = [];
  return {
    read: async () => [...kept],
    append: async (entries) => {
      kept.push(...entries);
    },
  };
}

/** A file of JSON lines, only ever appended to. */
export function fileJournal(path: string): BatchJournal {
  return {
    read: async () => (await textOf(path)).split('\n').flatMap((line, i) => entryOf(path, line, i)),
    append: async (entries) => {
      if (entries.length === 0) return;
      await mkdir(dirname(path), { recursive: true });
      let file: FileHandle | undefined;
      try {
        file = await open(path, 'a+');
        // a line that a crash has cut must end here, or the first new line would become a part of it
        const { size } = await file.stat();
        const { buffer } = size === 0 ? { buffer: END } : await file.read(Buffer.alloc(1), 0, 1, size - 1);
        const cut = buffer[0] === END[0] ? '' : '\n';
        await file.appendFile(cut + entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
        await file.sync();
      } catch (cause) {
        throw new IbidError('FILE_UNREADABLE', `${path} cannot be written`, { cause });
      } finally {
        await file?.close();
      }
    },
  };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be read`, { cause });
  }
}

const fields: Readonly<Record<JournalEntry['type'], readonly string[]>> = {
  request: ['customId', 'id', 'question', 'hits', 'answerability', 'digest'],
  creating: ['nonce', 'at', 'requests', 'model', 'citations'],
  created: ['nonce', 'batchId'],
  refused: ['nonce'],
  failed: ['customId'],
};

/** A line that a crash has cut gives nothing: a run acts on an entry only after the whole line is written. */
function entryOf(path: string, line: string, index: number): JournalEntry[] {
  if (line === '') return [];
  let value: Record<string, unknown> | null = null;
  try {
    value = upgraded(JSON.parse(line) as Record<string, unknown> | null);
  } catch {
    if (line.startsWith('{')) return [];
  }
  const wanted = fields[value?.type as JournalEntry['type']];
  // written by us, fields looked at
  if (wanted?.every((field) => Object.hasOwn(value!, field))) return [value as unknown as JournalEntry];
  throw new IbidError('INVALID_ARGUMENT', `${path}: line ${index + 1} is not one of a batch run`, {
    hint: 'The file lists batches that were billed. Correct the line, or give another output file to start again.',
  });
}

/** Reads a request of the version before: `judged` with a `band`. A question with too little support was never sent. */
function upgraded(value: Record<string, unknown> | null): Record<string, unknown> | null {
  const old = value?.judged as { readonly band: string; readonly support: number } | undefined; // written by us
  if (old === undefined) return value;
  return { ...value, answerability: { support: old.support, confidence: old.band === 'closest' ? 'low' : 'high' } };
}
