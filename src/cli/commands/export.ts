import { renameSync, rmSync } from 'node:fs';
import { IbidError } from '../../index.ts';
import { type CommonFlags, printJson, withIndex, withoutServers } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkReplaceable, unwritten } from '../files.ts';
import { say, tell, writeData } from '../say.ts';
import { counted, jsonText, printableLine } from '../text.ts';

export interface ExportFlags extends CommonFlags {
  readonly vectors?: boolean;
  readonly metadata?: boolean;
  /** Of standard output. */
  readonly format?: 'jsonl' | 'parquet';
  /** A Parquet file in place of standard output. */
  readonly parquet?: string;
  /** Without the shards that cannot be read. */
  readonly partial?: boolean;
}

export async function exportCommand(flags: ExportFlags, signal: AbortSignal): Promise<number> {
  checkOutput(flags);
  return await withIndex(withoutServers(flags), signal, async (index) => {
    const missing: MissingJson[] = [];
    const onMissing = (name: string, { code, message }: IbidError): void => {
      missing.push({ name, code });
      tell(`note: without shard ${name}, which cannot be read: ${printableLine(message)} [${code}]`);
    };
    const { vectors, metadata, parquet } = flags;
    const chunks = index.export({ signal, vectors, metadata, ...(flags.partial && { onMissing }) });
    if (parquet !== undefined) {
      let rows = 0;
      await whole(parquet, async (path) => {
        const { parquetFile, writeParquet } = await import('../parquet.ts');
        rows = await writeParquet(parquetFile(path), chunks, flags);
      });
      if (flags.json) printJson({ file: parquet, chunks: rows, missing });
      else say(`${counted(rows, 'chunk')} in ${printableLine(parquet)}`);
    } else if (flags.format === 'parquet') {
      const { parquetStream, writeParquet } = await import('../parquet.ts');
      await writeParquet(
        parquetStream((bytes) => writeData(bytes, signal)),
        chunks,
        flags,
      );
    } else for await (const line of chunks) await writeData(`${jsonText(line)}\n`, signal);
    return missing.length > 0 ? exitCodes.someFailed : exitCodes.done;
  });
}

/** @throws IbidError INVALID_ARGUMENT for a format that cannot be written where it is to go */
function checkOutput({ format, parquet, json }: ExportFlags): void {
  if (parquet !== undefined) {
    if (format === 'jsonl')
      throw new IbidError('INVALID_ARGUMENT', '--format jsonl and --parquet exclude each other', {
        hint: 'Leave one.',
      });
  } else if (format === 'parquet' && (json || process.stdout.isTTY)) {
    throw new IbidError('INVALID_ARGUMENT', `Parquet is bytes, which ${json ? 'are no JSON' : 'no terminal shows'}`, {
      hint: 'Name a file: --parquet chunks.parquet.',
    });
  }
}

/** A shard that was left out. */
interface MissingJson {
  readonly name: string;
  readonly code: string;
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
    throw unwritten(path, cause);
  } finally {
    rmSync(beside, { force: true });
  }
}
