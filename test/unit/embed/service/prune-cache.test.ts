import { describe, expect, it } from 'vitest';
import { countUnneeded, KEPT_DAYS, pruneVectorCache } from '../../../../src/embed/service/prune-cache.ts';

const DAY = 86_400_000;

function memory(...keys: string[]) {
  const held = new Set(keys);
  const notes = new Map<string, string>();
  let looks = 0;
  const cache = {
    keys: async () => [...held],
    remove: async (gone: readonly string[]) => void gone.map((key) => held.delete(key)),
    note: async (name: string) => notes.get(name),
    putNote: async (name: string, text: string) => void notes.set(name, text),
  };
  const prune = (day: number, ...needed: string[]): Promise<number> =>
    pruneVectorCache(
      cache,
      needed.length,
      async () => {
        looks++;
        return new Set(needed);
      },
      day * DAY,
    );
  return { cache, held, prune, looks: () => looks };
}

describe('pruning vectors that were paid for', () => {
  it('drops what nothing has needed for thirty days, counted from when that was first found', async () => {
    const { cache, held, prune } = memory('old', 'a', 'b');
    expect(await prune(100, 'a', 'b')).toBe(0);
    expect(await countUnneeded(cache)).toBe(1);
    expect(await prune(100 + KEPT_DAYS - 1, 'a', 'b')).toBe(0);
    expect([...held]).toEqual(['old', 'a', 'b']);
    expect(await prune(100 + KEPT_DAYS, 'a', 'b')).toBe(1);
    expect([...held]).toEqual(['a', 'b']);
    expect(await countUnneeded(cache)).toBe(0);
  });

  it('keeps what was needed again in between, and counts anew', async () => {
    const { held, prune } = memory('edited', 'older', 'a');
    await prune(0, 'a');
    held.add('c').add('d'); // grown: looked at again
    await prune(20, 'a', 'c', 'd', 'edited'); // the edit was taken back
    expect(await prune(KEPT_DAYS, 'a', 'c', 'd')).toBe(1);
    expect(held).toEqual(new Set(['edited', 'a', 'c', 'd']));
    held.add('e').add('f');
    expect(await prune(KEPT_DAYS + 29, 'a', 'c', 'd', 'e', 'f')).toBe(0);
    expect(await prune(2 * KEPT_DAYS, 'a', 'c', 'd', 'e', 'f')).toBe(1);
    expect(held.has('edited')).toBe(false);
  });

  it('goes through the documents only when there is more than a fifth to gain, or something is due', async () => {
    const keys = Array.from({ length: 10 }, (_, i) => `k${i}`);
    const { held, prune, looks } = memory(...keys);
    await prune(0, ...keys);
    expect(looks()).toBe(0);
    held.add('x').add('y');
    await prune(1, ...keys);
    expect(looks()).toBe(0); // 12 of 10
    held.add('z');
    await prune(2, ...keys);
    expect(looks()).toBe(1);
    await prune(3, ...keys);
    expect(looks()).toBe(1);
    expect(await prune(2 + KEPT_DAYS, ...keys)).toBe(3);
    expect(looks()).toBe(2);
  });
});
