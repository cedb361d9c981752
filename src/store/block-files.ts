import { crc32 } from 'node:zlib';
import type { Table } from '@lancedb/lancedb';
import { OpenFile, Patience } from '../core/open-file.ts';
import { openBlock } from '../lexical/blocks.ts';
import type { SegmentSource } from '../lexical/contract.ts';
import { decodeHeader } from '../lexical/header.ts';
import type { StoredSegment } from './segments.ts';
import { scan } from './table-rows.ts';
import { writeWhole } from './whole-file.ts';

/** Numbers of a block. */
const ENTRY = 3;
/** A block that says it has more is damaged: room for it is not made. */
const MOST_BYTES = 2 ** 27;
/** So long a thread waits for the blocks of a query. */
const PATIENCE_MS = 1;

/**
 * A function that reads inflated blocks of a segment; undefined for what the file does not have as it was written.
 * @param onDamage called where the file is not as it was written
 */
export function blockFileReader(path: string, onDamage: () => void): NonNullable<SegmentSource['readInflated']> {
  let opened: Promise<{ readonly file: OpenFile; readonly entries: Uint32Array }> | undefined;
  return async (indices) => {
    opened ??= openBlockFile(path);
    const parts = await opened.catch(() => undefined);
    if (!parts) return [];
    const { file, entries } = parts;
    const patience = new Patience(PATIENCE_MS);
    const read = async (block: number): Promise<Uint8Array | undefined> => {
      const [at = 0, length = 0, sum] = entries.subarray(1 + ENTRY * block, 1 + ENTRY * (block + 1));
      const isBlock = length > 0 && length <= MOST_BYTES; // no block is empty, and the sum of nothing is 0
      const bytes = new Uint8Array(isBlock ? length : 0);
      if (isBlock) await file.read(bytes, at, patience);
      if (isBlock && crc32(bytes) === sum) return bytes;
      onDamage();
      return undefined;
    };
    return await Promise.all(indices.map((block) => read(block).catch(() => undefined)));
  };
}

async function openBlockFile(path: string): Promise<{ readonly file: OpenFile; readonly entries: Uint32Array }> {
  const file = await OpenFile.open(path);
  const count = new Uint32Array(1);
  await file.read(new Uint8Array(count.buffer), 0);
  const entries = new Uint32Array(Math.min(1 + ENTRY * count[0]!, MOST_BYTES));
  await file.read(new Uint8Array(entries.buffer), 0);
  return { file, entries };
}

/**
 * Writes the blocks of one segment to a file, inflated: for a query whose terms stand in fifty blocks. The database
 * takes eight milliseconds for these, and inflating them three. The file begins with the number of blocks, and of each
 * block its place, its bytes and their CRC-32, all as 32-bit numbers; the blocks follow.
 */
export async function writeBlockFile(path: string, lexical: Table, { id, header }: StoredSegment): Promise<void> {
  const { directory } = decodeHeader(header);
  const table = new Uint32Array(1 + ENTRY * directory.length);
  table[0] = directory.length;
  await writeWhole(path, async (handle) => {
    let at = table.byteLength;
    const where = `segment = ${id} AND block >= 0`;
    for await (const batch of scan(lexical, { columns: ['block', 'bytes'], where, lent: true })) {
      for (let i = 0; i < batch.numRows; i++) {
        const block = batch.getChild('block')!.get(i) as number;
        const bytes = openBlock(batch.getChild('bytes')!.get(i) as Uint8Array, directory[block]!);
        await handle.write(bytes, 0, bytes.length, at);
        table.set([at, bytes.length, crc32(bytes)], 1 + ENTRY * block);
        at += bytes.length;
      }
    }
    await handle.write(table, 0, table.byteLength, 0);
  });
}
