import { type IbidError, type IngestSummary, watchFolders } from '../../index.ts';
import { type CommonFlags, withIndex } from '../context.ts';
import { tellWarning } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { commandHint } from '../hints.ts';
import { boundHeap } from '../memory.ts';
import { lowerPriority } from '../priority.ts';
import { say, tell } from '../say.ts';
import { emptiedLines } from '../skipped.ts';
import { counted, jsonText, printableLine } from '../text.ts';

export interface WatchFlags extends CommonFlags {
  readonly quietMs: number;
  readonly sweep: number;
  readonly events: boolean;
}

export async function watchCommand(paths: readonly string[], flags: WatchFlags, signal: AbortSignal): Promise<number> {
  boundHeap();
  lowerPriority();
  const watching = async (index: Parameters<typeof watchFolders>[0]): Promise<number> => {
    const { quietMs, events } = flags;
    const run = watchFolders(index, paths, { signal, quietMs, events, sweepMs: flags.sweep * 1000 });
    for await (const event of run) {
      if (event.type === 'watching' && !flags.json)
        tell(event.by === 'events' ? 'watching; Ctrl-C ends' : `looking every ${flags.sweep} s; Ctrl-C ends`);
      else if (event.type === 'failed' && !event.again) tellFailure(event.error);
      else if (event.type === 'ingest' && event.event.type === 'refilled') tellWarning(event.event.warning);
      else if (event.type === 'done') tellRun(event.summary, flags);
    }
    return exitCodes.done;
  };
  return await withIndex(flags, signal, watching, { create: true });
}

const goesOn = 'The watch goes on, and tries again every few seconds.';

function tellFailure(error: IbidError): void {
  tell(`error[${error.code}]: ${printableLine(error.message)}`);
  // a run of this command is never forced
  const forced = 'If they are meant to go, run `ibid ingest --force` over the same paths. Nothing was changed.';
  const later = 'The watch goes on, and tries again until the other writer has finished.';
  const hints: Partial<Record<IbidError['code'], string>> = { DELETE_GUARD: forced, INDEX_LOCKED: later };
  const hint = hints[error.code] ?? [commandHint(error), goesOn].filter(Boolean).join(' ');
  tell(`hint: ${printableLine(hint)}`);
}

function tellRun(summary: IngestSummary, { json }: WatchFlags): void {
  if (json) {
    process.stdout.write(`${jsonText(summary)}\n`);
    return;
  }
  for (const line of emptiedLines(summary)) tell(line);
  const changes = (['added', 'updated', 'renamed', 'removed'] as const).filter((kind) => summary[kind] > 0);
  const said = changes.map((kind) => `${summary[kind]} ${kind}`).join(', ') || 'nothing to do';
  const failed = summary.failed.length > 0 ? `, ${summary.failed.length} failed` : '';
  say(`${said}${failed} in ${(summary.elapsedMs / 1000).toFixed(1)} s; ${counted(summary.documents, 'document')}`);
}
