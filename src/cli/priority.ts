import { getPriority, setPriority } from 'node:os';

/** Nice value: about a third of the processor's time where another program wants all of it. */
const LOW = 5;

/**
 * Lets other programs go first, for a command that writes for long: people may be searching the same index. Threads and
 * processes that it starts from now on do the same. A lower priority of the user stays.
 */
export function lowerPriority(): void {
  try {
    if (getPriority() < LOW) setPriority(LOW);
  } catch {
    // a system that does not allow it
  }
}
