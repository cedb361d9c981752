import { setImmediate } from 'node:timers';

/** A caller may work for about so long before timers, signals and other work get their turn. */
const LONGEST_TURN_MS = 5;

/** When the present turn of the event loop began for the callers here; undefined while nobody has come. */
let turnBegan: number | undefined;
const waiting: (() => void)[] = [];

/**
 * Lets timers, signals and input have their turn when this turn of the event loop has taken 5 ms or more; else returns
 * undefined at once. Promises alone never give them one: a loop that awaits only what is in memory would keep them
 * waiting until its end.
 * `await` the result before a piece of work of a few milliseconds. Of several callers that wait, each turn lets one go
 * on, the first first.
 */
export function yieldToEventLoop(): Promise<void> | undefined {
  if (turnBegan === undefined) beginTurn();
  else if (performance.now() - turnBegan >= LONGEST_TURN_MS) return new Promise((resolve) => waiting.push(resolve));
  return undefined;
}

function beginTurn(): void {
  turnBegan = performance.now();
  setImmediate(endTurn);
}

function endTurn(): void {
  turnBegan = undefined;
  const next = waiting.shift();
  if (next === undefined) return;
  beginTurn();
  next();
}
