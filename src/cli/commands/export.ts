import { once } from 'node:events';
import { type CommonFlags, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonText } from '../text.ts';

export interface ExportFlags extends CommonFlags {
  readonly vectors?: boolean;
  readonly metadata?: boolean;
}

export async function exportCommand(flags: ExportFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(flags, signal, async (index) => {
    for await (const line of index.export({ signal, vectors: flags.vectors, metadata: flags.metadata })) {
      if (!process.stdout.write(`${jsonText(line)}\n`)) await once(process.stdout, 'drain', { signal });
    }
    return exitCodes.done;
  });
}
