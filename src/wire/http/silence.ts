import type { Silence } from '../../core/types.ts';
import type { Runtime } from './runtime.ts';

/** How long a service may be silent before the caller hears of it, and how often again. */
const SILENCE_MS = 10_000;

/** Told of a silence, as far as its place in a call is known. */
export type HearSilence = (silence: Pick<Silence, 'silentMs' | 'limitMs'>) => void;

/**
 * Tells every ten seconds that nothing has come, until it is called off; then, where anything was told, that the
 * silence is over.
 * @param limitMs when it is given up
 */
export function watchSilence(runtime: Runtime, hear: HearSilence | undefined, limitMs: number): () => void {
  if (hear === undefined) return () => {};
  let silentMs = 0;
  let cancel = (): void => {};
  const wait = (): void => {
    cancel = runtime.after(SILENCE_MS, () => {
      silentMs += SILENCE_MS;
      wait();
      hear({ silentMs, limitMs });
    });
  };
  wait();
  return () => {
    cancel();
    if (silentMs > 0) hear({ silentMs: 0, limitMs });
    silentMs = 0;
  };
}
