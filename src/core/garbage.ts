import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LEAST_BYTES = 96 * 2 ** 20;

/**
 * Keeps a long run's heap near what is alive. On a machine with much memory V8 lets garbage pile up to several times that before
 * it looks, and a run that promises bounded memory would be measured by its garbage. A collection is asked for only when the heap
 * has doubled since the last one, so its price stays at a few percent whatever is alive.
 */
export class GarbageGuard {
  readonly #collect: (() => void) | undefined = collector();
  #limit = LEAST_BYTES;

  /** @param now whatever the heap's size: before a step that needs memory of its own */
  relieve(now: boolean = false): void {
    if (!this.#collect || (!now && getHeapStatistics().used_heap_size < this.#limit)) return;
    this.#collect();
    this.#limit = Math.max(LEAST_BYTES, 2 * getHeapStatistics().used_heap_size);
  }
}

/** `gc`, as `--expose-gc` gives it, without the flag on the command line; undefined where a runtime has none. */
function collector(): (() => void) | undefined {
  try {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    return typeof collect === 'function' ? () => void collect() : undefined;
  } catch {
    return undefined;
  }
}
