import { resolve } from 'node:path';
import { clearDead, queueState, runWorker } from '../../queue.ts';
import { printJson } from '../context.ts';
import { programEnvironment } from '../environment.ts';
import { exitCodes } from '../exit-codes.ts';
import { boundHeap } from '../memory.ts';
import { lowerPriority } from '../priority.ts';
import { redisWords } from '../redis-words.ts';
import { say, tell } from '../say.ts';
import { counted, printableLine } from '../text.ts';

export interface WorkerFlags {
  readonly queue: string;
  readonly base?: string;
  readonly parts?: string;
  readonly concurrency?: number;
  readonly quiet?: boolean;
}

export async function workerCommand(flags: WorkerFlags, signal: AbortSignal): Promise<number> {
  boundHeap();
  lowerPriority();
  const { queue, base, parts, concurrency, quiet } = flags;
  let told: string | undefined; // of a full disk or a wrong folder, each batch says the same
  await runWorker(queue, {
    base: base && resolve(base),
    parts: parts && resolve(parts),
    ...{ concurrency, signal },
    ocr: { environment: programEnvironment() },
    onReady: () => tell('waiting for work; Ctrl-C ends'),
    onGone: () => tell(redisWords.gone),
    onBack: () => tell(redisWords.back),
    onBatch: ({ files, failed, ms }) => {
      told = undefined;
      if (quiet) return;
      const not = failed > 0 ? `, ${failed} could not be read` : '';
      tell(`${counted(files, 'file')}${not} in ${(ms / 1000).toFixed(1)} s`);
    },
    onError: ({ message }) => {
      const kind = message.replace(/'[^']*'/g, ''); // without the path
      if (kind !== told) tell(`a batch goes back to the queue: ${printableLine(message)}`);
      told = kind;
    },
  });
  return exitCodes.done;
}

export interface QueueFlags {
  readonly queue: string;
  readonly clear?: boolean;
  readonly json?: boolean;
}

export async function queueCommand({ queue, clear, json }: QueueFlags): Promise<number> {
  const cleared = clear ? await clearDead(queue) : undefined;
  const state = await queueState(queue);
  if (json) {
    printJson({ ...state, ...(cleared !== undefined && { cleared }) });
    return exitCodes.done;
  }
  if (cleared !== undefined) say(`${counted(cleared, 'batch', 'batches')} forgotten`);
  say(
    `${counted(state.workers, 'worker')}; ${state.waiting} waiting, ${state.working} under way, ${state.dead} failed`,
  );
  if (state.otherWorkers > 0) say(redisWords.others(state.otherWorkers));
  for (const { uris, reason, at } of state.letters) {
    const what = uris.length > 0 ? uris.join(', ') : 'vectors or a segment, which the run then made itself';
    say(`failed  ${at}  ${printableLine(what)}: ${printableLine(reason)}`);
  }
  return exitCodes.done;
}
