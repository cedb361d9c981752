import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a process holds at one moment. */
export interface Sample {
  /** Seconds since the start. */
  readonly x: number;
  readonly handles: number;
  readonly files: number;
  readonly threads: number;
  readonly children: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly externalMb: number;
  /** 99 of 100 turns of the event loop since the sample before were late by less. */
  readonly delayMs: number;
}

export const units: Readonly<Record<Exclude<keyof Sample, 'x'>, string>> = {
  handles: 'handles and requests',
  files: 'open files',
  threads: 'threads',
  children: 'child processes',
  rssMb: 'MB of RSS',
  heapMb: 'MB of heap in use',
  externalMb: 'MB outside the heap',
  delayMs: 'ms, p99 of the event-loop delay',
};

const MB = 1e6;

/** Watches this process. */
export class Watch {
  readonly samples: Sample[] = [];
  readonly #delay = monitorEventLoopDelay({ resolution: 5 });
  readonly #whole = monitorEventLoopDelay({ resolution: 5 });
  readonly #startedAt = performance.now();

  constructor() {
    this.#delay.enable();
    this.#whole.enable();
  }

  /** To be called when no operation is under way. */
  take(): Sample {
    const { rss, heapUsed, external } = process.memoryUsage();
    const sample: Sample = {
      x: (performance.now() - this.#startedAt) / 1000,
      handles: process.getActiveResourcesInfo().length,
      files: readdirSync('/proc/self/fd').length,
      threads: readdirSync('/proc/self/task').length,
      children: childrenOf(process.pid).length,
      rssMb: rss / MB,
      heapMb: heapUsed / MB,
      externalMb: external / MB,
      delayMs: this.#delay.percentile(99) / 1e6,
    };
    this.samples.push(sample);
    this.#delay.reset();
    return sample;
  }

  /** Of the whole run. */
  get p99Ms(): number {
    return this.#whole.percentile(99) / 1e6;
  }

  stop(): void {
    this.#delay.disable();
    this.#whole.disable();
  }
}

/** The ids of the living children of a process. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((id) => parentOf(id) === pid);
}

export const isThere = (pid: number): boolean => parentOf(pid) !== undefined;

/** Undefined for a process that has ended, whether or not its parent has noticed. */
function parentOf(pid: number): number | undefined {
  if (!Number.isInteger(pid)) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}
