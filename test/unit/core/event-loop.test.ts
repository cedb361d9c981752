import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../src/core/event-loop.ts';

function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

/** Counts the ticks of a timer while `run` goes on. */
async function ticksDuring(run: () => Promise<void>): Promise<number> {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  try {
    await run();
  } finally {
    clearInterval(timer);
  }
  return ticks;
}

describe('yieldToEventLoop', () => {
  it('costs no turn while the turn is young', async () => {
    await sleep(1);
    expect(yieldToEventLoop()).toBeUndefined();
    expect(yieldToEventLoop()).toBeUndefined();
  });

  it('gives a timer its turn every few milliseconds in a loop that awaits only what is there', async () => {
    const ticks = await ticksDuring(async () => {
      for (let i = 0; i < 100; i++) {
        await yieldToEventLoop();
        work(3);
      }
    });
    expect(ticks).toBeGreaterThan(10);
  });

  it('gives a timer its turn while a hundred callers work at one time', async () => {
    const ticks = await ticksDuring(async () => {
      const caller = async (): Promise<void> => {
        await yieldToEventLoop();
        work(3);
      };
      await Promise.all(Array.from({ length: 100 }, caller));
    });
    expect(ticks).toBeGreaterThan(10);
  });

  it('gives each of several endless callers its turn', async () => {
    const done = [0, 0, 0];
    const until = performance.now() + 200;
    const caller = async (who: number): Promise<void> => {
      while (performance.now() < until) {
        await yieldToEventLoop();
        work(6);
        done[who]!++;
      }
    };
    await Promise.all([caller(0), caller(1), caller(2)]);
    expect(Math.min(...done)).toBeGreaterThan(Math.max(...done) / 2);
  });

  it('counts a turn from its first caller, not from a turn long ago', async () => {
    void yieldToEventLoop();
    await sleep(30);
    expect(yieldToEventLoop()).toBeUndefined();
  });
});
