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

/**
 * The signal of one call: the caller's abort with its reason as it is, or the call's own time limit.
 * `dispose` must be called when the call is over: a caller's signal may live as long as the program.
 */
export class Deadline {
  readonly #abort = new AbortController();
  readonly #undo: (() => void)[] = [];

  constructor(runtime: Runtime, caller: AbortSignal | undefined, totalMs: number, late: () => unknown) {
    if (caller?.aborted) this.#abort.abort(caller.reason);
    else if (caller) {
      const onAbort = (): void => this.#abort.abort(caller.reason);
      caller.addEventListener('abort', onAbort, { once: true });
      this.#undo.push(() => caller.removeEventListener('abort', onAbort));
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
