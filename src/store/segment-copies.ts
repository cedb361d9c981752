import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Table } from '@lancedb/lancedb';
import type { SegmentSource } from '../lexical/contract.ts';
import { blockFileReader, writeBlockFile } from './block-files.ts';
import type { StoredSegment } from './segments.ts';
import { skipFileReader, writeSkipFile } from './skip-files.ts';
import { VIEW } from './view-file.ts';

/** Files of one segment. Its postings can be read without them. */
export interface SegmentCopy {
  /** Its blocks, inflated. */
  readonly blocks: string;
  /** Skip tables of its common terms. */
  readonly skips?: string | undefined;
}

/**
 * The name of a file of a segment. It holds the CRC-32 of the segment's header, which has the checksums of all blocks,
 * so a file always belongs to what the table says.
 */
function fileName(id: number, header: Uint8Array, ending: 'blocks' | 'skips'): string {
  return `${id}-${crc32(header).toString(16)}.${ending}`;
}

/** The files in a folder. */
export class SegmentCopies {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;

  private constructor(folder: string, names: readonly string[]) {
    this.#folder = folder;
    this.#names = new Set(names);
  }

  /** @param folder undefined, and a missing one, has no files */
  static async in(folder: string | undefined): Promise<SegmentCopies> {
    return new SegmentCopies(folder ?? '', folder === undefined ? [] : await readdir(folder).catch(() => []));
  }

  /** The files of a segment; undefined where its blocks have none. */
  of(id: number, header: Uint8Array): SegmentCopy | undefined {
    const [blocks, skips] = (['blocks', 'skips'] as const).map((ending) => {
      const name = fileName(id, header, ending);
      return this.#names.has(name) ? join(this.#folder, name) : undefined;
    });
    return blocks === undefined ? undefined : { blocks, skips };
  }
}

/**
 * Removes a file that is damaged, else it would cost each query time for as long as its segment lasts: the next run that
 * changes something writes it again. Where it cannot be removed, it is passed over as before.
 */
const remover =
  (path: string): (() => void) =>
  () =>
    void rm(path, { force: true }).catch(() => {});

/** The functions by which a reader of the segment reads its files. */
export function copyReaders(copy: SegmentCopy | undefined): Pick<SegmentSource, 'readInflated' | 'readSkipTables'> {
  const { blocks, skips } = copy ?? {};
  return {
    readInflated: blocks === undefined ? undefined : blockFileReader(blocks, remover(blocks)),
    readSkipTables: skips === undefined ? undefined : skipFileReader(skips, remover(skips)),
  };
}

/** Writes the files that a segment lacks, and removes those of segments that are gone. */
export async function keepSegmentCopies(
  folder: string,
  lexical: Table,
  segments: readonly StoredSegment[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const there = new Set(await readdir(folder));
  const wanted = new Set<string>();
  for (const segment of segments) {
    const { id, header } = segment;
    const blocks = fileName(id, header, 'blocks');
    const skips = fileName(id, header, 'skips');
    const path = join(folder, blocks);
    if (!there.has(blocks)) await writeBlockFile(path, lexical, segment);
    if (!there.has(skips)) {
      let isDamaged = false;
      const write = (): Promise<void> =>
        writeSkipFile(
          join(folder, skips),
          header,
          blockFileReader(path, () => (isDamaged = true)),
        );
      await write();
      if (isDamaged) {
        await writeBlockFile(path, lexical, segment); // else words of the damaged blocks would have no skip table
        await write();
      }
    }
    wanted.add(blocks).add(skips);
  }
  for (const name of there) {
    if (!wanted.has(name) && !name.endsWith(VIEW)) await rm(join(folder, name), { force: true });
  }
}
