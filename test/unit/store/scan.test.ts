import { describe, expect, it } from 'vitest';
import { chunkRows } from '../../../src/store/chunk-rows.ts';
import { listValues, wholeNumbers } from '../../../src/store/columns.ts';
import { connectDatabase } from '../../../src/store/index.ts';
import { chunksSchema } from '../../../src/store/schema.ts';
import { giveBack, scan, take } from '../../../src/store/table-rows.ts';
import { record } from './records.ts';

const rows = 3000;
const dimensions = 256; // batches larger than what Node shares between small buffers

/** A chunk table in which row `i` has `i` as its number, and `i % 100` as each component of its vector. */
async function numberedRows() {
  const texts = Array.from({ length: rows }, (_, i) => `text ${i}`);
  const vectors = texts.map((_, i) => new Int8Array(dimensions).fill(i % 100));
  const database = await connectDatabase('memory://');
  const table = await database.create('chunks_1', chunksSchema(dimensions));
  await table.add(chunkRows([{ ...record('a.md', texts, { dimensions }), vectors }], dimensions, 0));
  return table;
}

describe('a scan', () => {
  const columns = ['seq', 'vector'];

  it('lends batches: what is seen of one is gone when the next is asked for', async () => {
    const table = await numberedRows();
    const seen: (Int8Array | Uint8Array)[] = [];
    const numbers: number[] = [];
    for await (const batch of scan(table, { columns, lent: true })) {
      for (const before of seen) expect(before).toHaveLength(0);
      const vectors = listValues(batch, 'vector');
      for (const [i, seq] of wholeNumbers(batch, 'seq').entries()) {
        numbers.push(seq);
        expect(vectors[i * dimensions]).toBe(seq % 100);
      }
      seen.push(vectors);
    }
    expect(seen.length).toBeGreaterThan(1);
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, i) => i));
  });

  it('leaves batches to whoever keeps them, unless it lends them', async () => {
    const table = await numberedRows();
    const kept: (Int8Array | Uint8Array)[] = [];
    for await (const batch of scan(table, { columns })) kept.push(listValues(batch, 'vector'));
    expect(kept.reduce((sum, { length }) => sum + length, 0)).toBe(rows * dimensions);
  });
});

describe('giveBack', () => {
  it('takes rows away from every view of them, and nothing from those of another read', async () => {
    const table = await numberedRows();
    const ids = Array.from({ length: rows }, (_, i) => i);
    const [one, other] = [await take(table, ids, ['vector']), await take(table, ids, ['vector'])];
    const views = one.batches.map((batch) => listValues(batch, 'vector'));
    giveBack(one);
    for (const view of views) expect(view).toHaveLength(0);
    giveBack(one); // once more does no harm
    expect(other.batches.reduce((sum, batch) => sum + listValues(batch, 'vector').length, 0)).toBe(rows * dimensions);
  });
});
