import { IbidError } from '../../core/errors.ts';
import type { CallOptions } from '../../core/types.ts';
import type { ResearchRun, SearchService } from '../../wire/search/index.ts';
import { isFinished } from '../../wire/search/research-parse.ts';
import { costOf, failureOf, keptOf } from '../research/round.ts';
import type { RunJournal } from './journal.ts';
import { askedOf, type LoggedRequest, RunLog } from './run-log.ts';
import { untilOver } from './work.ts';

/** What became of a run that was called off. */
export interface CancelledRun {
  readonly question: string;
  /** As the service says it; `completed` where it was over before: its answer is there to be resumed. */
  readonly status: string;
  /** What the run has cost, in USD: as the service says it, and at most. */
  readonly costUsd: number;
  readonly maxUsd: number;
}

/**
 * Ends research that is at work at the service, so that it is not billed any further.
 * @throws IbidError INVALID_ARGUMENT for a journal without research, NOT_READY while another process waits for it,
 * and what the service throws
 */
export async function cancelRun(
  search: () => SearchService,
  journal: RunJournal,
  { signal }: CallOptions,
): Promise<CancelledRun> {
  const { question, options, functions } = await askedOf(journal);
  if (options.mode !== 'research')
    throw new IbidError('INVALID_ARGUMENT', 'the answer service cannot call off an answer', {
      hint: 'It is billed in any case: resume the run for its answer.',
    });
  const log = await RunLog.open(journal, { question, options, functions });
  try {
    const open = log.underWay;
    const status = open ? await endOf(search(), open, log, signal) : await leave(log);
    const costs = [...log.requests, ...log.lost].map(({ ended, usd }) => ({ known: costOf(ended?.run), usd }));
    return {
      ...{ question, status },
      costUsd: costs.reduce((sum, { known = 0 }) => sum + known, 0),
      maxUsd: costs.reduce((sum, { known, usd }) => sum + (known ?? usd), 0),
    };
  } finally {
    await log.close();
  }
}

async function endOf(
  service: SearchService,
  { id, key }: LoggedRequest & { readonly id: string },
  log: RunLog,
  signal: AbortSignal | undefined,
): Promise<string> {
  const run = await over(service, id, signal);
  const failure = failureOf(run);
  await log.ended({ key, run: keptOf(run), failure });
  if (failure !== undefined) await log.done();
  return run.status;
}

/** Of a run whose last request is over: it is left, where it waits for an answer of ours. */
async function leave(log: RunLog): Promise<string> {
  const { run } = log.requests.at(-1)?.ended ?? {};
  if (run && run.functionCalls.length === 0) return run.status;
  log.giveUpUnnamed();
  await log.done();
  return 'cancelled';
}

/** The run when it is over. The service refuses to end one that is over, and one it does not know, with the same words. */
async function over(service: SearchService, id: string, signal: AbortSignal | undefined): Promise<ResearchRun> {
  try {
    await service.research.cancel(id, { signal });
  } catch (error) {
    if (!(error instanceof IbidError) || error.code !== 'REQUEST_REJECTED') throw error;
  }
  const looking = untilOver(
    {
      run: id,
      look: () => service.research.get(id, { signal }),
      statusOf: ({ status }) => status,
      isOver: isFinished,
    },
    { signal, pollMs: 200 },
  );
  for (;;) {
    const { done, value } = await looking.next();
    if (done) return value;
  }
}
