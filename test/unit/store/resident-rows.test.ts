import { describe, expect, it } from 'vitest';
import { chunkRows, readChunks } from '../../../src/store/chunk-rows.ts';
import { ResidentRows } from '../../../src/store/resident-rows.ts';
import { SeqMap } from '../../../src/store/runs.ts';
import { record } from './records.ts';

const words = (n: number): string => `text number ${n}, äöü ${'x'.repeat(n)}`;
const documents = Array.from({ length: 6 }, (_, d) =>
  record(`d${d}`, [words(3 * d), words(3 * d + 1), words(3 * d + 2)], { metadata: { d }, seed: d }),
);

/** Seqs 0 … 17 of the six documents in batches of two documents, as a scan gives them. */
const table = [0, 2, 4].map((from) => chunkRows(documents.slice(from, from + 2), 16, 3 * from));
const expected = table.flatMap((part) => readChunks(part));

function scanned(skip = -1) {
  const scans: (readonly string[])[] = [];
  const chunks = {
    async *scan({ columns }: { readonly columns: readonly string[] }) {
      scans.push(columns);
      for (const [i, part] of table.entries()) if (i !== skip) yield* part.batches;
    },
  };
  return { chunks, scans };
}

describe('resident rows', () => {
  it('are what the table holds, by ordinal', async () => {
    const map = new SeqMap([
      [3, 9],
      [15, 3],
    ]);
    const rows = new ResidentRows(scanned().chunks, map, 12, 1e6);
    expect(rows.isLoaded).toBe(false);
    expect(rows.get(0)).toBeUndefined();
    expect(rows.row(0)).toBeUndefined();
    await rows.load();
    expect(rows.isLoaded).toBe(true);
    const seqs = [3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 16, 17];
    expect(seqs.map((_, ordinal) => rows.get(ordinal))).toEqual(seqs.map((seq) => expected[seq]));
    expect(rows.get(11)).toEqual(expected[17]); // backwards, past another document's metadata
    expect(rows.get(0)).toEqual(expected[3]);
    for (const [ordinal, seq] of seqs.entries()) {
      const { title, text, headings } = expected[seq]!;
      const row = rows.row(ordinal)!;
      expect({ ...row }).toEqual({ title, text, headings, chunk: expected[seq] });
    }
  });

  it('do not invent rows that are gone', async () => {
    const rows = new ResidentRows(scanned(1).chunks, new SeqMap([[0, 18]]), 18, 1e6);
    await rows.load();
    expect([5, 6, 11, 12].map((ordinal) => rows.get(ordinal)?.text)).toEqual([
      words(5),
      undefined,
      undefined,
      words(12),
    ]);
  });

  it('are loaded after a few reads, once, and only where they are likely to fit', async () => {
    const { chunks, scans } = scanned();
    const rows = new ResidentRows(chunks, new SeqMap([[0, 18]]), 18, 1e6);
    for (let i = 0; i < 3; i++) rows.noteRead(5000, 50);
    expect(scans).toHaveLength(0);
    for (let i = 0; i < 3; i++) rows.noteRead(5000, 50);
    await expect.poll(() => rows.isLoaded).toBe(true);
    expect(scans).toHaveLength(1);
    expect(scans[0]).not.toContain('vector');

    const large = scanned();
    const unlikely = new ResidentRows(large.chunks, new SeqMap([[0, 18]]), 18, 1000);
    for (let i = 0; i < 9; i++) unlikely.noteRead(5000, 50);
    expect(large.scans).toHaveLength(0);
  });

  it('keep nothing when all together are larger than was thought', async () => {
    const rows = new ResidentRows(scanned().chunks, new SeqMap([[0, 18]]), 18, 1500);
    await rows.load();
    expect(rows.isLoaded).toBe(false);
    expect(rows.get(0)).toBeUndefined();
    const again = scanned();
    const later = new ResidentRows(again.chunks, new SeqMap([[0, 18]]), 18, 1500, { before: rows });
    await later.load();
    expect(later.isLoaded).toBe(false);
    expect(again.scans).toHaveLength(0);
  });

  it('add what a later version has, without reading the rest again', async () => {
    const first = scanned();
    const early = new ResidentRows(first.chunks, new SeqMap([[0, 12]]), 12, 1e6);
    await early.load();
    const second = scanned();
    const late = new ResidentRows(second.chunks, new SeqMap([[0, 18]]), 18, 1e6, { before: early });
    expect(late.isLoaded).toBe(false);
    await late.load();
    expect(late.packed).toBe(early.packed);
    expect(second.scans).toEqual([['seq', 'uri'], expect.arrayContaining(['seq', 'text'])]);
    expect(expected.map((_, ordinal) => late.get(ordinal))).toEqual(expected);
  });

  it('read all again after a rename, and where ordinals have moved', async () => {
    const early = new ResidentRows(scanned().chunks, new SeqMap([[0, 18]]), 18, 1e6);
    await early.load();
    const renamed = documents.map((document, d) => (d === 3 ? { ...document, uri: 'renamed' } : document));
    const batches = [0, 2, 4].flatMap((from) => chunkRows(renamed.slice(from, from + 2), 16, 3 * from).batches);
    const chunks = {
      async *scan() {
        yield* batches;
      },
    };
    const late = new ResidentRows(chunks, new SeqMap([[0, 18]]), 18, 1e6, { before: early });
    await late.load();
    expect(late.packed).not.toBe(early.packed);
    expect(Array.from({ length: 18 }, (_, ordinal) => late.get(ordinal)?.uri)).toEqual(
      renamed.flatMap(({ uri }) => [uri, uri, uri]),
    );
    expect(early.get(9)?.uri).toBe('d3');
    const moved = new ResidentRows(scanned().chunks, new SeqMap([[3, 15]]), 15, 1e6, { before: late });
    await moved.load();
    expect(Array.from({ length: 15 }, (_, ordinal) => moved.get(ordinal))).toEqual(expected.slice(3));
  });

  it('are the same in another thread, and stay the same object there as they grow', async () => {
    const early = new ResidentRows(scanned().chunks, new SeqMap([[0, 12]]), 12, 1e6, { shared: true });
    await early.load();
    const there = structuredClone(early.share()!);
    expect(there.batches[0]!.texts.text.bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
    const attached = ResidentRows.attach(scanned().chunks, new SeqMap([[0, 12]]), there);
    expect(expected.slice(0, 12).map((_, ordinal) => attached.get(ordinal))).toEqual(expected.slice(0, 12));
    const map = new SeqMap([[0, 18]]);
    const late = new ResidentRows(scanned().chunks, map, 18, 1e6, { shared: true, before: early });
    await late.load();
    const grown = ResidentRows.attach(scanned().chunks, map, structuredClone(late.share()!), attached);
    expect(grown.packed).toBe(attached.packed);
    expect(expected.map((_, ordinal) => grown.get(ordinal))).toEqual(expected);
  });
});
