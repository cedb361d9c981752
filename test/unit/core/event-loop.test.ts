import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../src/core/event-loop.ts';

function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

/** Counts the turns of the event loop while `run` goes on. */
async function turnsDuring(run: () => Promise<void>): Promise<number> {
  let turns = 0;
  let immediate = setImmediate(function count() {
    turns++;
    immediate = setImmediate(count);
  });
  try {
    await run();
  } finally {
    clearImmediate(immediate);
  }
  return turns;
}

// The tests with a retry fail when the machine stops the process for 5 ms between two lines.
describe('yieldToEventLoop', () => {
  // The turn that an earlier test began is over.
  beforeEach(() => nextTurn());

  it('costs no turn while the turn is young', { retry: 2 }, async () => {
    const turns = await turnsDuring(async () => {
      await yieldToEventLoop();
      await yieldToEventLoop();
    });
    expect(turns).toBe(0);
  });

  it('ends the turn every few milliseconds in a loop that awaits only what is there', async () => {
    const turns = await turnsDuring(async () => {
      for (let i = 0; i < 30; i++) {
        await yieldToEventLoop();
        work(3);
      }
    });
    expect(turns).toBeGreaterThanOrEqual(14); // the turn ends after two callers of 3 ms, or after one that took longer
  });

  it('ends the turn while many callers of one moment work', async () => {
    const caller = async (): Promise<void> => {
      await yieldToEventLoop();
      work(3);
    };
    const turns = await turnsDuring(async () => void (await Promise.all(Array.from({ length: 30 }, caller))));
    expect(turns).toBeGreaterThanOrEqual(14);
  });

  it('lets callers go on in the order of their coming, each after the work of the one before', async () => {
    const order: string[] = [];
    const caller = async (name: number): Promise<void> => {
      for (let round = 0; round < 2; round++) {
        await yieldToEventLoop();
        order.push(`${name} begins`);
        work(2);
        order.push(`${name} ends`);
      }
    };
    await Promise.all([0, 1, 2].map(caller));
    expect(order).toEqual([0, 1, 2, 0, 1, 2].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('counts a turn from its first caller, not from a turn long ago', { retry: 2 }, async () => {
    await yieldToEventLoop();
    await sleep(30);
    expect(await turnsDuring(yieldToEventLoop)).toBe(0);
  });
});
