/** Time and chance, so that tests can hold both still. */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `run` once after `ms`; the returned function calls it off. */
  after(ms: number, run: () => void): () => void;
  /** In [0, 1). */
  random(): number;
}

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  after: (ms, run) => {
    // Node fires at once for delays over 2^31 - 1.
    const timer = setTimeout(run, Math.min(ms, 0x7fffffff));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Waits `ms`; an abort rejects with the signal's reason. */
export function sleep(runtime: Runtime, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = runtime.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** What ends a call from outside, and the reason that the call gives. */
export interface Ending {
  readonly signal: AbortSignal | undefined;
  readonly reason: () => unknown;
}

/**
 * The signal of one call: what ends it from outside, with its reason, or the call's own time limit.
 * `dispose` must be called when the call is over: the signals outside may live as long as the program.
 */
export class Deadline {
  readonly #abort = new AbortController();
  readonly #undo: (() => void)[] = [];

  constructor(runtime: Runtime, endings: readonly Ending[], totalMs: number, late: () => unknown) {
    for (const { signal, reason } of endings) {
      const end = (): void => this.#abort.abort(reason());
      if (signal?.aborted) end();
      signal?.addEventListener('abort', end, { once: true });
      this.#undo.push(() => signal?.removeEventListener('abort', end));
    }
    if (totalMs > 0) this.#undo.push(runtime.after(totalMs, () => this.#abort.abort(late())));
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  dispose(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }
}
