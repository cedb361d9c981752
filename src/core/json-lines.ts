import { type FileHandle, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { IbidError } from './errors.ts';
import { makeFolders, reasonOf, unwritten } from './files.ts';
import { isRecord } from './records.ts';

/** Entries that are written down one after the other, and never changed. */
export interface Journal<Entry> {
  read(): Promise<readonly Entry[]>;
  /** Returns when the entries are safe. */
  append(entries: readonly Entry[]): Promise<void>;
}

/** For work that need not survive the process. */
export function memoryLines<Entry>(): Journal<Entry> {
  const kept: Entry[] = [];
  return {
    read: async () => [...kept],
    append: async (entries) => {
      kept.push(...entries);
    },
  };
}

const END = Buffer.from('\n');

/**
 * A file of JSON lines, only ever appended to. A last line that a crash has cut is passed over: work acts on an entry
 * only after the whole line is written.
 * @param entryOf makes an entry of a parsed line; undefined for what is none
 * @param what the entries are, and what to do about a wrong line
 * @throws IbidError INVALID_ARGUMENT naming a line that is no entry, FILE_UNREADABLE
 */
export function fileLines<Entry>(
  path: string,
  entryOf: (value: Record<string, unknown>) => Entry | undefined,
  what: { readonly name: string; readonly hint: string },
): Journal<Entry> {
  const parse = (line: string, index: number): Entry[] => {
    if (line === '') return [];
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      if (line.startsWith('{')) return []; // cut
    }
    const entry = isRecord(value) ? entryOf(value) : undefined;
    if (entry !== undefined) return [entry];
    throw new IbidError('INVALID_ARGUMENT', `${path}: line ${index + 1} is not one of ${what.name}`, {
      hint: what.hint,
    });
  };
  return {
    read: async () => (await textOf(path)).split('\n').flatMap(parse),
    append: async (entries) => {
      if (entries.length === 0) return;
      let file: FileHandle | undefined;
      try {
        makeFolders(dirname(path));
        file = await open(path, 'a+', 0o600); // it may hold text of documents
        // a line that a crash has cut must end here, or the first new line would become a part of it
        const { size } = await file.stat();
        const { buffer } = size === 0 ? { buffer: END } : await file.read(Buffer.alloc(1), 0, 1, size - 1);
        const cut = buffer[0] === END[0] ? '' : '\n';
        await file.appendFile(cut + entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
        await file.sync();
      } catch (cause) {
        throw unwritten(path, cause);
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
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}
