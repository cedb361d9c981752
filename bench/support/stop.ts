/**
 * Ends a bench early, at its deadline or when it is interrupted, so that what it has measured by then is still
 * written.
 */
import { setImmediate } from 'node:timers/promises';

/** What was under way when the time was up. `message` is the reason a reader is given. */
export class Stopped extends Error {}

export interface Stop {
  /** Why nothing more is to be begun; undefined while there is time. */
  readonly reason: string | undefined;
  readonly interrupted: boolean;
  /** Lets signals through, which a loop of settled promises never does. @throws Stopped */
  check(): Promise<void>;
  /** What is left, in milliseconds; 0 once interrupted. */
  readonly leftMs: number;
}

/** How often a busy loop looks up. */
const LOOK_MS = 50;

/** The first SIGINT or SIGTERM ends the measuring, a second one the process. @param minutes from now on */
export function stopAfter(minutes: number): Stop {
  if (!(minutes > 0)) throw new Error(`--minutes must be a positive number, not ${minutes}`);
  const deadline = performance.now() + minutes * 60_000;
  let interrupted = false;
  let looked = performance.now();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interrupted) process.exit(130);
      interrupted = true;
    });
  }
  return {
    get interrupted() {
      return interrupted;
    },
    get reason() {
      if (interrupted) return 'the run was interrupted';
      return performance.now() < deadline ? undefined : `the ${Number(minutes.toFixed(1))} minutes given were over`;
    },
    get leftMs() {
      return interrupted ? 0 : Math.max(0, deadline - performance.now());
    },
    async check() {
      if (performance.now() - looked > LOOK_MS) {
        await setImmediate();
        looked = performance.now();
      }
      if (this.reason !== undefined) throw new Stopped(this.reason);
    },
  };
}
