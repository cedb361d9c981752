/** Work at a service that goes on whether anybody waits for it or not. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerEvent } from '../../answer/contract.ts';
import { IbidError } from '../../core/errors.ts';
import { WireError } from '../../wire/http/errors.ts';

/** Between two looks: the first pause, and the longest, in ms. Each is half as long again. */
const POLL_MS = 1000;
const MOST_POLL_MS = 15_000;
/** How long a service may fail to say how a run stands, though the run goes on. */
const PATIENCE_MS = 600_000;
/** What a request is left to name its run after an abort: without a name, it is billed and lost. */
const GRACE_MS = 5000;

export interface Wait {
  readonly signal?: AbortSignal | undefined;
  /** First pause between two looks, in ms. @default 1,000, growing to 15,000 */
  readonly pollMs?: number | undefined;
}

interface Work<State> {
  readonly run: string;
  readonly look: () => Promise<State>;
  readonly statusOf: (state: State) => string;
  readonly isOver: (status: string) => boolean;
}

/**
 * Looks until work is over, and tells how it stands. A look that fails for a time is tried again.
 * @throws the error of a look that nothing will heal; the signal's reason
 */
export async function* untilOver<State>(
  { run, look, statusOf, isOver }: Work<State>,
  { signal, pollMs = POLL_MS }: Wait,
): AsyncGenerator<AnswerEvent, State, undefined> {
  const begun = performance.now();
  let heard = begun;
  for (let pause = pollMs; ; pause = Math.min(pause * 1.5, MOST_POLL_MS)) {
    signal?.throwIfAborted();
    let status = 'unknown';
    try {
      const state = await look();
      status = statusOf(state);
      if (isOver(status)) return state;
      heard = performance.now();
    } catch (error) {
      signal?.throwIfAborted();
      const mayPass = error instanceof WireError && error.retryable;
      if (!mayPass || performance.now() - heard > PATIENCE_MS) throw error;
    }
    yield { type: 'waiting', run, status, elapsedMs: Math.round(performance.now() - begun) };
    // fewer looks at the same moment where many wait
    await sleep(pause * (1 - Math.random() / 10), undefined, signal ? { signal } : {}).catch(() => {});
  }
}

/** A signal for the request that begins work: an abort reaches it some seconds later. */
export function withGrace(signal: AbortSignal | undefined): { readonly signal: AbortSignal; end(): void } {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => late.abort(signal?.reason), GRACE_MS);
  };
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: late.signal,
    end: () => {
      signal?.removeEventListener('abort', onAbort);
      clearTimeout(timer);
    },
  };
}

/** Who does not want to wait is told so. */
export function notWaitedFor(run: string): IbidError {
  return new IbidError('NOT_READY', `run ${run} is at work at the service`, {
    hint: 'Resume it later with the same journal.',
  });
}
