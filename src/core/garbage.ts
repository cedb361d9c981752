import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LEAST_BYTES = 128 * 2 ** 20;
/** Of array buffers and the like since the last collection. V8 would let 64 MiB of them and more come together. */
const MOST_OUTSIDE_BYTES = 32 * 2 ** 20;
/** Before the first one, which small runs are spared: it took a sixth of the time of 8,000 chunks. */
const FIRST_OUTSIDE_BYTES = 64 * 2 ** 20;

/**
 * Keeps a long run's heap near what is alive. On a machine with much memory V8 lets garbage pile up to several times that before
 * it looks, and keeps pages it has emptied: a run that promises bounded memory would be measured by its garbage. A collection is asked for
 * only when the heap takes half as much again as after the last one, so its price stays at a few percent whatever is alive; or when what
 * it holds outside itself has grown, which at 100,000 chunks took 60 to 100 MiB off the peak of writing them.
 */
export class GarbageGuard {
  readonly #collect: (() => void) | undefined = collector();
  #limit = LEAST_BYTES;
  #outsideLimit = getHeapStatistics().external_memory + FIRST_OUTSIDE_BYTES;

  /** @param fromBytes how much the heap must take, emptied pages included; by default, half as much again as after the last time */
  relieve(fromBytes: number = this.#limit): void {
    const { total_heap_size: taken, external_memory: outside } = getHeapStatistics();
    if (!this.#collect || (taken < fromBytes && outside < this.#outsideLimit)) return;
    this.#collect();
    const { total_heap_size, external_memory } = getHeapStatistics();
    this.#limit = Math.max(LEAST_BYTES, 1.5 * total_heap_size);
    this.#outsideLimit = external_memory + MOST_OUTSIDE_BYTES;
  }
}

/** Both halves together. */
const MOST_YOUNG_BYTES = 8 * 2 ** 20;
const LOOK_MS = 20;
let bounds = 0;
let looking: NodeJS.Timeout | undefined;
let grows = true;

/**
 * Keeps the heap's young generation from doubling beyond 8 MiB while any such bound is held. V8 lets it grow to 128 MiB on a machine with
 * much memory, all of it garbage for the most part: at 100,000 chunks the peak of an ingest was some 90 MB higher (one run each).
 * Nothing is taken away from what others have grown by then. Threads started meanwhile are bounded too.
 */
export function boundYoungGeneration(): Disposable {
  if (++bounds === 1) {
    // the size is fixed when a process starts; the factor by which it grows is looked at each time
    looking = setInterval(() => letGrow(youngBytes() < MOST_YOUNG_BYTES), LOOK_MS).unref();
  }
  let held = true;
  return {
    [Symbol.dispose]() {
      if (!held) return;
      held = false;
      if (--bounds > 0) return;
      clearInterval(looking);
      letGrow(true);
    },
  };
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

function letGrow(may: boolean): void {
  if (may !== grows) setFlagsFromString(`--semi-space-growth-factor=${may ? 2 : 1}`);
  grows = may;
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
