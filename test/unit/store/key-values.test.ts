import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectDatabase } from '../../../src/store/index.ts';
import { KeyValues } from '../../../src/store/key-values.ts';
import { StoredVectors } from '../../../src/store/vector-cache.ts';
import { tempFolder } from '../../support/temp.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('values by key', () => {
  it('come back through another connection, and only those that are there', async () => {
    const folder = tempFolder();
    const address = join(folder, 'index');
    const values = new KeyValues(await connectDatabase(address), 'things');
    expect(await values.get(['a'])).toEqual(new Map());
    expect(await values.count()).toBe(0);
    await values.put(
      new Map([
        ['a', bytes(1, 2)],
        ["it's", bytes()],
      ]),
    );
    await values.put(new Map([['b', bytes(255)]]));
    const other = new KeyValues(await connectDatabase(address), 'things');
    expect(await other.get(['b', 'a', "it's", 'c'])).toEqual(
      new Map([
        ['a', bytes(1, 2)],
        ['b', bytes(255)],
        ["it's", bytes()],
      ]),
    );
  });

  it('see what another writer adds, and survive compaction', async () => {
    const folder = tempFolder();
    const address = join(folder, 'index');
    const one = new KeyValues(await connectDatabase(address), 'things');
    const two = new KeyValues(await connectDatabase(address), 'things');
    // Ten at one time: of eighty, each would have to give way to most of the others. One writer's 64th put compacts.
    for (let from = 0; from < 80; from += 10) {
      await Promise.all(
        Array.from({ length: 10 }, (_, i) => (i % 5 ? one : two).put(new Map([[`k${from + i}`, bytes(from + i)]]))),
      );
    }
    const found = await one.get(Array.from({ length: 80 }, (_, i) => `k${i}`));
    expect(found.size).toBe(80);
    for (const [key, value] of found) expect(value).toEqual(bytes(Number(key.slice(1))));
  });

  it('look up more keys than one query takes', async () => {
    const values = new KeyValues(await connectDatabase('memory://'), 'things');
    const all = new Map(Array.from({ length: 1500 }, (_, i) => [`key ${i}`, bytes(i & 255, i >> 8)] as const));
    await values.put(all);
    expect(await values.get([...all.keys()])).toEqual(all);
  });
});

describe('stored vectors', () => {
  it('are the same rows again, also none and zero', async () => {
    const cache = new StoredVectors(await connectDatabase('memory://'));
    const entries = new Map([
      ['x', [Int8Array.of(1, -128), Int8Array.of(127, 0)]],
      ['none', []],
      ['view', [new Int8Array(Int8Array.of(9, 9, 5, 6).buffer, 2, 2)]],
    ]);
    await cache.put(entries);
    expect(await cache.get(['x', 'none', 'view', 'absent'])).toEqual(
      new Map([
        ['x', [Int8Array.of(1, -128), Int8Array.of(127, 0)]],
        ['none', []],
        ['view', [Int8Array.of(5, 6)]],
      ]),
    );
  });
});
