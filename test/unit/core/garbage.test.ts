import { getHeapStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { GarbageGuard } from '../../../src/core/garbage.ts';

describe('GarbageGuard', () => {
  it('frees what nobody holds any more', () => {
    const guard = new GarbageGuard();
    const held = Array.from({ length: 300_000 }, (_, i) => ({ i, text: `text ${i}` }));
    const before = getHeapStatistics().used_heap_size;
    held.length = 0;
    guard.relieve(0);
    expect(before - getHeapStatistics().used_heap_size).toBeGreaterThan(5 * 2 ** 20);
  });

  it('leaves a small heap alone', () => {
    const guard = new GarbageGuard();
    const startedAt = performance.now();
    for (let i = 0; i < 10_000; i++) guard.relieve();
    // ten thousand collections would take minutes
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
