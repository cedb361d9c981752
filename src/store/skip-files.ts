import { crc32 } from 'node:zlib';
import { OpenFile, Patience } from '../core/open-file.ts';
import { commonPostings } from '../lexical/blocks.ts';
import type { PostingsPlace, SegmentSource } from '../lexical/contract.ts';
import { decodeHeader, setDocumentBounds } from '../lexical/header.ts';
import { KEPT_FROM, SkipTable, tableBytes } from '../lexical/skip-table.ts';
import { makeSkipTable } from '../lexical/skipped-postings.ts';
import { writeWhole } from './whole-file.ts';

/** 32-bit numbers at the beginning: how many skip tables there are, the place of their list, its CRC-32. */
const HEADER = 3;
/** Numbers of a table in the list: block, byte of the block, postings, place, CRC-32. Blocks and bytes ascend. */
const ENTRY = 5;
/** A list that says it has more tables is damaged: room for it is not made. */
const MOST_TABLES = 2 ** 22;
/** So long a thread waits for the tables of a query. */
const PATIENCE_MS = 1;

interface SkipFile {
  readonly file: OpenFile;
  readonly list: Uint32Array;
}

/**
 * A function that reads skip tables of a segment; undefined for what the file does not have as it was written.
 * @param onDamage called where the file is not as it was written
 */
export function skipFileReader(path: string, onDamage: () => void): NonNullable<SegmentSource['readSkipTables']> {
  let opened: Promise<SkipFile | undefined> | undefined;
  return async (places) => {
    opened ??= openSkipFile(path, onDamage).catch(() => undefined);
    const skips = await opened;
    if (!skips) return [];
    const patience = new Patience(PATIENCE_MS);
    return await Promise.all(
      places.map((place) => readSkipTable(skips, place, patience, onDamage).catch(() => undefined)),
    );
  };
}

async function openSkipFile(path: string, onDamage: () => void): Promise<SkipFile | undefined> {
  const file = await OpenFile.open(path);
  const header = new Uint32Array(HEADER);
  await file.read(new Uint8Array(header.buffer), 0);
  const [count = 0, at = 0, sum] = header;
  const list = new Uint32Array(count > MOST_TABLES ? 0 : ENTRY * count);
  const bytes = new Uint8Array(list.buffer);
  await file.read(bytes, at);
  // zeros would be a list of nothing
  if (count <= MOST_TABLES && at >= 4 * HEADER && crc32(bytes) === sum) return { file, list };
  onDamage();
  return undefined;
}

async function readSkipTable(
  { file, list }: SkipFile,
  { block, offset, count }: PostingsPlace,
  patience: Patience,
  onDamage: () => void,
): Promise<SkipTable | undefined> {
  let low = 0;
  let high = list.length / ENTRY;
  while (low < high) {
    const middle = (low + high) >> 1;
    const ofBlock = list[ENTRY * middle]!;
    if (ofBlock < block || (ofBlock === block && list[ENTRY * middle + 1]! < offset)) low = middle + 1;
    else high = middle;
  }
  const [ofBlock, ofOffset, ofCount, at = 0, sum] = list.subarray(ENTRY * low, ENTRY * (low + 1));
  if (ofBlock !== block || ofOffset !== offset || ofCount !== count) return undefined;
  const bytes = new Uint8Array(tableBytes(count));
  await file.read(bytes, at, patience);
  if (crc32(bytes) === sum) return SkipTable.of(bytes, count);
  onDamage();
  return undefined;
}

/**
 * Writes the skip table of each term of many postings of a segment to a file: making one goes through all postings, for
 * which a query of a large index has no time. The tables follow the header, and their list follows them.
 * @param read for terms of a block that it does not give there is no table
 * @param from a term with at least so many postings has a table
 */
export async function writeSkipFile(
  path: string,
  header: Uint8Array,
  read: NonNullable<SegmentSource['readInflated']>,
  from: number = KEPT_FROM,
): Promise<void> {
  const { directory, documentRows, textLengths } = decodeHeader(header);
  const rows = textLengths.length;
  const bounds = { documentFirst: new Uint32Array(rows), documentEnd: new Uint32Array(rows), counted: rows };
  setDocumentBounds(documentRows, 0, bounds.documentFirst, bounds.documentEnd);
  await writeWhole(path, async (handle) => {
    const list: number[] = [];
    let at = 4 * HEADER;
    for (let block = 0; rows >= from && block < directory.length; block++) {
      const [bytes] = await read([block]);
      for (const { count, offset, postings } of bytes ? commonPostings(bytes, from) : []) {
        const table = makeSkipTable({ postings, count, rows }, bounds).bytes;
        await handle.write(table, 0, table.length, at);
        list.push(block, offset, count, at, crc32(table));
        at += table.length;
      }
    }
    const entries = new Uint8Array(Uint32Array.from(list).buffer);
    await handle.write(entries, 0, entries.length, at);
    const numbers = Uint32Array.of(list.length / ENTRY, at, crc32(entries));
    await handle.write(numbers, 0, numbers.byteLength, 0);
  });
}
