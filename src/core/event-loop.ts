import { setImmediate } from 'node:timers';

/** A caller may work for about so long before timers, signals and other work get their turn. */
const LONGEST_TURN_MS = 5;

/** When the present turn of the event loop began for the callers here; undefined while nobody has come. */
let turnBegan: number | undefined;
const waiting: (() => void)[] = [];

/**
 * Lets timers, signals and input have their turn when this turn of the event loop has taken 5 ms or more; else resolves
 * at once. Promises alone never give them one: a loop that awaits only what is in memory would keep them waiting until
 * its end.
 * `await` the result directly before a piece of work of a few milliseconds. Callers go on one after the other, the first
 * first, each after the work of the one before: a hundred callers of the same moment are a hundred pieces of work.
 */
export function yieldToEventLoop(): Promise<void> {
  if (turnBegan === undefined) beginTurn();
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) queueMicrotask(letNextGoOn);
  });
}

function beginTurn(): void {
  turnBegan = performance.now();
  setImmediate(endTurn);
}

function endTurn(): void {
  turnBegan = undefined;
  if (waiting.length === 0) return;
  beginTurn();
  letNextGoOn();
}

function letNextGoOn(): void {
  if (turnBegan === undefined || performance.now() - turnBegan >= LONGEST_TURN_MS) return; // endTurn goes on
  waiting.shift()?.();
  // The caller's `await` is in the queue of microtasks before this one: its work is done when this one runs.
  if (waiting.length > 0) queueMicrotask(letNextGoOn);
}
