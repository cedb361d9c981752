import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Table } from '@lancedb/lancedb';
import { OpenFile, Patience } from '../core/open-file.ts';
import { openBlock } from '../lexical/blocks.ts';
import type { SegmentSource } from '../lexical/contract.ts';
import { decodeHeader } from '../lexical/header.ts';
import { scan } from './database.ts';
import type { StoredSegment } from './segments.ts';
import { VIEW } from './view-file.ts';

/**
 * Blocks of one segment in a file, inflated: for a query whose terms stand in fifty blocks. The database takes eight
 * milliseconds for these, and inflating them three. A file begins with the number of blocks, and of each block its place,
 * its bytes and their CRC-32, all as 32-bit numbers; the blocks follow. Its name holds the CRC-32 of the segment's header,
 * which has the checksums of all blocks, so a file always belongs to what the table says.
 */
function fileName(id: number, header: Uint8Array): string {
  return `${id}-${crc32(header).toString(16)}.blocks`;
}

/** Numbers of a block. */
const ENTRY = 3;
/** A block that says it has more is damaged: room for it is not made. */
const MOST_BYTES = 2 ** 27;
/** So long a thread waits for the blocks of a query. */
const PATIENCE_MS = 1;

/** The files in a folder. */
export class BlockFiles {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;

  private constructor(folder: string, names: readonly string[]) {
    this.#folder = folder;
    this.#names = new Set(names);
  }

  /** @param folder undefined, and a missing one, has no files */
  static async in(folder: string | undefined): Promise<BlockFiles> {
    return new BlockFiles(folder ?? '', folder === undefined ? [] : await readdir(folder).catch(() => []));
  }

  /** The file of a segment; undefined where there is none. */
  of(id: number, header: Uint8Array): string | undefined {
    const name = fileName(id, header);
    return this.#names.has(name) ? join(this.#folder, name) : undefined;
  }
}

/** A function that reads inflated blocks of a segment; undefined for what the file does not have as it was written. */
export function blockFileReader(path: string): NonNullable<SegmentSource['readInflated']> {
  let opened: Promise<{ readonly file: OpenFile; readonly entries: Uint32Array }> | undefined;
  return async (indices) => {
    opened ??= openBlockFile(path);
    const parts = await opened.catch(() => undefined);
    if (!parts) return [];
    const { file, entries } = parts;
    const patience = new Patience(PATIENCE_MS);
    const read = async (block: number): Promise<Uint8Array | undefined> => {
      const [at = 0, length = 0, sum] = entries.subarray(1 + ENTRY * block, 1 + ENTRY * (block + 1));
      if (length === 0 || length > MOST_BYTES) return undefined; // no block is empty, and the sum of nothing is 0
      const bytes = new Uint8Array(length);
      await file.read(bytes, at, patience);
      return crc32(bytes) === sum ? bytes : undefined;
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

/** Writes a file for each segment that has none, and removes those of segments that are gone. */
export async function keepBlockFiles(
  folder: string,
  lexical: Table,
  segments: readonly StoredSegment[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const there = new Set(await readdir(folder));
  const wanted = new Map(segments.map((segment) => [fileName(segment.id, segment.header), segment]));
  for (const [name, segment] of wanted)
    if (!there.has(name)) await writeBlockFile(join(folder, name), lexical, segment);
  for (const name of there) {
    if (!wanted.has(name) && !name.endsWith(VIEW)) await rm(join(folder, name), { force: true });
  }
}

async function writeBlockFile(path: string, lexical: Table, { id, header }: StoredSegment): Promise<void> {
  const { directory } = decodeHeader(header);
  const table = new Uint32Array(1 + ENTRY * directory.length);
  table[0] = directory.length;
  const unfinished = `${path}.new`;
  try {
    await using handle = await open(unfinished, 'w');
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
    await handle.sync();
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
