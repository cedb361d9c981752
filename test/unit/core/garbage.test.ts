import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { boundYoungGeneration, GarbageGuard } from '../../../src/core/garbage.ts';

function litter(mib: number): void {
  for (let i = 0; i < mib; i++) new Uint8Array(2 ** 20);
}

describe('GarbageGuard', () => {
  it('frees what nobody holds any more', () => {
    const guard = new GarbageGuard();
    const held = Array.from({ length: 300_000 }, (_, i) => ({ i, text: `text ${i}` }));
    const before = getHeapStatistics().used_heap_size;
    held.length = 0;
    guard.relieve(0);
    expect(before - getHeapStatistics().used_heap_size).toBeGreaterThan(5 * 2 ** 20);
  });

  it('frees array buffers once there are many more of them, however small the heap', () => {
    const mib = (): number => getHeapStatistics().external_memory / 2 ** 20;
    const guard = new GarbageGuard();
    const none = mib();
    litter(30); // a small run is spared
    guard.relieve();
    expect(mib() - none).toBeGreaterThan(25);
    const held = Array.from({ length: 70 }, () => new Uint8Array(2 ** 20)); // V8 would find litter by itself
    held.length = 0;
    guard.relieve();
    expect(mib() - none).toBeLessThan(5);
    litter(20);
    guard.relieve();
    expect(mib() - none).toBeGreaterThan(15);
    litter(20);
    guard.relieve();
    expect(mib() - none).toBeLessThan(5);
  });

  it('leaves a small heap alone', () => {
    const guard = new GarbageGuard();
    const startedAt = performance.now();
    for (let i = 0; i < 10_000; i++) guard.relieve();
    // ten thousand collections would take minutes
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

/** The most the young generation takes while objects live a little, timers having their turn in between. */
async function mostYoungMiB(): Promise<number> {
  let most = 0;
  let kept: object[] = [];
  for (let round = 0; round < 40; round++) {
    for (let i = 0; i < 40_000; i++) kept.push({ text: `text ${i}`, list: [i] });
    if (kept.length > 400_000) kept = kept.slice(200_000);
    await sleep(25);
    const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!;
    most = Math.max(most, space_size / 2 ** 20);
  }
  return most;
}

describe('boundYoungGeneration', () => {
  it('keeps the young generation small while it is held, by however many, and no longer', async () => {
    new GarbageGuard().relieve(0); // whatever ran before has let it grow
    const first = boundYoungGeneration();
    const second = boundYoungGeneration();
    first[Symbol.dispose]();
    first[Symbol.dispose](); // once is enough
    expect(await mostYoungMiB()).toBeLessThanOrEqual(16); // it may double once between two looks
    second[Symbol.dispose]();
    expect(await mostYoungMiB()).toBeGreaterThan(32);
  }, 30_000);
});
