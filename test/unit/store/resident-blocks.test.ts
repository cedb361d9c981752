import type { RecordBatch } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { buildTable } from '../../../src/store/columns.ts';
import { ResidentBlocks, type StoredBlocks } from '../../../src/store/resident-blocks.ts';
import { lexicalSchema } from '../../../src/store/schema.ts';

/** Segments 3 and 7 of two and three blocks; the database delivers them in any order. */
const rows: readonly (readonly [segment: number, block: number])[] = [
  [7, 2],
  [3, 0],
  [7, 0],
  [3, 1],
  [7, 1],
];
const contents = ([segment, block]: readonly [number, number]): Uint8Array =>
  new Uint8Array(100 + block).fill(10 * segment + block);

function stored(): StoredBlocks & { reads: number; scans: number } {
  const part = (some: typeof rows): readonly RecordBatch[] =>
    buildTable(lexicalSchema, some.length, {
      segment: Int32Array.from(some, ([segment]) => segment),
      block: Int32Array.from(some, ([, block]) => block),
      runs: some.map(() => null),
      bytes: some.map(contents),
    }).batches;
  return {
    reads: 0,
    scans: 0,
    segments: 2,
    blocks: rows.length,
    async read(segment, indices) {
      this.reads++;
      return indices.map((block) => contents([segment, block]));
    },
    async *scan(without = []) {
      this.scans++;
      const wanted = rows.filter(([segment]) => !without.includes(segment));
      yield* part(wanted.slice(0, 2));
      yield* part(wanted.slice(2));
    },
  };
}

describe('resident blocks', () => {
  it('are what the table holds, in the order asked for', async () => {
    const source = stored();
    const blocks = new ResidentBlocks(source, 10_000);
    const readBlocks = blocks.reader(7);
    expect(blocks.isLoaded).toBe(false);
    const before = await readBlocks([2, 0]);
    await blocks.load();
    expect(blocks.isLoaded).toBe(true);
    expect(await readBlocks([2, 0])).toEqual(before);
    expect(await blocks.reader(3)([0, 1])).toEqual([contents([3, 0]), contents([3, 1])]);
    expect(source.reads).toBe(1);
  });

  it('leave to the table what they do not hold', async () => {
    const source = stored();
    const blocks = new ResidentBlocks(source, 10_000);
    await blocks.load();
    expect(await blocks.reader(5)([1])).toEqual([contents([5, 1])]);
    expect(source.reads).toBe(1);
  });

  it('are loaded after a few reads of each segment, once', async () => {
    const source = stored();
    const blocks = new ResidentBlocks(source, 10_000);
    for (let i = 0; i < 7; i++) await blocks.reader(3)([0]);
    expect(source.scans).toBe(0);
    for (let i = 0; i < 3; i++) await blocks.reader(7)([0]);
    await expect.poll(() => blocks.isLoaded).toBe(true);
    expect(source.scans).toBe(1);
  });

  it('are not loaded where they are unlikely to fit, and not kept where they do not', async () => {
    const unlikely = stored();
    const none = new ResidentBlocks(unlikely, 400);
    for (let i = 0; i < 20; i++) await none.reader(3)([0]);
    expect(unlikely.scans).toBe(0);
    const large = new ResidentBlocks(stored(), 400);
    await large.load();
    expect(large.isLoaded).toBe(false);
    const again = stored();
    const later = new ResidentBlocks(again, 400, { isTooLarge: large.isTooLarge });
    await later.load();
    expect(later.isLoaded).toBe(false);
    expect(again.scans).toBe(0);
  });

  it('keep reading from the table when loading fails', async () => {
    const source = stored();
    source.scan = async function* () {
      yield* [];
      throw new Error('pruned');
    };
    const blocks = new ResidentBlocks(source, 10_000);
    for (let i = 0; i < 20; i++) expect(await blocks.reader(3)([1])).toEqual([contents([3, 1])]);
    expect(blocks.isLoaded).toBe(false);
  });

  it('take over the segments of an earlier version, and load the others', async () => {
    const before = new ResidentBlocks(stored(), 10_000, { shared: true });
    await before.load();
    const known = new Map([[3, before.packed.get(3)!]]);
    const source = stored();
    const blocks = new ResidentBlocks(source, 10_000, { shared: true, known });
    expect(await blocks.reader(3)([1, 0])).toEqual([contents([3, 1]), contents([3, 0])]);
    expect(source.reads).toBe(0);
    await blocks.load();
    expect(blocks.packed.get(3)).toBe(known.get(3));
    expect(await blocks.reader(7)([2])).toEqual([contents([7, 2])]);
    expect(source.reads).toBe(0);
    expect(blocks.packed.get(7)!.bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
  });
});
