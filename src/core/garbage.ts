import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LEAST_BYTES = 144 * 2 ** 20;

/**
 * Keeps a long run's heap near what is alive. On a machine with much memory V8 lets garbage pile up to several times that before
 * it looks, and keeps pages it has emptied: a run that promises bounded memory would be measured by its garbage. A collection is asked for
 * only when the heap takes half as much again as after the last one, so its price stays at a few percent whatever is alive.
 */
export class GarbageGuard {
  readonly #collect: (() => void) | undefined = collector();
  #limit = LEAST_BYTES;

  /** @param fromBytes how much the heap must take, emptied pages included; by default, half as much again as after the last time */
  relieve(fromBytes: number = this.#limit): void {
    if (!this.#collect || getHeapStatistics().total_heap_size < fromBytes) return;
    this.#collect();
    this.#limit = Math.max(LEAST_BYTES, 1.5 * getHeapStatistics().total_heap_size);
  }
}

/** `gc`, as `--expose-gc` gives it, without the flag on the command line; undefined where a runtime has none. */
function collector(): (() => void) | undefined {
  try {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    if (typeof collect !== 'function') return undefined;
    // a last resort also moves what is alive together and gives the emptied pages back
    return () => void collect({ type: 'major', flavor: 'last-resort' });
  } catch {
    return undefined;
  }
}
