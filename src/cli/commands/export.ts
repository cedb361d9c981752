import { renameSync, rmSync } from 'node:fs';
import { IbidError } from '../../index.ts';
import { type CommonFlags, withIndex, withoutServers } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkReplaceable, reasonOf } from '../files.ts';
import { writeData } from '../say.ts';
import { jsonText } from '../text.ts';

export interface ExportFlags extends CommonFlags {
  readonly vectors?: boolean;
  readonly metadata?: boolean;
  /** A Parquet file in place of lines on standard output. */
  readonly parquet?: string;
}

export async function exportCommand(flags: ExportFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(withoutServers(flags), signal, async (index) => {
    const chunks = index.export({ signal, vectors: flags.vectors, metadata: flags.metadata });
    if (flags.parquet !== undefined) {
      await whole(flags.parquet, async (path) => {
        const { writeParquet } = await import('../parquet.ts');
        await writeParquet(path, chunks, flags);
      });
      return exitCodes.done;
    }
    for await (const line of chunks) await writeData(`${jsonText(line)}\n`, signal);
    return exitCodes.done;
  });
}

/** Under its own name the file is whole or not there. @throws IbidError FILE_UNREADABLE, and what `write` throws */
async function whole(path: string, write: (beside: string) => Promise<void>): Promise<void> {
  checkReplaceable(path);
  const beside = `${path}.${process.pid}.new`;
  try {
    await write(beside);
    renameSync(beside, path);
  } catch (cause) {
    if (typeof (cause as NodeJS.ErrnoException).syscall !== 'string') throw cause; // not of the file system
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be written: ${reasonOf(cause)}`, { cause });
  } finally {
    rmSync(beside, { force: true });
  }
}
